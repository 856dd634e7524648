//! UUIDs in any of their four forms.

use uuid::Uuid;

use super::error::{Form, ParseError};
use super::{braced, hyphenated, simple, urn};

/// One of the four forms of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UuidForm {
    /// `67e55044-10b1-426f-9247-bb680e5fe0c8`: see [`hyphenated`].
    Hyphenated,
    /// `67e5504410b1426f9247bb680e5fe0c8`: see [`simple`].
    Simple,
    /// `urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8`: see [`urn`].
    Urn,
    /// `{67e55044-10b1-426f-9247-bb680e5fe0c8}`: see [`braced`].
    Braced,
}

/// Reads a UUID in any of its four forms, which differ in their length, and says in which.
///
/// # Errors
///
/// As those of the form that has this length; or that no form has it.
///
/// # Examples
///
/// ```
/// use idformats::text::{UuidForm, parse_uuid};
///
/// let (id, form) = parse_uuid("{67e55044-10b1-426f-9247-bb680e5fe0c8}")?;
/// assert_eq!((id.get_version_num(), form), (4, UuidForm::Braced));
/// # Ok::<(), idformats::text::ParseError>(())
/// ```
pub fn parse_uuid(text: impl AsRef<[u8]>) -> Result<(Uuid, UuidForm), ParseError> {
    let text = text.as_ref();
    match text.len() {
        hyphenated::LEN => Ok((hyphenated::parse(text)?, UuidForm::Hyphenated)),
        simple::LEN => Ok((simple::parse(text)?, UuidForm::Simple)),
        urn::LEN => Ok((urn::parse(text)?, UuidForm::Urn)),
        braced::LEN => Ok((braced::parse(text)?, UuidForm::Braced)),
        found => Err(ParseError::length(found, Form::AnyUuid)),
    }
}

/// Whether [`parse_uuid`] reads the text.
pub fn is_valid_uuid(text: impl AsRef<[u8]>) -> bool {
    parse_uuid(text).is_ok()
}
