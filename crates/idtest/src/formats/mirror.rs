//! What a clock that is moved by hand must read.

use std::time::Duration;

/// What the clock under test must read by now.
pub(super) struct Mirror {
    pub(super) now_ns: i128,
    pub(super) is_frozen: bool,
    pub(super) steps_at_sleep_ms: Vec<i64>,
    pub(super) sleeps: u64,
    pub(super) slept: Duration,
}

impl Mirror {
    pub(super) fn new(ms: i64) -> Self {
        Self {
            now_ns: i128::from(ms) * 1_000_000,
            is_frozen: false,
            steps_at_sleep_ms: Vec::new(),
            sleeps: 0,
            slept: Duration::ZERO,
        }
    }

    pub(super) fn sleep(&mut self, pause: Duration) {
        self.sleeps += 1;
        self.slept += pause;
        if !self.steps_at_sleep_ms.is_empty() {
            self.now_ns += i128::from(self.steps_at_sleep_ms.remove(0)) * 1_000_000;
        } else if !self.is_frozen {
            self.now_ns += i128::try_from(pause.as_nanos()).expect("a short sleep");
        }
    }
}
