//! The order of ids over threads.
//!
//! - A million ids while 8 threads pass a token: each is greater than the one before, in every format.
//! - 8 and 64 threads on one generator, by `next_id`, `fill` and handles: no id twice, and each thread's ids increase.
//! - Two threads that read a clock in reverse, each behind what the other has read: order holds all the same.
//! - First ids of threads that all start at once, the process's functions included.
//!
//! `IDCORE_LONG=1` passes the token after every id.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::BTreeMap;
use std::env;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;

use idcore::{Clock, SystemClock, UnixMillis, UnixTime};
use idformats::{Generator, SubMsClock, ThreadEntropy, ulid, uuidv4, uuidv7};
use idtest::formats::{Known, split};
use idtest::{Rng, Seed, for_each_format};

type Ids<F, C> = Generator<F, C, ThreadEntropy>;

fn build<F: Known, C: SubMsClock>(clock: C) -> Ids<F, C> {
    F::on(clock).build().unwrap()
}

/// Ids in one order though many threads make them: who holds the token makes some, and passes it on.
fn pass_a_token<F: Known, C: SubMsClock + Sync>(ids: &Ids<F, C>, count: u64, streak_max: u64, seed: u64) {
    let ring = &Ring { turn: AtomicUsize::new(0), made: AtomicU64::new(0), threads: Mutex::default() };
    let (start, last) = (&Barrier::new(THREADS), &Mutex::new(F::of_number(0)));
    thread::scope(|scope| {
        for me in 0..THREADS {
            let mut numbers = Rng::new(seed ^ me as u64);
            scope.spawn(move || {
                ring.threads.lock().unwrap().insert(me, thread::current());
                start.wait();
                let all = ring.threads.lock().unwrap().clone();
                let place = Place { ring, next: (me + 1) % THREADS, next_thread: &all[&((me + 1) % THREADS)] };
                while ring.made.load(Ordering::Relaxed) < count {
                    if ring.turn.load(Ordering::Acquire) != me {
                        thread::park();
                        continue;
                    }
                    let mut last = last.lock().unwrap();
                    let streak = 1 + numbers.below(streak_max);
                    for _ in 0..streak {
                        let id = ids.next_id().unwrap();
                        assert!(*last < id, "{id:?} after {last:?}");
                        *last = id;
                    }
                    drop(last);
                    ring.made.fetch_add(streak, Ordering::Relaxed);
                    place.pass_on();
                }
            });
        }
    });
    assert!(ring.made.load(Ordering::Relaxed) >= count);
}

const THREADS: usize = 8;

struct Ring {
    turn: AtomicUsize,
    made: AtomicU64,
    threads: Mutex<BTreeMap<usize, Thread>>,
}

/// A thread's place in the ring, before another's.
struct Place<'a> {
    ring: &'a Ring,
    next: usize,
    next_thread: &'a Thread,
}

impl Place<'_> {
    fn pass_on(&self) {
        self.ring.turn.store(self.next, Ordering::Release);
        self.next_thread.unpark();
    }
}

/// At the end, and after a panic, nobody is left waiting for a turn.
impl Drop for Place<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.ring.made.store(u64::MAX / 2, Ordering::Relaxed);
        }
        self.pass_on();
    }
}

fn a_million_ids<F: Known>() {
    let seed = Seed::of_this_run();
    let streak_max = if env::var_os("IDCORE_LONG").is_some() { 1 } else { 64 };
    pass_a_token(&build::<F, _>(SystemClock), 1_000_000, streak_max, seed.number());
}

#[test]
fn v7_counter_with_a_token() {
    a_million_ids::<idformats::V7Counter>();
}

#[test]
fn v7_random_with_a_token() {
    a_million_ids::<idformats::V7Random>();
}

#[test]
fn v7_sub_ms_with_a_token() {
    a_million_ids::<idformats::V7SubMs>();
}

#[test]
fn ulid_monotonic_with_a_token() {
    a_million_ids::<idformats::UlidMonotonic>();
}

#[test]
fn ulid_random_with_a_token() {
    a_million_ids::<idformats::UlidRandom>();
}

/// Ids of one thread, in the order in which it has made them.
fn mixed<F: Known, C: SubMsClock>(ids: &Ids<F, C>, count: usize, mut rng: Rng) -> Vec<u128> {
    let mut mine = Vec::with_capacity(count + 64);
    while mine.len() < count {
        let len = usize::try_from(rng.below(64)).unwrap();
        if len < 48 {
            mine.push(F::number(ids.next_id().unwrap()));
        } else {
            let mut buffer = vec![F::of_number(0); len];
            ids.fill(&mut buffer).unwrap();
            mine.extend(buffer.into_iter().map(F::number));
        }
    }
    mine
}

