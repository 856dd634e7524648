//! Nobody is left out.
//!
//! 64 threads take all the ids that a layout has, with and without handles: no call takes longer than 10 ms and two ticks; or,
//! where a tick has fewer ids than threads wait, than the ticks that it takes to serve them all from half of each, and twice
//! that.
//!
//! What the machine takes for other things is measured by threads that only sleep; a round in which a call took too long is
//! repeated. The figures are printed.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

mod machine;

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{Dyn, Field, Generator, Layout, Sonyflake, StaticLayout, SystemClock, Twitter};
use machine::{Sleepers, Times};

type Ids = Generator<Dyn, SystemClock>;

const THREADS: usize = 64;
const CALL_MAX: Duration = Duration::from_millis(10);
/// One good round is enough: the machine can make a call slow, and nothing can make it quick.
const ROUNDS: usize = 8;

/// Loads of one test at a time, where a process runs several.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long each load lasts: `IDCORE_LONG=1` for the full time.
fn round_time() -> Duration {
    Duration::from_secs(if env::var_os("IDCORE_LONG").is_some() { 10 } else { 3 })
}

/// What the calls of 64 threads took, and how late threads woke that only slept.
struct Round {
    calls: Times,
    fewest_ids: u64,
    share: f64,
    machine: Times,
}

/// `call` is what one thread does until it is told to stop; it times each of its calls.
fn round(ids: &Ids, layout: Layout, call: impl Fn(&Ids, &AtomicBool) -> Times + Sync) -> Round {
    let done = AtomicBool::new(false);
    let (each, took, machine) = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| call(ids, &done))).collect();
        let sleepers = Sleepers::start(4);
        let begun = Instant::now();
        thread::sleep(round_time());
        done.store(true, Ordering::Relaxed);
        let took = begun.elapsed();
        let each: Vec<Times> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        (each, took, sleepers.stop())
    });
    let calls = each.iter().fold(Times::new(), Times::and);
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = calls.count() as f64 / (took.as_secs_f64() * layout.ids_per_second());
    Round { fewest_ids: each.iter().map(Times::count).min().unwrap(), calls, share, machine }
}

/// Rounds until one is good.
fn nobody_waits_long(name: &str, ids: &Ids, layout: Layout, call: impl Fn(&Ids, &AtomicBool) -> Times + Sync) {
    let ticks = 2 + 2 * THREADS.div_ceil(usize::try_from(layout.sequence_count()).unwrap());
    let allowed = CALL_MAX + Duration::from_millis(u64::from(layout.tick_ms())) * u32::try_from(ticks).unwrap();
    let met = (0..ROUNDS).any(|_| {
        let Round { calls, fewest_ids, share, machine } = round(ids, layout, &call);
        println!(
            "{name}: {} ids, {:.1} % of the limit, {fewest_ids} for the last of {THREADS} \
             threads; a call took {:?} (median), {:?} (p99.9), {:?} (max); threads that only sleep were late by {:?} (p99.9), \
             {:?} (max)",
            calls.count(),
            share * 100.0,
            calls.per_mille(500),
            calls.per_mille(999),
            calls.max(),
            machine.per_mille(999),
            machine.max(),
        );
        // Where more threads wait than a tick has ids, a few that are late by a turn are late by all turns of the others.
        let longest = if layout.sequence_count() < THREADS as u64 { calls.per_mille(999) } else { calls.max() };
        // Where the limit is not reached the processor is what calls wait for.
        share > 0.9 && longest <= allowed + machine.max() && fewest_ids > 0
    });
    assert!(met, "{name}: a call took longer than {allowed:?} in each of {ROUNDS} rounds, see above");
}

fn shared_on(name: &str, ids: &Ids, layout: Layout) {
    nobody_waits_long(name, ids, layout, |ids, done| {
        let mut times = Times::new();
        while !done.load(Ordering::Relaxed) {
            let begun = Instant::now();
            ids.next_id().unwrap();
            times.note(begun.elapsed());
        }
        times
    });
}

fn with_handles_on(name: &str, ids: &Ids, layout: Layout) {
    nobody_waits_long(name, ids, layout, |ids, done| {
        let (mut local, mut times) = (ids.local(), Times::new());
        while !done.load(Ordering::Relaxed) {
            let begun = Instant::now();
            local.next_id().unwrap();
            times.note(begun.elapsed());
        }
        times
    });
}

/// Twitter's; without optimisation an id costs many times as much, and the layout has fewer.
fn twitter() -> Layout {
    let bits = if cfg!(debug_assertions) { 7 } else { 12 };
    let fields = [Field::timestamp(41), Field::node("datacenter", 5), Field::node("worker", 5), Field::sequence(bits)];
    Layout::new(Twitter::LAYOUT.epoch(), 1, &fields).unwrap()
}

fn build(layout: Layout) -> Ids {
    layout.generator().node(1).unregistered().build().unwrap()
}

#[test]
fn twitter_next_id() {
    let _alone = alone();
    shared_on("twitter, next_id", &build(twitter()), twitter());
}

#[test]
fn twitter_handles() {
    let _alone = alone();
    with_handles_on("twitter, handles", &build(twitter()), twitter());
}

#[test]
fn sonyflake_next_id() {
    let _alone = alone();
    shared_on("sonyflake, next_id", &build(Sonyflake::LAYOUT), Sonyflake::LAYOUT);
}

#[test]
fn sonyflake_handles() {
    let _alone = alone();
    with_handles_on("sonyflake, handles", &build(Sonyflake::LAYOUT), Sonyflake::LAYOUT);
}

/// Sixteen ids a millisecond: a tick has an id for one thread in four.
fn few_ids() -> Layout {
    Layout::new(Twitter::LAYOUT.epoch(), 1, &[Field::timestamp(41), Field::node("worker", 10), Field::sequence(4)])
        .unwrap()
}

#[test]
fn few_ids_next_id() {
    let _alone = alone();
    shared_on("few ids, next_id", &build(few_ids()), few_ids());
}

#[test]
fn few_ids_handles() {
    let _alone = alone();
    with_handles_on("few ids, handles", &build(few_ids()), few_ids());
}
