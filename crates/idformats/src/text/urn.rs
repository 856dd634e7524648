//! UUIDs as uniform resource names: `urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8` (RFC 9562 section 4).

use idcore::Text;
use uuid::Uuid;

use super::ascii::{self, Case};
use super::error::{Expected, Form, ParseError};
use super::hyphenated;

/// How many bytes the text has.
pub const LEN: usize = PREFIX.len() + hyphenated::LEN;

const PREFIX: &str = "urn:uuid:";

/// Writes the lower-case text into `buffer`.
///
/// # Examples
///
/// ```
/// use idformats::text::urn;
/// use uuid::Uuid;
///
/// let id = Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);
/// assert_eq!(urn::encode(id, &mut [0; urn::LEN]), "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8");
/// ```
#[inline]
pub fn encode(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Lower), PREFIX, "", buffer)
}

/// As [`encode`], with the digits in upper case.
#[inline]
pub fn encode_upper(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Upper), PREFIX, "", buffer)
}

/// The lower-case text, held in place.
pub fn text(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode(id, buffer))
}

/// The text with its digits in upper case, held in place.
pub fn text_upper(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode_upper(id, buffer))
}

/// Reads this form and no other. Case does not matter: not in digits (RFC 9562 section 4), nor in `urn:uuid:` (RFC 8141
/// section 3.1).
///
/// # Errors
///
/// Names the position, what is there and what was expected.
///
/// # Examples
///
/// ```
/// use idformats::text::urn;
///
/// assert!(urn::parse("URN:UUID:67e55044-10b1-426f-9247-bb680e5fe0c8").is_ok());
/// let error = urn::parse("urn:uuld:67e55044-10b1-426f-9247-bb680e5fe0c8").unwrap_err();
/// assert_eq!(error.to_string(), "'l' at byte 6: expected `urn:uuid:`");
/// ```
#[inline]
pub fn parse(text: impl AsRef<[u8]>) -> Result<Uuid, ParseError> {
    let text = text.as_ref();
    if text.len() != LEN {
        return Err(ParseError::length(text.len(), Form::Urn));
    }
    let (prefix, rest) = text.split_at(PREFIX.len());
    let form = rest.try_into().expect("the length was looked at");
    match hyphenated::digits_of(form) {
        Some(id) if prefix.eq_ignore_ascii_case(PREFIX.as_bytes()) => Ok(id),
        _ => Err(fault(text)),
    }
}

/// Whether [`parse`] reads the text.
#[inline]
pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
    parse(text).is_ok()
}

#[cold]
fn fault(text: &[u8]) -> ParseError {
    match text.iter().zip(PREFIX.bytes()).position(|(byte, expected)| !byte.eq_ignore_ascii_case(&expected)) {
        Some(position) => ParseError::unexpected(text, position, Expected::UrnPrefix),
        None => hyphenated::fault(text, PREFIX.len()),
    }
}
