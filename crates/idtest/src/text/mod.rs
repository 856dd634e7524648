//! The three texts of a Snowflake id, digit by digit in `u128`; [`wide`] has those of 128-bit ids.

pub mod wide;

/// The ten digits.
pub const DECIMAL: &str = "0123456789";
/// Crockford's base 32, as <https://www.crockford.com/base32.html> lists it.
pub const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Digits, upper case, lower case.
pub const BASE62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The number in decimal, without leading zeros.
pub fn decimal(value: u64) -> String {
    let padded = digits(value, DECIMAL, 20);
    let trimmed = padded.trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() }
}

/// The number as 13 Crockford characters.
pub fn crockford(value: u64) -> String {
    digits(value, CROCKFORD, 13)
}

/// The number as 11 base62 characters.
pub fn base62(value: u64) -> String {
    digits(value, BASE62, 11)
}

/// The number that [`decimal`] writes in this way; none for any other text.
pub fn read_decimal(text: &str) -> Option<u64> {
    if text.len() > 1 && text.starts_with('0') {
        return None;
    }
    value(text, DECIMAL)
}

/// The number that [`crockford`] writes in this way.
pub fn read_crockford(text: &str) -> Option<u64> {
    if text.chars().count() == 13 { value(text, CROCKFORD) } else { None }
}

/// The number that [`base62`] writes in this way.
pub fn read_base62(text: &str) -> Option<u64> {
    if text.chars().count() == 11 { value(text, BASE62) } else { None }
}

/// The byte at which the first character outside the alphabet stands, and that character.
pub fn first_stranger(text: &str, alphabet: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(_, c)| !alphabet.contains(*c))
}

fn digits(value: u64, alphabet: &str, width: usize) -> String {
    let base = alphabet.len() as u128;
    let mut rest = u128::from(value);
    let mut reversed = String::new();
    for _ in 0..width {
        let digit = usize::try_from(rest % base).expect("a digit");
        reversed.push(alphabet.chars().nth(digit).expect("a character of the alphabet"));
        rest /= base;
    }
    assert_eq!(rest, 0, "the width holds every number of 64 bits");
    reversed.chars().rev().collect()
}

fn value(text: &str, alphabet: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let base = alphabet.len() as u128;
    let mut value = 0u128;
    for c in text.chars() {
        let digit = alphabet.chars().position(|a| a == c)? as u128;
        value = (value * base + digit).min(1 << 100);
    }
    u64::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        assert_eq!(decimal(0), "0");
        assert_eq!(decimal(u64::MAX), "18446744073709551615");
        assert_eq!(crockford(u64::MAX), "FZZZZZZZZZZZZ");
        assert_eq!(base62(u64::MAX), "LygHa16AHYF");
        assert_eq!(read_decimal("18446744073709551616"), None);
        assert_eq!(read_decimal("00"), None);
        assert_eq!(read_crockford("G000000000000"), None);
        assert_eq!(read_base62("LygHa16AHYG"), None);
        assert_eq!(read_base62("zzzzzzzzzzz"), None);
    }
}
