//! Calls on a generator: many ids at once, the end of it, what comes first when several things are wrong, and what is said.
//!
//! - `fill` gives what as many calls of `next_id` would; on an error it says how many ids are the caller's.
//! - `close` is final and its mark exact; closing again gives the same.
//! - Of several faults the most hopeless is told: closed, ceiling, clock behind, used up.
//! - Counters are exact; errors name values and what was expected; a generator is small and can be shared.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::error::Error;
use std::mem::size_of;
use std::sync::Arc;
use std::time::Duration;

use idcore::{
    Dyn, DynSnowflake, Exhaustion, Generator, IssueError, Layout, ManualClock, Mark, OnSleep, Rollback, Snowflake,
    Standard, StaticLayout, SystemClock, UnixMillis, Wide,
};

const MS: Duration = Duration::from_millis(1);
const SMALL: &str = "epoch=0,timestamp:41,sequence:2";

fn ms(millis: i64) -> UnixMillis {
    UnixMillis::new(millis)
}

fn layout(spec: &str) -> Layout {
    spec.parse().unwrap()
}

fn numbers(ids: &[DynSnowflake]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}

#[test]
fn fill_gives_what_single_calls_give() {
    let (clock_a, clock_b) = (ManualClock::new(ms(10)), ManualClock::new(ms(10)));
    let [one, many] =
        [&clock_a, &clock_b].map(|clock| layout(SMALL).generator_with(clock).unregistered().build().unwrap());
    for len in [0, 1, 3, 4, 5, 17] {
        let mut filled = vec![DynSnowflake::ZERO; len];
        many.fill(&mut filled).unwrap();
        let single: Vec<u64> = (0..len).map(|_| one.next_id().unwrap().get()).collect();
        assert_eq!(numbers(&filled), single);
    }
    assert_eq!(one.mark(), many.mark());
    assert_eq!(clock_a.slept(), clock_b.slept());
    assert_eq!(clock_a.slept(), 7 * MS, "30 ids, four in a tick");
}

#[test]
fn fill_of_many_ticks_is_strictly_increasing_and_sleeps_once_a_tick() {
    let clock = ManualClock::new(Wide::LAYOUT.lifetime().first);
    let ids = Wide::generator_with(&clock).unregistered().build().unwrap();
    let mut all = vec![Snowflake::ZERO; (3 << 22) + 7];
    ids.fill(&mut all).unwrap();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(all.last().map(|id| id.decode().tick()), Some(3));
    assert_eq!((clock.sleeps(), clock.slept()), (3, 3 * MS));
}

#[test]
fn a_fill_that_ends_early_says_how_many_are_the_callers() {
    let clock = ManualClock::new(ms(10));
    clock.on_sleep(OnSleep::Freeze);
    let ids = layout(SMALL).generator_with(&clock).unregistered().on_exhausted(Exhaustion::Wait { max: 2 * MS });
    let ids = ids.build().unwrap();
    let mut all = [DynSnowflake::new(77).unwrap(); 9];
    let error = ids.fill(&mut all).unwrap_err();
    assert_eq!((error.filled, error.error), (4, IssueError::Exhausted { retry_after: MS }));
    assert_eq!(numbers(&all), [40, 41, 42, 43, 77, 77, 77, 77, 77]);
    assert_eq!(error.to_string(), "4 ids filled, then: ids of this tick are used up: next tick in 1ms");
    assert_eq!(
        error.source().map(ToString::to_string).as_deref(),
        Some("ids of this tick are used up: next tick in 1ms")
    );
    assert_eq!(clock.sleeps(), 2);
}

#[test]
fn each_tick_of_a_fill_is_waited_for_anew() {
    // Ten waits of a millisecond, each within its bound of one.
    let clock = ManualClock::new(ms(10));
    let ids = layout(SMALL).generator_with(&clock).unregistered().on_exhausted(Exhaustion::Wait { max: MS });
    let mut all = [DynSnowflake::ZERO; 44];
    ids.build().unwrap().fill(&mut all).unwrap();
    assert_eq!(clock.slept(), 10 * MS);
}

#[test]
fn closing_is_final_and_its_mark_exact() {
    let clock = ManualClock::new(ms(10));
    let ids = layout(SMALL).generator_with(&clock).unregistered().build().unwrap();
    assert_eq!(ids.mark(), Mark::new(0));
    for _ in 0..6 {
        ids.next_id().unwrap();
    }
    assert_eq!(ids.mark(), Mark::new(46));
    assert_eq!(ids.close(), Mark::new(46));
    for now in [10, 11, 12, 1_000_000, 3, -5, i64::MAX] {
        clock.set(ms(now));
        assert_eq!(ids.next_id(), Err(IssueError::Closed), "at {now}");
        assert_eq!(ids.try_next_id(), Err(IssueError::Closed), "at {now}");
        let error = ids.fill(&mut [DynSnowflake::ZERO; 3]).unwrap_err();
        assert_eq!((error.filled, error.error), (0, IssueError::Closed));
        assert_eq!(ids.close(), Mark::new(46), "the same again");
        assert_eq!(ids.mark(), Mark::new(46));
    }
    ids.raise_ceiling(ms(1 << 40)).unwrap();
    assert_eq!(ids.next_id(), Err(IssueError::Closed));
    assert_eq!(IssueError::Closed.retry_after(), None);
    assert_eq!(ids.stats().clock_behind, 0, "closed is not counted as a fault of the clock");
}

#[test]
fn a_generator_closed_before_its_first_id_has_the_mark_that_it_began_with() {
    let clock = ManualClock::new(ms(10));
    let fresh = layout(SMALL).generator_with(&clock).unregistered().build().unwrap();
    assert_eq!(fresh.close(), Mark::new(0));
    let above = layout(SMALL).generator_with(&clock).unregistered().not_before(Mark::new(99)).build().unwrap();
    assert_eq!(above.close(), Mark::new(99));
}

