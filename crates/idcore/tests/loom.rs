//! Every interleaving of small cases, under loom: `cargo xtask loom`.
//!
//! - No slot goes to two threads: one id each, over a tick change, over a carry, `fill` against `next_id`.
//! - Nothing at or past the mark of `close` is handed out, and what is below it belongs to somebody.
//! - Nothing at or past the ceiling is handed out while it is raised, and whoever goes past the old one sees what its
//!   raiser wrote before.
//! - A ticker, that is a clock which is one relaxed load, is never found behind, and a published clock never goes back.
//! - Looks of a monotonic clock that overlap: no jump is believed for the time that another one stayed, or that it stayed
//!   before it was taken back.
//! - The gate of wide layouts: adding against adding, an exchange, `close`, a new tick and the end of one; what is burnt
//!   is nobody's, and is no clock that went back.
//! - Blocks of handles: against `next_id`, against `close`, and while the ceiling is raised.
//!
//! `cargo xtask sabotage` breaks the code in the ways these models are there for, and demands that they fail.
#![cfg(idcore_loom)]

use std::time::Duration;

use idcore::{
    Clock, DynSnowflake, Field, Generator, IssueError, Layout, Mark, MonotonicClock, PublishedClock, Times, UnixMillis,
    UnixTime,
};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

/// A clock that is one relaxed load, as a ticker's is, and that nobody may sleep on.
struct Ticker(AtomicU64);

impl Ticker {
    fn at(tick: u64) -> Self {
        Self(AtomicU64::new(tick))
    }

    fn set(&self, tick: u64) {
        self.0.store(tick, Ordering::Relaxed);
    }
}

impl Clock for Ticker {
    fn now(&self) -> UnixTime {
        UnixMillis::new(i64::try_from(self.0.load(Ordering::Relaxed)).unwrap()).into()
    }

    fn sleep(&self, _: Duration) {
        unreachable!("the models never wait");
    }
}

type Ids = Generator<idcore::Dyn, Ticker>;

/// Two slots a tick, so that an id's number is its slot: `{ tick, sequence:1 }`.
fn layout() -> Layout {
    Layout::new(UnixMillis::new(0), 1, &[Field::timestamp(5), Field::sequence(1)]).unwrap()
}

/// A generator at tick `now` whose word is at slot `start`.
fn generator(now: u64, start: u64, ahead_ms: u64) -> Arc<Ids> {
    let ids = layout()
        .generator_with(Ticker::at(now))
        .unregistered()
        .not_before(Mark::new(start))
        .ahead_max(Duration::from_millis(ahead_ms))
        .build()
        .unwrap();
    Arc::new(ids)
}

fn spawn<R: 'static>(ids: &Arc<Ids>, body: impl FnOnce(&Ids) -> R + 'static) -> thread::JoinHandle<R> {
    let ids = Arc::clone(ids);
    thread::spawn(move || body(&ids))
}

/// A generator with so many sequence bits, so that an id's number is its slot `{ tick, sequence }`.
fn generator_up_to(sequence_bits: u32, now: u64, ceiling: u64) -> Arc<Ids> {
    let fields = [Field::timestamp(5), Field::sequence(sequence_bits)];
    let ids = Layout::new(UnixMillis::new(0), 1, &fields)
        .unwrap()
        .generator_with(Ticker::at(now))
        .unregistered()
        .ceiling(UnixMillis::new(i64::try_from(ceiling).unwrap()))
        .build()
        .unwrap();
    Arc::new(ids)
}

/// Thirty-two slots a tick, so that blocks have two.
fn generator_with_blocks(now: u64, ceiling: u64) -> Arc<Ids> {
    generator_up_to(5, now, ceiling)
}

/// Four slots a tick, which is wide in a model.
fn wide_generator(now: u64, ceiling: u64) -> Arc<Ids> {
    generator_up_to(2, now, ceiling)
}

/// A wide generator at tick 3, whose gate its first id has opened.
fn opened() -> Arc<Ids> {
    let ids = wide_generator(3, 32);
    assert_eq!(take(&ids), 12);
    ids
}

