//! A clock that tests move by hand.

use core::time::Duration;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::vec::Vec;

use super::Clock;
use crate::time::{UnixMillis, UnixTime};

const NANOS_PER_MILLI: i128 = 1_000_000;

/// What a [`ManualClock`] does when a generator sleeps on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnSleep {
    /// Moves ahead by what was asked for: time passes as it should.
    #[default]
    Advance,
    /// Stands still, and the call returns at once: a frozen clock.
    Freeze,
}

/// A clock for tests: it stands still unless it is moved, and it can step, freeze, drift and jump.
///
/// Shared by reference or `Arc`. All moves are seen by all threads at once.
#[derive(Debug)]
pub struct ManualClock {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    now_ns: i128,
    on_sleep: OnSleep,
    /// Added at every reading, in nanoseconds: negative for a clock that runs backwards.
    drift_ns: i64,
    /// Moves that happen at the next sleeps instead of what `on_sleep` says.
    steps_at_sleep_ms: Vec<i64>,
    slept: Duration,
    sleeps: u64,
}

impl ManualClock {
    /// A clock that reads `now` and moves ahead when a generator sleeps on it.
    pub fn new(now: UnixMillis) -> Self {
        Self {
            inner: Mutex::new(Inner {
                now_ns: i128::from(now.get()) * NANOS_PER_MILLI,
                on_sleep: OnSleep::default(),
                drift_ns: 0,
                steps_at_sleep_ms: Vec::new(),
                slept: Duration::ZERO,
                sleeps: 0,
            }),
        }
    }

    /// Sets the time: a jump ahead or back.
    pub fn set(&self, now: UnixMillis) {
        self.lock().now_ns = i128::from(now.get()) * NANOS_PER_MILLI;
    }

    /// Moves ahead.
    pub fn advance(&self, duration: Duration) {
        self.lock().shift(duration, 1);
    }

    /// Moves back.
    pub fn step_back(&self, duration: Duration) {
        self.lock().shift(duration, -1);
    }

    /// Says what a sleep does from now on.
    pub fn on_sleep(&self, on_sleep: OnSleep) {
        self.lock().on_sleep = on_sleep;
    }

    /// Moves by this many milliseconds at the next sleep, instead of what [`on_sleep`](Self::on_sleep) says; several calls
    /// are used one sleep each, in order.
    pub fn step_at_next_sleep(&self, millis: i64) {
        self.lock().steps_at_sleep_ms.push(millis);
    }

    /// Adds this much at every reading from now on; negative for a clock that runs backwards.
    pub fn drift(&self, nanos_per_reading: i64) {
        self.lock().drift_ns = nanos_per_reading;
    }

    /// How long generators have asked to sleep on this clock, all together.
    pub fn slept(&self) -> Duration {
        self.lock().slept
    }

    /// How often they have asked.
    pub fn sleeps(&self) -> u64 {
        self.lock().sleeps
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panicking test leaves a plain number behind: there is nothing to be broken.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn shift(&mut self, duration: Duration, sign: i128) {
        let nanos = i128::try_from(duration.as_nanos()).expect("a duration has fewer than 2^95 nanoseconds");
        self.now_ns += sign * nanos;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> UnixTime {
        let mut inner = self.lock();
        let now_ns = inner.now_ns;
        inner.now_ns += i128::from(inner.drift_ns);
        let millis = now_ns.div_euclid(NANOS_PER_MILLI);
        let millis = i64::try_from(millis).unwrap_or(if millis < 0 { i64::MIN } else { i64::MAX });
        let nanos = u32::try_from(now_ns.rem_euclid(NANOS_PER_MILLI)).expect("a remainder of a million");
        UnixTime::new(UnixMillis::new(millis), nanos)
    }

    fn sleep(&self, duration: Duration) {
        let mut inner = self.lock();
        inner.slept += duration;
        inner.sleeps += 1;
        if inner.steps_at_sleep_ms.is_empty() {
            if inner.on_sleep == OnSleep::Advance {
                inner.shift(duration, 1);
            }
        } else {
            let step_ms = inner.steps_at_sleep_ms.remove(0);
            inner.now_ns += i128::from(step_ms) * NANOS_PER_MILLI;
        }
        drop(inner);
        thread::yield_now();
    }
}
