//! How many callers sleep until a tick begins, and what is kept for them.
//!
//! Without it a generator at its limit is unfair: whoever is running when a tick begins uses it up before the others have
//! woken, and with many threads on few cores some get no id for seconds. So the last slots of a tick, up to half of them, are
//! kept for those who have waited, one each, and the others join them.

// Not loom's atomics: the number moves a limit, never a slot, and a model would only grow by it.
use core::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Waiters(AtomicU32);

/// One caller that waits, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Waiting<'a>(&'a Waiters);

impl Waiters {
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        // ORDERING: Relaxed, a hint: a limit that is a moment old is as good.
        u64::from(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.count() > 0
    }

    pub(crate) fn join(&self) -> Waiting<'_> {
        // ORDERING: Relaxed, see `count`.
        self.0.fetch_add(1, Ordering::Relaxed);
        Waiting(self)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // ORDERING: Relaxed, see `count`.
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
