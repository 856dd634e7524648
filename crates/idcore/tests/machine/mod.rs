//! How busy the machine is with other things, so that a test of times blames them and not the code.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const MS: Duration = Duration::from_millis(1);

/// The times of many calls or sleeps.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// How many took up to so many steps.
    counts: Vec<u64>,
    max: Duration,
}

impl Times {
    const STEP_US: u128 = 50;
    /// Longer ones count as this; the longest is known exactly.
    const STEPS: usize = 4_000;

    pub(crate) fn new() -> Self {
        Self { counts: vec![0; Self::STEPS], max: Duration::ZERO }
    }

    pub(crate) fn note(&mut self, time: Duration) {
        let step = usize::try_from(time.as_micros() / Self::STEP_US).unwrap();
        self.counts[step.min(Self::STEPS - 1)] += 1;
        self.max = self.max.max(time);
    }

    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, others)| *mine += others);
        self.max = self.max.max(other.max);
        self
    }

    /// What so many of a thousand did not exceed; the longest for 1,000.
    pub(crate) fn per_mille(&self, share: u64) -> Duration {
        let wanted = (self.count() * share).div_ceil(1_000);
        let mut seen = 0;
        let enough = |count: &u64| {
            seen += count;
            seen >= wanted
        };
        let step = self.counts.iter().position(enough).map_or(0, |step| step as u64 + 1);
        self.max.min(Duration::from_micros(50 * step))
    }

    pub(crate) fn max(&self) -> Duration {
        self.max
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Threads that do nothing but sleep for a millisecond, and see how much later they wake.
pub(crate) struct Sleepers {
    done: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Times>>,
}

impl Sleepers {
    pub(crate) fn start(count: usize) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let sleep = |done: Arc<AtomicBool>| {
            let mut late = Times::new();
            while !done.load(Ordering::Relaxed) {
                let asleep = Instant::now();
                thread::sleep(MS);
                late.note(asleep.elapsed().saturating_sub(MS));
            }
            late
        };
        let threads = (0..count).map(|_| Arc::clone(&done)).map(|done| thread::spawn(move || sleep(done))).collect();
        Self { done, threads }
    }

    /// How late they were.
    pub(crate) fn stop(self) -> Times {
        self.done.store(true, Ordering::Relaxed);
        self.threads.into_iter().fold(Times::new(), |late, thread| late.and(&thread.join().unwrap()))
    }
}
