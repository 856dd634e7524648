//! Layouts with a million ids in a millisecond, where `next_id` adds one to the word.
//!
//! - A slot that is burnt past a full tick is a tick that is used up, not a clock that went back; it is burnt once, and counted.
//! - A clock that does go back is told of as on other layouts, by a tick too.
//! - Nothing is burnt in the last tick below the ceiling, nor below the layout's end.
//! - Slots are kept for callers that wait, and a tick begins where it is told to, on narrow layouts too.
//! - Threads that fill tick after tick, by one id and by hundreds of thousands: no slot twice, each thread's increase, and a
//!   clock that only goes forward is never found behind.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use idcore::{
    Clock, Dyn, DynSnowflake, Exhaustion, Field, Generator, IssueError, Layout, ManualClock, Mark, Rollback,
    SequenceStart, UnixMillis, UnixTime,
};
use idtest::{Rng, Seed};

const MS: Duration = Duration::from_millis(1);
const BITS: u32 = 20;
const SLOTS: u64 = 1 << BITS;

/// An id is its slot, `{ tick, sequence:20 }`.
fn layout(timestamp_bits: u32) -> Layout {
    Layout::new(UnixMillis::new(0), 1, &[Field::timestamp(timestamp_bits), Field::sequence(BITS)]).unwrap()
}

fn at(tick: i64) -> ManualClock {
    ManualClock::new(UnixMillis::new(tick))
}

fn generator<C: Clock>(clock: C) -> Generator<Dyn, C> {
    layout(41).generator_with(clock).unregistered().build().unwrap()
}

fn next<C: Clock>(ids: &Generator<Dyn, C>) -> u64 {
    ids.try_next_id().unwrap().get()
}

/// Takes all but so many of what the tick has left.
fn leave<C: Clock>(ids: &Generator<Dyn, C>, left: u64) {
    let rest = SLOTS - ids.mark().get() % SLOTS;
    assert_eq!(ids.reserve(rest - left).unwrap().remaining(), rest - left);
}

#[test]
fn a_full_tick_is_used_up_and_its_clock_not_behind() {
    let clock = at(7);
    let ids = generator(&clock);
    assert_eq!([next(&ids), next(&ids)], [7 * SLOTS, 7 * SLOTS + 1]);
    leave(&ids, 1);
    assert_eq!(next(&ids), 8 * SLOTS - 1);
    for _ in 0..3 {
        assert_eq!(ids.try_next_id(), Err(IssueError::Exhausted { retry_after: MS }));
        assert_eq!(ids.stats().burnt, 1, "the slot that showed it shut the gate");
    }
    assert_eq!(ids.stats().clock_behind, 0);
    // The next call sleeps, and gets the slot after the burnt one.
    assert_eq!(ids.next_id().unwrap().get(), 8 * SLOTS + 1);
    assert_eq!((clock.slept(), ids.stats().waits), (MS, 1));
    assert_eq!(next(&ids), 8 * SLOTS + 2);
}

#[test]
fn a_clock_that_goes_back_is_told_of() {
    let clock = at(7);
    let ids = layout(41).generator_with(&clock).unregistered().on_rollback(Rollback::Fail).build().unwrap();
    assert_eq!([next(&ids), next(&ids)], [7 * SLOTS, 7 * SLOTS + 1]);
    for back in 1..=3 {
        clock.step_back(MS);
        let behind = back * MS;
        assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind, retry_after: behind }));
    }
    assert_eq!((ids.stats().burnt, ids.stats().clock_behind), (0, 3));
    clock.set(UnixMillis::new(7));
    assert_eq!(next(&ids), 7 * SLOTS + 2);
    // After a slot was burnt too.
    leave(&ids, 0);
    assert!(ids.try_next_id().is_err());
    clock.step_back(2 * MS);
    let [behind, retry_after] = [2 * MS, 3 * MS];
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind, retry_after }));
}

#[test]
fn a_clock_before_the_epoch_or_far_from_it_is_in_no_tick() {
    let clock = at(0);
    let ids = layout(41).generator_with(&clock).unregistered().on_rollback(Rollback::Fail).build().unwrap();
    assert_eq!([next(&ids), next(&ids)], [0, 1]);
    for far in [-1, i64::MIN, i64::MIN + 1] {
        clock.set(UnixMillis::new(far));
        assert!(matches!(ids.next_id(), Err(IssueError::ClockBehind { .. })), "{far}");
    }
    clock.set(UnixMillis::new(i64::MAX));
    assert!(matches!(ids.next_id(), Err(IssueError::EpochEnded { .. })));
    assert_eq!((ids.mark().get(), ids.stats().burnt), (2, 0));
}

