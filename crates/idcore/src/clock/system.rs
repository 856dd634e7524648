//! The operating system's wall clock.

use core::time::Duration;
use std::thread;

use super::Clock;
use crate::time::{UnixMillis, UnixTime};

const NANOS_PER_MILLI: u32 = 1_000_000;
const MILLIS_PER_SECOND: i64 = 1_000;
#[cfg(not(unix))]
const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// The operating system's wall clock, read for every id.
///
/// It steps when the operating system's does; the generator's policies say what happens then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> UnixTime {
        let (seconds, nanos) = read();
        unix_time(seconds, nanos)
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

/// Seconds since 1970, negative before it, and the nanoseconds past them.
///
/// The same system call that `std` makes, without its normalising of the difference of two times: a sixth of an id's cost.
#[cfg(unix)]
#[inline]
fn read() -> (i64, u32) {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    (time.tv_sec, u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn read() -> (i64, u32) {
    use std::time::{SystemTime, UNIX_EPOCH};

    let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => (seconds(since), since.subsec_nanos()),
        Err(error) => match error.duration() {
            before if before.subsec_nanos() == 0 => (-seconds(before), 0),
            before => (-seconds(before) - 1, NANOS_PER_SECOND - before.subsec_nanos()),
        },
    }
}

/// Rounded down to the millisecond, on both sides of 1970; saturates after 292 million years.
#[inline]
fn unix_time(seconds: i64, nanos: u32) -> UnixTime {
    let millis = seconds.saturating_mul(MILLIS_PER_SECOND).saturating_add(i64::from(nanos / NANOS_PER_MILLI));
    UnixTime::new(UnixMillis::new(millis), nanos % NANOS_PER_MILLI)
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_on_both_sides_of_1970_are_rounded_down() {
        assert_eq!(unix_time(1, 2_500_000), UnixTime::new(UnixMillis::new(1_002), 500_000));
        assert_eq!(unix_time(-2, 997_500_000), UnixTime::new(UnixMillis::new(-1_003), 500_000));
        assert_eq!(unix_time(-1, 997_000_000), UnixTime::new(UnixMillis::new(-3), 0));
    }

    #[test]
    fn times_past_the_range_saturate() {
        assert_eq!(unix_time(i64::MAX, 0).millis(), UnixMillis::new(i64::MAX));
        assert_eq!(unix_time(i64::MIN, 0).millis(), UnixMillis::new(i64::MIN));
    }

    #[test]
    fn now_is_the_system_time() {
        let before = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
        let now = u128::try_from(SystemClock.now().millis().get()).expect("after 1970");
        let after = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
        assert!(before <= now && now <= after, "{before} <= {now} <= {after}");
    }
}
