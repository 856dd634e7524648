//! `TypeID`, specification 0.3: a UUID that says of what it is, `user_01h455vb4pex5vsknk084sn02q`.
//!
//! The part before the last `_` is the prefix, the 26 characters after it are the UUID in lower-case Crockford base 32. Each id
//! has one text. Texts sort like the pairs of prefix and UUID.
//!
//! - [`TypeId`]: a value with any prefix.
//! - [`typed_id!`](crate::typed_id): a type of one's own with one prefix, so that a user's id is no order's.
//!
//! Specification: <https://github.com/jetify-com/typeid/tree/main/spec>.

mod parts;
mod prefix;
#[cfg(feature = "serde")]
mod serde;
mod typed;

use core::fmt;
use core::str::{self, FromStr};

use idcore::Text;
use uuid::Uuid;

#[doc(hidden)]
pub use self::prefix::checked;
pub use self::prefix::{PREFIX_LEN_MAX, is_prefix};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use self::serde::deserialize_text;
#[doc(hidden)]
pub use self::typed::{encode_typed, parse_typed};
use super::ascii::{self, Case};
use super::error::ParseError;

/// How many bytes the UUID takes.
pub const SUFFIX_LEN: usize = 26;
/// How many bytes a text has at most.
pub const LEN_MAX: usize = PREFIX_LEN_MAX + 1 + SUFFIX_LEN;

/// A UUID and a prefix that says of what it is.
///
/// Sorts by prefix and then by UUID, which is the order of the texts. Feature `serde`: the text in human-readable formats, the
/// pair of prefix and UUID in others.
///
/// # Examples
///
/// ```
/// use idformats::text::TypeId;
/// use uuid::Uuid;
///
/// let id: TypeId = "user_01h455vb4pex5vsknk084sn02q".parse()?;
/// assert_eq!(id.prefix(), "user");
/// assert_eq!(id.uuid(), Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057));
/// assert_eq!(TypeId::new("user", id.uuid())?, id);
/// assert_eq!(id.to_string(), "user_01h455vb4pex5vsknk084sn02q");
/// # Ok::<(), idformats::text::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId {
    // Compared field by field, which is the order of the texts: what follows a shorter prefix here are zeros, and in a text `_`
    // and a digit, which are below the letters, as the end is below `_`.
    prefix: [u8; PREFIX_LEN_MAX],
    prefix_len: u8,
    uuid: Uuid,
}

impl TypeId {
    /// The id of this prefix, which may be empty, and this UUID.
    ///
    /// # Errors
    ///
    /// When the prefix is longer than [`PREFIX_LEN_MAX`], has other characters than a-z and `_`, or begins or ends with `_`.
    pub fn new(prefix: &str, uuid: Uuid) -> Result<Self, ParseError> {
        prefix::check(prefix.as_bytes())?;
        Ok(Self::of_checked(prefix.as_bytes(), uuid))
    }

    fn of_checked(prefix: &[u8], uuid: Uuid) -> Self {
        let mut bytes = [0; PREFIX_LEN_MAX];
        bytes[..prefix.len()].copy_from_slice(prefix);
        Self { prefix: bytes, prefix_len: u8::try_from(prefix.len()).expect("63 at most"), uuid }
    }

    /// What the id is of; empty when it does not say.
    pub fn prefix(&self) -> &str {
        str::from_utf8(&self.prefix[..usize::from(self.prefix_len)]).expect("letters are ASCII")
    }

    /// The UUID.
    pub const fn uuid(&self) -> Uuid {
        self.uuid
    }

    /// Writes the text to the start of `buffer`, and gives what was written.
    pub fn encode<'b>(&self, buffer: &'b mut [u8; LEN_MAX]) -> &'b str {
        encode_typed(self.prefix(), self.uuid, buffer)
    }

    /// The text, held in place.
    pub fn text(&self) -> Text<LEN_MAX> {
        Text::encoded(|buffer| self.encode(buffer))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Names the position, what is there and what was expected.
    ///
    /// # Examples
    ///
    /// ```
    /// use idformats::text::TypeId;
    ///
    /// let error = TypeId::parse("User_01h455vb4pex5vsknk084sn02q").unwrap_err();
    /// assert_eq!(error.to_string(), "'U' at byte 0: expected a prefix of a-z and '_'");
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self, ParseError> {
        let (prefix, uuid) = parts::parse(text.as_ref())?;
        Ok(Self::of_checked(prefix, uuid))
    }

    /// Whether [`parse`](Self::parse) reads the text.
    pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
        parts::parse(text.as_ref()).is_ok()
    }
}

/// The text.
impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.encode(&mut [0; LEN_MAX]))
    }
}

impl fmt::Debug for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeId({self})")
    }
}

/// As [`TypeId::parse`] reads it.
impl FromStr for TypeId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl From<TypeId> for Uuid {
    fn from(id: TypeId) -> Self {
        id.uuid
    }
}

/// Writes the suffix of a UUID.
fn encode_suffix(uuid: Uuid, buffer: &mut [u8; SUFFIX_LEN]) {
    ascii::crockford(uuid.as_u128(), Case::Lower, buffer);
}