#[test]
fn nothing_is_burnt_in_the_last_tick_below_the_ceiling() {
    let clock = at(7);
    let until = UnixMillis::new(8);
    let ids = layout(41).generator_with(&clock).unregistered().ceiling(until).build().unwrap();
    next(&ids);
    leave(&ids, 1);
    next(&ids);
    for _ in 0..3 {
        assert_eq!(ids.next_id(), Err(IssueError::ReservationEnded { until }));
    }
    assert_eq!((ids.mark().get(), ids.stats().burnt), (8 * SLOTS, 0));
}

#[test]
fn nothing_is_burnt_in_the_last_tick_of_a_layout() {
    // All 63 bits of the word, whose last tick is given up, and fewer.
    for (timestamp_bits, ticks) in [(43, (1 << 43) - 1), (30, 1 << 30)] {
        let clock = at(ticks - 1);
        let ids = layout(timestamp_bits).generator_with(&clock).unregistered().build().unwrap();
        next(&ids);
        leave(&ids, 1);
        next(&ids);
        for _ in 0..3 {
            let (now, end) = (clock.now().millis(), UnixMillis::new(ticks));
            assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now, end }));
        }
        let end = u64::try_from(ticks).unwrap() * SLOTS;
        assert_eq!((ids.mark().get(), ids.stats().burnt, ids.close().get()), (end, 0, end));
    }
}

#[test]
fn a_tick_begins_where_it_is_told_to() {
    let clock = at(7);
    let start = SequenceStart::spread(16, 3);
    let ids = layout(41).generator_with(&clock).unregistered().sequence_start(start).build().unwrap();
    let mut starts = Vec::new();
    for _ in 0..20 {
        let first = next(&ids);
        assert_eq!([next(&ids), next(&ids)], [first + 1, first + 2]);
        starts.push(first % SLOTS);
        // Full, and a slot burnt at its end: the next begins where it would have without.
        leave(&ids, 0);
        assert!(ids.try_next_id().is_err());
        clock.advance(MS);
    }
    assert!(starts.iter().all(|start| *start < 1 << 16), "{starts:?}");
    let full: Vec<_> = starts.clone();
    starts.sort_unstable();
    starts.dedup();
    assert!(starts.len() > 15, "{full:?}");
    let unburnt = layout(41).generator_with(at(7)).unregistered().sequence_start(start).build().unwrap();
    for start in full {
        assert_eq!(next(&unburnt) % SLOTS, start);
        unburnt.clock().advance(MS);
    }
}

#[test]
fn a_mark_is_just_past_the_last_id() {
    let ids = generator(at(7));
    let last = [next(&ids), next(&ids), next(&ids)][2];
    let mark = ids.close();
    assert_eq!(mark.get(), last + 1);
    for _ in 0..3 {
        assert_eq!(ids.next_id(), Err(IssueError::Closed));
        assert_eq!((ids.close(), ids.mark()), (mark, mark));
    }
}

/// A clock whose sleepers say that they sleep, and wake when they are told to.
struct Bedroom {
    now: AtomicI64,
    asleep: Sender<()>,
    wake: Mutex<Receiver<()>>,
}

impl Clock for Bedroom {
    fn now(&self) -> UnixTime {
        UnixMillis::new(self.now.load(Ordering::SeqCst)).into()
    }

    fn sleep(&self, _: Duration) {
        self.asleep.send(()).unwrap();
        // At once when nobody is left to wake anyone.
        let _ = self.wake.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }
}

#[test]
fn slots_are_kept_for_callers_that_wait() {
    // With a gate and without.
    for bits in [BITS, 4] {
        let (asleep, sleeping) = channel();
        let (waker, wake) = channel();
        let layout = Layout::new(UnixMillis::new(0), 1, &[Field::timestamp(41), Field::sequence(bits)]).unwrap();
        let clock = Bedroom { now: AtomicI64::new(7), asleep, wake: Mutex::new(wake) };
        let ids = layout.generator_with(clock).unregistered().build().unwrap();
        let all = layout.sequence_count();
        assert_eq!(ids.reserve(all).unwrap().remaining(), all);
        let (reserved, refused, waited) = thread::scope(|scope| {
            let waiting = scope.spawn(|| ids.next_id().map(DynSnowflake::get));
            sleeping.recv().unwrap();
            ids.clock().now.store(8, Ordering::SeqCst);
            next(&ids);
            let reserved = ids.reserve(all).unwrap().remaining();
            let refused = ids.try_next_id();
            waker.send(()).unwrap();
            drop(waker);
            (reserved, refused, waiting.join().unwrap())
        });
        assert_eq!(reserved, all - 2, "all but the one that is kept");
        assert!(matches!(refused, Err(IssueError::Exhausted { .. })), "{refused:?}");
        assert_eq!(waited, Ok(9 * all - 1));
    }
}

