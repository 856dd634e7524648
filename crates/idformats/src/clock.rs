//! Which clocks a format can be made of.

use idcore::Clock;
#[cfg(feature = "std")]
use idcore::{MonotonicClock, SystemClock, Times};

use crate::format::V7SubMs;

/// A clock that tells parts of a millisecond apart: microseconds at the least.
///
/// Method 3 writes them into its ids. A ticker, which publishes milliseconds, is no such clock, and a generator of one does
/// not compile:
///
/// ```compile_fail,E0277
/// use idcore::TickerClock;
/// use idformats::{Format, V7SubMs};
///
/// let ids = V7SubMs::generator_with(TickerClock::start()?).build();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SubMsClock: Clock {}

#[cfg(feature = "std")]
impl SubMsClock for SystemClock {}
#[cfg(feature = "std")]
impl<S: Times> SubMsClock for MonotonicClock<S> {}
#[cfg(feature = "testing")]
impl SubMsClock for idcore::ManualClock {}
impl<C: SubMsClock + ?Sized> SubMsClock for &C {}
#[cfg(feature = "std")]
impl<C: SubMsClock + ?Sized> SubMsClock for std::sync::Arc<C> {}

/// A clock that is fine enough for the format `F`: any for most, a [`SubMsClock`] for [`V7SubMs`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no clock for ids of the format `{F}`",
    note = "`V7SubMs` needs a clock that implements `SubMsClock`, such as `SystemClock` or `MonotonicClock`"
)]
pub trait ClockFor<F>: Clock {}

impl<C: SubMsClock> ClockFor<V7SubMs> for C {}
