//! Where a generator begins and where it ends.
//!
//! - Before the epoch there is no id and never tick zero; past the end of the time field there is an error, never a wrapped
//!   or negative id. Layouts of 64 bits give ids with the top bit set and then end; layouts that the state cannot hold end
//!   where their lifetime says.
//! - A start is rounded up, a ceiling down; the ceiling only rises, and not past the layout's end.
//! - A mark or an id to start above: every later id sorts above it.
//! - What cannot be is refused when building.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::time::Duration;

use idcore::{
    BuildError, CeilingError, Dyn, DynSnowflake, Generator, IssueError, Layout, ManualClock, Mark, Mastodon, Snowflake,
    Sonyflake, Standard, StaticLayout, Tsid, Twitter, UnixMillis,
};

const MS: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);

fn ms(millis: i64) -> UnixMillis {
    UnixMillis::new(millis)
}

fn layout(spec: &str) -> Layout {
    spec.parse().unwrap()
}

fn clock_at(millis: i64) -> ManualClock {
    ManualClock::new(ms(millis))
}

/// A generator without a node and with everything as by default.
fn plain<'c>(spec: &str, clock: &'c ManualClock) -> Generator<Dyn, &'c ManualClock> {
    layout(spec).generator_with(clock).unregistered().build().unwrap()
}

#[test]
fn before_the_epoch_there_is_no_generator() {
    let clock = clock_at(1_704_067_199_999);
    let error = Standard::generator_with(&clock).node(0).unregistered().build().unwrap_err();
    assert_eq!(error, BuildError::ClockBeforeEpoch { now: ms(1_704_067_199_999), epoch: ms(1_704_067_200_000) });
    assert_eq!(
        error.to_string(),
        "clock reads 1704067199999 ms: expected the layout's epoch, 1704067200000 ms, or later"
    );
    // An epoch in the future is the same thing.
    let real = layout("epoch=4102444800000,timestamp:41,sequence:12").generator().unregistered().build();
    assert!(matches!(real, Err(BuildError::ClockBeforeEpoch { .. })), "{real:?}");
}

#[test]
fn a_clock_that_goes_back_before_the_epoch_is_behind_and_never_at_tick_zero() {
    for ahead_max in [Duration::ZERO, HOUR, Duration::MAX] {
        let clock = clock_at(1_000);
        let layout = layout("epoch=1000,timestamp:41,sequence:12");
        let ids = layout.generator_with(&clock).unregistered().ahead_max(ahead_max).build().unwrap();
        for before in [HOUR, 6 * MS, Duration::from_nanos(5_000_001)] {
            clock.set(ms(1_000));
            clock.step_back(before);
            let behind = Err(IssueError::ClockBehind { behind: before, retry_after: before });
            assert_eq!(ids.next_id(), behind, "{ahead_max:?}");
            assert_eq!(ids.try_next_id(), behind);
        }
        assert_eq!(ids.mark(), Mark::new(0));
        clock.set(ms(1_000));
        clock.step_back(5 * MS);
        assert_eq!(ids.next_id().map(DynSnowflake::get), Ok(0), "waited for the epoch");
        clock.set(ms(i64::MIN));
        assert!(matches!(ids.try_next_id(), Err(IssueError::ClockBehind { .. })));
    }
}

#[test]
fn past_the_end_of_the_time_field_there_is_an_error() {
    let clock = clock_at(9);
    let ids = plain("epoch=5,timestamp:3,sequence:2", &clock);
    let ended = |now| IssueError::EpochEnded { now: ms(now), end: ms(13) };
    clock.set(ms(12));
    let last: Vec<u64> = (0..4).map(|_| ids.next_id().unwrap().get()).collect();
    assert_eq!(last, [28, 29, 30, 31], "the last tick has its ids");
    for now in [12, 13, 14, 20, 21, 1_000, i64::MAX, 4, i64::MIN] {
        clock.set(ms(now));
        assert_eq!(ids.next_id(), Err(ended(now)), "at {now}");
        assert_eq!(ids.try_next_id(), Err(ended(now)), "at {now}");
    }
    assert_eq!(ended(13).retry_after(), None);
    assert_eq!(clock.sleeps(), 0);
}