/// Three ids of a handle: one is a block of its own, the next two another.
fn take_three(ids: &Ids) -> Vec<Result<u64, IssueError>> {
    let mut local = ids.local();
    (0..3).map(|_| local.try_next_id().map(DynSnowflake::get)).collect()
}

fn take(ids: &Ids) -> u64 {
    ids.try_next_id().unwrap().get()
}

#[test]
fn one_id_each() {
    loom::model(|| {
        let ids = generator(3, 0, 0);
        let other = spawn(&ids, take);
        let mine = take(&ids);
        let mut both = [mine, other.join().unwrap()];
        both.sort_unstable();
        assert_eq!(both, [6, 7]);
    });
}

#[test]
fn three_threads_share_a_tick_and_a_half() {
    loom::model(|| {
        let ids = generator(3, 0, 1);
        let others = [spawn(&ids, take), spawn(&ids, take)];
        let mut all = others.map(|other| other.join().unwrap()).to_vec();
        all.push(take(&ids));
        all.sort_unstable();
        assert_eq!(all, [6, 7, 8]);
    });
}

#[test]
fn one_id_each_over_a_tick_change() {
    loom::model(|| {
        // A tick ahead is allowed, since three ids may all find the clock at tick 4.
        let ids = generator(3, 0, 1);
        let other = spawn(&ids, |ids| [take(ids), take(ids)]);
        ids.clock().set(4);
        let mine = take(&ids);
        let [first, second] = other.join().unwrap();
        assert!(first < second);
        assert!(mine != first && mine != second, "{mine} was handed out twice");
        assert!(mine >= 8, "the clock was set before the call");
    });
}

#[test]
fn one_id_each_over_a_carry() {
    loom::model(|| {
        // One slot is left in tick 3; the next carries into tick 4.
        let ids = generator(3, 7, 1);
        let other = spawn(&ids, take);
        let mut both = [take(&ids), other.join().unwrap()];
        both.sort_unstable();
        assert_eq!(both, [7, 8]);
    });
}

#[test]
fn fill_against_next_id() {
    loom::model(|| {
        let ids = generator(3, 0, 1);
        let other = spawn(&ids, |ids| {
            let mut batch = [DynSnowflake::ZERO; 3];
            ids.fill(&mut batch).unwrap();
            batch.map(DynSnowflake::get)
        });
        let mine = take(&ids);
        let batch = other.join().unwrap();
        assert!(batch[0] < batch[1] && batch[1] < batch[2]);
        let mut all = [mine, batch[0], batch[1], batch[2]];
        all.sort_unstable();
        assert_eq!(all, [6, 7, 8, 9]);
    });
}

#[test]
fn close_is_final() {
    loom::model(|| {
        let ids = generator(3, 0, 0);
        let other = spawn(&ids, |ids| ids.try_next_id());
        let mark = ids.close();
        match other.join().unwrap() {
            Ok(id) => assert_eq!(mark.get(), id.get() + 1, "the mark is just past the last id"),
            Err(error) => {
                assert_eq!(error, IssueError::Closed);
                assert_eq!(mark.get(), 0);
            }
        }
        assert_eq!(ids.try_next_id(), Err(IssueError::Closed));
        assert_eq!(ids.close(), mark, "closing again tells the same");
    });
}

#[test]
fn two_closers_agree() {
    loom::model(|| {
        let ids = generator(3, 0, 0);
        let closer = spawn(&ids, Generator::close);
        let taker = spawn(&ids, |ids| ids.try_next_id());
        let marks = [ids.close(), closer.join().unwrap()];
        assert_eq!(marks[0], marks[1]);
        if let Ok(id) = taker.join().unwrap() {
            assert!(id.get() < marks[0].get());
        }
    });
}

