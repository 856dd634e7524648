//! UUIDs as 8-4-4-4-12: `67e55044-10b1-426f-9247-bb680e5fe0c8`, the form of RFC 9562 section 4.

use idcore::Text;
use uuid::Uuid;

use super::ascii::{self, Case};
use super::digits;
use super::error::{Expected, Form, ParseError};

/// How many bytes the text has.
pub const LEN: usize = 36;

/// Where the hyphens are.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// Writes the lower-case text into `buffer`.
///
/// # Examples
///
/// ```
/// use idformats::text::hyphenated;
/// use uuid::Uuid;
///
/// let id = Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);
/// let mut buffer = [0; hyphenated::LEN];
/// assert_eq!(hyphenated::encode(id, &mut buffer), "67e55044-10b1-426f-9247-bb680e5fe0c8");
/// ```
#[inline]
pub fn encode(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Lower), "", "", buffer)
}

/// As [`encode`], in upper case.
#[inline]
pub fn encode_upper(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Upper), "", "", buffer)
}

/// The lower-case text, held in place.
pub fn text(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode(id, buffer))
}

/// The upper-case text, held in place.
pub fn text_upper(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode_upper(id, buffer))
}

/// Reads this form and no other. Lower and upper case are the same, also mixed: RFC 9562 section 4 has both on input.
///
/// # Errors
///
/// Names the position, what is there and what was expected.
///
/// # Examples
///
/// ```
/// use idformats::text::hyphenated;
///
/// assert!(hyphenated::parse("67e55044-10b1-426f-9247-bb680e5fe0c8").is_ok());
/// let error = hyphenated::parse("67e55044-10b1-426f-9247-bb680e5fe0cg").unwrap_err();
/// assert_eq!(error.to_string(), "'g' at byte 35: expected a hexadecimal digit");
/// assert_eq!(error.position(), Some(35));
/// ```
#[inline]
pub fn parse(text: impl AsRef<[u8]>) -> Result<Uuid, ParseError> {
    let text = text.as_ref();
    match text.try_into() {
        Ok(form) => digits_of(form).ok_or_else(|| fault(text, 0)),
        Err(_) => Err(ParseError::length(text.len(), Form::Hyphenated)),
    }
}

/// Whether [`parse`] reads the text.
#[inline]
pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
    parse(text).is_ok()
}

/// The id whose text this is.
#[inline]
pub(super) fn digits_of(text: &[u8; LEN]) -> Option<Uuid> {
    // One comparison of all four, since all four are nearly always there.
    let strange = HYPHENS.iter().fold(0, |strange, at| strange | (text[*at] ^ b'-'));
    let four = |at: usize| digits::four(text, at);
    let words = [four(0), four(4), four(9), four(14), four(19), four(24), four(28), four(32)];
    let bytes = digits::unhex(words)?;
    (strange == 0).then_some(Uuid::from_bytes(bytes))
}

/// What is wrong in the 36 bytes from `start` on, of which something is.
#[cold]
pub(super) fn fault(text: &[u8], start: usize) -> ParseError {
    for (at, byte) in text[start..start + LEN].iter().enumerate() {
        if HYPHENS.contains(&at) {
            if *byte != b'-' {
                return ParseError::unexpected(text, start + at, Expected::Hyphen);
            }
        } else if !byte.is_ascii_hexdigit() {
            return ParseError::unexpected(text, start + at, Expected::HexDigit);
        }
    }
    unreachable!("a text without a fault is read")
}
