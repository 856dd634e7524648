//! Real threads on the real clock.
//!
//! - 64 threads on one generator, `next_id` and `fill` mixed, over several layouts: no id twice, each thread's ids strictly
//!   increasing, each id of the generator's node, none ahead of the clock (or by no more than is allowed).
//! - A generator that is closed meanwhile hands out nothing at or past its mark, and everything below it went to somebody.
//! - A ceiling that is raised meanwhile is never passed.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use idcore::{
    Clock, Dyn, DynSnowflake, Exhaustion, Field, Generator, IssueError, Layout, Mark, Rollback, Sonyflake,
    StaticLayout, SystemClock, Twitter, UnixMillis, Wide,
};
use idtest::{Rng, Seed};

const THREADS: usize = 64;
/// A machine that runs other tests may have its clock corrected meanwhile, and its threads left waiting.
const PATIENCE: Duration = Duration::from_secs(20);

fn now() -> UnixMillis {
    SystemClock.now().millis()
}

fn generator(layout: Layout, ahead_max: Duration) -> Generator<Dyn, SystemClock> {
    let ids = layout.generator().node(layout.node_count() - 1).unregistered().ahead_max(ahead_max);
    let ids = ids.on_rollback(Rollback::Wait { max: PATIENCE }).on_exhausted(Exhaustion::Wait { max: PATIENCE });
    ids.build().unwrap()
}

/// Ids of one thread, taken one by one and in buffers of random lengths.
fn take(
    ids: &Generator<Dyn, SystemClock>,
    layout: Layout,
    ahead_max: Duration,
    count: usize,
    mut rng: Rng,
) -> Vec<u64> {
    let mut mine = Vec::with_capacity(count + 64);
    while mine.len() < count {
        let len = usize::try_from(rng.below(64)).unwrap();
        if len < 48 {
            mine.push(ids.next_id().unwrap().get());
        } else {
            let mut buffer = vec![DynSnowflake::ZERO; len];
            ids.fill(&mut buffer).unwrap();
            mine.extend(buffer.iter().map(|id| id.get()));
        }
        // The clock is read after the id: it has at least that time.
        let last = layout.decode(mine[mine.len() - 1]).unwrap();
        let ahead = last.time().saturating_since(now());
        assert!(ahead <= ahead_max, "an id {ahead:?} ahead of the clock");
    }
    mine
}

fn all_distinct(mut all: Vec<u64>) {
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "{} ids were handed out twice", count - all.len());
}

fn run(layout: Layout, per_thread: usize, ahead_max: Duration) {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let ids = generator(layout, ahead_max);
    let begun = now();
    let start = Barrier::new(THREADS);
    let taken: Vec<Vec<u64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                let rng = Rng::new(rng.next_u64());
                let (ids, start) = (&ids, &start);
                scope.spawn(move || {
                    start.wait();
                    take(ids, layout, ahead_max, per_thread, rng)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for mine in &taken {
        assert!(mine.len() >= per_thread);
        assert!(mine.windows(2).all(|pair| pair[0] < pair[1]), "a thread's ids increase");
    }
    let all: Vec<u64> = taken.concat();
    for raw in &all {
        let id = layout.decode(*raw).unwrap();
        assert_eq!(id.node(), layout.node_count() - 1);
        assert!(id.time().get() + i64::from(layout.tick_ms()) > begun.get(), "an id of {} before the start", id.time());
    }
    all_distinct(all);
}

#[test]
fn twitter_64_threads() {
    run(Twitter::LAYOUT, 10_000, Duration::ZERO);
}

#[test]
fn twitter_64_threads_that_borrow() {
    run(Twitter::LAYOUT, 10_000, Duration::from_millis(50));
}

#[test]
fn wide_64_threads() {
    run(Wide::LAYOUT, 10_000, Duration::ZERO);
}

#[test]
fn sonyflake_64_threads() {
    run(Sonyflake::LAYOUT, 500, Duration::ZERO);
}

#[test]
fn ticks_of_a_second_64_threads() {
    let fields = [Field::timestamp(29), Field::node("worker", 21), Field::sequence(13)];
    // The epoch is not at a full second, so that ticks are counted from it and not from 1970.
    run(Layout::new(UnixMillis::new(1_474_329_600_123), 1_000, &fields).unwrap(), 250, Duration::ZERO);
}

#[test]
fn without_a_sequence_64_threads() {
    run(Layout::new(UnixMillis::new(1_474_329_600_000), 1, &[Field::timestamp(41)]).unwrap(), 20, Duration::ZERO);
}

#[test]
fn nothing_at_or_past_the_mark_of_a_close() {
    for round in 0..20u64 {
        // With 22 and with 8 bits of sequence: in the middle of a tick, and with threads that wait for one.
        let sequence_bits = if round % 2 == 0 { 22 } else { 8 };
        let fields = [Field::timestamp(41), Field::sequence(sequence_bits)];
        let layout = Layout::new(UnixMillis::new(1_474_329_600_000), 1, &fields).unwrap();
        let ids = generator(layout, Duration::ZERO);
        let taken = AtomicU64::new(0);
        let (slots, mark): (Vec<u64>, Mark) = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| until_closed(&ids, &taken))).collect();
            while taken.load(Ordering::Relaxed) < 300 * (round + 1) {
                thread::yield_now();
            }
            let mark = ids.close();
            (threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect(), mark)
        });
        assert!(slots.len() >= 300);
        assert!(slots.iter().all(|slot| *slot < mark.get()), "an id at or past the mark");
        assert!(slots.contains(&(mark.get() - 1)), "the mark is the first free slot and no higher");
        assert_eq!(ids.close(), mark);
        all_distinct(slots);
    }
}

