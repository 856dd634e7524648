//! Handles: a thread's own blocks.
//!
//! - Under any clock, with several handles, the generator itself and every call mixed: no id twice, each handle's ids increase
//!   strictly, and each id's tick is the clock's or ahead of it by no more than is allowed.
//! - Blocks have 1, 2, 4, … ids up to a sixteenth of a tick, and 1 again in the next tick.
//! - What is left of a block is dropped when its tick has passed, and kept while the clock is back.
//! - A closed generator's handles are closed, whatever their blocks have.
//! - `fill` takes the block first. A handle of an `Arc` can be sent to a thread. Layouts without a sequence have handles too.
//!
//! Forks: `fork`. Suspect clocks: `monotonic.rs`. All interleavings of small cases: `loom.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::iter;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use idcore::{
    Builder, Clock, Discord, Dyn, DynSnowflake, Exhaustion, Field, FillError, Generator, IssueError, Layout, Local,
    ManualClock, Rollback, Snowflake, Standard, StaticLayout, SystemClock, UnixMillis,
};
use idtest::{Event, Recorder};
use proptest::prelude::*;

const MS: Duration = Duration::from_millis(1);
const DAY_MS: i64 = 86_400_000;

/// A clock that reads a day after the layout's epoch, and writes down how it is used.
fn clock_for(layout: Layout) -> Recorder<ManualClock> {
    Recorder::new(ManualClock::new(UnixMillis::new(layout.epoch().get() + DAY_MS)))
}

/// A generator whose mark is at the start of the clock's tick.
fn standard(clock: &Recorder<ManualClock>) -> Generator<Standard, &Recorder<ManualClock>> {
    settings(clock).build().unwrap()
}

fn settings(clock: &Recorder<ManualClock>) -> Builder<Standard, &Recorder<ManualClock>> {
    Standard::generator_with(clock).node(17).unregistered().start_at(clock.inner().now().millis())
}

fn sleeps(events: &[Event]) -> Vec<Duration> {
    events.iter().filter_map(|event| if let Event::Sleep(duration) = event { Some(*duration) } else { None }).collect()
}

fn tick_of<T: StaticLayout>(id: Snowflake<T>) -> i64 {
    id.time().get() - T::LAYOUT.epoch().get() - DAY_MS
}

/// How many slots each of the next `count` ids took from the shared word: 0 for those of a block that was there.
fn growth<C: Clock>(
    ids: &Generator<Standard, C>,
    local: &mut Local<&Generator<Standard, C>>,
    count: usize,
) -> Vec<u64> {
    let mut next = || {
        let before = ids.mark().get();
        local.next_id().unwrap();
        ids.mark().get() - before
    };
    iter::repeat_with(&mut next).take(count).collect()
}

#[test]
fn blocks_double_within_a_tick_up_to_a_sixteenth_of_it() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let first = ids.next_id().unwrap();
    let mut local = ids.local();
    let taken: Vec<u64> = growth(&ids, &mut local, 511 + 512).into_iter().filter(|taken| *taken > 0).collect();
    assert_eq!(taken, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256], "no more than 4,096 / 16");
    let last = local.next_id().unwrap();
    assert_eq!((tick_of(last), last.sequence()), (0, first.sequence() + 511 + 512 + 1));
}

#[test]
fn blocks_begin_at_one_again_in_the_next_tick_and_the_rest_of_one_is_dropped() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = ids.local();
    for tick in 0..5 {
        let id = local.next_id().unwrap();
        assert_eq!((tick_of(id), id.sequence()), (tick, 0), "nothing of a tick that has passed");
        assert_eq!(ids.mark().get() % 4_096, 1, "a block of one");
        assert_eq!(growth(&ids, &mut local, 9), [2, 0, 4, 0, 0, 0, 8, 0, 0], "and five ids are left");
        clock.inner().advance(MS);
    }
    assert_eq!(ids.stats().waits, 0);
}

#[test]
fn a_burst_over_the_end_of_a_tick_uses_all_of_it_and_waits_once() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = ids.local();
    clock.take();
    let all: Vec<_> = (0..4_096).map(|_| local.next_id().unwrap()).collect();
    assert!(all.iter().enumerate().all(|(place, id)| (tick_of(*id), id.sequence()) == (0, place as u64)));
    assert_eq!(sleeps(&clock.take()), []);
    assert_eq!(growth(&ids, &mut local, 3), [1, 2, 0], "one again");
    assert_eq!(sleeps(&clock.take()), [MS]);
}

