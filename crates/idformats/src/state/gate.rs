//! The gate before the word: which millisecond's slots are taken by addition.

use crate::sync::{AtomicU64, Ordering};

/// No millisecond is open: a time that no clock reads here.
const SHUT: u64 = 1 << 63;

/// The millisecond that is open. A hint where to look: a slot itself says which millisecond it belongs to.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU64);

impl Gate {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(SHUT))
    }

    #[inline]
    pub(super) fn is_open_at(&self, ms: u64) -> bool {
        // ORDERING: Relaxed, a hint.
        self.0.load(Ordering::Relaxed) == ms
    }

    pub(super) fn open(&self, ms: u64) {
        // ORDERING: Relaxed, a hint: an addition finds the word as this thread or a later one has left it.
        self.0.store(ms, Ordering::Relaxed);
    }

    /// Shuts the gate, whichever it is.
    pub(super) fn shut_any(&self) {
        // ORDERING: Relaxed, a hint.
        if self.0.load(Ordering::Relaxed) != SHUT {
            // ORDERING: Relaxed, a hint.
            self.0.store(SHUT, Ordering::Relaxed);
        }
    }

    /// Shuts the gate of this millisecond: another may be open by now, and stays so.
    #[cold]
    pub(super) fn shut(&self, ms: u64) {
        // ORDERING: Relaxed, a hint.
        let _ = self.0.compare_exchange(ms, SHUT, Ordering::Relaxed, Ordering::Relaxed);
    }
}
