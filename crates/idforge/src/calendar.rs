//! Calendar time and durations as people write and read them. Everything else counts milliseconds.

use std::time::Duration;

use idcore::{Clock, SystemClock, UnixMillis, UnixTime};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp, Unit, ZonedDateTime};

use crate::quote::quote;

/// The mean length of a year of the Gregorian calendar, 365.2425 days.
const YEAR_S: f64 = 31_556_952.0;
const DAY_S: f64 = 86_400.0;
/// Of 365 days, where a length of time is meant and no date.
const SECONDS_PER_YEAR: u64 = 365 * 86_400;

/// The time now.
pub(crate) fn now() -> UnixMillis {
    SystemClock.now().millis()
}

/// The time as RFC 3339 in UTC to the millisecond; none outside the years -9999 to 9999.
pub(crate) fn rfc3339(time: UnixMillis) -> Option<String> {
    timestamp(time).map(|time| format!("{time:.3}"))
}

/// The time in UTC for people: `2016-04-30 11:18:25.796 UTC`.
pub(crate) fn utc(time: UnixMillis) -> String {
    format_utc(time, "%Y-%m-%d %H:%M:%S.%3f UTC")
}

/// The time in UTC to 100 ns, if it has parts of a millisecond: `2022-02-22 19:22:22.0000001 UTC`.
pub(crate) fn utc_exact(time: UnixTime) -> String {
    let nanos = time.sub_ms_nanos();
    let to_the_ms = utc(time.millis());
    match to_the_ms.strip_suffix(" UTC") {
        Some(shown) if nanos > 0 => format!("{shown}{:04} UTC", nanos / 100),
        _ => to_the_ms,
    }
}

/// The day in UTC: `2016-04-30`.
pub(crate) fn date(time: UnixMillis) -> String {
    format_utc(time, "%Y-%m-%d")
}

/// The time without what is zero at its end: `2015-01-01 UTC`, `2010-11-04 01:42:54.657 UTC`.
pub(crate) fn utc_short(time: UnixMillis) -> String {
    let ms = time.get();
    let format = if ms.rem_euclid(86_400_000) == 0 {
        "%Y-%m-%d UTC"
    } else if ms.rem_euclid(1_000) == 0 {
        "%Y-%m-%d %H:%M:%S UTC"
    } else {
        "%Y-%m-%d %H:%M:%S.%3f UTC"
    };
    format_utc(time, format)
}

/// The time where the person is, with the zone's name; none when no zone is known, or it is UTC.
pub(crate) fn local(time: UnixMillis) -> Option<String> {
    let zone = TimeZone::try_system().ok()?;
    if zone == TimeZone::UTC || zone.iana_name().is_some_and(|name| matches!(name, "UTC" | "Etc/UTC" | "Etc/Unknown")) {
        return None;
    }
    let there = timestamp(time)?.to_zoned_datetime(zone);
    let clock = there.strftime("%Y-%m-%d %H:%M:%S.%3f %:z");
    Some(there.time_zone().iana_name().map_or_else(|| clock.to_string(), |name| format!("{clock} ({name})")))
}

/// How long ago, or in how long, by the two largest units: `9 years 7 months ago`, `in 3 hours 20 minutes`.
pub(crate) fn age(time: UnixMillis, now: UnixMillis) -> Option<String> {
    let utc = |time| timestamp(time).map(|time| time.to_zoned_datetime(TimeZone::UTC));
    let (earlier, later) = (utc(time.min(now))?, utc(time.max(now))?);
    let span = largest_units(&earlier, &later)?;
    Some(if time > now { format!("in {span}") } else { format!("{span} ago") })
}

/// The length of a time in years, rounded to a tenth.
pub(crate) fn years(length: Duration) -> f64 {
    (length.as_secs_f64() / YEAR_S * 10.0).round() / 10.0
}

/// The length of a time in days, rounded to a tenth.
pub(crate) fn days(length: Duration) -> f64 {
    (length.as_secs_f64() / DAY_S * 10.0).round() / 10.0
}