#[test]
fn what_is_left_of_a_tick_is_a_block_too() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = ids.local();
    assert_eq!(growth(&ids, &mut local, 63).iter().sum::<u64>(), 63);
    ids.fill(&mut vec![Snowflake::ZERO; 4_096 - 63 - 10]).unwrap();
    assert_eq!(growth(&ids, &mut local, 10), [10, 0, 0, 0, 0, 0, 0, 0, 0, 0], "ten instead of 64");
    assert_eq!(local.try_next_id(), Err(IssueError::Exhausted { retry_after: MS }));
}

/// A handle that has five ids left, of sequence 10 to 14.
fn with_five<C: Clock>(ids: &Generator<Standard, C>) -> Local<&Generator<Standard, C>> {
    let mut local = ids.local();
    assert_eq!(growth(ids, &mut local, 10), [1, 2, 0, 4, 0, 0, 0, 8, 0, 0]);
    local
}

#[test]
fn a_block_is_kept_while_the_clock_is_back() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    let mark = ids.mark();
    clock.inner().step_back(3 * MS);
    clock.take();
    assert_eq!(local.try_next_id(), Err(IssueError::ClockBehind { behind: 3 * MS, retry_after: 3 * MS }));
    assert_eq!(sleeps(&clock.take()), []);
    let id = local.next_id().unwrap();
    assert_eq!((tick_of(id), id.sequence()), (0, 10), "waited out");
    assert_eq!(sleeps(&clock.take()), [3 * MS]);
    let hour = Duration::from_secs(3_600);
    clock.inner().step_back(hour);
    for _ in 0..3 {
        assert_eq!(local.next_id(), Err(IssueError::ClockBehind { behind: hour, retry_after: hour }));
    }
    assert_eq!(sleeps(&clock.take()), []);
    clock.inner().advance(hour);
    let rest: Vec<u64> = (0..4).map(|_| local.next_id().unwrap().sequence()).collect();
    assert_eq!((rest, ids.mark()), (vec![11, 12, 13, 14], mark), "no slot was taken for all this");
    assert_eq!(ids.stats().clock_behind_max, hour);
}

#[test]
fn a_clock_that_steps_back_during_the_wait_of_a_handle_ends_it() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    clock.inner().step_back(4 * MS);
    clock.inner().step_at_next_sleep(-4);
    assert_eq!(local.next_id(), Err(IssueError::ClockBehind { behind: 8 * MS, retry_after: 8 * MS }));
    clock.inner().advance(8 * MS);
    assert_eq!(local.next_id().map(|id| (tick_of(id), id.sequence())), Ok((0, 10)));
}

#[test]
fn a_step_back_within_what_may_be_ahead_costs_a_handle_nothing() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).ahead_max(3 * MS);
    let ids = ids.on_rollback(Rollback::Fail).build().unwrap();
    let mut local = with_five(&ids);
    clock.inner().step_back(3 * MS);
    assert_eq!(growth(&ids, &mut local, 2), [0, 0]);
    clock.inner().step_back(Duration::from_nanos(1));
    let behind = 3 * MS + Duration::from_nanos(1);
    let error = IssueError::ClockBehind { behind, retry_after: Duration::from_nanos(1) };
    assert_eq!(local.next_id(), Err(error));
    clock.inner().advance(behind + MS);
    assert_eq!(local.next_id().map(|id| (tick_of(id), id.sequence())), Ok((1, 0)), "its tick has passed");
}

#[test]
fn a_handle_borrows_exactly_what_is_allowed() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).ahead_max(3 * MS);
    let ids = ids.on_exhausted(Exhaustion::Fail).build().unwrap();
    let mut local = ids.local();
    let all: Vec<_> = iter::from_fn(|| local.next_id().ok()).collect();
    assert_eq!(all.len(), 4 * 4_096);
    assert!(all.iter().enumerate().all(|(place, id)| id.sequence() == place as u64 % 4_096));
    assert_eq!(tick_of(all[all.len() - 1]), 3);
    clock.inner().advance(MS);
    let taken = growth(&ids, &mut local, 4_096);
    assert_eq!(taken[0], 256, "the same burst: the blocks stay large");
    assert_eq!(ids.mark().get() % 4_096, 0);
}