#[test]
fn raised_ceiling_is_used() {
    loom::model(|| {
        let ids = layout().generator_with(Ticker::at(4)).unregistered().ceiling(UnixMillis::new(4)).build().unwrap();
        let ids = Arc::new(ids);
        let written = Arc::new(AtomicU64::new(0));
        let raiser = {
            let written = Arc::clone(&written);
            spawn(&ids, move |ids| {
                written.store(1, Ordering::Relaxed);
                ids.raise_ceiling(UnixMillis::new(5)).unwrap();
            })
        };
        match ids.try_next_id() {
            Ok(id) => {
                assert_eq!(id.get(), 8);
                assert_eq!(
                    written.load(Ordering::Relaxed),
                    1,
                    "an id past the old ceiling, and its reservation not seen"
                );
            }
            Err(error) => assert_eq!(error, IssueError::ReservationEnded { until: UnixMillis::new(4) }),
        }
        raiser.join().unwrap();
        assert!(ids.try_next_id().is_ok(), "a raised ceiling is seen after the join");
        // Tick 4 has two slots, and the ceiling ends there.
        let _ = ids.try_next_id();
        assert!(ids.try_next_id().is_err());
        assert!(ids.mark().get() <= 10);
    });
}

#[test]
fn ticker_is_never_behind() {
    loom::model(|| {
        let ids = generator(3, 0, 0);
        let other = spawn(&ids, |ids| ids.try_next_id());
        let ticker = spawn(&ids, |ids| ids.clock().set(4));
        for found in [ids.try_next_id(), other.join().unwrap()] {
            assert!(found.is_ok(), "{found:?} of a clock that only goes forward");
        }
        ticker.join().unwrap();
    });
}

#[test]
fn a_verdict_reads_the_clock_after_the_word() {
    loom::model(|| {
        let ids = generator(3, 0, 0);
        // Twice, since the first look at the word is a hint only: the second has to be paused between word and clock.
        let other = spawn(&ids, |ids| {
            for tick in [4, 5] {
                ids.clock().set(tick);
                take(ids);
            }
        });
        let found = ids.try_next_id();
        assert!(found.is_ok(), "{found:?} of a clock that only goes forward");
        other.join().unwrap();
    });
}

#[test]
fn exhausted_is_never_said_of_a_tick_that_has_passed() {
    loom::model(|| {
        // Tick 3 is used up, and whoever says so must have read the clock after it saw that.
        let ids = generator(3, 8, 0);
        let ticker = spawn(&ids, |ids| ids.clock().set(4));
        let other = spawn(&ids, |ids| ids.try_next_id());
        if other.join().unwrap().is_ok() {
            assert!(ids.try_next_id().is_ok(), "the other thread has seen tick 4, and its id says so");
        }
        ticker.join().unwrap();
    });
}

#[test]
fn a_failed_exchange_reads_the_clock_again() {
    loom::model(|| {
        // Tick 3 is used up, so that the first call comes to the exact path, and its exchange can fail there.
        let ids = generator(3, 8, 0);
        let other = spawn(&ids, |ids| {
            ids.clock().set(4);
            ids.clock().set(5);
            take(ids)
        });
        let found = ids.try_next_id();
        assert!(!matches!(found, Err(IssueError::ClockBehind { .. })), "{found:?} of a clock that only goes forward");
        other.join().unwrap();
    });
}

#[test]
fn one_id_each_through_the_gate() {
    loom::model(|| {
        let ids = opened();
        let others = [spawn(&ids, take), spawn(&ids, take)];
        let mine = take(&ids);
        let mut all = others.map(|other| other.join().unwrap()).to_vec();
        all.push(mine);
        all.sort_unstable();
        assert_eq!(all, [13, 14, 15]);
        assert_eq!((ids.mark().get(), ids.stats().burnt), (16, 0));
    });
}

#[test]
fn the_gate_against_an_exchange() {
    loom::model(|| {
        let ids = opened();
        let other = spawn(&ids, |ids| {
            let mut batch = [DynSnowflake::ZERO; 2];
            ids.fill(&mut batch).unwrap();
            batch.map(DynSnowflake::get)
        });
        let mine = take(&ids);
        let batch = other.join().unwrap();
        assert_eq!(batch[0] + 1, batch[1]);
        let mut all = [mine, batch[0], batch[1]];
        all.sort_unstable();
        assert_eq!(all, [13, 14, 15]);
    });
}

