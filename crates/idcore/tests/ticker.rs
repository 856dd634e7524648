//! Clocks whose time is published: by a thread, by somebody else, or by nobody.
//!
//! - Nobody ticks: the next tick is reached all the same, by the exact path; ids are unique and only older than they are.
//! - A starved thread: the same, at the rate of the layout.
//! - After a step back of the clock underneath the time stands still; the ids of that time are handed out, and then a generator
//!   finds the clock behind and says by how much.
//! - The time goes back neither for a thread nor from one to another.
//! - The thread ends when the last clone, or the generator that has it, is dropped; clones share one.
//!
//! What becomes of it in a forked child: `fork`. All interleavings of two threads: `loom.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    Clock, ClockSuspect, DynSnowflake, Exhaustion, Generator, IssueError, Layout, ManualClock, MonotonicClock, OnSleep,
    PublishedClock, Rollback, Snowflake, Standard, StaticLayout, SystemClock, TickerClock, Twitter, UnixMillis,
    UnixTime, Wide,
};
use idtest::{Event, Recorder, Seed};

const MS: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
/// 2027-01-15.
const NOW: UnixMillis = UnixMillis::new(1_800_000_000_000);
/// For what happens within a millisecond on a machine that has nothing else to do.
const PATIENCE: Duration = Duration::from_secs(20);

fn ms(time: UnixTime) -> i64 {
    time.millis().get()
}

fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(MS);
    }
}

fn increasing<T>(ids: &[Snowflake<T>]) -> bool {
    ids.windows(2).all(|pair| pair[0] < pair[1])
}

/// Tickers of one test at a time, where a process runs several.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of this process that tick.
#[cfg(target_os = "linux")]
fn tickers() -> usize {
    let names = fs::read_dir("/proc/self/task").unwrap().filter_map(|task| {
        // A thread may end between the listing and the look.
        fs::read_to_string(task.ok()?.path().join("comm")).ok()
    });
    names.filter(|name| name.trim_end() == "idcore-ticker").count()
}

#[test]
fn nobody_ticks_and_the_next_tick_is_reached_by_the_exact_path() {
    let recorder = Recorder::new(ManualClock::new(NOW));
    let clock = PublishedClock::new(&recorder);
    let ids = Standard::generator_with(&clock).node(17).unregistered().build().unwrap();
    recorder.take();
    let mut all: Vec<_> = (0..4_096).map(|_| ids.next_id().unwrap()).collect();
    assert_eq!(recorder.take(), [], "the clock underneath is left alone while there are ids");
    all.push(ids.next_id().unwrap());
    let slept: Vec<_> = recorder.take().into_iter().filter(|event| matches!(event, Event::Sleep(_))).collect();
    assert_eq!(slept, [Event::Sleep(MS)]);
    assert!(increasing(&all));
    assert_eq!(all[4_096].time(), UnixMillis::new(NOW.get() + 1));
    assert_eq!(clock.now(), UnixMillis::new(NOW.get() + 1).into(), "published on the way, for all");
    assert_eq!(recorder.take(), []);
}

#[test]
fn nobody_ticks_and_ids_are_older_than_they_are_and_no_more() {
    let manual = ManualClock::new(NOW);
    let clock = PublishedClock::new(&manual);
    let ids = Standard::generator_with(&clock).node(17).unregistered().build().unwrap();
    let early: Vec<_> = (0..100).map(|_| (manual.advance(MS), ids.next_id().unwrap()).1).collect();
    assert!(early.iter().all(|id| id.time() == NOW) && increasing(&early));
    assert_eq!(ms(clock.tick()), NOW.get() + 100);
    let late = ids.next_id().unwrap();
    assert_eq!((late.time(), late.sequence()), (UnixMillis::new(NOW.get() + 100), 0));
}

#[test]
fn nobody_ticks_over_the_machines_clock_and_the_layouts_rate_is_reached() {
    let clock = PublishedClock::new(SystemClock);
    let ids = Twitter::generator_with(&clock).node(1).unregistered();
    let ids = ids.on_exhausted(Exhaustion::Wait { max: PATIENCE }).build().unwrap();
    let mut all = vec![Snowflake::ZERO; 4_096 * 50];
    let begun = Instant::now();
    ids.fill(&mut all).unwrap();
    println!("50 ticks of 4,096 ids in {:?}", begun.elapsed());
    assert!(increasing(&all));
    assert!(ms(SystemClock.now()) >= all[all.len() - 1].time().get());
    assert!(ids.stats().waits > 0, "at the layout's rate a call waits for a tick now and then");
}

#[test]
fn a_tick_that_comes_late_or_twice_or_between_changes_nothing() {
    let manual = ManualClock::new(NOW);
    let clock = PublishedClock::new(&manual);
    let ids = Standard::generator_with(&clock).node(17).unregistered().build().unwrap();
    let mut last = ids.next_id().unwrap();
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    for _ in 0..20_000 {
        match rng.below(4) {
            0 => manual.advance(Duration::from_micros(rng.below(3_000))),
            1 => {
                let (before, after) = (clock.now(), clock.tick());
                assert!(ms(after) >= ms(before) && ms(after) >= ms(manual.now()) && ms(clock.now()) >= ms(after));
            }
            _ => {
                let id = ids.next_id().unwrap();
                assert!(id > last && id.time() <= manual.now().millis());
                last = id;
            }
        }
    }
    assert!(last.time().get() > NOW.get() + 5_000);
}

