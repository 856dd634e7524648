//! Clocks that step, stand still and run backwards.
//!
//! - 10, 9, 10: no id twice, under every policy.
//! - A tick that stands still gives as many ids as it has, then a wait with a bound or an error; a wait ends, counted in
//!   sleeps and readings.
//! - Back by 5 ms is waited out; by 6 ms, 128 ms, 1 s, 1 h it is an error at once that says by how much, without a sleep
//!   and with two readings of the clock. Time is compared, not ticks.
//! - A step back during a wait ends it with an error once the bound is passed.
//!
//! Running ahead of the clock: `ahead.rs`. The epoch, the end, ceilings: `bounds.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

mod recorded;

use std::collections::HashSet;
use std::time::Duration;

use idcore::{Exhaustion, IssueError, Layout, ManualClock, OnSleep, Rollback, Standard, StaticLayout, UnixMillis};
use idtest::{Event, Recorder};
use recorded::{Ids, ahead, back, clock_for, sleeps, tick_of};

const MS: Duration = Duration::from_millis(1);
const DAY_MS: i64 = 86_400_000;

fn standard(clock: &Recorder<ManualClock>) -> Ids<'_, Standard> {
    let ids = Standard::generator_with(clock).node(17).unregistered().build().unwrap();
    clock.take();
    ids
}

fn small(spec: &str) -> Layout {
    spec.parse().unwrap()
}

#[test]
fn clock_10_9_10_gives_no_id_twice() {
    for (rollback, ahead_max) in [
        (Rollback::Fail, Duration::ZERO),
        (Rollback::default(), Duration::ZERO),
        (Rollback::Fail, MS),
        (Rollback::Fail, Duration::from_secs(1)),
    ] {
        let clock = clock_for(Standard::LAYOUT);
        let ids = Standard::generator_with(&clock).node(1).unregistered().on_rollback(rollback).ahead_max(ahead_max);
        let ids = ids.build().unwrap();
        let mut issued = Vec::new();
        let mut refused = 0;
        for step in [10, 9, 10, 9, 8, 10, 11, 10, 11] {
            clock.inner().set(UnixMillis::new(Standard::LAYOUT.epoch().get() + DAY_MS + step));
            for _ in 0..3 {
                match ids.next_id() {
                    Ok(id) => issued.push(id),
                    Err(IssueError::ClockBehind { .. }) => refused += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        }
        let distinct: HashSet<_> = issued.iter().collect();
        assert_eq!(distinct.len(), issued.len(), "{rollback:?}, {ahead_max:?}");
        assert!(issued.is_sorted(), "{rollback:?}, {ahead_max:?}");
        // A wait moves this clock, so that later steps find less to go back from.
        let waits = rollback != Rollback::Fail || ahead_max > Duration::from_millis(2);
        let expected_refusals = if waits {
            0
        } else if ahead_max == MS {
            3
        } else {
            12
        };
        assert_eq!(refused, expected_refusals, "{rollback:?}, {ahead_max:?}");
    }
}

#[test]
fn a_frozen_tick_has_4096_ids_and_then_none() {
    let clock = clock_for(Standard::LAYOUT);
    ahead(&clock, Duration::from_micros(250));
    let ids = standard(&clock);
    let issued: Vec<_> = (0..4_096).map(|_| ids.try_next_id().unwrap()).collect();
    assert!(issued.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(issued.iter().enumerate().all(|(place, id)| id.sequence() == place as u64 && tick_of(*id) == 0));
    assert_eq!(clock.take().len(), 4_096, "one reading for each id");
    let exhausted = IssueError::Exhausted { retry_after: Duration::from_micros(750) };
    for _ in 0..3 {
        assert_eq!(ids.try_next_id(), Err(exhausted));
        assert!(matches!(clock.take()[..], [Event::Read(_), Event::Read(_)]));
    }
    ahead(&clock, Duration::from_micros(750));
    let next = ids.try_next_id().unwrap();
    assert_eq!((tick_of(next), next.sequence()), (1, 0));
}

#[test]
fn an_exhausted_tick_is_waited_out_with_one_sleep_to_its_end() {
    let clock = clock_for(Standard::LAYOUT);
    ahead(&clock, Duration::from_nanos(300_001));
    let ids = standard(&clock);
    for _ in 0..4_096 {
        ids.next_id().unwrap();
    }
    clock.take();
    let next = ids.next_id().unwrap();
    assert_eq!((tick_of(next), next.sequence()), (1, 0));
    let events = clock.take();
    assert_eq!(sleeps(&events), [Duration::from_nanos(699_999)]);
    assert!(events.len() <= 5, "{events:?}");
}

#[test]
fn exhausted_with_policy_fail_is_an_error_without_a_sleep() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = Standard::generator_with(&clock).node(0).unregistered().on_exhausted(Exhaustion::Fail).build().unwrap();
    for _ in 0..4_096 {
        ids.next_id().unwrap();
    }
    clock.take();
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: MS }));
    assert_eq!(sleeps(&clock.take()), []);
}

