//! Ids ahead of the clock: borrowing and the logical clock, which are one thing.
//!
//! - Ids run ahead of the clock by exactly what is allowed, rounded down to ticks, and come back to it.
//! - Within the bound a step back costs no wait; beyond it the rest of the step counts for the wait.
//! - Without a bound ids run on to the layout's end, and never wrap.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

mod recorded;

use std::time::Duration;

use idcore::{
    Dyn, DynSnowflake, Exhaustion, IssueError, Layout, ManualClock, Rollback, Sonyflake, Standard, StaticLayout,
    UnixMillis,
};
use idtest::Recorder;
use recorded::{Ids, ahead, back, clock_for, sleeps, tick_of};

const MS: Duration = Duration::from_millis(1);

#[test]
fn borrowing_ends_exactly_at_its_bound() {
    for (ahead_ms, ticks) in [(0, 1), (1, 2), (3, 4), (9, 10)] {
        let clock = clock_for(Standard::LAYOUT);
        let ids = Standard::generator_with(&clock).node(5).unregistered().ahead_max(ahead_ms * MS);
        let ids = ids.on_exhausted(Exhaustion::Fail).build().unwrap();
        let mut all = vec![idcore::Snowflake::ZERO; 4_096 * 12];
        let error = ids.fill(&mut all).unwrap_err();
        assert_eq!(error.filled, 4_096 * ticks);
        assert_eq!(error.error, IssueError::Exhausted { retry_after: MS });
        assert_eq!(tick_of(all[error.filled - 1]), i64::from(ahead_ms));
        assert_eq!(ids.stats().borrowed, 4_096 * u64::from(ahead_ms));
        // One tick later there is one more, not a whole window.
        ahead(&clock, MS);
        let error = ids.fill(&mut all).unwrap_err();
        assert_eq!((error.filled, tick_of(all[0])), (4_096, i64::from(ahead_ms) + 1));
        // Once the clock has passed them, ids are of its own tick again.
        ahead(&clock, 100 * MS);
        assert_eq!(ids.next_id().map(tick_of), Ok(101));
    }
}

#[test]
fn the_bound_of_borrowing_is_rounded_down_to_ticks() {
    for (ahead_ms, ticks) in [(0, 1), (9, 1), (10, 2), (19, 2), (20, 3)] {
        let clock = clock_for(Sonyflake::LAYOUT);
        let ids = Sonyflake::generator_with(&clock).node(5).unregistered().ahead_max(ahead_ms * MS);
        let ids = ids.on_exhausted(Exhaustion::Fail).build().unwrap();
        let error = ids.fill(&mut vec![idcore::Snowflake::ZERO; 5_000]).unwrap_err();
        assert_eq!(error.filled, 256 * ticks, "{ahead_ms} ms");
    }
}

#[test]
fn a_logical_clock_goes_on_from_the_last_time_within_its_bound() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = Standard::generator_with(&clock).node(5).unregistered().ahead_max(3 * MS);
    let ids = ids.on_rollback(Rollback::Fail).build().unwrap();
    let first = ids.next_id().unwrap();
    back(&clock, 3 * MS);
    clock.take();
    let second = ids.next_id().unwrap();
    assert_eq!((tick_of(second), second.sequence()), (0, 1));
    assert!(second > first);
    assert_eq!(clock.take().len(), 1, "no wait, no second look");
    assert_eq!(ids.stats().borrowed, 1);
    back(&clock, Duration::from_nanos(1));
    let behind = 3 * MS + Duration::from_nanos(1);
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind, retry_after: Duration::from_nanos(1) }));
    ahead(&clock, 10 * MS);
    assert_eq!(ids.next_id().map(tick_of), Ok(6), "back at the clock");
    assert_eq!(ids.stats().borrowed, 1);
}

#[test]
fn what_is_ahead_counts_for_the_wait_too() {
    // 8 ms behind, 3 ms of which may be ahead: 5 ms are waited out.
    let clock = clock_for(Standard::LAYOUT);
    let ids = Standard::generator_with(&clock).node(5).unregistered().ahead_max(3 * MS).build().unwrap();
    ids.next_id().unwrap();
    back(&clock, 8 * MS);
    clock.take();
    assert_eq!(ids.next_id().map(tick_of), Ok(0));
    assert_eq!(sleeps(&clock.take()), [5 * MS]);
}

#[test]
fn no_bound_at_all_runs_ahead_without_a_wait_and_never_wraps() {
    let layout: Layout = "epoch=0,timestamp:6,sequence:2".parse().unwrap();
    let clock = Recorder::new(ManualClock::new(UnixMillis::new(10)));
    let ids: Ids<'_, Dyn> = layout.generator_with(&clock).unregistered().ahead_max(Duration::MAX).build().unwrap();
    let mut all = [DynSnowflake::ZERO; 1_000];
    let error = ids.fill(&mut all).unwrap_err();
    assert_eq!(error.filled, (64 - 10) * 4);
    assert_eq!(error.error, IssueError::EpochEnded { now: UnixMillis::new(10), end: UnixMillis::new(64) });
    assert!(all[..error.filled].iter().zip(40..).all(|(id, raw)| id.get() == raw));
    assert_eq!(sleeps(&clock.take()), []);
}