/// Reads a point in time: RFC 3339, a date for its midnight in UTC, or milliseconds since 1970.
///
/// Rounded up to a millisecond: for the edges of a half-open range of times that are whole milliseconds, that changes
/// nothing about which of them are inside.
pub(crate) fn parse_time(text: &str) -> Result<UnixMillis, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text
            .parse()
            .map(UnixMillis::new)
            .map_err(|_| format!("{}: expected milliseconds since 1970 within 2^63", quote(text)));
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        let below = time.as_millisecond();
        let is_exact = time.as_nanosecond() % 1_000_000 == 0;
        // Negative times are rounded towards zero, which is up already.
        return Ok(UnixMillis::new(if is_exact || time < Timestamp::UNIX_EPOCH { below } else { below + 1 }));
    }
    let is_date = text.len() == "2026-01-01".len() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let midnight =
        text.parse::<Date>().ok().filter(|_| is_date).and_then(|date| date.to_zoned_datetime(TimeZone::UTC).ok());
    midnight.map(|time| UnixMillis::new(time.timestamp().as_millisecond())).ok_or_else(|| {
        format!(
            "{}: expected a time with its offset such as 2026-01-01T12:00:00Z, a date such as 2026-01-01, or \
             milliseconds since 1970",
            quote(text)
        )
    })
}

/// Reads a length of time such as `5ms`, `2s`, `1h30m` or `7d`; a day is 24 hours.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    text.parse::<Span>()
        .and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()))
        .ok()
        .and_then(|length| Duration::try_from(length).ok())
        .ok_or_else(|| format!("{}: expected a length of time such as 5ms, 2s, 1h30m or 7d", quote(text)))
}

/// As [`parse_duration`], also in years of 365 days.
pub(crate) fn parse_long_duration(text: &str) -> Result<Duration, String> {
    let whole = text.parse::<Span>().ok().and_then(|span| {
        let years = u64::try_from(span.get_years()).ok()?;
        let rest = span.try_years(0).ok()?.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
        Duration::try_from(rest).ok()?.checked_add(Duration::from_secs(years * SECONDS_PER_YEAR))
    });
    whole
        .filter(|length| !length.is_zero())
        .ok_or_else(|| format!("{}: expected a length of time above 0 such as 1s, 7d or 10y", quote(text)))
}

/// A length of time in the largest unit that it is a whole number of.
pub(crate) fn show_length(length: Duration) -> String {
    const UNITS: [(u128, &str); 7] = [
        (SECONDS_PER_YEAR as u128 * 1_000_000_000, "year"),
        (86_400 * 1_000_000_000, "day"),
        (3_600 * 1_000_000_000, "hour"),
        (60 * 1_000_000_000, "minute"),
        (1_000_000_000, "second"),
        (1_000_000, "millisecond"),
        (1_000, "microsecond"),
    ];
    let nanos = length.as_nanos();
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| nanos % unit == 0).unwrap_or((1, "nanosecond"));
    let count = nanos / unit;
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

fn timestamp(time: UnixMillis) -> Option<Timestamp> {
    Timestamp::from_millisecond(time.get()).ok()
}

fn format_utc(time: UnixMillis, format: &str) -> String {
    match timestamp(time) {
        Some(time) => time.strftime(format).to_string(),
        None if time > UnixMillis::new(0) => "after 9999".to_owned(),
        None => "before -9999".to_owned(),
    }
}