#[test]
fn a_step_back_underneath_is_a_time_that_stands_still() {
    let manual = ManualClock::new(NOW);
    manual.on_sleep(OnSleep::Freeze);
    let clock = PublishedClock::new(&manual);
    let ids = Standard::generator_with(&clock).node(17).unregistered().on_rollback(Rollback::Fail).build().unwrap();
    let first = ids.next_id().unwrap();
    manual.step_back(HOUR);
    let back = UnixMillis::new(NOW.get() - 3_600_000);
    assert_eq!((clock.tick(), clock.now_exact()), (back.into(), back.into()), "the clock underneath, as it is");
    assert_eq!(clock.now(), NOW.into());
    let mut rest = vec![Snowflake::ZERO; 4_095];
    ids.fill(&mut rest).unwrap();
    assert!(first < rest[0] && increasing(&rest) && rest[4_094].time() == NOW);
    let behind = Err(IssueError::ClockBehind { behind: HOUR, retry_after: HOUR + MS });
    assert_eq!(ids.try_next_id(), behind, "the error says by how much, not that the next tick is near");
    assert_eq!(ids.next_id(), behind);
    assert_eq!(ids.stats().waits, 0);
    manual.advance(HOUR + MS);
    assert_eq!(ids.next_id().map(Snowflake::time), Ok(UnixMillis::new(NOW.get() + 1)));
}

#[test]
fn times_before_1970_are_published_too() {
    let manual = ManualClock::new(UnixMillis::new(-5));
    let clock = PublishedClock::new(&manual);
    for expected in [-5, -4, 0, 3] {
        manual.set(UnixMillis::new(expected));
        assert_eq!((ms(clock.now()) <= expected, ms(clock.tick()), ms(clock.now())), (true, expected, expected));
    }
    manual.set(UnixMillis::new(i64::MIN));
    clock.tick();
    assert_eq!(ms(clock.now()), 3);
}

/// A clock that somebody suspects.
struct Doubted(AtomicBool);

impl Clock for Doubted {
    fn now(&self) -> UnixTime {
        NOW.into()
    }

    fn suspicion(&self) -> Option<ClockSuspect> {
        self.0.load(Ordering::SeqCst).then(|| ClockSuspect::new(HOUR, MS))
    }

    fn sleep(&self, _: Duration) {}
}

#[test]
fn a_suspicion_underneath_is_passed_on() {
    let _alone = alone();
    let clock = TickerClock::start_on(Doubted(AtomicBool::new(false))).unwrap();
    let published = PublishedClock::new(clock.clone());
    let ids = Standard::generator_with(published).node(17).unregistered().build().unwrap();
    ids.next_id().unwrap();
    clock.underlying().0.store(true, Ordering::SeqCst);
    assert_eq!(ids.next_id(), Err(IssueError::ClockSuspect(ClockSuspect::new(HOUR, MS))));
    clock.underlying().0.store(false, Ordering::SeqCst);
    assert!(ids.next_id().is_ok());
}

#[test]
fn a_ticker_follows_its_clock_without_being_asked() {
    let _alone = alone();
    let manual = Arc::new(ManualClock::new(NOW));
    let clock = TickerClock::start_on(Arc::clone(&manual)).unwrap();
    assert_eq!(clock.now(), NOW.into());
    for step in 1..=20 {
        manual.advance(MS);
        until("a tick", || ms(clock.now()) == NOW.get() + step);
    }
    let on_wall = TickerClock::start().unwrap();
    let begun = ms(on_wall.now());
    assert!((ms(SystemClock.now()) - begun).abs() < 10_000);
    until("50 ms of the wall clock", || ms(on_wall.now()) >= begun + 50);
    assert!(ms(on_wall.now()) <= ms(SystemClock.now()));
}

#[test]
fn a_step_back_under_a_ticker_is_seen_when_the_ids_of_its_time_are_used_up() {
    let _alone = alone();
    let manual = Arc::new(ManualClock::new(NOW));
    manual.on_sleep(OnSleep::Freeze);
    let clock = TickerClock::start_on(Arc::clone(&manual)).unwrap();
    let layout: Layout = "epoch=0,timestamp:42,sequence:4".parse().unwrap();
    let ids = layout.generator_with(clock.clone()).unregistered().on_exhausted(Exhaustion::Fail).build().unwrap();
    let first: Vec<_> = (0..8).map(|_| ids.next_id().unwrap()).collect();
    manual.step_back(HOUR);
    thread::sleep(5 * MS);
    assert_eq!(clock.now(), NOW.into());
    let second: Vec<_> = (0..8).map(|_| ids.next_id().unwrap()).collect();
    assert!(increasing(&[first, second].concat()));
    assert_eq!(ids.next_id(), Err(IssueError::ClockBehind { behind: HOUR, retry_after: HOUR + MS }));
    manual.advance(HOUR + 2 * MS);
    assert!(ids.next_id().is_ok(), "at once: the exact path does not wait for the thread");
}

