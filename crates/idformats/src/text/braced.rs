//! UUIDs in braces, as Microsoft's registry has them: `{67e55044-10b1-426f-9247-bb680e5fe0c8}`.

use idcore::Text;
use uuid::Uuid;

use super::ascii::{self, Case};
use super::error::{Expected, Form, ParseError};
use super::hyphenated;

/// How many bytes the text has.
pub const LEN: usize = hyphenated::LEN + 2;

/// Writes the lower-case text into `buffer`.
///
/// # Examples
///
/// ```
/// use idformats::text::braced;
/// use uuid::Uuid;
///
/// let id = Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);
/// assert_eq!(braced::encode(id, &mut [0; braced::LEN]), "{67e55044-10b1-426f-9247-bb680e5fe0c8}");
/// ```
#[inline]
pub fn encode(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Lower), "{", "}", buffer)
}

/// As [`encode`], in upper case.
#[inline]
pub fn encode_upper(id: Uuid, buffer: &mut [u8; LEN]) -> &str {
    ascii::hyphenated(ascii::hex(id, Case::Upper), "{", "}", buffer)
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
/// use idformats::text::braced;
///
/// assert!(braced::parse("{67e55044-10b1-426f-9247-bb680e5fe0c8}").is_ok());
/// let error = braced::parse("{67e55044-10b1-426f-9247-bb680e5fe0c8)").unwrap_err();
/// assert_eq!(error.to_string(), "')' at byte 37: expected '}'");
/// ```
#[inline]
pub fn parse(text: impl AsRef<[u8]>) -> Result<Uuid, ParseError> {
    let text = text.as_ref();
    if text.len() != LEN {
        return Err(ParseError::length(text.len(), Form::Braced));
    }
    let form = text[1..LEN - 1].try_into().expect("the length was looked at");
    match hyphenated::digits_of(form) {
        Some(id) if text[0] == b'{' && text[LEN - 1] == b'}' => Ok(id),
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
    if text[0] != b'{' {
        return ParseError::unexpected(text, 0, Expected::OpeningBrace);
    }
    match text[1..LEN - 1].try_into().ok().and_then(hyphenated::digits_of) {
        Some(_) => ParseError::unexpected(text, LEN - 1, Expected::ClosingBrace),
        None => hyphenated::fault(text, 1),
    }
}
