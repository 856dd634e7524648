//! A clock whose time is published by somebody else: reading it is one load.

use core::time::Duration;

use crossbeam_utils::CachePadded;

use super::{Clock, ClockSuspect};
use crate::sync::{AtomicI64, Ordering};
use crate::time::{UnixMillis, UnixTime};

/// A clock that gives the time of the last [`tick`](Self::tick): reading it is one load.
///
/// For those who have a timer already: a runtime's, or an interrupt on a machine without an operating system. Where there
/// is none, `TickerClock` (feature `std`) brings a thread that calls `tick`.
///
/// It never goes back: after a step back of the clock underneath the time stands still until that has caught up. The ids of
/// that time are handed out as if nothing had happened; when they are used up, the generator reads the clock underneath and
/// finds it behind. A late tick makes ids older than they are, never duplicates; and nothing waits for one, since before a generator
/// says that a tick is used up it reads the clock underneath, and publishes that.
#[derive(Debug)]
pub struct PublishedClock<C> {
    /// Milliseconds, on cache lines of their own.
    published: CachePadded<AtomicI64>,
    clock: C,
}

impl<C: Clock> PublishedClock<C> {
    /// A clock that reads the time of `clock` now, until the first tick.
    pub fn new(clock: C) -> Self {
        let now = clock.now_exact();
        Self { published: CachePadded::new(AtomicI64::new(now.millis().get())), clock }
    }

    /// Publishes the time of the clock underneath, unless it is before the time that was published last, and gives it.
    pub fn tick(&self) -> UnixTime {
        let now = self.clock.now_exact();
        // ORDERING: Relaxed, the time is all there is to see, and it only rises. That a clock read after a state word is not
        // older than the word is the word's affair. Models: `published_time_never_goes_back`, `ticker_is_never_behind`.
        self.published.fetch_max(now.millis().get(), Ordering::Relaxed);
        now
    }

    /// The clock underneath.
    pub fn underlying(&self) -> &C {
        &self.clock
    }
}

impl<C: Clock> Clock for PublishedClock<C> {
    #[inline]
    fn now(&self) -> UnixTime {
        // ORDERING: Relaxed, see `tick`.
        UnixMillis::new(self.published.load(Ordering::Relaxed)).into()
    }

    /// The clock underneath, published on the way.
    fn now_exact(&self) -> UnixTime {
        self.tick()
    }

    fn suspicion(&self) -> Option<ClockSuspect> {
        self.clock.suspicion()
    }

    fn sleep(&self, duration: Duration) {
        self.clock.sleep(duration);
    }
}
