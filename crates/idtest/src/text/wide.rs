//! The texts of 128-bit ids, character by character.

use super::{BASE62, CROCKFORD};

/// The sixteen digits, lower case.
pub const HEX: &str = "0123456789abcdef";
/// Where the hyphens of a UUID stand between its digits.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// A UUID as 8-4-4-4-12.
pub fn hyphenated(value: u128) -> String {
    let digits = simple(value);
    let mut rest = digits.as_str();
    let groups = GROUPS.map(|len| {
        let (group, after) = rest.split_at(len);
        rest = after;
        group
    });
    groups.join("-")
}

/// A UUID as 32 digits.
pub fn simple(value: u128) -> String {
    write(value, HEX, 32)
}

/// A number as 26 Crockford characters.
pub fn crockford26(value: u128) -> String {
    write(value, CROCKFORD, 26)
}

/// A number as 22 base62 characters.
pub fn base62_22(value: u128) -> String {
    write(value, BASE62, 22)
}

/// The number whose [`hyphenated`] text this is, in any case.
pub fn read_hyphenated(text: &str) -> Option<u128> {
    let groups: Vec<&str> = text.split('-').collect();
    let lens: Vec<usize> = groups.iter().map(|group| group.chars().count()).collect();
    if lens == GROUPS { read_simple(&groups.concat()) } else { None }
}

/// The number whose [`simple`] text this is, in any case.
pub fn read_simple(text: &str) -> Option<u128> {
    read(text, HEX, 32, true)
}

/// The number in `urn:uuid:` and a [`hyphenated`] text, in any case.
pub fn read_urn(text: &str) -> Option<u128> {
    let mut chars = text.chars();
    for expected in "urn:uuid:".chars() {
        if chars.next()?.to_ascii_lowercase() != expected {
            return None;
        }
    }
    read_hyphenated(chars.as_str())
}

/// The number in braces around a [`hyphenated`] text, in any case.
pub fn read_braced(text: &str) -> Option<u128> {
    read_hyphenated(text.strip_prefix('{')?.strip_suffix('}')?)
}

/// The number whose [`crockford26`] text this is, in any case.
pub fn read_crockford26(text: &str) -> Option<u128> {
    read(text, CROCKFORD, 26, true)
}

/// As [`read_crockford26`], with hyphens anywhere, o for 0, and i and l for 1.
pub fn read_crockford26_leniently(text: &str) -> Option<u128> {
    let plain: String = text.chars().filter(|c| *c != '-').collect();
    let plain = plain.replace(['o', 'O'], "0").replace(['i', 'I', 'l', 'L'], "1");
    read_crockford26(&plain)
}

/// The number whose [`base62_22`] text this is.
pub fn read_base62_22(text: &str) -> Option<u128> {
    read(text, BASE62, 22, false)
}

/// Prefix and number of a `TypeID`.
pub fn read_typeid(text: &str) -> Option<(&str, u128)> {
    let (prefix, suffix) = match text.rsplit_once('_') {
        Some(("", _)) => return None,
        Some(parts) => parts,
        None => ("", text),
    };
    let is_prefix = prefix.len() <= 63
        && prefix.chars().all(|c| "abcdefghijklmnopqrstuvwxyz_".contains(c))
        && !prefix.starts_with('_')
        && !prefix.ends_with('_');
    let number = read(suffix, &CROCKFORD.to_lowercase(), 26, false)?;
    is_prefix.then_some((prefix, number))
}

fn write(value: u128, alphabet: &str, width: usize) -> String {
    let base = alphabet.len() as u128;
    let mut rest = value;
    let mut reversed = String::new();
    for _ in 0..width {
        let digit = usize::try_from(rest % base).expect("a digit");
        reversed.push(alphabet.chars().nth(digit).expect("a character of the alphabet"));
        rest /= base;
    }
    assert_eq!(rest, 0, "the width holds every number of 128 bits");
    reversed.chars().rev().collect()
}

/// The number of a text of this width, below 2^128.
fn read(text: &str, alphabet: &str, width: usize, any_case: bool) -> Option<u128> {
    if text.chars().count() != width {
        return None;
    }
    let base = alphabet.len() as u128;
    let mut value = 0u128;
    for c in text.chars() {
        let is_same = |a: char| a == c || (any_case && a.eq_ignore_ascii_case(&c));
        let digit = alphabet.chars().position(is_same)? as u128;
        value = value.checked_mul(base)?.checked_add(digit)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        let value = 0x017f_22e2_79b0_7cc3_98c4_dc0c_0c07_398f;
        assert_eq!(hyphenated(value), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
        assert_eq!(simple(value), "017f22e279b07cc398c4dc0c0c07398f");
        assert_eq!(crockford26(value), "01FWHE4YDGFK1SHH6W1G60EECF");
        assert_eq!(base62_22(value), "02p5oQZoHTv0zeY5yG21K3");
        assert_eq!(read_crockford26("80000000000000000000000000"), None);
        assert_eq!(read_crockford26("7zzzzzzzzzzzzzzzzzzzzzzzzz"), Some(u128::MAX));
        assert_eq!(read_base62_22(&base62_22(u128::MAX)), Some(u128::MAX));
        assert_eq!(read_base62_22("zzzzzzzzzzzzzzzzzzzzzz"), None);
        assert_eq!(read_typeid("a_b_7zzzzzzzzzzzzzzzzzzzzzzzzz"), Some(("a_b", u128::MAX)));
        assert_eq!(read_typeid("_7zzzzzzzzzzzzzzzzzzzzzzzzz"), None);
    }
}
