//! Points in time: whole milliseconds in ids and layouts, nanoseconds where a wait is timed.

use core::fmt;
use core::time::Duration;

const NANOS_PER_MILLI: u32 = 1_000_000;

/// Milliseconds since 1970-01-01T00:00:00Z without leap seconds, as in RFC 9562 section 5.7; negative before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMillis(i64);

impl UnixMillis {
    /// The time that is `millis` after (negative: before) the Unix epoch.
    pub const fn new(millis: i64) -> Self {
        Self(millis)
    }

    /// The number of milliseconds since the Unix epoch.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The time from `earlier` to `self`; zero when `earlier` is the later one.
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        if self.0 <= earlier.0 { Duration::ZERO } else { Duration::from_millis(self.0.abs_diff(earlier.0)) }
    }
}

/// The number of milliseconds.
impl fmt::Display for UnixMillis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a clock reads: whole milliseconds and the nanoseconds past them.
///
/// Ids need the milliseconds only; the rest times a sleep to the edge of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnixTime {
    millis: UnixMillis,
    sub_ms_nanos: u32,
}

impl UnixTime {
    /// The time `sub_ms_nanos` after `millis`.
    ///
    /// # Panics
    ///
    /// When `sub_ms_nanos` is a millisecond or more: such a clock is wrong, and carrying it would hide that.
    #[inline]
    pub const fn new(millis: UnixMillis, sub_ms_nanos: u32) -> Self {
        assert!(sub_ms_nanos < NANOS_PER_MILLI, "the nanoseconds past a millisecond are fewer than 1,000,000");
        Self { millis, sub_ms_nanos }
    }

    /// The whole milliseconds, rounded down.
    #[inline]
    pub const fn millis(self) -> UnixMillis {
        self.millis
    }

    /// The nanoseconds past [`millis`](Self::millis), 0 to 999,999.
    pub const fn sub_ms_nanos(self) -> u32 {
        self.sub_ms_nanos
    }

    /// The time from here to the start of the millisecond `later`; zero when that is not in the future.
    pub(crate) const fn until(self, later: UnixMillis) -> Duration {
        if later.0 <= self.millis.0 {
            return Duration::ZERO;
        }
        Duration::from_millis(later.0.abs_diff(self.millis.0))
            .saturating_sub(Duration::from_nanos(self.sub_ms_nanos as u64))
    }
}

/// The time at the start of the millisecond.
impl From<UnixMillis> for UnixTime {
    fn from(millis: UnixMillis) -> Self {
        Self { millis, sub_ms_nanos: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn until_counts_nanoseconds_and_never_goes_negative() {
        let now = UnixTime::new(UnixMillis::new(10), 250_000);
        assert_eq!(now.until(UnixMillis::new(11)), Duration::from_micros(750));
        assert_eq!(now.until(UnixMillis::new(10)), Duration::ZERO);
        assert_eq!(now.until(UnixMillis::new(-10)), Duration::ZERO);
        let far = UnixTime::from(UnixMillis::new(i64::MIN));
        assert_eq!(far.until(UnixMillis::new(i64::MAX)), Duration::from_millis(u64::MAX));
    }
}
