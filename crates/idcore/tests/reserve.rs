//! Many ids by one exchange.
//!
//! - `reserve(n)` gives 1 to n ids, as many as can be had now, and those strictly increasing and adjacent; 0 gives none and
//!   changes nothing; more than a tick has gives the rest of the tick, and with time that may be borrowed that too.
//! - None is at or past the ceiling. A wait and its errors are those of `next_id`.
//! - Reserved ids are the caller's under any clock and for ever; a closed generator's iterator says so once and ends.
//! - `size_hint` is true at every step.
//!
//! Forks: `fork`. Suspect clocks: `monotonic.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use idcore::{
    Builder, Clock, Exhaustion, IssueError, Layout, ManualClock, Mastodon, Reserved, Rollback, Snowflake, Standard,
    StaticLayout, Tag, UnixMillis,
};
use idtest::{Event, Recorder, Seed};

const MS: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
const DAY_MS: i64 = 86_400_000;

/// A clock that reads a day after the layout's epoch, and writes down how it is used.
fn clock_for(layout: Layout) -> Recorder<ManualClock> {
    Recorder::new(ManualClock::new(UnixMillis::new(layout.epoch().get() + DAY_MS)))
}

/// Settings of a generator whose mark is at the start of the clock's tick.
fn settings(clock: &Recorder<ManualClock>) -> Builder<Standard, &Recorder<ManualClock>> {
    Standard::generator_with(clock).node(17).unregistered().start_at(clock.inner().now().millis())
}

fn sleeps(events: &[Event]) -> Vec<Duration> {
    events.iter().filter_map(|event| if let Event::Sleep(duration) = event { Some(*duration) } else { None }).collect()
}

fn tick_of(id: Snowflake<Standard>) -> i64 {
    id.time().get() - Standard::LAYOUT.epoch().get() - DAY_MS
}

/// All that is left of it, with what it says about itself checked on the way.
fn all<T: Tag, C: Clock>(mut reserved: Reserved<'_, T, C>) -> Vec<Snowflake<T>> {
    let count = reserved.remaining();
    let mut taken = Vec::new();
    for left in (1..=count).rev() {
        assert_eq!(reserved.remaining(), left);
        assert_eq!(reserved.size_hint(), (1, Some(usize::try_from(left).unwrap())));
        taken.push(reserved.next().unwrap().unwrap());
    }
    for _ in 0..2 {
        assert_eq!((reserved.next(), reserved.remaining(), reserved.size_hint()), (None, 0, (0, Some(0))));
    }
    assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
    taken
}

#[test]
fn nothing_reserved_changes_nothing() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).build().unwrap();
    clock.take();
    let mark = ids.mark();
    assert_eq!(all(ids.reserve(0).unwrap()), []);
    assert_eq!((ids.mark(), clock.take()), (mark, vec![]));
    ids.next_id().unwrap();
    assert_eq!(ids.mark().get(), mark.get() + 1);
}

#[test]
fn what_is_reserved_is_adjacent_and_between_other_ids() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).build().unwrap();
    clock.take();
    let mut expected = 0;
    for n in [1, 2, 3, 100, 1_000] {
        let taken = all(ids.reserve(n).unwrap());
        assert_eq!(taken.len() as u64, n);
        assert!(taken.iter().zip(expected..).all(|(id, sequence)| (tick_of(*id), id.sequence()) == (0, sequence)));
        assert_eq!(clock.take().len(), 1, "one reading and one exchange for all");
        let single = ids.next_id().unwrap();
        expected += n + 1;
        assert_eq!(single.sequence(), expected - 1);
        clock.take();
    }
}

#[test]
fn more_than_a_tick_has_is_what_it_has() {
    for n in [4_097, 5_000, u64::MAX] {
        let clock = clock_for(Standard::LAYOUT);
        let ids = settings(&clock).build().unwrap();
        ids.reserve(96).unwrap();
        clock.take();
        let rest = all(ids.reserve(n).unwrap());
        assert_eq!((rest.len(), rest[0].sequence(), tick_of(rest[3_999])), (4_000, 96, 0));
        assert_eq!(sleeps(&clock.take()), [], "there was one, so nobody waits for more");
        let next = all(ids.reserve(2).unwrap());
        assert_eq!((next.len(), tick_of(next[0]), next[0].sequence()), (2, 1, 0));
        assert_eq!(sleeps(&clock.take()), [MS]);
    }
}

#[test]
fn time_that_may_be_borrowed_is_reserved_too() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).ahead_max(3 * MS).on_exhausted(Exhaustion::Fail).build().unwrap();
    let taken = all(ids.reserve(u64::MAX).unwrap());
    assert_eq!((taken.len(), tick_of(taken[4 * 4_096 - 1])), (4 * 4_096, 3));
    assert_eq!(ids.stats().borrowed, 3 * 4_096);
    assert_eq!(ids.reserve(1).unwrap_err(), IssueError::Exhausted { retry_after: MS });
}

