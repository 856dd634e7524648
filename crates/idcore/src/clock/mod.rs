//! Where time comes from. Nothing outside this module reads it.

#[cfg(feature = "std")]
mod jump;
#[cfg(feature = "testing")]
mod manual;
#[cfg(feature = "std")]
mod monotonic;
mod published;
mod suspect;
#[cfg(feature = "std")]
mod system;
#[cfg(feature = "std")]
mod ticker;

use core::time::Duration;

#[cfg(feature = "testing")]
pub use self::manual::{ManualClock, OnSleep};
#[cfg(feature = "std")]
pub use self::monotonic::{MonotonicClock, SystemTimes, Times};
pub use self::published::PublishedClock;
pub use self::suspect::ClockSuspect;
#[cfg(feature = "std")]
pub use self::system::SystemClock;
#[cfg(feature = "std")]
pub use self::ticker::TickerClock;
use crate::time::UnixTime;

/// A source of Unix time, and of the waiting that goes with it.
///
/// A clock may stand still, step back and jump: a generator keeps its guarantees under any clock. Without `std` this is
/// what a platform implements.
pub trait Clock {
    /// The time, as cheaply as it can be had: read for every id.
    fn now(&self) -> UnixTime;

    /// The time as exactly as it can be had: read before an error is returned, and to time a sleep.
    ///
    /// Not older than what [`now`](Self::now) has returned to this thread, unless the clock went back.
    fn now_exact(&self) -> UnixTime {
        self.now()
    }

    /// Why the clock should not be believed now, if there is a reason: a generator then answers
    /// [`IssueError::ClockSuspect`](crate::IssueError::ClockSuspect). Asked for every id, after the time was read.
    #[inline]
    fn suspicion(&self) -> Option<ClockSuspect> {
        None
    }

    /// Blocks the calling thread for about `duration` and then returns, whatever the clock did meanwhile.
    ///
    /// May return early or late: the caller reads the clock again, and counts what it asked for against a bound.
    fn sleep(&self, duration: Duration);
}

impl<C: Clock + ?Sized> Clock for &C {
    #[inline]
    fn now(&self) -> UnixTime {
        (**self).now()
    }

    fn now_exact(&self) -> UnixTime {
        (**self).now_exact()
    }

    #[inline]
    fn suspicion(&self) -> Option<ClockSuspect> {
        (**self).suspicion()
    }

    fn sleep(&self, duration: Duration) {
        (**self).sleep(duration);
    }
}

#[cfg(feature = "std")]
impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    #[inline]
    fn now(&self) -> UnixTime {
        (**self).now()
    }

    fn now_exact(&self) -> UnixTime {
        (**self).now_exact()
    }

    #[inline]
    fn suspicion(&self) -> Option<ClockSuspect> {
        (**self).suspicion()
    }

    fn sleep(&self, duration: Duration) {
        (**self).sleep(duration);
    }
}
