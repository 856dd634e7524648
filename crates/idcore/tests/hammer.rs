//! 64 threads on a clock that steps all the time.
//!
//! - Steps back of 1 to 4 ms, which are waited out; of 50 ms, which are errors that say when to try again; and of 200 ms ahead.
//! - `next_id`, `fill`, reserved ids and handles mixed: no id twice over all of them, and each handle's ids, and each thread's
//!   others, increase strictly.
//!
//! `IDCORE_LONG=1` hammers each layout for 10 s.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::env;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    Clock, Dyn, DynSnowflake, Generator, IssueError, Layout, Mastodon, Sonyflake, StaticLayout, SystemClock, Twitter,
    UnixMillis, UnixTime,
};
use idtest::{Rng, Seed};

const THREADS: u64 = 64;
const MS: Duration = Duration::from_millis(1);
/// Ids that a thread collects before it looks them up.
const BATCH: usize = 1_024;

/// The machine's clock, off by what a test says.
#[derive(Debug)]
struct Stepping {
    offset_ms: AtomicI64,
}

impl Clock for Stepping {
    fn now(&self) -> UnixTime {
        let now = SystemClock.now();
        let ms = now.millis().get() + self.offset_ms.load(Ordering::Relaxed);
        UnixTime::new(UnixMillis::new(ms), now.sub_ms_nanos())
    }

    fn sleep(&self, duration: Duration) {
        SystemClock.sleep(duration);
    }
}

type Ids = Generator<Dyn, Stepping>;

/// A layout, and the tick and sequence of its ids by arithmetic of the test's own.
struct Case {
    layout: Layout,
    tick_and_sequence: fn(u64) -> (u64, u64),
}

/// Which slots were handed out: a bit for each.
struct Seen {
    first_tick: u64,
    slots_per_tick: u64,
    bits: Vec<AtomicU64>,
}