#[test]
fn a_wait_on_a_frozen_clock_ends_after_its_bound() {
    for (max, sleeps_expected) in [(MS, 1), (10 * MS, 10), (Duration::from_secs(5), 5_000)] {
        let clock = clock_for(Standard::LAYOUT);
        clock.inner().on_sleep(OnSleep::Freeze);
        let ids = Standard::generator_with(&clock).node(0).unregistered();
        let ids = ids.on_exhausted(Exhaustion::Wait { max }).build().unwrap();
        for _ in 0..4_096 {
            ids.next_id().unwrap();
        }
        clock.take();
        assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: MS }));
        let events = clock.take();
        let slept = sleeps(&events);
        assert_eq!(slept.len(), sleeps_expected, "{max:?}");
        assert!(slept.iter().all(|pause| *pause == MS));
        assert!(events.len() <= 3 * slept.len() + 3, "{} uses of the clock", events.len());
    }
}

#[test]
fn a_wait_on_a_clock_frozen_a_nanosecond_before_the_tick_ends_too() {
    let clock = clock_for(Standard::LAYOUT);
    clock.inner().on_sleep(OnSleep::Freeze);
    ahead(&clock, Duration::from_nanos(999_999));
    let ids = Standard::generator_with(&clock).node(0).unregistered();
    let ids = ids.on_exhausted(Exhaustion::Wait { max: MS }).build().unwrap();
    for _ in 0..4_096 {
        ids.next_id().unwrap();
    }
    clock.take();
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: Duration::from_nanos(1) }));
    let slept = sleeps(&clock.take());
    assert!((100..=1_000).contains(&slept.len()), "{} sleeps of a nanosecond", slept.len());
}

#[test]
fn back_by_up_to_5_ms_is_waited_out() {
    for step in [Duration::from_nanos(1), MS, Duration::from_micros(4_999), 5 * MS] {
        let clock = clock_for(Standard::LAYOUT);
        let ids = standard(&clock);
        let last = ids.next_id().unwrap();
        back(&clock, step);
        clock.take();
        let next = ids.next_id().unwrap();
        assert!(next > last);
        assert_eq!((tick_of(next), next.sequence()), (0, 1), "goes on where it was");
        assert_eq!(sleeps(&clock.take()), [step], "one sleep, to where the clock was");
        assert_eq!(ids.stats().clock_behind_max, step);
    }
}

#[test]
fn back_by_more_is_an_error_at_once_that_says_by_how_much() {
    for step_ms in [6, 128, 1_000, 3_600_000] {
        let step = Duration::from_millis(step_ms);
        let clock = clock_for(Standard::LAYOUT);
        let ids = standard(&clock);
        ids.next_id().unwrap();
        back(&clock, step);
        let behind = Err(IssueError::ClockBehind { behind: step, retry_after: step });
        for _ in 0..3 {
            clock.take();
            assert_eq!(ids.next_id(), behind);
            let events = clock.take();
            assert!(matches!(events[..], [Event::Read(_), Event::Read(_)]), "no sleep and no spin: {events:?}");
        }
        assert_eq!(ids.try_next_id(), behind);
        let mut buffer = [idcore::Snowflake::ZERO; 2];
        let error = ids.fill(&mut buffer).unwrap_err();
        assert_eq!((error.filled, Err(error.error)), (0, behind));
        ahead(&clock, step);
        assert_eq!(ids.next_id().map(tick_of), Ok(0), "goes on as soon as the clock is back");
    }
}

#[test]
fn just_over_the_bound_is_an_error() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    ids.next_id().unwrap();
    let step = 5 * MS + Duration::from_nanos(1);
    back(&clock, step);
    clock.take();
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: step, retry_after: step }));
    assert_eq!(sleeps(&clock.take()), []);
}