#[test]
fn the_gate_over_a_tick_change() {
    loom::model(|| {
        let ids = opened();
        let other = spawn(&ids, |ids| {
            ids.clock().set(4);
            take(ids)
        });
        let mine = take(&ids);
        let others = other.join().unwrap();
        assert!(others >= 16, "the clock was set before the call");
        assert_ne!(mine, others);
        assert!(mine != 16 || others > 16, "{mine} is past {others}, which opened the tick");
        let burnt = ids.stats().burnt;
        assert!(burnt <= 1, "{burnt} slots burnt by one call");
        // What was burnt is nobody's.
        let next = take(&ids);
        assert!(next > mine && next > others);
        let issued_in_4 = u64::from(mine >= 16) + 2;
        assert_eq!(ids.mark().get(), 16 + issued_in_4 + burnt);
    });
}

#[test]
fn the_gate_at_the_end_of_a_tick() {
    loom::model(|| {
        let ids = opened();
        assert_eq!([take(&ids), take(&ids)], [13, 14]);
        let other = spawn(&ids, |ids| ids.try_next_id());
        let found = [ids.try_next_id(), other.join().unwrap()];
        let mut issued = found.iter().flatten();
        assert_eq!(issued.next().map(|id| id.get()), Some(15));
        assert_eq!(issued.next(), None, "one slot was left");
        for error in found.iter().filter_map(|found| found.err()) {
            assert!(matches!(error, IssueError::Exhausted { .. }), "{error} of a clock that stands still");
        }
        assert!(ids.try_next_id().is_err());
        assert!(ids.stats().burnt <= 2, "at most one slot a thread");
        assert_eq!(ids.mark().get(), 16 + ids.stats().burnt);
        ids.clock().set(4);
        assert_eq!(take(&ids), 16 + ids.stats().burnt);
    });
}

#[test]
fn the_gate_opens_once_for_a_tick() {
    loom::model(|| {
        let ids = opened();
        // A handle takes its block by an exchange, and burns nothing.
        let other = spawn(&ids, |ids| ids.local().try_next_id());
        for _ in 0..4 {
            let _ = ids.try_next_id();
        }
        assert!(ids.stats().burnt <= 1, "{} slots burnt by one thread for one tick", ids.stats().burnt);
        let _ = other.join().unwrap();
    });
}

#[test]
fn a_burnt_slot_is_no_clock_behind() {
    loom::model(|| {
        let ids = opened();
        assert_eq!([take(&ids), take(&ids), take(&ids)], [13, 14, 15]);
        assert!(ids.try_next_id().is_err());
        assert_eq!((ids.mark().get(), ids.stats().burnt), (17, 1), "the word has passed a slot of tick 4");
        let other = spawn(&ids, |ids| {
            ids.clock().set(4);
            take(ids)
        });
        let found = ids.try_next_id();
        assert!(!matches!(found, Err(IssueError::ClockBehind { .. })), "{found:?} of a clock that only goes forward");
        assert!(other.join().unwrap() > 16);
    });
}

#[test]
fn the_mark_outlives_burnt_slots() {
    loom::model(|| {
        let ids = opened();
        let closer = spawn(&ids, Generator::close);
        let taker = spawn(&ids, |ids| ids.try_next_id());
        let first = ids.close();
        let found = taker.join().unwrap();
        let marks = [closer.join().unwrap(), ids.close(), ids.mark()];
        assert!(marks.iter().all(|mark| *mark == first), "{first:?}, then {marks:?}");
        match found {
            Ok(id) => assert!(id.get() < first.get(), "{id} is past the mark {first:?}"),
            Err(error) => assert_eq!(error, IssueError::Closed),
        }
        assert_eq!(ids.try_next_id(), Err(IssueError::Closed));
    });
}