impl Seen {
    fn new(case: &Case, ids: &Ids, time: Duration) -> Self {
        let tick_ms = u64::from(case.layout.tick_ms());
        let begun_ms = ids.clock().now().millis().saturating_since(case.layout.epoch()).as_millis();
        // The clock is set ahead by no more than three times what passes.
        let ticks = (u64::try_from(time.as_millis()).unwrap() * 4 + 1_000) / tick_ms;
        let slots_per_tick = case.layout.sequence_count();
        let words = (ticks * slots_per_tick).div_ceil(64);
        Self {
            first_tick: u64::try_from(begun_ms).unwrap() / tick_ms,
            slots_per_tick,
            bits: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// # Panics
    ///
    /// When one of them was handed out before, or has a time that the clock cannot have had.
    fn note(&self, case: &Case, ids: &mut Vec<u64>) {
        for raw in ids.drain(..) {
            let (tick, sequence) = (case.tick_and_sequence)(raw);
            let tick = tick.checked_sub(self.first_tick).expect("no id is older than the generator");
            let slot = usize::try_from(tick * self.slots_per_tick + sequence).unwrap();
            let bit = 1 << (slot % 64);
            let before = self.bits[slot / 64].fetch_or(bit, Ordering::Relaxed);
            assert_eq!(before & bit, 0, "{raw} was handed out twice");
        }
    }
}

/// Steps the clock until the time is over; how many steps of 50 ms back there were.
fn step(clock: &Stepping, time: Duration, mut rng: Rng) -> u64 {
    let begun = Instant::now();
    let step = |ms: i64| clock.offset_ms.fetch_add(ms, Ordering::Relaxed);
    let mut far = 0;
    while begun.elapsed() < time {
        for _ in 0..4 {
            step(-i64::try_from(1 + rng.below(4)).unwrap());
            thread::sleep(Duration::from_millis(10 + rng.below(20)));
        }
        step(-50);
        far += 1;
        // Sometimes before it has caught up.
        thread::sleep(Duration::from_millis(20 + rng.below(60)));
        step(200);
        thread::sleep(Duration::from_millis(10 + rng.below(20)));
    }
    far
}

/// What a thread took.
struct Taken {
    ids: u64,
    /// How often the clock was too far back.
    behind: u64,
    /// The longest time between two ids, with the waits that errors asked for.
    gap: Duration,
}

fn hammer(case: &Case, ids: &Ids, seen: &Seen, done: &AtomicBool, mut rng: Rng) -> Taken {
    let mut local = ids.local();
    let mut taken = Taken { ids: 0, behind: 0, gap: Duration::ZERO };
    let (mut last_local, mut last_shared) = (DynSnowflake::ZERO, DynSnowflake::ZERO);
    let mut batch = Vec::with_capacity(BATCH + 128);
    let mut buffer = vec![DynSnowflake::ZERO; 100];
    let mut last_at = Instant::now();
    // Each thread has a liking of its own, and does all of it.
    let liking = rng.below(5);
    while !done.load(Ordering::Relaxed) {
        let len = usize::try_from(1 + rng.below(100)).unwrap();
        let what = if rng.below(4) == 0 { rng.below(5) } else { liking };
        let (filled, error) = match what {
            0 => one(&mut buffer, ids.next_id()),
            1 => one(&mut buffer, local.next_id()),
            2 => filled(len, ids.fill(&mut buffer[..len])),
            3 => filled(len, local.fill(&mut buffer[..len])),
            _ => match ids.reserve(len as u64) {
                Ok(reserved) => (reserved.zip(&mut buffer).map(|(id, place)| *place = id.unwrap()).count(), None),
                Err(error) => (0, Some(error)),
            },
        };
        let fresh = &buffer[..filled];
        if let Some(newest) = fresh.last() {
            let last = if matches!(what, 1 | 3) { &mut last_local } else { &mut last_shared };
            assert!(*last < fresh[0] && fresh.windows(2).all(|pair| pair[0] < pair[1]), "ids do not increase");
            *last = *newest;
            taken.gap = taken.gap.max(last_at.elapsed());
            last_at = Instant::now();
            taken.ids += filled as u64;
        }
        batch.extend(fresh.iter().map(|id| id.get()));
        if batch.len() >= BATCH {
            seen.note(case, &mut batch);
        }
        match error {
            None => {}
            Some(IssueError::ClockBehind { retry_after, .. }) => {
                taken.behind += 1;
                thread::sleep(retry_after);
            }
            Some(other) => panic!("{other}"),
        }
    }
    seen.note(case, &mut batch);
    taken
}

fn one(buffer: &mut [DynSnowflake], answer: Result<DynSnowflake, IssueError>) -> (usize, Option<IssueError>) {
    match answer {
        Ok(id) => {
            buffer[0] = id;
            (1, None)
        }
        Err(error) => (0, Some(error)),
    }
}

fn filled(len: usize, answer: Result<(), idcore::FillError>) -> (usize, Option<IssueError>) {
    answer.map_or_else(|error| (error.filled, Some(error.error)), |()| (len, None))
}

fn run(name: &str, case: &Case) {
    // One at a time, where a process runs several.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone: MutexGuard<'_, ()> = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let time = if env::var_os("IDCORE_LONG").is_some() { 10_000 * MS } else { 2_500 * MS };
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let clock = Stepping { offset_ms: AtomicI64::new(0) };
    let ids = case.layout.generator_with(clock).node(case.layout.node_count() - 1).unregistered().build().unwrap();
    let table = Seen::new(case, &ids, time);
    let done = AtomicBool::new(false);
    let (taken, far) = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                let rng = Rng::new(rng.next_u64());
                let (ids, table, done) = (&ids, &table, &done);
                scope.spawn(move || hammer(case, ids, table, done, rng))
            })
            .collect();
        let far = step(ids.clock(), time, rng.clone());
        done.store(true, Ordering::Relaxed);
        (threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>(), far)
    });
    let sum = |what: fn(&Taken) -> u64| taken.iter().map(what).sum::<u64>();
    let (count, behind) = (sum(|taken| taken.ids), sum(|taken| taken.behind));
    let gap = taken.iter().map(|taken| taken.gap).max().unwrap();
    println!("{name}: {count} ids, {far} steps of 50 ms back, {behind} errors, longest gap {gap:?}, {:?}", ids.stats());
    let marked: u64 = table.bits.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum();
    assert_eq!(marked, count, "each id has a slot of its own");
    assert!(taken.iter().all(|taken| taken.ids > 0), "each thread got some");
    // A step of a few milliseconds is seldom felt where a tick has ten.
    let waited_out = ids.stats().clock_behind - behind;
    assert!(far > 0 && behind > 0, "steps of 50 ms were felt");
    assert!(waited_out > 0 || case.layout.tick_ms() > 1, "steps of a few milliseconds were waited out");
    // Counted from the start of the last tick, which may be 10 ms long, by a thread that comes to it a little later.
    assert!(ids.stats().clock_behind_max >= 30 * MS, "{:?}", ids.stats());
}

#[test]
fn twitter() {
    run("twitter", &Case { layout: Twitter::LAYOUT, tick_and_sequence: |raw| (raw / (1 << 22), raw % (1 << 12)) });
}

#[test]
fn sonyflake() {
    run(
        "sonyflake",
        &Case { layout: Sonyflake::LAYOUT, tick_and_sequence: |raw| (raw / (1 << 24), raw / (1 << 16) % (1 << 8)) },
    );
}

#[test]
fn mastodon() {
    run("mastodon", &Case { layout: Mastodon::LAYOUT, tick_and_sequence: |raw| (raw / (1 << 16), raw % (1 << 16)) });
}