#[test]
fn back_behind_a_full_tick_is_waited_out_in_two_parts() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    for _ in 0..4_096 {
        ids.next_id().unwrap();
    }
    back(&clock, 5 * MS);
    clock.take();
    let next = ids.next_id().unwrap();
    assert_eq!((tick_of(next), next.sequence()), (1, 0));
    assert_eq!(sleeps(&clock.take()), [5 * MS, MS], "the step, which is within its bound, and then the tick");
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut all = vec![idcore::Snowflake::ZERO; 4_096];
    ids.fill(&mut all).unwrap();
    back(&clock, 2 * MS);
    assert_eq!(ids.try_next_id(), Err(IssueError::ClockBehind { behind: 2 * MS, retry_after: 3 * MS }));
}

#[test]
fn time_is_compared_and_not_ticks() {
    // One millisecond over the edge of a tick of 10 ms, of 1 s, of 1 h.
    for (spec, within) in [
        ("epoch=0,tick=10ms,timestamp:39,sequence:8", 9 * MS),
        ("epoch=0,tick=1s,timestamp:29,sequence:13", 999 * MS),
        ("epoch=0,tick=3600s,timestamp:20,sequence:3", 3_599_999 * MS),
    ] {
        let layout = small(spec);
        let clock = clock_for(layout);
        let ids = layout.generator_with(&clock).unregistered().build().unwrap();
        ahead(&clock, within);
        ids.next_id().unwrap();
        back(&clock, within);
        ids.next_id().expect("still the same tick");
        back(&clock, MS);
        assert_eq!(ids.try_next_id(), Err(IssueError::ClockBehind { behind: MS, retry_after: MS }), "{spec}");
        clock.take();
        ids.next_id().expect("a millisecond is waited out, however long the tick");
        assert_eq!(sleeps(&clock.take()), [MS], "{spec}");
        back(&clock, 6 * MS);
        assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: 6 * MS, retry_after: 6 * MS }), "{spec}");
    }
}

#[test]
fn a_step_back_during_a_wait_for_the_clock_ends_it() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    ids.next_id().unwrap();
    back(&clock, 4 * MS);
    clock.inner().step_at_next_sleep(-4);
    clock.take();
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: 8 * MS, retry_after: 8 * MS }));
    assert_eq!(sleeps(&clock.take()), [4 * MS], "at once, since 8 ms are over the bound");

    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    ids.next_id().unwrap();
    back(&clock, 2 * MS);
    for _ in 0..100 {
        clock.inner().step_at_next_sleep(0);
    }
    clock.take();
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: 2 * MS, retry_after: 2 * MS }));
    assert_eq!(sleeps(&clock.take()), [2 * MS, 2 * MS], "5 ms and an eighth, all together");
    assert_eq!(ids.stats().clock_behind, 3);
}

#[test]
fn a_step_back_during_a_wait_for_the_tick_is_told_as_such() {
    for (step_ms, waited_out) in [(-3, true), (-3_600_000, false)] {
        let clock = clock_for(Standard::LAYOUT);
        let ids = standard(&clock);
        let mut all = vec![idcore::Snowflake::ZERO; 4_096];
        ids.fill(&mut all).unwrap();
        clock.inner().step_at_next_sleep(step_ms);
        clock.take();
        let next = ids.next_id();
        if waited_out {
            assert_eq!(next.map(tick_of), Ok(1));
            assert_eq!(sleeps(&clock.take()), [MS, 3 * MS, MS]);
        } else {
            let behind = Duration::from_secs(3_600);
            assert_eq!(next, Err(IssueError::ClockBehind { behind, retry_after: behind + MS }));
            assert_eq!(sleeps(&clock.take()), [MS]);
        }
    }
}

#[test]
fn a_clock_that_runs_backwards_ends_every_call() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    ids.next_id().unwrap();
    clock.inner().drift(-700_000);
    let mut errors = 0;
    for _ in 0..50 {
        clock.take();
        errors += u32::from(ids.next_id().is_err());
        assert!(clock.take().len() < 40);
    }
    assert!(errors > 20, "{errors} errors");
}

#[test]
fn a_clock_that_jumps_ahead_is_followed() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    ids.next_id().unwrap();
    ahead(&clock, Duration::from_secs(3_600));
    assert_eq!(ids.next_id().map(tick_of), Ok(3_600_000));
    back(&clock, Duration::from_secs(3_600));
    let behind = Duration::from_secs(3_600);
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind, retry_after: behind }), "and remembered");
}