#[test]
fn raised_ceiling_is_used_at_the_gate() {
    loom::model(|| {
        let ids = wide_generator(4, 4);
        let written = Arc::new(AtomicU64::new(0));
        let raiser = {
            let written = Arc::clone(&written);
            spawn(&ids, move |ids| {
                written.store(1, Ordering::Relaxed);
                ids.raise_ceiling(UnixMillis::new(6)).unwrap();
            })
        };
        // Whoever is first past the old ceiling opens the gate for the other.
        let taker = |ids: &Ids, written: &AtomicU64| match ids.try_next_id() {
            Ok(id) => {
                let seen = written.load(Ordering::Relaxed);
                assert_eq!(seen, 1, "an id past the old ceiling, and its reservation not seen");
                assert!((16..18).contains(&id.get()));
            }
            Err(error) => assert_eq!(error, IssueError::ReservationEnded { until: UnixMillis::new(4) }),
        };
        let other = {
            let written = Arc::clone(&written);
            spawn(&ids, move |ids| taker(ids, &written))
        };
        taker(&ids, &written);
        other.join().unwrap();
        raiser.join().unwrap();
    });
}

#[test]
fn block_against_next_id() {
    loom::model(|| {
        let ids = generator_with_blocks(3, 32);
        let other = spawn(&ids, take_three);
        let mine = take(&ids);
        let block: Vec<_> = other.join().unwrap().into_iter().map(Result::unwrap).collect();
        assert!(block.is_sorted_by(|a, b| a < b), "{block:?} of one handle");
        let mut all = block;
        all.push(mine);
        all.sort_unstable();
        assert_eq!(all, [96, 97, 98, 99]);
    });
}

#[test]
fn block_against_block_over_a_tick_change() {
    loom::model(|| {
        let ids = generator_with_blocks(3, 32);
        let other = spawn(&ids, take_three);
        ids.clock().set(4);
        let mut all: Vec<_> = take_three(&ids).into_iter().map(Result::unwrap).collect();
        assert!(all.iter().all(|id| *id >= 4 * 32), "the clock was set before the calls");
        all.extend(other.join().unwrap().into_iter().map(Result::unwrap));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6);
    });
}

#[test]
fn block_against_close() {
    loom::model(|| {
        let ids = generator_with_blocks(3, 32);
        let other = spawn(&ids, take_three);
        let mark = ids.close().get();
        let found = other.join().unwrap();
        assert!(found.iter().flatten().all(|id| *id < mark), "{found:?} and the mark {mark}");
        // Closed stays closed, though the block has ids left.
        let first_error = found.iter().position(Result::is_err).unwrap_or(3);
        assert!(found[first_error..].iter().all(|id| *id == Err(IssueError::Closed)), "{found:?}");
    });
}

#[test]
fn a_block_held_over_a_close_gives_nothing_after_it() {
    loom::model(|| {
        let ids = generator_with_blocks(3, 32);
        let mut local = ids.local();
        // This one is not asked while it is closed: its block has an id left afterwards.
        let mut resting = ids.local();
        for _ in 0..2 {
            local.try_next_id().unwrap();
            resting.try_next_id().unwrap();
        }
        let closer = spawn(&ids, Generator::close);
        let held = local.try_next_id().map(DynSnowflake::get);
        let mark = closer.join().unwrap().get();
        assert!(held.is_ok_and(|id| id < mark) || held == Err(IssueError::Closed));
        assert_eq!(local.try_next_id(), Err(IssueError::Closed), "the close was seen by the join");
        assert_eq!(resting.try_next_id(), Err(IssueError::Closed), "what is left of a block is not handed out");
    });
}

#[test]
fn ceiling_raised_while_a_block_is_held() {
    loom::model(|| {
        let ids = generator_with_blocks(3, 4);
        let mut local = ids.local();
        for _ in 0..2 {
            local.try_next_id().unwrap();
        }
        let raiser = spawn(&ids, |ids| ids.raise_ceiling(UnixMillis::new(5)).unwrap());
        // The third is in the block; the fourth needs another, in tick 3, whatever the ceiling is.
        for expected in [98, 99] {
            assert_eq!(local.try_next_id().map(DynSnowflake::get), Ok(expected));
        }
        ids.clock().set(4);
        match local.try_next_id() {
            Ok(id) => assert_eq!(id.get(), 4 * 32),
            Err(error) => assert_eq!(error, IssueError::ReservationEnded { until: UnixMillis::new(4) }),
        }
        raiser.join().unwrap();
        assert!(local.try_next_id().is_ok(), "the raised ceiling was seen by the join");
    });
}

