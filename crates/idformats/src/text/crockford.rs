//! ULIDs as 26 characters of Crockford's base 32: `01ARZ3NDEKTSV4RRFFQ69G5FAV`.
//!
//! Texts of one case sort like the ids. [`parse`] takes upper and lower case and nothing else; [`parse_lenient`] also takes what
//! people write when they copy an id by hand.

use idcore::Text;
use ulid::Ulid;

use super::ascii::{self, Case};
use super::digits;
use super::error::{Expected, Form, ParseError};

/// How many bytes the text has.
pub const LEN: usize = 26;

/// Writes the text into `buffer`, in upper case as the specification says.
///
/// # Examples
///
/// ```
/// use idformats::text::crockford;
/// use ulid::Ulid;
///
/// let id = Ulid(0x01563e3ab5d3d6764c61efb99302bd5b);
/// assert_eq!(crockford::encode(id, &mut [0; crockford::LEN]), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
/// ```
#[inline]
pub fn encode(id: Ulid, buffer: &mut [u8; LEN]) -> &str {
    ascii::crockford(id.0, Case::Upper, buffer)
}

/// As [`encode`], in lower case.
#[inline]
pub fn encode_lower(id: Ulid, buffer: &mut [u8; LEN]) -> &str {
    ascii::crockford(id.0, Case::Lower, buffer)
}

/// The upper-case text, held in place.
pub fn text(id: Ulid) -> Text<LEN> {
    Text::encoded(|buffer| encode(id, buffer))
}

/// The lower-case text, held in place.
pub fn text_lower(id: Ulid) -> Text<LEN> {
    Text::encoded(|buffer| encode_lower(id, buffer))
}

/// Reads 26 characters of Crockford's alphabet, of which the first is 0 to 7: what is more would not fit 128 bits.
///
/// Lower and upper case are the same, also mixed, since Crockford's base 32 knows no case; the specification writes upper case.
/// Crockford's aliases (I, L, O) and hyphens are refused: see [`parse_lenient`].
///
/// # Errors
///
/// Names the position, what is there and what was expected.
///
/// # Examples
///
/// ```
/// use idformats::text::crockford;
///
/// assert_eq!(crockford::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV")?.timestamp_ms(), 1_469_922_850_259);
/// assert_eq!(crockford::parse("01arz3ndektsv4rrffq69g5fav"), crockford::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
/// let error = crockford::parse("80000000000000000000000000").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "'8' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128"
/// );
/// # Ok::<(), idformats::text::ParseError>(())
/// ```
#[inline]
pub fn parse(text: impl AsRef<[u8]>) -> Result<Ulid, ParseError> {
    let text = text.as_ref();
    match text.try_into() {
        Ok(form) => digits::uncrockford(form).map(Ulid).ok_or_else(|| fault(text)),
        Err(_) => Err(ParseError::length(text.len(), Form::Ulid)),
    }
}

/// Whether [`parse`] reads the text.
#[inline]
pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
    parse(text).is_ok()
}

/// As [`parse`], and takes Crockford's aliases (o and O for 0; i, I, l and L for 1) and hyphens anywhere.
///
/// # Errors
///
/// Names the position, what is there and what was expected. The hyphens do not count in the length.
///
/// # Examples
///
/// ```
/// use idformats::text::crockford;
///
/// let text = "oLARYZ6-S41TSV4RRF-FQ69G5FAV";
/// assert_eq!(crockford::parse_lenient(text), crockford::parse("01ARYZ6S41TSV4RRFFQ69G5FAV"));
/// assert!(crockford::parse(text).is_err());
/// ```
pub fn parse_lenient(text: impl AsRef<[u8]>) -> Result<Ulid, ParseError> {
    let text = text.as_ref();
    let mut digits = [0; LEN];
    let mut found = 0;
    for (position, byte) in text.iter().enumerate().filter(|(_, byte)| **byte != b'-') {
        let digit = match byte {
            b'O' | b'o' => b'0',
            b'I' | b'i' | b'L' | b'l' => b'1',
            digit => *digit,
        };
        if !is_digit(digit) {
            return Err(ParseError::unexpected(text, position, Expected::CrockfordLenient));
        }
        if found == 0 && digit > b'7' {
            return Err(ParseError::unexpected(text, position, Expected::FirstOf26));
        }
        if let Some(place) = digits.get_mut(found) {
            *place = digit;
        }
        found += 1;
    }
    if found != LEN {
        return Err(ParseError::length(found, Form::LenientUlid));
    }
    Ok(Ulid(digits::uncrockford(&digits).expect("every digit was looked at")))
}

/// A character of Crockford's alphabet, of either case and without aliases.
pub(super) const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
        || (byte.is_ascii_alphabetic() && !matches!(byte.to_ascii_uppercase(), b'I' | b'L' | b'O' | b'U'))
}

/// What is wrong in 26 bytes of which something is.
#[cold]
fn fault(text: &[u8]) -> ParseError {
    match text.iter().position(|byte| !is_digit(*byte)) {
        // A first digit that is too large comes before what is none.
        Some(position) if position == 0 || text[0] <= b'7' => {
            ParseError::unexpected(text, position, Expected::Crockford)
        }
        _ => ParseError::unexpected(text, 0, Expected::FirstOf26),
    }
}