#[test]
fn a_clock_past_the_end_does_not_use_up_the_word() {
    let clock = clock_at(6);
    let ids = plain("epoch=5,timestamp:3,sequence:2", &clock);
    // At 2^62 ms past the epoch the tick, shifted to its place in the word, would be zero again.
    for now in [13, 1_000, (1 << 61) + 5, (1 << 62) + 5, i64::MAX] {
        clock.set(ms(now));
        assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now: ms(now), end: ms(13) }), "at {now}");
    }
    clock.set(ms(7));
    assert_eq!(ids.next_id().map(DynSnowflake::get), Ok(8), "a wrong reading leaves nothing behind");
}

#[test]
fn past_the_end_there_is_no_generator() {
    let clock = clock_at(13);
    let error = layout("epoch=5,timestamp:3,sequence:2").generator_with(&clock).unregistered().build().unwrap_err();
    assert_eq!(error, BuildError::EpochEnded { now: ms(13), end: ms(13) });
    assert_eq!(error.to_string(), "clock reads 13 ms: expected a time before 13 ms, where the layout ends");
}

#[test]
fn borrowing_stops_at_the_end() {
    let clock = clock_at(11);
    let layout = layout("epoch=5,timestamp:3,sequence:2");
    let ids = layout.generator_with(&clock).unregistered().ahead_max(HOUR).build().unwrap();
    let mut all = [DynSnowflake::ZERO; 50];
    let error = ids.fill(&mut all).unwrap_err();
    assert_eq!((error.filled, error.error), (8, IssueError::EpochEnded { now: ms(11), end: ms(13) }));
    assert_eq!(all[7].get(), 31);
}

#[test]
fn a_layout_of_64_bits_has_its_last_ids_and_then_ends() {
    let end = Tsid::LAYOUT.lifetime().end.get();
    let clock = clock_at(end - 1);
    let ids = Tsid::generator_with(&clock).node(1_023).unregistered().build().unwrap();
    let mut all = vec![Snowflake::ZERO; 4_097];
    let error = ids.fill(&mut all).unwrap_err();
    assert_eq!((error.filled, error.error), (4_096, IssueError::EpochEnded { now: ms(end - 1), end: ms(end) }));
    assert_eq!(all[4_095].get(), u64::MAX);
    assert!(i64::try_from(all[0]).is_err(), "no negative id");
    assert!(all[..4_096].iter().all(|id| id.time() == ms(end - 1) && id.node() == 1_023));
    clock.set(ms(end));
    assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now: ms(end), end: ms(end) }));
}

#[test]
fn the_top_bit_is_set_when_its_time_has_come_and_not_before() {
    let top = Tsid::LAYOUT.passes(1 << 63).unwrap().get();
    let clock = clock_at(top - 1);
    let ids = Tsid::generator_with(&clock).node(0).unregistered().build().unwrap();
    assert!(i64::try_from(ids.next_id().unwrap()).is_ok());
    clock.set(ms(top));
    assert_eq!(ids.next_id().map(Snowflake::get), Ok(1 << 63));
}

#[test]
fn a_layout_that_the_state_cannot_hold_ends_where_its_lifetime_says() {
    // 48 and 16 bits are one too many: the state ends at half of it, less the tick that would reach the closed bit.
    let end = Mastodon::LAYOUT.lifetime().end.get();
    assert_eq!(end, (1 << 47) - 1);
    let clock = clock_at(end - 1);
    let ids = Mastodon::generator_with(&clock).unregistered().build().unwrap();
    let mut all = vec![Snowflake::ZERO; 70_000];
    let error = ids.fill(&mut all).unwrap_err();
    assert_eq!((error.filled, error.error), (65_536, IssueError::EpochEnded { now: ms(end - 1), end: ms(end) }));
    assert_eq!(all[65_535].get(), (((1 << 47) - 2) << 16) | 0xFFFF);
    assert_eq!(ids.close(), Mark::new(((1 << 47) - 1) << 16));
    assert_eq!(ids.next_id(), Err(IssueError::Closed));
    for now in [end, i64::MAX] {
        let error = Mastodon::generator_with(&clock_at(now)).unregistered().build().unwrap_err();
        assert!(matches!(error, BuildError::EpochEnded { .. }), "{error}");
    }
}