/// What one thread gets before the generator is closed; here an id is its slot.
fn until_closed(ids: &Generator<Dyn, SystemClock>, taken: &AtomicU64) -> Vec<u64> {
    let mut mine = Vec::new();
    let mut buffer = [DynSnowflake::ZERO; 7];
    loop {
        let (filled, error) = if mine.len() % 3 == 0 {
            match ids.fill(&mut buffer) {
                Ok(()) => (buffer.len(), None),
                Err(error) => (error.filled, Some(error.error)),
            }
        } else {
            match ids.next_id() {
                Ok(id) => {
                    buffer[0] = id;
                    (1, None)
                }
                Err(error) => (0, Some(error)),
            }
        };
        mine.extend(buffer[..filled].iter().map(|id| id.get()));
        taken.fetch_add(filled as u64, Ordering::Relaxed);
        match error {
            None => {}
            Some(IssueError::Closed) => return mine,
            Some(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_ceiling_that_is_raised_is_never_passed() {
    let layout = Wide::LAYOUT;
    let begun = now().get();
    let ids = layout.generator().unregistered().ceiling(UnixMillis::new(begun)).build().unwrap();
    let ceiling = AtomicU64::new(u64::try_from(begun).unwrap());
    let (ids, ceiling) = (&ids, &ceiling);
    let issued: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(move || {
                    let mut issued = 0;
                    loop {
                        match ids.next_id() {
                            Ok(id) => {
                                issued += 1;
                                let time = layout.decode(id.get()).unwrap().time();
                                // Written down before the ceiling was raised to it.
                                let until = i64::try_from(ceiling.load(Ordering::SeqCst)).unwrap();
                                assert!(time.get() < until, "an id at {time}, with a ceiling of {until}");
                            }
                            Err(IssueError::ReservationEnded { .. }) => thread::yield_now(),
                            Err(IssueError::Closed) => return issued,
                            Err(other) => panic!("{other}"),
                        }
                    }
                })
            })
            .collect();
        for step in 1..=30 {
            let until = begun + step * 3;
            ceiling.store(u64::try_from(until).unwrap(), Ordering::SeqCst);
            ids.raise_ceiling(UnixMillis::new(until)).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
        // Once the clock has passed the last ceiling nobody gets anything.
        while now().get() < begun + 95 {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(matches!(ids.next_id(), Err(IssueError::ReservationEnded { .. })));
        ids.close();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(issued > 100, "{issued} ids");
    assert!(ids.stats().ceiling_refusals > 0);
}