#[test]
fn a_start_past_the_ceiling_gives_nothing() {
    // With a gate and without.
    for bits in [BITS, 4] {
        let layout = Layout::new(UnixMillis::new(0), 1, &[Field::timestamp(41), Field::sequence(bits)]).unwrap();
        let until = UnixMillis::new(7);
        let mark = Mark::new(8 * layout.sequence_count() + 1);
        let ids = layout.generator_with(at(8)).unregistered().ceiling(until).not_before(mark).build().unwrap();
        assert_eq!(ids.next_id(), Err(IssueError::ReservationEnded { until }));
        assert_eq!(ids.mark(), mark);
    }
}

/// A clock that another thread moves; its sleepers only let others run.
struct Moved {
    now: AtomicI64,
}

impl Clock for Moved {
    fn now(&self) -> UnixTime {
        UnixMillis::new(self.now.load(Ordering::SeqCst)).into()
    }

    fn sleep(&self, _: Duration) {
        thread::sleep(Duration::from_micros(20));
    }
}

/// Slots that a thread took together: `first`, and those after it up to `end`.
type Range = (u64, u64);

fn fill_ticks(ids: &Generator<Dyn, Moved>, done: &AtomicBool, mut rng: Rng) -> Vec<Range> {
    let mut mine = Vec::new();
    let mut batch = [DynSnowflake::ZERO; 9];
    while !done.load(Ordering::Relaxed) {
        let (first, len) = match rng.below(256) {
            0 => {
                let reserved = ids.reserve(1 + rng.below(SLOTS / 2)).unwrap();
                let len = reserved.remaining();
                (reserved.map(Result::unwrap).next().unwrap().get(), len)
            }
            1 => {
                ids.fill(&mut batch).unwrap();
                // In pieces when a tick ends in the middle.
                mine.extend(batch[..8].iter().map(|id| (id.get(), id.get() + 1)));
                (batch[8].get(), 1)
            }
            2 => (ids.local().next_id().unwrap().get(), 1),
            _ => (ids.next_id().unwrap().get(), 1),
        };
        mine.push((first, first + len));
    }
    mine
}

/// Threads on a clock that is moved by these steps, over and over.
fn run(steps_ms: &[i64], rollback: Rollback) -> Generator<Dyn, Moved> {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let ids = layout(41)
        .generator_with(Moved { now: AtomicI64::new(7) })
        .unregistered()
        .on_rollback(rollback)
        .on_exhausted(Exhaustion::Wait { max: Duration::from_secs(1_000) })
        .build()
        .unwrap();
    let done = AtomicBool::new(false);
    let taken: Vec<Vec<Range>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let rng = Rng::new(rng.next_u64());
                let (ids, done) = (&ids, &done);
                scope.spawn(move || fill_ticks(ids, done, rng))
            })
            .collect();
        for step in steps_ms.iter().cycle().take(2_000) {
            ids.clock().now.fetch_add(*step, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(100));
        }
        done.store(true, Ordering::Relaxed);
        // Whoever waits has an end of it.
        while threads.iter().any(|thread| !thread.is_finished()) {
            ids.clock().now.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(100));
        }
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for mine in &taken {
        assert!(mine.windows(2).all(|pair| pair[0].1 <= pair[1].0), "a thread's slots increase");
    }
    let mut all = taken.concat();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].0), "a slot was handed out twice");
    assert!(all.last().unwrap().1 <= ids.mark().get());
    println!("{} calls, {:?}", all.len(), ids.stats());
    assert!(ids.stats().waits > 0, "no tick was ever full");
    ids
}

#[test]
fn threads_that_fill_ticks_never_find_a_clock_behind_that_goes_forward() {
    let ids = run(&[1], Rollback::Fail);
    assert_eq!(ids.stats().clock_behind, 0);
}

#[test]
fn threads_on_a_clock_that_steps() {
    let ids = run(&[1, 1, 1, -2, 3, 1, 1, 1, -1, 1], Rollback::Wait { max: Duration::from_secs(1_000) });
    assert!(ids.stats().clock_behind > 0);
}