#[test]
fn the_widest_sequence_and_none_at_all() {
    let clock = clock_at(0);
    let ids = plain("epoch=0,timestamp:2,sequence:62", &clock);
    let mut all = [DynSnowflake::ZERO; 100];
    ids.fill(&mut all).unwrap();
    assert_eq!(all[99].get(), 99);
    clock.set(ms(1));
    assert_eq!(
        ids.next_id(),
        Err(IssueError::EpochEnded { now: ms(1), end: ms(1) }),
        "the state has room for one such tick"
    );

    let clock = clock_at(0);
    let ids = plain("epoch=0,timestamp:41", &clock);
    ids.fill(&mut all).unwrap();
    assert!(all.iter().zip(0..).all(|(id, tick)| id.get() == tick), "one id a tick");
    assert_eq!(clock.slept(), 99 * MS);
}

#[test]
fn a_start_is_rounded_up_to_a_tick() {
    for (start, first) in [(100, 10), (101, 11), (109, 11), (110, 11), (-5, 0)] {
        let clock = clock_at(0);
        let layout = layout("epoch=0,tick=10ms,timestamp:39,sequence:8");
        let ids = layout.generator_with(&clock).unregistered().start_at(ms(start)).build().unwrap();
        if first > 0 {
            let error = ids.next_id().unwrap_err();
            assert!(matches!(error, IssueError::ClockBehind { .. }), "{error}");
            assert_eq!(error.retry_after(), Some(Duration::from_millis(first * 10)));
            clock.set(ms(i64::try_from(first).unwrap() * 10 - 1));
            assert_eq!(ids.try_next_id().unwrap_err().retry_after(), Some(MS));
        }
        clock.set(ms(i64::try_from(first).unwrap() * 10));
        let id = ids.try_next_id().unwrap().get();
        assert_eq!(layout.decode(id).map(|id| (id.tick(), id.sequence())), Ok((first, 0)), "start at {start}");
    }
}

#[test]
fn a_ceiling_is_rounded_down_to_a_tick_and_only_rises() {
    let clock = clock_at(95);
    let layout = layout("epoch=0,tick=10ms,timestamp:5,sequence:8");
    let ids = layout.generator_with(&clock).unregistered().ceiling(ms(119)).build().unwrap();
    let ended = |until| Err(IssueError::ReservationEnded { until: ms(until) });
    assert_eq!(ids.ceiling(), ms(110));
    clock.set(ms(109));
    assert!(ids.next_id().is_ok());
    clock.set(ms(110));
    assert_eq!(ids.next_id(), ended(110));
    assert_eq!(ids.try_next_id(), ended(110));
    for lower in [100, 119, 0, -7, i64::MIN] {
        assert_eq!(ids.raise_ceiling(ms(lower)), Ok(()));
        assert_eq!(ids.ceiling(), ms(110), "raised to {lower}");
    }
    ids.raise_ceiling(ms(129)).unwrap();
    assert_eq!(ids.ceiling(), ms(120));
    assert!(ids.next_id().is_ok());
    clock.set(ms(120));
    assert_eq!(ids.next_id(), ended(120));
    let past = ids.raise_ceiling(ms(321)).unwrap_err();
    assert_eq!((past.until, past.end), (ms(321), ms(320)));
    assert_eq!(past.to_string(), "ceiling of 321 ms: expected at most 320 ms, where the layout ends");
    assert_eq!(ids.ceiling(), ms(120), "nothing is changed by an error");
    ids.raise_ceiling(ms(320)).unwrap();
    clock.set(ms(319));
    assert!(ids.next_id().is_ok());
    clock.set(ms(320));
    assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now: ms(320), end: ms(320) }), "the layout's own end");
    assert_eq!(ids.stats().ceiling_refusals, 4);
    assert_eq!(clock.sleeps(), 0, "nobody waits for a ceiling");
}