fn largest_units(earlier: &ZonedDateTime, later: &ZonedDateTime) -> Option<String> {
    let span = earlier.until((Unit::Year, later)).ok()?;
    let units = [
        (i64::from(span.get_years()), "year"),
        (i64::from(span.get_months()), "month"),
        (i64::from(span.get_days()), "day"),
        (i64::from(span.get_hours()), "hour"),
        (span.get_minutes(), "minute"),
        (span.get_seconds(), "second"),
    ];
    let Some(first) = units.iter().position(|(count, _)| *count > 0) else {
        return Some("less than a second".to_owned());
    };
    let shown = units[first..].iter().take(2).filter(|(count, _)| *count > 0);
    let words = shown.map(|(count, unit)| format!("{count} {unit}{}", if *count == 1 { "" } else { "s" }));
    Some(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISCORD: UnixMillis = UnixMillis::new(1_462_015_105_796);

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(rfc3339(DISCORD).as_deref(), Some("2016-04-30T11:18:25.796Z"));
        assert_eq!(utc(DISCORD), "2016-04-30 11:18:25.796 UTC");
        assert_eq!(utc_exact(DISCORD.into()), "2016-04-30 11:18:25.796 UTC");
        assert_eq!(utc_exact(UnixTime::new(DISCORD, 100)), "2016-04-30 11:18:25.7960001 UTC");
        assert_eq!(utc_exact(UnixTime::new(UnixMillis::new(-1), 999_900)), "1969-12-31 23:59:59.9999999 UTC");
        assert_eq!(date(DISCORD), "2016-04-30");
        assert_eq!(utc_short(DISCORD), "2016-04-30 11:18:25.796 UTC");
        assert_eq!(utc_short(UnixMillis::new(1_420_070_400_000)), "2015-01-01 UTC");
        assert_eq!(utc_short(UnixMillis::new(1_420_070_401_000)), "2015-01-01 00:00:01 UTC");
    }

    #[test]
    fn times_past_the_calendar_have_words() {
        for (ms, words) in [(i64::MAX, "after 9999"), (i64::MIN, "before -9999")] {
            let time = UnixMillis::new(ms);
            assert_eq!((utc(time), date(time)), (words.to_owned(), words.to_owned()));
            assert_eq!(rfc3339(time), None);
            assert_eq!(age(time, DISCORD), None);
            assert_eq!(local(time), None);
        }
    }

    #[test]
    fn an_age_has_two_units() {
        let age = |ms: i64| age(DISCORD, UnixMillis::new(DISCORD.get() + ms)).expect("within the calendar");
        assert_eq!(age(0), "less than a second ago");
        assert_eq!(age(61_000), "1 minute 1 second ago");
        assert_eq!(age(7_200_000), "2 hours ago");
        assert_eq!(age(-7_200_000), "in 2 hours");
        assert_eq!(age(366 * 86_400_000), "1 year ago");
        assert_eq!(age(400 * 86_400_000), "1 year 1 month ago");
    }

    #[test]
    fn points_in_time_are_read() {
        let ms = |text| parse_time(text).map(UnixMillis::get);
        assert_eq!(ms("2026-01-01"), Ok(1_767_225_600_000));
        assert_eq!(ms("2026-01-01T00:00:00Z"), Ok(1_767_225_600_000));
        assert_eq!(ms("2026-01-01T01:00:00+01:00"), Ok(1_767_225_600_000));
        assert_eq!(ms("1767225600000"), Ok(1_767_225_600_000));
        assert_eq!(ms("-1"), Ok(-1));
        for wrong in
            ["", "-", "+5", " 5", "2026-01-01T00:00:00", "2026-13-01", "20260101T00", "9223372036854775808", "now"]
        {
            assert!(ms(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_edge_of_a_range_is_rounded_up() {
        let ms = |text| parse_time(text).map(UnixMillis::get);
        assert_eq!(ms("1970-01-01T00:00:01.0000001Z"), Ok(1_001));
        assert_eq!(ms("1970-01-01T00:00:00.0000001Z"), Ok(1));
        assert_eq!(ms("1969-12-31T23:59:58.9995Z"), Ok(-1_000));
        assert_eq!(ms("1969-12-31T23:59:59.9995Z"), Ok(0));
    }

    #[test]
    fn lengths_of_time_are_read() {
        let length = |text| parse_duration(text).ok();
        assert_eq!(length("5ms"), Some(Duration::from_millis(5)));
        assert_eq!(length("2s"), Some(Duration::from_secs(2)));
        assert_eq!(length("1h30m"), Some(Duration::from_secs(5_400)));
        assert_eq!(length("7d"), Some(Duration::from_secs(7 * 86_400)));
        for wrong in ["", "5", "-5ms", "5 parsecs", "1month", "ms"] {
            assert_eq!(length(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn long_lengths_have_years_of_365_days() {
        let seconds = |text| parse_long_duration(text).map(|length| length.as_secs());
        assert_eq!(seconds("1y"), Ok(365 * 86_400));
        assert_eq!(seconds("10y 1d"), Ok(3_651 * 86_400));
        assert_eq!(seconds("2w"), Ok(14 * 86_400));
        for wrong in ["", "0s", "1month", "-1y", "y", "1"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lengths_are_shown_in_whole_units() {
        let shown = |text| show_length(parse_long_duration(text).expect("a length"));
        let cases = ["1 year", "30 days", "90 minutes", "1 second", "1500 milliseconds", "7 microseconds"];
        for (text, expected) in ["1y", "30d", "1h30m", "1s", "1.5s", "7us"].into_iter().zip(cases) {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn years_and_days_have_a_tenth() {
        let ms = |ms| Duration::from_millis(ms);
        assert!((years(ms(10 << 39)) - 174.2).abs() < 1e-9);
        assert!((days(ms(1 << 31)) - 24.9).abs() < 1e-9);
    }
}