#[test]
fn the_most_hopeless_fault_is_told() {
    let build = |clock| {
        let ids = layout(SMALL).generator_with(clock).unregistered().ceiling(ms(12)).on_rollback(Rollback::Fail);
        ids.on_exhausted(Exhaustion::Fail).build().unwrap()
    };
    let clock = ManualClock::new(ms(11));
    let ids = build(&clock);
    ids.fill(&mut [DynSnowflake::ZERO; 4]).unwrap();
    // Used up, at the ceiling, and behind as well once the clock goes back.
    let at_ceiling = Err(IssueError::ReservationEnded { until: ms(12) });
    assert_eq!(ids.next_id(), at_ceiling);
    clock.set(ms(3));
    assert_eq!(ids.next_id(), at_ceiling);
    clock.set(ms(-3));
    assert_eq!(ids.next_id(), at_ceiling);
    // Behind and used up.
    ids.raise_ceiling(ms(20)).unwrap();
    clock.set(ms(10));
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: MS, retry_after: 2 * MS }));
    clock.set(ms(11));
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: MS }));
    ids.close();
    assert_eq!(ids.next_id(), Err(IssueError::Closed));
}

#[test]
fn counters_are_exact() {
    let clock = ManualClock::new(ms(100));
    let ids = layout(SMALL).generator_with(&clock).unregistered().ceiling(ms(110)).ahead_max(2 * MS).build().unwrap();
    let counts = || {
        let stats = ids.stats();
        (stats.waits, stats.borrowed, stats.clock_behind, stats.clock_behind_max, stats.ceiling_refusals)
    };
    assert_eq!(counts(), (0, 0, 0, Duration::ZERO, 0));
    ids.fill(&mut [DynSnowflake::ZERO; 6]).unwrap();
    assert_eq!(counts(), (0, 2, 0, Duration::ZERO, 0), "two of tick 101");
    ids.fill(&mut [DynSnowflake::ZERO; 7]).unwrap();
    assert_eq!(counts(), (1, 9, 0, Duration::ZERO, 0), "six to the bound, then a wait for tick 101, and one of 103");
    clock.set(ms(98));
    ids.next_id().unwrap();
    assert_eq!(counts(), (2, 10, 1, 5 * MS, 0), "5 ms behind, 2 of which may be ahead");
    clock.set(ms(90));
    assert!(ids.try_next_id().is_err());
    assert!(ids.next_id().is_err());
    assert_eq!(counts(), (2, 10, 3, 13 * MS, 0));
    clock.set(ms(110));
    assert!(ids.next_id().is_err());
    assert!(ids.try_next_id().is_err());
    assert!(ids.fill(&mut [DynSnowflake::ZERO; 3]).is_err());
    assert_eq!(counts(), (2, 10, 3, 13 * MS, 3));
    clock.set(ms(109));
    ids.fill(&mut [DynSnowflake::ZERO; 4]).unwrap();
    assert_eq!(counts(), (2, 10, 3, 13 * MS, 3));
}

#[test]
fn errors_name_values_and_what_was_expected() {
    for (error, text) in [
        (IssueError::Closed, "generator is closed"),
        (
            IssueError::ReservationEnded { until: ms(12) },
            "reserved time ended at 12 ms: expected the ceiling to be raised",
        ),
        (IssueError::EpochEnded { now: ms(14), end: ms(13) }, "clock reads 14 ms: layout has no ids at 13 ms or later"),
        (
            IssueError::ClockBehind { behind: 6 * MS, retry_after: 7 * MS },
            "clock is 6ms behind the last id: next id in 7ms",
        ),
        (
            IssueError::Exhausted { retry_after: Duration::from_micros(250) },
            "ids of this tick are used up: next tick in 250µs",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
    assert_eq!(IssueError::Exhausted { retry_after: MS }.retry_after(), Some(MS));
    assert_eq!(IssueError::ClockBehind { behind: MS, retry_after: 2 * MS }.retry_after(), Some(2 * MS));
    assert_eq!(IssueError::ReservationEnded { until: ms(1) }.retry_after(), None);
    assert_eq!(IssueError::EpochEnded { now: ms(1), end: ms(1) }.retry_after(), None);
}

#[test]
fn a_generator_is_small_and_can_be_shared() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Generator<Standard, SystemClock>>();
    is_shared::<Generator<Dyn, Arc<ManualClock>>>();
    // With the feature `tokio`; without it a build fails that makes them larger than 256 bytes.
    assert!(size_of::<Generator<Standard, SystemClock>>() <= 384);
    assert!(size_of::<Generator<Dyn, SystemClock>>() <= 384);
    assert_eq!(size_of::<DynSnowflake>(), 8);
    assert_eq!(size_of::<Snowflake<Standard>>(), 8);
}

#[test]
fn both_kinds_of_layout_give_the_same_ids() {
    let clock = Arc::new(ManualClock::new(ms(1_800_000_000_000)));
    let typed = Standard::generator_with(Arc::clone(&clock)).node(77).unregistered().build().unwrap();
    let by_value = Standard::LAYOUT.generator_with(Arc::clone(&clock)).node(77).unregistered().build().unwrap();
    for _ in 0..10_000 {
        assert_eq!(typed.next_id().map(u64::from), by_value.next_id().map(u64::from));
        clock.set(typed.next_id().unwrap().time());
        by_value.next_id().unwrap();
    }
    assert_eq!(typed.mark(), by_value.mark());
    assert!(typed.clock().slept() >= MS);
}