#[test]
fn a_closed_generators_handles_are_closed_though_they_have_ids() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    let mark = ids.close();
    assert_eq!(mark.get() % 4_096, 15, "above what the handle has left");
    assert_eq!(local.next_id(), Err(IssueError::Closed));
    assert_eq!(local.try_next_id(), Err(IssueError::Closed));
    let error = local.fill(&mut [Snowflake::ZERO; 2]).unwrap_err();
    assert_eq!((error.filled, error.error), (0, IssueError::Closed));
    clock.inner().step_back(Duration::from_secs(3_600));
    assert_eq!(local.next_id(), Err(IssueError::Closed), "under any clock");
    clock.inner().set(UnixMillis::new(0));
    assert_eq!(local.next_id(), Err(IssueError::Closed), "also before the epoch");
    assert_eq!(ids.local().next_id(), Err(IssueError::Closed));
}

#[test]
fn a_handle_stops_at_the_ceiling_until_it_is_raised() {
    let clock = clock_for(Standard::LAYOUT);
    let until = clock.inner().now().millis().get() + 2;
    let ids = settings(&clock).ceiling(UnixMillis::new(until)).build().unwrap();
    let mut local = ids.local();
    let all: Vec<_> = iter::from_fn(|| local.next_id().ok()).collect();
    assert_eq!(all.len(), 2 * 4_096);
    assert_eq!(local.next_id(), Err(IssueError::ReservationEnded { until: UnixMillis::new(until) }));
    ids.raise_ceiling(UnixMillis::new(until + 1)).unwrap();
    assert_eq!(local.next_id().map(tick_of), Ok(2));
}

#[test]
fn fill_takes_the_block_first() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    let sequences = |ids: &[Snowflake<Standard>]| ids.iter().map(|id| id.sequence()).collect::<Vec<_>>();
    let mut buffer = [Snowflake::ZERO; 2];
    local.fill(&mut []).unwrap();
    local.fill(&mut buffer).unwrap();
    assert_eq!((sequences(&buffer), ids.mark().get() % 4_096), (vec![10, 11], 15));
    assert_eq!(ids.next_id().map(Snowflake::sequence), Ok(15));
    let mut buffer = [Snowflake::ZERO; 6];
    local.fill(&mut buffer).unwrap();
    assert_eq!(sequences(&buffer), [12, 13, 14, 16, 17, 18], "then what is free, by one exchange");
    assert_eq!(ids.mark().get() % 4_096, 19);
    assert_eq!(local.next_id().map(Snowflake::sequence), Ok(19), "nothing was left over");
}

#[test]
fn fill_says_how_much_of_it_came_from_the_block_and_elsewhere() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).on_exhausted(Exhaustion::Fail).build().unwrap();
    let mut local = with_five(&ids);
    let mut buffer = vec![Snowflake::ZERO; 5_000];
    let error = local.fill(&mut buffer).unwrap_err();
    assert_eq!(error.filled, 4_096 - 10);
    assert_eq!(error.error, IssueError::Exhausted { retry_after: MS });
    assert!(buffer[..error.filled].iter().enumerate().all(|(place, id)| id.sequence() == 10 + place as u64));
    assert!(buffer[error.filled..].iter().all(|id| *id == Snowflake::ZERO));
}

#[test]
fn fill_drops_a_block_whose_tick_has_passed_and_waits_as_the_generator_does() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    clock.inner().advance(MS);
    let mut buffer = vec![Snowflake::ZERO; 4_097];
    local.fill(&mut buffer).unwrap();
    assert_eq!((tick_of(buffer[0]), buffer[0].sequence()), (1, 0));
    assert_eq!((tick_of(buffer[4_096]), buffer[4_096].sequence()), (2, 0));
    clock.inner().step_back(2 * MS);
    let last = buffer[4_096];
    local.fill(&mut buffer[..1]).unwrap();
    assert!(buffer[0] > last);
}

#[test]
fn fill_keeps_a_block_that_the_clock_is_behind() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = settings(&clock).on_rollback(Rollback::Fail).build().unwrap();
    let mut local = with_five(&ids);
    clock.inner().step_back(2 * MS);
    let mut buffer = [Snowflake::ZERO; 6];
    let error = local.fill(&mut buffer).unwrap_err();
    assert_eq!((error.filled, ids.mark().get() % 4_096), (0, 15));
    assert!(matches!(error.error, IssueError::ClockBehind { .. }), "{error}");
    clock.inner().advance(2 * MS);
    local.fill(&mut buffer).unwrap();
    assert_eq!(buffer.map(Snowflake::sequence), [10, 11, 12, 13, 14, 15]);
}

