//! What a generator counts of its troubles. Touched only when there is one, so that counting costs the hot path nothing.

// Not loom's atomics: no decision hangs on a counter, and a model would only grow by them.
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;

/// How often a generator could not hand out an id at once, since it was built.
///
/// Each count is exact; together they are not one moment's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Sleeps of callers: for the next tick, or for a clock that went back.
    pub waits: u64,
    /// Ids whose tick was ahead of the clock's, within [`ahead_max`](crate::Builder::ahead_max).
    pub borrowed: u64,
    /// Calls, or rounds of a wait, that found the clock behind the last id's time.
    pub clock_behind: u64,
    /// The furthest that the clock was found behind.
    pub clock_behind_max: Duration,
    /// Calls that were refused because of the ceiling.
    pub ceiling_refusals: u64,
    /// Slots that nobody got: of the calls of [`next_id`](crate::Generator::next_id) that were overtaken by a new tick, on
    /// layouts with a million ids or more in a millisecond. At most one for each thread and tick.
    pub burnt: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    waits: AtomicU64,
    borrowed: AtomicU64,
    clock_behind: AtomicU64,
    clock_behind_max_ns: AtomicU64,
    ceiling_refusals: AtomicU64,
    burnt: AtomicU64,
}

impl Counters {
    pub(crate) fn wait(&self) {
        add(&self.waits, 1);
    }

    pub(crate) fn borrow(&self, ids: u64) {
        add(&self.borrowed, ids);
    }

    pub(crate) fn clock_behind(&self, by: Duration) {
        add(&self.clock_behind, 1);
        let by_ns = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        // ORDERING: Relaxed, a counter publishes nothing.
        self.clock_behind_max_ns.fetch_max(by_ns, Ordering::Relaxed);
    }

    pub(crate) fn ceiling_refusal(&self) {
        add(&self.ceiling_refusals, 1);
    }

    pub(crate) fn burn(&self) {
        add(&self.burnt, 1);
    }

    pub(crate) fn read(&self) -> Stats {
        Stats {
            waits: get(&self.waits),
            borrowed: get(&self.borrowed),
            clock_behind: get(&self.clock_behind),
            clock_behind_max: Duration::from_nanos(get(&self.clock_behind_max_ns)),
            ceiling_refusals: get(&self.ceiling_refusals),
            burnt: get(&self.burnt),
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
