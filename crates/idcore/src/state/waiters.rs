//! How many callers sleep until a tick begins, what is kept for them, and which of them take turns.
//!
//! Without it a generator at its limit is unfair: whoever is running when a tick begins uses it up before the others have
//! woken, and with many threads on few cores some get no id for seconds. So the last slots of a tick, up to half of them, are
//! kept for those who have waited, one each, and the others join them.
//!
//! Where few callers use up a tick, it is no use to wake more: the others book a tick further on, and are due in one tick of
//! so many. They count as that share of a caller where slots are kept.

// Not loom's atomics: the numbers move a limit and a sleep, never a slot, and a model would only grow by them.
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// One caller that is due in the next tick. Shares of it are whole numbers; four million of them fit.
const DUE: u32 = 1 << 10;

/// The sum over all callers that wait.
#[derive(Debug, Default)]
pub(crate) struct Waiters(AtomicU32);

/// One caller that waits, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Waiting<'a> {
    waiters: &'a Waiters,
    due: u32,
}

impl Waiters {
    /// The number of callers that are due in a tick, without the one that asks.
    ///
    /// Rounded down: shares are those of callers that take turns, and the one that runs now has had its own already. A slot
    /// that is kept for nobody is lost.
    #[inline]
    pub(crate) fn due_besides(&self, own: Option<Share>) -> u64 {
        // ORDERING: Relaxed, a hint: a limit that is a moment old is as good.
        let due = self.0.load(Ordering::Relaxed);
        u64::from(due.saturating_sub(own.map_or(0, |own| own.due)) / DUE)
    }

    /// Whether anybody waits.
    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        // ORDERING: Relaxed, see `due_besides`.
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Counts a caller that sleeps over `ticks` ticks.
    pub(crate) fn join(&self, ticks: u32) -> Waiting<'_> {
        let due = (DUE / ticks.saturating_add(1)).max(1);
        // ORDERING: Relaxed, see `due_besides`.
        self.0.fetch_add(due, Ordering::Relaxed);
        Waiting { waiters: self, due }
    }
}

/// What a caller that waits counts for in the sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    due: u32,
    #[cfg(feature = "tokio")]
    leading: bool,
}

#[cfg(feature = "tokio")]
impl Share {
    /// Of one that asks for others too, which are parked.
    pub(crate) fn leading(own: Option<Self>) -> Self {
        Self { due: own.map_or(0, |own| own.due), leading: true }
    }

    #[inline]
    pub(crate) fn is_leading(self) -> bool {
        self.leading
    }
}

impl Waiting<'_> {
    pub(crate) fn share(&self) -> Share {
        Share {
            due: self.due,
            #[cfg(feature = "tokio")]
            leading: false,
        }
    }

    /// The caller has slept: it is due in every tick from now on.
    pub(crate) fn is_due(&mut self) {
        // ORDERING: Relaxed, see `due_besides`.
        self.waiters.0.fetch_add(DUE - self.due, Ordering::Relaxed);
        self.due = DUE;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // ORDERING: Relaxed, see `due_besides`.
        self.waiters.0.fetch_sub(self.due, Ordering::Relaxed);
    }
}

/// The first slot that nobody has booked. A booking is a time to wake up: it takes no slot.
#[derive(Debug, Default)]
pub(crate) struct Bookings(AtomicU64);

impl Bookings {
    /// Books `slots` slots behind all others, from `first` on; the first of them, or none when that is past `last`.
    pub(crate) fn book(&self, slots: u64, first: u64, last: u64) -> Option<u64> {
        let booking = |unbooked: u64| Some(unbooked.max(first)).filter(|slot| *slot <= last);
        // ORDERING: Relaxed, a hint when to wake up. An exchange fails only when another caller's succeeded.
        let booked = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |unbooked| {
            booking(unbooked).map(|slot| slot.saturating_add(slots))
        });
        booked.ok().and_then(booking)
    }
}