#[test]
fn a_starved_ticker_does_not_stall_a_generator() {
    let _alone = alone();
    let clock = TickerClock::start().unwrap();
    let ids = Twitter::generator_with(clock.clone()).node(2).unregistered();
    let ids = ids.on_exhausted(Exhaustion::Wait { max: PATIENCE }).build().unwrap();
    let begun_ms = ms(SystemClock.now());
    let done = AtomicBool::new(false);
    let (mut all, mut longest) = (vec![Snowflake::ZERO; 4_096 * 200], Duration::ZERO);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for tick in all.chunks_mut(4_096) {
            let begun = Instant::now();
            ids.fill(tick).unwrap();
            longest = longest.max(begun.elapsed());
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("200 ticks in {} ms, none longer than {longest:?}", ms(SystemClock.now()) - begun_ms);
    assert!(increasing(&all));
    assert!(
        all.iter().all(|id| id.time().get() >= begun_ms) && all[all.len() - 1].time() <= SystemClock.now().millis()
    );
    assert!(longest < Duration::from_secs(5), "{longest:?} for a tick");
    assert_eq!(ids.stats().clock_behind, 0);
}

/// Threads read `clock` in every way while `steer` moves the time underneath.
fn never_back<C: Clock + Sync>(clock: &C, steer: impl FnOnce()) {
    let (latest, done) = (AtomicI64::new(i64::MIN), AtomicBool::new(false));
    thread::scope(|scope| {
        for thread in 0..4 {
            let (latest, done) = (&latest, &done);
            scope.spawn(move || {
                let mut mine = i64::MIN;
                for round in 0.. {
                    // What anyone was told before this call began is not later than what it says.
                    let before = latest.load(Ordering::SeqCst);
                    if round % 8 == thread {
                        // Publishes on the way.
                        clock.now_exact();
                    }
                    let now = ms(clock.now());
                    assert!(now >= mine && now >= before, "back to {now}, from {mine} here and {before} elsewhere");
                    mine = now;
                    latest.fetch_max(now, Ordering::SeqCst);
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        steer();
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn time_goes_back_for_no_thread() {
    let _alone = alone();
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let manual = Arc::new(ManualClock::new(NOW));
    let clock = TickerClock::start_on(Arc::clone(&manual)).unwrap();
    never_back(&clock, || {
        for _ in 0..2_000 {
            manual.advance(Duration::from_micros(rng.below(6_000)));
            thread::yield_now();
            manual.step_back(Duration::from_micros(rng.below(5_000)));
        }
    });
    assert!(ms(clock.now()) > NOW.get() + 500);
    let on_wall = TickerClock::start().unwrap();
    never_back(&on_wall, || thread::sleep(300 * MS));
    let on_monotonic = TickerClock::start_on(MonotonicClock::new()).unwrap();
    never_back(&on_monotonic, || thread::sleep(100 * MS));
}

#[test]
fn threads_share_a_ticker_and_no_id_is_handed_out_twice() {
    let _alone = alone();
    let ids = Wide::generator_with(TickerClock::start().unwrap()).unregistered().build().unwrap();
    let ids: &Generator<Wide, _> = &ids;
    let mut all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(move || (0..20_000).map(|_| ids.next_id().unwrap()).collect::<Vec<_>>()))
            .collect();
        let taken: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(taken.iter().all(|mine| increasing(mine)));
        taken.concat()
    });
    assert!(all.iter().all(|id| id.time() <= SystemClock.now().millis()));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(ids.stats().clock_behind, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn the_thread_ends_with_the_last_clone() {
    let _alone = alone();
    until("tickers of other tests end", || tickers() == 0);
    let clock = TickerClock::start().unwrap();
    let clones: Vec<_> = (0..10).map(|_| clock.clone()).collect();
    until("one thread", || tickers() == 1);
    let second = TickerClock::start().unwrap();
    until("two threads, for two clocks", || tickers() == 2);
    drop(clock);
    drop(clones);
    until("the first one has ended", || tickers() == 1);

    let layout: Layout = "epoch=0,timestamp:42,sequence:4".parse().unwrap();
    let ids = layout.generator_with(second.clone()).unregistered().build().unwrap();
    let copy = second.clone();
    drop(second);
    drop(ids);
    thread::sleep(10 * MS);
    let before = copy.now();
    until("the one that is left ticks", || copy.now() > before);
    assert_eq!(tickers(), 1);
    let ids = layout.generator_with(copy).unregistered().build().unwrap();
    assert!(ids.next_id().unwrap() > DynSnowflake::ZERO);
    assert_eq!(tickers(), 1, "building a generator starts none");
    drop(ids);
    until("the second one has ended", || tickers() == 0);
}
