//! The two parts of a text: prefix and suffix.

use uuid::Uuid;

use super::super::error::{Expected, ParseError};
use super::super::{crockford, digits};
use super::{SUFFIX_LEN, prefix};

/// The prefix, which is one, and the id.
pub(super) fn parse(text: &[u8]) -> Result<(&[u8], Uuid), ParseError> {
    let (prefix, start) = match text.iter().rposition(|byte| *byte == b'_') {
        Some(0) => return Err(ParseError::unexpected(text, 0, Expected::PrefixBeforeSeparator)),
        Some(separator) => (&text[..separator], separator + 1),
        None => (&text[..0], 0),
    };
    prefix::check(prefix)?;
    Ok((prefix, suffix(text, start)?))
}

/// The id in the suffix, which begins at `start`; everything before it is ASCII.
pub(super) fn suffix(text: &[u8], start: usize) -> Result<Uuid, ParseError> {
    let suffix = &text[start..];
    let Ok(form) = <&[u8; SUFFIX_LEN]>::try_from(suffix) else {
        return Err(ParseError::suffix_length(start, suffix.len()));
    };
    // Of one case alone, so that each id has one text.
    let is_lower = suffix.iter().fold(true, |is_lower, byte| is_lower & !byte.is_ascii_uppercase());
    match digits::uncrockford(form) {
        Some(number) if is_lower => Ok(Uuid::from_u128(number)),
        _ => Err(fault(text, start)),
    }
}

#[cold]
fn fault(text: &[u8], start: usize) -> ParseError {
    let suffix = &text[start..];
    let is_strange = |byte: &u8| !crockford::is_digit(*byte) || byte.is_ascii_uppercase();
    match suffix.iter().position(is_strange) {
        Some(position) if position == 0 || suffix[0] <= b'7' => {
            ParseError::unexpected(text, start + position, Expected::CrockfordLower)
        }
        _ => ParseError::unexpected(text, start, Expected::FirstOf26),
    }
}
