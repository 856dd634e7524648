//! The operating system's wall clock.

use core::time::Duration;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Clock;
use crate::time::{UnixMillis, UnixTime};

const NANOS_PER_MILLI: u32 = 1_000_000;
const MILLIS_PER_SECOND: u64 = 1_000;

/// The operating system's wall clock, read for every id.
///
/// It steps when the operating system's does; the generator's policies say what happens then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> UnixTime {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => after_epoch(since),
            Err(error) => before_epoch(error.duration()),
        }
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

#[inline]
fn after_epoch(since: Duration) -> UnixTime {
    let nanos = since.subsec_nanos();
    // Saturates after 292 million years.
    let millis = since.as_secs().saturating_mul(MILLIS_PER_SECOND).saturating_add(u64::from(nanos / NANOS_PER_MILLI));
    UnixTime::new(UnixMillis::new(i64::try_from(millis).unwrap_or(i64::MAX)), nanos % NANOS_PER_MILLI)
}

#[cold]
fn before_epoch(before: Duration) -> UnixTime {
    // Rounded down to the millisecond: further into the past, never towards the epoch.
    let nanos = before.as_nanos();
    let millis = i64::try_from(nanos.div_ceil(u128::from(NANOS_PER_MILLI))).unwrap_or(i64::MAX);
    let past_ms = (u128::from(NANOS_PER_MILLI) - nanos % u128::from(NANOS_PER_MILLI)) % u128::from(NANOS_PER_MILLI);
    UnixTime::new(UnixMillis::new(-millis), u32::try_from(past_ms).expect("a remainder of a million"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_on_both_sides_of_1970_are_rounded_down() {
        let after = after_epoch(Duration::new(1, 2_500_000));
        assert_eq!(after, UnixTime::new(UnixMillis::new(1_002), 500_000));
        let before = before_epoch(Duration::new(1, 2_500_000));
        assert_eq!(before, UnixTime::new(UnixMillis::new(-1_003), 500_000));
        assert_eq!(before_epoch(Duration::from_millis(3)), UnixTime::new(UnixMillis::new(-3), 0));
    }

    #[test]
    fn times_past_the_range_saturate() {
        assert_eq!(after_epoch(Duration::MAX).millis(), UnixMillis::new(i64::MAX));
        assert_eq!(before_epoch(Duration::MAX).millis(), UnixMillis::new(-i64::MAX));
    }

    #[test]
    fn now_is_the_system_time() {
        let before = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
        let now = u128::try_from(SystemClock.now().millis().get()).expect("after 1970");
        let after = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
        assert!(before <= now && now <= after, "{before} <= {now} <= {after}");
    }
}
