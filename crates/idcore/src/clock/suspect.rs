//! A clock that says it should not be believed.

use core::fmt;
use core::time::Duration;

/// A jump of the wall clock that is not believed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClockSuspect {
    /// How far the wall clock jumped ahead.
    pub jump: Duration,
    /// When it is believed, if the wall clock stays where it is.
    pub retry_after: Duration,
}

impl ClockSuspect {
    /// A jump of this size that is believed after this time.
    pub const fn new(jump: Duration, retry_after: Duration) -> Self {
        Self { jump, retry_after }
    }
}

impl fmt::Display for ClockSuspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wall clock jumped ahead by {:?}: believed in {:?} if it stays", self.jump, self.retry_after)
    }
}