#[test]
fn published_time_never_goes_back() {
    loom::model(|| {
        let clock = Arc::new(PublishedClock::new(Ticker::at(3)));
        let publishers: Vec<_> = [4, 5]
            .map(|tick| {
                let clock = Arc::clone(&clock);
                thread::spawn(move || {
                    // One underneath goes on and the other back, in any order; what is published only rises.
                    clock.underlying().set(tick);
                    let published = clock.tick();
                    assert!(clock.now() >= published, "a published time was taken back");
                })
            })
            .into();
        let first = clock.now();
        let second = clock.now();
        assert!(first <= second, "{first:?}, then {second:?}");
        for publisher in publishers {
            publisher.join().unwrap();
        }
        assert!(clock.now() >= second);
    });
}

#[test]
fn a_generator_on_a_published_clock_is_never_behind() {
    loom::model(|| {
        let layout = layout();
        let clock = PublishedClock::new(Ticker::at(3));
        let ids = Arc::new(layout.generator_with(clock).unregistered().build().unwrap());
        let other = {
            let ids = Arc::clone(&ids);
            thread::spawn(move || {
                ids.clock().underlying().set(4);
                ids.clock().tick();
                ids.try_next_id()
            })
        };
        let mine = ids.try_next_id();
        assert!(mine.is_ok(), "{mine:?} of a clock that only goes forward");
        assert!(other.join().unwrap().is_ok());
    });
}

/// The time in milliseconds, and a wall clock that is two jumps ahead of where it should be, or none, depending on the time.
struct Jumpy {
    now_ms: AtomicU64,
    hours_ahead: fn(u64) -> u64,
}

impl Jumpy {
    fn pass_to(&self, now_ms: u64) {
        self.now_ms.fetch_max(now_ms, Ordering::Relaxed);
    }

    /// Adding nothing reads the newest value, as a clock does.
    fn now_ms(&self) -> u64 {
        self.now_ms.fetch_add(0, Ordering::Relaxed)
    }
}

impl Times for Jumpy {
    fn wall_ns(&self) -> u64 {
        let now_ms = self.now_ms();
        (now_ms + 1_000 + (self.hours_ahead)(now_ms) * 3_600_000) * 1_000_000
    }

    fn monotonic_ns(&self) -> u64 {
        self.now_ms() * 1_000_000
    }

    fn sleep(&self, _: Duration) {
        unreachable!("the models never wait");
    }
}

fn looks_overlap(hours_ahead: fn(u64) -> u64, first: &'static [u64], threads: [u64; 2], last_ms: u64) {
    loom::model(move || {
        let times = Jumpy { now_ms: AtomicU64::new(1), hours_ahead };
        let clock = Arc::new(MonotonicClock::on(times).believe_after(Duration::from_millis(10)));
        let look_at = |clock: &MonotonicClock<Jumpy>, now_ms| {
            clock.times().pass_to(now_ms);
            let found = clock.now();
            assert!(found.millis().get() < 60_000, "at {now_ms} ms a jump was believed that had not stayed: {found:?}");
        };
        first.iter().for_each(|now_ms| look_at(&clock, *now_ms));
        let threads = threads.map(|now_ms| {
            let clock = Arc::clone(&clock);
            thread::spawn(move || look_at(&clock, now_ms))
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        look_at(&clock, last_ms);
    });
}

#[test]
fn no_jump_is_believed_for_the_time_of_another() {
    // An hour ahead at 2 ms, two hours from 6 ms on: the other jump may be believed at 16 ms.
    looks_overlap(|now_ms| u64::from(now_ms >= 2) + u64::from(now_ms >= 6), &[2], [6, 12], 13);
}

#[test]
fn no_jump_is_believed_for_the_time_before_it_was_taken_back() {
    // Taken back at 6 ms, and there again at 12 ms.
    looks_overlap(|now_ms| u64::from(now_ms >= 2 && !(6..12).contains(&now_ms)), &[], [2, 6], 12);
}