#[test]
fn nothing_at_or_past_the_ceiling_is_reserved() {
    let clock = clock_for(Standard::LAYOUT);
    let until = UnixMillis::new(clock.inner().now().millis().get() + 2);
    let ids = settings(&clock).ahead_max(HOUR).ceiling(until).build().unwrap();
    let mut reserved = ids.reserve(u64::MAX).unwrap();
    assert_eq!(reserved.remaining(), 2 * 4_096);
    let ended = IssueError::ReservationEnded { until };
    assert_eq!(ids.reserve(1).unwrap_err(), ended);
    clock.inner().advance(HOUR);
    assert!(reserved.by_ref().take(100).all(|id| id.unwrap().time() < until), "below it, and so the caller's");
    ids.raise_ceiling(UnixMillis::new(until.get() + 7_200_000)).unwrap();
    assert!(ids.reserve(1).is_ok());
    assert_eq!(all(reserved).len(), 2 * 4_096 - 100);
}

#[test]
fn a_closed_generators_iterator_says_so_once_and_ends() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).build().unwrap();
    let mut reserved = ids.reserve(10).unwrap();
    let first = reserved.next().unwrap().unwrap();
    let mark = ids.close();
    assert_eq!(mark.get() % 4_096, 10, "what was reserved is below the mark");
    assert!(first.sequence() < 10);
    assert_eq!(reserved.size_hint(), (1, Some(9)));
    assert_eq!(reserved.next(), Some(Err(IssueError::Closed)));
    for _ in 0..3 {
        assert_eq!((reserved.next(), reserved.remaining(), reserved.size_hint()), (None, 0, (0, Some(0))));
    }
    assert_eq!(ids.reserve(1).unwrap_err(), IssueError::Closed);
    assert_eq!(ids.reserve(u64::MAX).unwrap_err(), IssueError::Closed);
    assert_eq!(ids.mark(), mark);
}

#[test]
fn a_clock_that_is_back_is_as_for_one_id() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).build().unwrap();
    let mut reserved = ids.reserve(10).unwrap();
    clock.inner().step_back(HOUR);
    assert_eq!(ids.reserve(5).unwrap_err(), IssueError::ClockBehind { behind: HOUR, retry_after: HOUR });
    assert!(reserved.next().unwrap().is_ok(), "what is reserved does not depend on the clock");
    clock.inner().advance(HOUR);
    clock.inner().step_back(4 * MS);
    clock.take();
    assert_eq!(all(ids.reserve(5).unwrap())[0].sequence(), 10);
    assert_eq!(sleeps(&clock.take()), [4 * MS]);
    clock.inner().advance(24 * HOUR);
    assert_eq!(all(reserved).iter().map(|id| (tick_of(*id), id.sequence())).collect::<Vec<_>>(), {
        (1..10).map(|sequence| (0, sequence)).collect::<Vec<_>>()
    });
}

#[test]
fn what_is_not_used_is_nobodys() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).on_rollback(Rollback::Fail).build().unwrap();
    drop(ids.reserve(100));
    assert_eq!(ids.next_id().map(Snowflake::sequence), Ok(100));
}

#[test]
fn a_layout_without_a_sequence_has_one_for_a_tick() {
    let layout: Layout = "epoch=0,timestamp:41".parse().unwrap();
    let clock = ManualClock::new(UnixMillis::new(DAY_MS));
    let ids = layout.generator_with(&clock).unregistered().build().unwrap();
    for passed in 0..3 {
        let taken = all(ids.reserve(100).unwrap());
        assert_eq!(taken.iter().map(|id| id.get()).collect::<Vec<_>>(), [DAY_MS.unsigned_abs() + passed]);
    }
}

#[test]
fn threads_that_reserve_get_ranges_apart() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let sizes: Vec<u64> = (0..8 * 300).map(|_| 1 + rng.below(200)).collect();
    let ids = &Mastodon::generator().unregistered().build().unwrap();
    let taken: Vec<Vec<_>> = thread::scope(|scope| {
        let reserve = |n: &u64| ids.reserve(*n).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        let threads: Vec<_> =
            sizes.chunks(300).map(|sizes| scope.spawn(move || sizes.iter().flat_map(reserve).collect())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(taken.iter().all(|mine| mine.windows(2).all(|pair| pair[0] < pair[1])));
    let count = taken.iter().map(Vec::len).sum::<usize>();
    assert!(count as u64 <= sizes.iter().sum() && count >= 8 * 300);
    assert_eq!(taken.into_iter().flatten().collect::<HashSet<_>>().len(), count);
}
