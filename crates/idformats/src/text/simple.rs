//! UUIDs as 32 hexadecimal digits: `67e5504410b1426f9247bb680e5fe0c8`.

use idcore::Text;
use uuid::Uuid;

use super::ascii::{self, Case};
use super::digits;
use super::error::{Expected, Form, ParseError};

/// How many bytes the text has.
pub const LEN: usize = 32;

/// Writes the lower-case text into `buffer`.
///
/// # Examples
///
/// ```
/// use idformats::text::simple;
/// use uuid::Uuid;
///
/// let id = Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);
/// assert_eq!(simple::encode(id, &mut [0; simple::LEN]), "67e5504410b1426f9247bb680e5fe0c8");
/// ```
#[inline]
pub fn encode(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::joined(ascii::hex(id, Case::Lower), buffer)
}

/// As [`encode`], in upper case.
#[inline]
pub fn encode_upper(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::joined(ascii::hex(id, Case::Upper), buffer)
}

/// The lower-case text, held in place.
pub fn text(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode(id, buffer))
}

/// The upper-case text, held in place.
pub fn text_upper(id: Uuid) -> Text<LEN> {
    Text::encoded(|buffer| encode_upper(id, buffer))
}

/// Reads this form and no other, in lower, upper or mixed case.
///
/// # Errors
///
/// Names the position, what is there and what was expected.
///
/// # Examples
///
/// ```
/// use idformats::text::simple;
///
/// assert!(simple::parse("67e5504410b1426f9247bb680e5fe0c8").is_ok());
/// let error = simple::parse("67e5504410b1426f9247bb680e5fe0c").unwrap_err();
/// assert_eq!(error.to_string(), "31 bytes: expected 32: hexadecimal digits alone");
/// ```
#[inline]
pub fn parse(text: impl AsRef<[u8]>) -> Result<Uuid, ParseError> {
    let text = text.as_ref();
    match text.try_into() {
        Ok(form) => digits_of(form).ok_or_else(|| fault(text)),
        Err(_) => Err(ParseError::length(text.len(), Form::Simple)),
    }
}

/// Whether [`parse`] reads the text.
#[inline]
pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
    parse(text).is_ok()
}

#[inline]
fn digits_of(text: &[u8; LEN]) -> Option<Uuid> {
    let four = |at: usize| digits::four(text, at);
    let words = [four(0), four(4), four(8), four(12), four(16), four(20), four(24), four(28)];
    digits::unhex(words).map(Uuid::from_bytes)
}

#[cold]
fn fault(text: &[u8]) -> ParseError {
    let position = text.iter().position(|byte| !byte.is_ascii_hexdigit());
    ParseError::unexpected(text, position.expect("a text without a fault is read"), Expected::HexDigit)
}
