//! The date of a time, by walking through the years: for tests that name dates.

/// Milliseconds since 1970 of a UTC time such as `2016-04-30T11:18:25.796Z`, written to the millisecond.
///
/// # Panics
///
/// When the text is not such a time from 1970 on.
pub fn unix_millis(text: &str) -> i64 {
    let bytes = text.as_bytes();
    assert!(
        text.len() == 24
            && [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')]
                .iter()
                .all(|(at, byte)| bytes[*at] == *byte),
        "{text}: expected YYYY-MM-DDTHH:MM:SS.mmmZ"
    );
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().expect("digits");
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let mut days = day - 1;
    for earlier in 1970..year {
        days += if is_leap(earlier) { 366 } else { 365 };
    }
    for earlier in 1..month {
        days += days_of_month(year, earlier);
    }
    let seconds = ((days * 24 + number(11, 13)) * 60 + number(14, 16)) * 60 + number(17, 19);
    seconds * 1_000 + number(20, 23)
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        assert_eq!(unix_millis("1970-01-01T00:00:00.000Z"), 0);
        assert_eq!(unix_millis("2000-03-01T00:00:00.000Z"), 951_868_800_000);
        assert_eq!(unix_millis("2038-01-19T03:14:08.000Z"), 2_147_483_648_000);
    }
}