#[test]
fn a_ceiling_stops_borrowing() {
    let clock = clock_at(10);
    let layout = layout("epoch=0,timestamp:41,sequence:2");
    let ids = layout.generator_with(&clock).unregistered().ceiling(ms(12)).ahead_max(HOUR).build().unwrap();
    let error = ids.fill(&mut [DynSnowflake::ZERO; 50]).unwrap_err();
    assert_eq!((error.filled, error.error), (8, IssueError::ReservationEnded { until: ms(12) }));
    clock.set(ms(0));
    assert_eq!(ids.next_id(), Err(IssueError::ReservationEnded { until: ms(12) }), "before the clock that is behind");
    ids.raise_ceiling(ms(13)).unwrap();
    assert_eq!(ids.next_id().map(DynSnowflake::get), Ok(48));
}

#[test]
fn a_ceiling_before_the_epoch_lets_nothing_through_until_it_is_raised() {
    let clock = clock_at(10);
    let layout = layout("epoch=5,timestamp:41,sequence:2");
    let ids = layout.generator_with(&clock).unregistered().ceiling(ms(-100)).build().unwrap();
    assert_eq!(ids.next_id(), Err(IssueError::ReservationEnded { until: ms(5) }));
    ids.raise_ceiling(ms(11)).unwrap();
    assert!(ids.next_id().is_ok());
}

#[test]
fn what_is_past_the_end_is_refused_when_building() {
    let clock = clock_at(6);
    let builder = || layout("epoch=5,tick=2ms,timestamp:3,sequence:2").generator_with(&clock).unregistered();
    let past = BuildError::StartPastEnd { start: ms(21), end: ms(21) };
    assert_eq!(builder().start_at(ms(20)).build().unwrap_err(), past, "the next tick is the end");
    assert_eq!(past.to_string(), "start at 21 ms: expected a time before 21 ms, where the layout ends");
    let is_past = |error: &BuildError| matches!(error, BuildError::StartPastEnd { start, end, .. } if start >= end);
    assert!(is_past(&builder().start_at(ms(i64::MAX)).build().unwrap_err()));
    assert!(builder().start_at(ms(19)).build().is_ok());
    for mark in [32, 33, 1 << 62, 1 << 63, u64::MAX] {
        assert!(is_past(&builder().not_before(Mark::new(mark)).build().unwrap_err()), "mark {mark}");
    }
    assert!(builder().not_before(Mark::new(31)).build().is_ok());
    assert_eq!(builder().not_before_id(DynSnowflake::new(31).unwrap()).build().unwrap_err(), past);
    assert!(builder().not_before_id(DynSnowflake::new(30).unwrap()).build().is_ok());
    let ceiling = builder().ceiling(ms(22)).build().unwrap_err();
    assert!(
        matches!(ceiling, BuildError::Ceiling(CeilingError { until, end, .. }) if until == ms(22) && end == ms(21))
    );
    assert_eq!(ceiling.to_string(), "ceiling of 22 ms: expected at most 21 ms, where the layout ends");
    assert!(builder().ceiling(ms(21)).build().is_ok());
}

#[test]
fn nodes_are_checked_when_building() {
    let clock = clock_at(1_800_000_000_000);
    let twitter = || Twitter::generator_with(&clock).unregistered();
    assert_eq!(twitter().build().unwrap_err(), BuildError::NodeMissing { count: 1_024 });
    assert_eq!(twitter().build().unwrap_err().to_string(), "no node given: expected 0 to 1023");
    assert!(twitter().node(1_023).build().is_ok());
    for node in [1_024, 1_025, u64::MAX] {
        let error = twitter().node(node).build().unwrap_err();
        assert_eq!(error.to_string(), format!("node {node}: expected 0 to 1023 in this layout"));
        assert!(matches!(error, BuildError::Node(_)));
    }
    // No node fields: none is needed, and only zero is one.
    assert!(Mastodon::generator_with(&clock).unregistered().build().is_ok());
    assert!(Mastodon::generator_with(&clock).unregistered().node(0).build().is_ok());
    let error = Mastodon::generator_with(&clock).unregistered().node(1).build().unwrap_err();
    assert_eq!(error.to_string(), "node 1: expected 0 to 0 in this layout");
}

