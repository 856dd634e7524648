//! The gate: the tick whose slots are taken by adding one to the word, without a look at it first.
//!
//! Adding is quicker than an exchange and never fails, but it takes a slot whether or not there is one: a slot of another
//! tick, or past the closed bit, is *burnt*: nobody gets it, and whoever took it goes the slow way. So this is for layouts
//! with more ids in a tick than can be asked for, and only for a tick in which an exchange has found room.
//!
//! 1. The gate opens for a tick at most once, by whoever first takes a slot of it by an exchange; a slot that is burnt shuts
//!    it. So a thread burns at most one slot for each tick, and no more slots are burnt past the end of a tick than there
//!    are threads.
//! 2. It opens in no tick that has no tick after it below the ceiling, so that nothing is burnt past the ceiling, and no
//!    carry gets near the closed bit.
//! 3. It knows the last tick in which an id was taken. What the word has passed of later ticks is burnt, so a clock that has
//!    not come to them is not behind.
//! 4. Once the generator is closed the gate holds the mark, which slots that are burnt later do not change.

use crate::sync::{AtomicU64, Ordering};

const CLOSED: u64 = 1 << 63;
const OPEN: u64 = 1;

/// `{ 0, tick, open:1 }`, where an id was taken in that tick and in none after it; `{ closed:1, mark }` in the end.
///
/// It is read for every id and written once in a tick, so it is not on the cache lines of the word. Each value is greater
/// than the one before, except that the open bit is cleared.
#[derive(Debug)]
pub(crate) struct Gate(AtomicU64);

impl Gate {
    /// Shut, and with no id taken after `last_tick`.
    pub(crate) fn new(last_tick: u64) -> Self {
        Self(AtomicU64::new(last_tick << 1))
    }

    /// Whether a slot of this tick may be had by adding. The tick is then below the ceiling.
    #[inline]
    pub(crate) fn is_open_for(&self, tick: u64) -> bool {
        self.load() == (tick << 1) | OPEN
    }

    /// The last tick in which an id was taken; 0 when the generator is closed, as the word says already.
    pub(crate) fn last_tick(&self) -> u64 {
        match self.load() {
            closed if closed & CLOSED != 0 => 0,
            seen => seen >> 1,
        }
    }

    /// Says that a slot of this tick was taken by an exchange: the first time, the gate opens for it or not.
    #[inline]
    pub(crate) fn begin(&self, tick: u64, may_open: bool) {
        if self.load() >> 1 < tick {
            // A gate that is closed is greater than every tick.
            // ORDERING: Release passes on what was seen of the ceiling and of the clock: see `load`.
            self.0.fetch_max((tick << 1) | u64::from(may_open), Ordering::Release);
        }
    }

    /// Shuts the gate of a tick that the word has left behind.
    pub(crate) fn shut_before(&self, tick: u64) {
        let seen = self.load();
        if seen & CLOSED == 0 && seen >> 1 < tick {
            // When it fails somebody else has shut it, or opened it for a later tick.
            // ORDERING: Relaxed, a hint: a gate that is seen open longer burns a slot more.
            let _ = self.0.compare_exchange(seen, seen & !OPEN, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Keeps the mark of a generator whose word is closed: the one that is kept, this one or an earlier caller's.
    pub(crate) fn close(&self, mark: u64) -> u64 {
        let mut seen = self.load();
        while seen & CLOSED == 0 {
            // ORDERING: Relaxed, the mark is all there is to see; what led to it was seen with the closed word. Model:
            // `the_mark_outlives_burnt_slots`.
            match self.0.compare_exchange(seen, CLOSED | mark, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return mark,
                Err(current) => seen = current,
            }
        }
        seen & !CLOSED
    }

    #[inline]
    fn load(&self) -> u64 {
        // ORDERING: Acquire pairs with the Release of `begin`: whoever finds the gate open has seen what led to the ceiling
        // above its tick, and a clock that is read after the last tick cannot be older than that. Models:
        // `raised_ceiling_is_used_at_the_gate`, `a_burnt_slot_is_no_clock_behind`.
        self.0.load(Ordering::Acquire)
    }
}
