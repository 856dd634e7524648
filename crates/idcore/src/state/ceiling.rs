//! The ceiling: the first tick that must not be issued. It only rises.

use crate::sync::{AtomicU64, Ordering};

/// Not on the cache lines of the word: it is read for every id, and written once in seconds.
#[derive(Debug)]
pub(crate) struct Ceiling(AtomicU64);

impl Ceiling {
    pub(crate) fn new(tick: u64) -> Self {
        Self(AtomicU64::new(tick))
    }

    #[inline]
    pub(crate) fn tick(&self) -> u64 {
        // ORDERING: Acquire pairs with the Release of `raise`. Model: `raised_ceiling_is_used`.
        self.0.load(Ordering::Acquire)
    }

    /// Raises the ceiling to `tick`; one that is not above the present ceiling changes nothing.
    pub(crate) fn raise(&self, tick: u64) {
        // ORDERING: Release publishes what the caller wrote down before raising it. Model: `raised_ceiling_is_used`.
        self.0.fetch_max(tick, Ordering::Release);
    }
}
