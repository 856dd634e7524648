//! A clock on two clocks does not ratchet, and does not go back over threads.
//!
//! - The order of the two readings: minutes of samplings with pauses between them leave the time exact, and so do threads
//!   under load on the machine's clocks. The same formula with the order swapped goes ahead by the longest pause, for good.
//! - Whatever any thread has seen is not later than what a call that begins then returns, while the wall clock steps.
//!
//! What the clock says otherwise: `monotonic.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

mod steered;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use idcore::{Clock, MonotonicClock, Times};
use idtest::Seed;
use steered::{BEGIN_NS, Steered, ns, unix_ns};

const MS: Duration = Duration::from_millis(1);

/// The formula as it must not be: the monotonic clock first. What it gives after `looks` samplings, less the truth.
fn swapped_order_ratchets_by(times: &Steered, mut looks: u32, mut between: impl FnMut(&Steered)) -> u64 {
    let true_offset_ns = times.offset();
    let mut offset_ns = 0;
    while looks > 0 {
        between(times);
        let readings = &times;
        let monotonic_ns = readings.monotonic_ns();
        let wall_ns = readings.wall_ns();
        offset_ns = offset_ns.max(wall_ns - monotonic_ns);
        looks -= 1;
    }
    offset_ns - true_offset_ns
}

#[test]
fn pauses_between_the_readings_do_not_ratchet_over_minutes() {
    const LOOKS: u32 = 1_000_000;
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    // Mostly none, as in life, some of a time slice, a few of 50 ms.
    let mut between = move |times: &Steered| {
        let pause_us = match rng.below(100) {
            0 => rng.below(50_000),
            1..10 => rng.below(4_000),
            _ => 0,
        };
        times.pause_after_readings(Duration::from_micros(pause_us));
        times.pass(MS);
    };
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let begun_ns = times.monotonic();
    for _ in 0..LOOKS {
        between(&times);
        let now_ns = unix_ns(clock.now());
        assert!(now_ns <= times.wall(), "ahead of the wall clock by {} ns", now_ns - times.wall());
    }
    let minutes = (times.monotonic() - begun_ns) / 60_000_000_000;
    times.pause_after_readings(Duration::ZERO);
    assert!(minutes > 15, "{minutes} minutes");
    assert_eq!(unix_ns(clock.now()), times.wall(), "after {minutes} minutes");

    let times = Steered::new();
    let ahead_ns = swapped_order_ratchets_by(&times, LOOKS / 100, between);
    assert!(ahead_ns > 40_000_000, "the other order goes ahead by the longest pause: {ahead_ns} ns");
}

/// The machine's clocks, with a chance for other threads to run after each reading.
struct Yielding {
    origin: Instant,
    calm: AtomicBool,
    /// The offset that the other order of readings would have.
    swapped_ns: AtomicU64,
}

impl Yielding {
    fn paused(&self, reading: Duration) -> u64 {
        if !self.calm.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        ns(reading)
    }
}

impl Times for &Yielding {
    fn wall_ns(&self) -> u64 {
        self.paused(SystemTime::now().duration_since(UNIX_EPOCH).unwrap())
    }

    fn monotonic_ns(&self) -> u64 {
        self.paused(self.origin.elapsed())
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

#[test]
fn threads_under_load_do_not_ratchet() {
    let times = Yielding { origin: Instant::now(), calm: AtomicBool::new(true), swapped_ns: AtomicU64::new(0) };
    let yielding = MonotonicClock::on(&times);
    let plain = MonotonicClock::new();
    times.calm.store(false, Ordering::Relaxed);
    let until = Instant::now() + Duration::from_millis(1_500);
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while Instant::now() < until {
                    yielding.now();
                    plain.now();
                    let readings = &times;
                    let monotonic_ns = readings.monotonic_ns();
                    times.swapped_ns.fetch_max(readings.wall_ns() - monotonic_ns, Ordering::Relaxed);
                }
            });
        }
    });
    times.calm.store(true, Ordering::Relaxed);
    let readings = &times;
    let wall_ns = readings.wall_ns();
    let true_offset_ns = wall_ns - readings.monotonic_ns();
    let swapped = Duration::from_nanos(times.swapped_ns.load(Ordering::Relaxed).saturating_sub(true_offset_ns));
    println!("the other order is ahead by {swapped:?}; this one by {:?} and {:?}", yielding.lead(), plain.lead());
    // The machine's clock may be slewed meanwhile, by half a millisecond a second.
    for (name, ahead, now) in [("yielding", yielding.lead(), yielding.now()), ("plain", plain.lead(), plain.now())] {
        assert!(ahead < 3 * MS, "{name}: ahead by {ahead:?} for good");
        assert!(unix_ns(now).abs_diff(readings.wall_ns()) < 50_000_000, "{name}: {now:?}");
    }
    let behind_ns = readings.wall_ns().saturating_sub(unix_ns(plain.now()));
    assert!(behind_ns < 3_000_000 || plain.suspicion().is_some(), "behind by {behind_ns} ns");
}

#[test]
fn no_thread_sees_it_go_back_while_the_wall_clock_steps() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let times = Steered::new();
    let begun_ns = times.monotonic();
    let clock = MonotonicClock::on(&times).believe_after(5 * MS);
    let (latest, done) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    // Whatever was returned before this call began is not later than what it returns.
                    let before = latest.load(Ordering::SeqCst);
                    let now_ns = unix_ns(clock.now());
                    assert!(now_ns >= before, "back from {before} to {now_ns}");
                    latest.fetch_max(now_ns, Ordering::SeqCst);
                }
            });
        }
        for round in 0..6_000 {
            times.pass(Duration::from_micros(rng.below(3_000)));
            let step =
                Duration::from_nanos(rng.pick(&[1_000_000, 800_000_000, 3_000_000_000]) / 1_000 * rng.below(1_000));
            if rng.below(5) < 3 {
                times.step(step);
            } else {
                times.step_back(step);
            }
            latest.fetch_max(unix_ns(clock.now()), Ordering::SeqCst);
            if round % 64 == 0 {
                thread::yield_now();
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    let by_steps_ns = unix_ns(clock.now()) - BEGIN_NS - (times.monotonic() - begun_ns);
    assert!(by_steps_ns > 5_000_000_000, "steps ahead were followed meanwhile: {by_steps_ns} ns");
}
