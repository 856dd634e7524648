//! Clocks that a test moves by hand, under a `MonotonicClock`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use idcore::{Times, UnixTime};

/// 2027-01-15, in nanoseconds: where the wall clock starts.
pub(crate) const BEGIN_NS: u64 = 1_800_000_000_000_000_000;
const MONOTONIC_BEGIN_NS: u64 = 5_000_000_000;

/// Two clocks that are moved by hand. A reading takes a while if it is told to: the thread is paused after it.
#[derive(Debug)]
pub(crate) struct Steered {
    monotonic_ns: AtomicU64,
    /// Wall time less monotonic time.
    offset_ns: AtomicU64,
    /// After each reading, in nanoseconds.
    pause: AtomicU64,
}

impl Steered {
    pub(crate) fn new() -> Self {
        Self {
            monotonic_ns: AtomicU64::new(MONOTONIC_BEGIN_NS),
            offset_ns: AtomicU64::new(BEGIN_NS - MONOTONIC_BEGIN_NS),
            pause: AtomicU64::new(0),
        }
    }

    /// Time passes, on both clocks.
    pub(crate) fn pass(&self, time: Duration) {
        self.monotonic_ns.fetch_add(ns(time), Ordering::SeqCst);
    }

    /// The wall clock is set ahead.
    pub(crate) fn step(&self, by: Duration) {
        self.offset_ns.fetch_add(ns(by), Ordering::SeqCst);
    }

    /// The wall clock is set back.
    pub(crate) fn step_back(&self, by: Duration) {
        self.offset_ns.fetch_sub(ns(by), Ordering::SeqCst);
    }

    pub(crate) fn pause_after_readings(&self, time: Duration) {
        self.pause.store(ns(time), Ordering::SeqCst);
    }

    pub(crate) fn monotonic(&self) -> u64 {
        self.monotonic_ns.load(Ordering::SeqCst)
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset_ns.load(Ordering::SeqCst)
    }

    pub(crate) fn wall(&self) -> u64 {
        self.monotonic() + self.offset()
    }

    fn paused(&self, reading: u64) -> u64 {
        self.monotonic_ns.fetch_add(self.pause.load(Ordering::SeqCst), Ordering::SeqCst);
        reading
    }
}

impl Times for &Steered {
    fn wall_ns(&self) -> u64 {
        self.paused(self.wall())
    }

    fn monotonic_ns(&self) -> u64 {
        self.paused(self.monotonic())
    }

    fn sleep(&self, duration: Duration) {
        self.pass(duration);
    }
}

pub(crate) fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap()
}

pub(crate) fn unix_ns(time: UnixTime) -> u64 {
    u64::try_from(time.millis().get()).unwrap() * 1_000_000 + u64::from(time.sub_ms_nanos())
}