#[test]
fn a_restart_with_a_mark_goes_on_above_it() {
    let clock = clock_at(1_800_000_000_000);
    let first = Standard::generator_with(&clock).node(9).unregistered().build().unwrap();
    let before: Vec<_> = (0..10).map(|_| first.next_id().unwrap()).collect();
    let number = first.close().get();
    drop(first);
    let again = Standard::generator_with(&clock).node(9).unregistered().not_before(Mark::new(number)).build().unwrap();
    let next = again.next_id().unwrap();
    assert!(next > before[9]);
    assert_eq!(next.sequence(), 10, "exactly where the first one ended");
    // Not with a clock that is behind it, though.
    clock.step_back(HOUR);
    assert_eq!(again.next_id(), Err(IssueError::ClockBehind { behind: HOUR, retry_after: HOUR }));
    let unused = Standard::LAYOUT.first_unused_time(Mark::new(number));
    assert_eq!(unused, ms(1_800_000_000_001));
    assert_eq!(Standard::LAYOUT.first_unused_time(Mark::new(0)), Standard::LAYOUT.epoch());
}

#[test]
fn of_several_starts_the_latest_counts() {
    let clock = clock_at(100);
    let builder = || layout("epoch=0,timestamp:41,sequence:2").generator_with(&clock).unregistered();
    let first = |builder: idcore::Builder<Dyn, &ManualClock>| {
        clock.set(ms(100));
        builder.ahead_max(HOUR).build().unwrap().next_id().unwrap().get()
    };
    assert_eq!(first(builder()), 400);
    assert_eq!(first(builder().start_at(ms(101))), 404);
    assert_eq!(first(builder().start_at(ms(101)).not_before(Mark::new(407))), 407);
    assert_eq!(first(builder().start_at(ms(103)).not_before(Mark::new(407))), 412);
    assert_eq!(first(builder().not_before(Mark::new(407)).not_before(Mark::new(3))), 407);
    let id = |raw| DynSnowflake::new(raw).unwrap();
    assert_eq!(first(builder().not_before_id(id(407))), 408);
    assert_eq!(first(builder().not_before_id(id(407)).not_before_id(id(405))), 408);
    assert_eq!(first(builder().not_before_id(id(7)).start_at(ms(3)).not_before(Mark::new(9))), 400, "all are past");
}

/// The first id of a generator of `node` that must begin above `id`, with the clock at the id's time.
fn first_above<T: StaticLayout>(id: Snowflake<T>, node: u64) -> Snowflake<T> {
    let clock = ManualClock::new(id.time());
    let ids = T::generator_with(&clock).node(node).unregistered().not_before_id(id).ahead_max(HOUR);
    ids.build().unwrap().next_id().unwrap()
}

#[test]
fn every_id_sorts_above_the_one_that_was_given() {
    fn check<T: StaticLayout>() {
        let time = ms(1_800_000_000_000);
        let node_max = T::LAYOUT.node_count() - 1;
        for (node, sequence) in [(0, 0), (node_max, 0), (node_max, T::LAYOUT.sequence_count() - 1), (node_max / 2, 3)] {
            let given = Snowflake::<T>::new(T::LAYOUT.compose(time, node, sequence).unwrap()).unwrap();
            for own in [0, node_max / 2, node_max] {
                let first = first_above(given, own);
                assert!(first > given, "{first:?} of node {own} is not above {given:?} of node {node}: {}", T::LAYOUT);
            }
            assert_eq!(first_above(given, node).decode().tick(), given.decode().tick() + u64::from(sequence > 3));
        }
    }
    check::<Standard>();
    check::<Sonyflake>();
    check::<Tsid>();
}

#[test]
fn an_id_to_start_above_must_be_one_of_the_layout() {
    let clock = clock_at(100);
    let layout = layout("epoch=0,timestamp:20,sequence:2");
    // Bit 22 is above the layout: cut off, it would be tick 25 and so no bound at all.
    let foreign = DynSnowflake::new((1 << 22) + 100).unwrap();
    let built = layout.generator_with(&clock).unregistered().not_before_id(foreign).build();
    assert!(built.is_err(), "an id that is not of the layout was masked to fit");
}