#[test]
fn fill_waits_for_the_tick_of_its_block() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock);
    let mut local = with_five(&ids);
    clock.inner().step_back(2 * MS);
    let mut buffer = [Snowflake::ZERO; 6];
    local.fill(&mut buffer).unwrap();
    assert_eq!(buffer.map(Snowflake::sequence), [10, 11, 12, 13, 14, 15]);
    assert_eq!(buffer.map(tick_of), [0; 6]);
}

#[test]
fn a_handle_of_an_arc_goes_where_it_is_sent() {
    fn can_be_sent<T: Send + 'static>(_: &T) {}
    let ids = Arc::new(Discord::generator().node(3).unregistered().build().unwrap());
    let mut here = Local::new(Arc::clone(&ids));
    can_be_sent(&here);
    assert!(Arc::ptr_eq(here.generator(), &ids));
    let first = here.next_id().unwrap();
    drop(ids);
    let (mut local, there) = thread::spawn(move || {
        let id = here.next_id().unwrap();
        (here, id)
    })
    .join()
    .unwrap();
    let last = local.next_id().unwrap();
    assert!(first < there && there < last && last.node() == 3);
    assert!(local.generator().close().get() > 0, "the handle keeps it alive");
}

#[test]
fn layouts_without_a_sequence_or_with_a_short_one_have_blocks_of_one() {
    for sequence_bits in [0, 1, 2, 4, 5] {
        let mut fields = vec![Field::timestamp(41)];
        fields.extend((sequence_bits > 0).then(|| Field::sequence(sequence_bits)));
        let layout = Layout::new(UnixMillis::new(0), 1, &fields).unwrap();
        let clock = ManualClock::new(UnixMillis::new(DAY_MS));
        let ids: Generator<Dyn, _> = layout.generator_with(&clock).unregistered().build().unwrap();
        let (mut one, mut two) = (ids.local(), ids.local());
        let mut expected = u64::try_from(DAY_MS).unwrap() << sequence_bits;
        for _ in 0..50 {
            for local in [&mut one, &mut two] {
                let before = ids.mark().get();
                let id = local.next_id().unwrap().get();
                let largest = if sequence_bits == 5 { 2 } else { 1 };
                assert!(ids.mark().get() <= before.max(expected) + largest, "{sequence_bits} bits");
                if sequence_bits < 5 {
                    assert_eq!(id, expected, "{sequence_bits} bits: as many as there are, in turn");
                }
                expected = ids.mark().get();
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Next { handle: usize },
    Try { handle: usize },
    Fill { handle: usize, len: usize },
    Shared,
    SharedFill { len: usize },
    Reserve { n: u64 },
    Advance { us: u64 },
    Back { us: u64 },
    AtNextSleep { ms: i64 },
}

const HANDLES: usize = 3;

fn any_op() -> impl Strategy<Value = Op> {
    // Steps over a tick and within one, within the policy and beyond.
    let us = || prop_oneof![0..3_000_u64, 0..30_000_u64, Just(1_000), Just(10_000)];
    prop_oneof![
        8 => (0..HANDLES).prop_map(|handle| Op::Next { handle }),
        3 => (0..HANDLES).prop_map(|handle| Op::Try { handle }),
        1 => (0..HANDLES, 0..40_usize).prop_map(|(handle, len)| Op::Fill { handle, len }),
        2 => Just(Op::Shared),
        1 => (0..40_usize).prop_map(|len| Op::SharedFill { len }),
        1 => (0..40_u64).prop_map(|n| Op::Reserve { n }),
        3 => us().prop_map(|us| Op::Advance { us }),
        2 => us().prop_map(|us| Op::Back { us }),
        1 => (-12..12_i64).prop_map(|ms| Op::AtNextSleep { ms }),
    ]
}

/// What a call handed out, and whether that was all it was asked for: then the clock has not moved since the last of it.
fn answer(
    op: Op,
    ids: &Generator<Dyn, &ManualClock>,
    locals: &mut [Local<&Generator<Dyn, &ManualClock>>],
) -> (Vec<DynSnowflake>, bool) {
    let filled = |mut buffer: Vec<DynSnowflake>, result: Result<(), FillError>| match result {
        Ok(()) => (buffer, true),
        Err(error) => {
            buffer.truncate(error.filled);
            (buffer, false)
        }
    };
    let one = |result: Result<DynSnowflake, IssueError>| (result.into_iter().collect(), result.is_ok());
    match op {
        Op::Next { handle } => one(locals[handle].next_id()),
        Op::Try { handle } => one(locals[handle].try_next_id()),
        Op::Fill { handle, len } => {
            let mut buffer = vec![DynSnowflake::ZERO; len];
            let result = locals[handle].fill(&mut buffer);
            filled(buffer, result)
        }
        Op::Shared => one(ids.next_id()),
        Op::SharedFill { len } => {
            let mut buffer = vec![DynSnowflake::ZERO; len];
            let result = ids.fill(&mut buffer);
            filled(buffer, result)
        }
        Op::Reserve { n } => match ids.reserve(n) {
            Ok(reserved) => (reserved.map(Result::unwrap).collect(), true),
            Err(_) => (Vec::new(), false),
        },
        Op::Advance { .. } | Op::Back { .. } | Op::AtNextSleep { .. } => (Vec::new(), false),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_id_twice_each_handle_increases_and_no_tick_is_wrong_under_any_clock(
        sequence_bits in prop_oneof![Just(0_u32), Just(2), Just(5), Just(9)],
        tick_ms in prop_oneof![Just(1_u32), Just(10)],
        ahead_ms in prop_oneof![Just(0_u64), 0..40_u64],
        waits in any::<bool>(),
        ops in prop::collection::vec(any_op(), 1..150),
    ) {
        let mut fields = vec![Field::timestamp(40)];
        fields.extend((sequence_bits > 0).then(|| Field::sequence(sequence_bits)));
        let layout = Layout::new(UnixMillis::new(0), tick_ms, &fields).unwrap();
        let clock = ManualClock::new(UnixMillis::new(1_000_000));
        let mut builder = layout.generator_with(&clock).unregistered().ahead_max(Duration::from_millis(ahead_ms));
        if !waits {
            builder = builder.on_rollback(Rollback::Fail).on_exhausted(Exhaustion::Fail);
        }
        let ids = builder.build().unwrap();
        let mut locals: Vec<_> = (0..HANDLES).map(|_| ids.local()).collect();
        let mut last = [DynSnowflake::ZERO; HANDLES];
        let mut all = HashSet::new();
        for op in ops {
            match op {
                Op::Advance { us } => clock.advance(Duration::from_micros(us)),
                Op::Back { us } => clock.step_back(Duration::from_micros(us)),
                Op::AtNextSleep { ms } => clock.step_at_next_sleep(ms),
                _ => {}
            }
            let (taken, complete) = answer(op, &ids, &mut locals);
            prop_assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
            if let Op::Next { handle } | Op::Try { handle } | Op::Fill { handle, .. } = op {
                prop_assert!(taken.iter().all(|id| *id > last[handle]), "handle {handle} went back");
                last[handle] = taken.last().copied().unwrap_or(last[handle]);
            }
            prop_assert!(taken.iter().all(|id| id.get() < ids.mark().get()));
            if let Some(id) = taken.last().filter(|_| complete) {
                let now_tick = clock.now().millis().get().unsigned_abs() / u64::from(tick_ms);
                let tick = id.get() >> sequence_bits;
                let latest = now_tick + ahead_ms / u64::from(tick_ms);
                prop_assert!(now_tick <= tick && tick <= latest, "tick {tick} at {now_tick}, for {op:?}");
            }
            for id in taken {
                prop_assert!(all.insert(id), "{id} was handed out twice");
            }
        }
    }
}

#[test]
fn handles_of_many_threads_use_each_slot_once() {
    let ids = &Discord::generator_with(SystemClock).node(4).unregistered().build().unwrap();
    let taken: Vec<Vec<_>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                scope.spawn(move || {
                    let mut local = ids.local();
                    let ids = (0..20_000).map(|_| if thread == 0 { ids.next_id() } else { local.next_id() });
                    ids.collect::<Result<Vec<_>, _>>().unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(taken.iter().all(|mine| mine.windows(2).all(|pair| pair[0] < pair[1])));
    assert_eq!(taken.iter().flatten().collect::<HashSet<_>>().len(), 8 * 20_000);
}