/// Ids of one thread's handle.
fn of_handle<F: Known, C: SubMsClock>(ids: &Ids<F, C>, count: usize, mut rng: Rng) -> Vec<u128> {
    let mut local = ids.local();
    let mut mine = Vec::with_capacity(count + 64);
    while mine.len() < count {
        if rng.below(64) > 0 {
            mine.push(F::number(local.next_id().unwrap()));
        } else {
            let mut buffer = [F::of_number(0); 20];
            local.fill(&mut buffer).unwrap();
            mine.extend(buffer.map(F::number));
        }
    }
    mine
}

fn all_distinct(mut all: Vec<u128>) {
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "{} ids were handed out twice", count - all.len());
}

fn shared_by<F: Known>(threads: usize, per_thread: usize) {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let ids = &build::<F, _>(SystemClock);
    let begun = u128::try_from(SystemClock.now().millis().get()).unwrap();
    let start = &Barrier::new(threads);
    let taken: Vec<Vec<u128>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|thread| {
                let rng = Rng::new(rng.next_u64());
                scope.spawn(move || {
                    start.wait();
                    if thread % 4 == 3 { of_handle(ids, per_thread, rng) } else { mixed(ids, per_thread, rng) }
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let ended = u128::try_from(SystemClock.now().millis().get()).unwrap();
    for mine in &taken {
        assert!(mine.len() >= per_thread);
        assert!(mine.windows(2).all(|pair| pair[0] < pair[1]), "{:?}: a thread's ids increase", F::KIND);
        // 10 ms is what counters may carry the time ahead by default, and much more than it takes.
        let (first, last) = (split(F::KIND, mine[0]).unix_ms, split(F::KIND, mine[mine.len() - 1]).unix_ms);
        assert!(first >= begun && last <= ended + 10, "{:?}: {first} to {last}, {begun} to {ended}", F::KIND);
    }
    all_distinct(taken.concat());
}

#[test]
fn eight_threads() {
    for_each_format!(shared_by(8, 10_000));
}

#[test]
fn sixty_four_threads() {
    for_each_format!(shared_by(64, 1_500));
}

/// A clock of two hands: one thread reads what is ahead, the other what is behind, and both go on.
#[derive(Debug)]
struct Reversed {
    readings: AtomicU64,
    back: Duration,
}

thread_local! {
    static IS_BEHIND: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Clock for Reversed {
    fn now(&self) -> UnixTime {
        // A millisecond in a hundred readings.
        let passed_ms = i64::try_from(self.readings.fetch_add(1, Ordering::Relaxed) / 100).unwrap();
        let back_ms = if IS_BEHIND.get() { i64::try_from(self.back.as_millis()).unwrap() } else { 0 };
        UnixTime::from(UnixMillis::new(1_800_000_000_000 + passed_ms - back_ms))
    }

    fn sleep(&self, _: Duration) {
        panic!("nothing is to be waited for");
    }
}

impl SubMsClock for Reversed {}

fn reversed_by<F: Known>(back: Duration) {
    let ids = &build::<F, _>(Reversed { readings: AtomicU64::new(0), back });
    let last = &Mutex::new(F::of_number(0));
    thread::scope(|scope| {
        for is_behind in [false, true] {
            scope.spawn(move || {
                IS_BEHIND.set(is_behind);
                for _ in 0..20_000 {
                    let mut last = last.lock().unwrap();
                    let id = ids.next_id().unwrap();
                    assert!(*last < id, "{id:?} after {last:?}");
                    *last = id;
                    drop(last);
                    // Both have their turns, whatever the machine does.
                    thread::yield_now();
                }
            });
        }
    });
    assert!(ids.stats().ahead > 0, "the one behind has made ids of the other's time");
}

#[test]
fn two_threads_read_a_clock_in_reverse() {
    for_each_format!(reversed_by(Duration::from_millis(1)));
    for_each_format!(reversed_by(Duration::from_secs(9)));
}

fn first_ids_at_once<F: Known>() {
    for _ in 0..20 {
        let ids = &build::<F, _>(SystemClock);
        let start = &Barrier::new(8);
        let first: Vec<u128> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(move || {
                        start.wait();
                        F::number(ids.next_id().unwrap())
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        all_distinct(first);
    }
}

#[test]
fn first_ids_of_threads_that_start_at_once() {
    for_each_format!(first_ids_at_once());
}

// The only test here that uses the process's generators: the first use is a race of 16 threads.
#[test]
fn functions_of_the_process_from_their_first_use_on() {
    let start = &Barrier::new(16);
    let taken: Vec<[Vec<u128>; 3]> = thread::scope(|scope| {
        let take = move || {
            start.wait();
            [0, 1, 2].map(|of| {
                let next = || match of {
                    0 => uuidv7().unwrap().as_u128(),
                    1 => ulid().unwrap().0,
                    _ => uuidv4().unwrap().as_u128(),
                };
                (0..1_000).map(|_| next()).collect()
            })
        };
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(take)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for [v7, ulids, _] in &taken {
        assert!(v7.windows(2).chain(ulids.windows(2)).all(|pair| pair[0] < pair[1]));
    }
    all_distinct(taken.into_iter().flatten().flatten().collect());
}
