//! What a generator counts of its troubles. Touched only when there is one, so that counting costs the hot path nothing.

// Not loom's atomics: no decision hangs on a counter, and a model would only grow by them.
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;

/// How often a generator did not follow its clock, since it was built.
///
/// Each count is exact; together they are not one moment's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Sleeps of callers whose time had come too far ahead of the clock.
    pub waits: u64,
    /// Ids whose time is ahead of the clock's: after a step back of the clock, or after the end of a counter.
    pub ahead: u64,
    /// Calls that were refused because the clock was too far behind the last id's time.
    pub clock_behind: u64,
    /// The furthest that the clock was behind a time that was issued, or was to be.
    pub clock_behind_max: Duration,
    /// Forks after which the generator was renewed in the child.
    pub renewals: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    waits: AtomicU64,
    ahead: AtomicU64,
    clock_behind: AtomicU64,
    behind_max_ms: AtomicU64,
    renewals: AtomicU64,
}

impl Counters {
    pub(crate) fn wait(&self) {
        add(&self.waits, 1);
    }

    pub(crate) fn renewal(&self) {
        add(&self.renewals, 1);
    }

    pub(crate) fn ahead(&self, ids: u64, by_ms: u64) {
        add(&self.ahead, ids);
        self.behind(by_ms);
    }

    pub(crate) fn clock_behind(&self, by_ms: u64) {
        add(&self.clock_behind, 1);
        self.behind(by_ms);
    }

    fn behind(&self, by_ms: u64) {
        // ORDERING: Relaxed, a counter publishes nothing.
        self.behind_max_ms.fetch_max(by_ms, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Stats {
        Stats {
            waits: get(&self.waits),
            ahead: get(&self.ahead),
            clock_behind: get(&self.clock_behind),
            clock_behind_max: Duration::from_millis(get(&self.behind_max_ms)),
            renewals: get(&self.renewals),
        }
    }
}

fn add(counter: &AtomicU64, n: u64) {
    // ORDERING: Relaxed, a counter publishes nothing.
    counter.fetch_add(n, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    // ORDERING: Relaxed, a counter publishes nothing.
    counter.load(Ordering::Relaxed)
}
