//! A bare thread that sleeps to each millisecond: how many of them can be caught here at all.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::{cpu, harness::Stop};

/// What the thread saw.
pub(crate) struct Caught {
    /// The Unix milliseconds in which it was awake, in ascending order.
    pub(crate) unix_ms: Vec<u64>,
    /// CPU time it took itself.
    pub(crate) cpu: Duration,
}

/// Sleeps to each boundary of a millisecond of the wall clock until `stop` is set.
///
/// `limit` is how long that may take; it sizes the memory beforehand.
pub(crate) fn catch(stop: &Stop, limit: Duration) -> Caught {
    let before = cpu::thread();
    let expected = usize::try_from(limit.as_millis()).unwrap_or(0) + 100;
    let mut unix_ms: Vec<u64> = Vec::with_capacity(expected);
    while !stop.is_set() {
        let now = unix_time();
        let tick = unix_millis(now);
        if unix_ms.last().is_none_or(|last| *last < tick) {
            unix_ms.push(tick);
        }
        std::thread::sleep(Duration::from_millis(tick + 1).saturating_sub(now));
    }
    Caught { unix_ms, cpu: cpu::thread().saturating_sub(before) }
}

/// A moment on the clocks that a run is measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    /// For durations.
    pub(crate) at: Instant,
    /// CPU time of the process.
    pub(crate) cpu: Duration,
    /// Wall clock in Unix milliseconds, to find the ids of a stretch of time.
    pub(crate) unix_ms: u64,
}

impl Stamp {
    /// Now.
    pub(crate) fn now() -> Self {
        Self { at: Instant::now(), cpu: cpu::process(), unix_ms: unix_millis(unix_time()) }
    }
}

fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the wall clock is past 1970")
}

fn unix_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("milliseconds since 1970 fit 64 bits")
}
