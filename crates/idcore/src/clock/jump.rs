//! A jump of the wall clock that is not believed yet.

use crate::sync::{AtomicU64, Ordering};

const NONE: u64 = 0;

/// The jump that waits to be believed: to which offset, and since when no look has found anything else.
///
/// Nothing is locked. Looks may overlap, and a fork may leave one half done in the child, which then goes on from there.
/// `since_ns` only rises, and rises before the offset is exchanged: whoever finds an offset also finds a time that is not
/// before any other finding that it replaced, so a jump may be believed later than it could be, and never earlier.
/// Model: `no_jump_is_believed_for_the_time_of_another`.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the postfix is the unit")]
pub(super) struct Jump {
    /// Unix time less monotonic time after the jump, in nanoseconds; `NONE` without one. A jump goes ahead, so it is not 0.
    offset_ns: AtomicU64,
    /// In monotonic nanoseconds.
    since_ns: AtomicU64,
    /// By how much the last look found it ahead, in nanoseconds: for people.
    size_ns: AtomicU64,
}

impl Jump {
    pub(super) fn none() -> Self {
        Self { offset_ns: AtomicU64::new(NONE), since_ns: AtomicU64::new(0), size_ns: AtomicU64::new(0) }
    }

    /// A look at `now_ns` found the wall clock where it should be.
    pub(super) fn forget(&self, now_ns: u64) {
        self.exchange(NONE, now_ns);
    }

    /// A look at `now_ns` found a jump of `size_ns` to `offset_ns`: since when it has stayed, give or take `near_ns`.
    pub(super) fn found(&self, offset_ns: u64, size_ns: u64, near_ns: u64, now_ns: u64) -> u64 {
        // ORDERING: Relaxed, for people: nothing is decided by it.
        self.size_ns.store(size_ns, Ordering::Relaxed);
        // ORDERING: Acquire, with the exchange that wrote it: the time read below is not older than it.
        let known_ns = self.offset_ns.load(Ordering::Acquire);
        if known_ns == NONE || offset_ns.abs_diff(known_ns) > near_ns {
            self.exchange(offset_ns, now_ns);
        }
        self.since_ns()
    }

    fn exchange(&self, offset_ns: u64, now_ns: u64) {
        // ORDERING: Relaxed, the exchange below publishes it.
        self.since_ns.fetch_max(now_ns, Ordering::Relaxed);
        // ORDERING: AcqRel, a chain: whoever sees this offset sees this time and those of all offsets before it.
        self.offset_ns.swap(offset_ns, Ordering::AcqRel);
    }

    /// Its size and since when, if there is one.
    #[inline]
    pub(super) fn size_and_since_ns(&self) -> Option<(u64, u64)> {
        // ORDERING: Relaxed, a hint: the time is right with it or without.
        (self.offset_ns.load(Ordering::Relaxed) != NONE).then(|| self.description())
    }

    #[cold]
    fn description(&self) -> (u64, u64) {
        // ORDERING: Relaxed, see `found`.
        (self.size_ns.load(Ordering::Relaxed), self.since_ns())
    }

    fn since_ns(&self) -> u64 {
        // ORDERING: Relaxed, whoever decides by it has read the offset before.
        self.since_ns.load(Ordering::Relaxed)
    }
}
