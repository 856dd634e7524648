//! Ids of one prefix as types of their own.

use core::str;

use uuid::Uuid;

use super::super::error::ParseError;
use super::{LEN_MAX, SUFFIX_LEN, encode_suffix, parts};

/// Makes a type of its own around a UUID, with a prefix: the id of a user cannot be passed for the id of an order.
///
/// The text is a [`TypeID`](crate::text::typeid) of that prefix, both in `Display` and `FromStr` and, with feature `serde`, in
/// human-readable formats; binary formats have the 16 bytes as `Uuid` does. `Ord` is the order of the UUIDs and of the texts.
/// A prefix that is none does not compile:
///
/// ```compile_fail
/// idformats::typed_id! { pub struct UserId("User"); }
/// ```
///
/// With feature `std`, `new` makes an id of version 7: [`uuidv7`](crate::uuidv7).
///
/// # Examples
///
/// ```
/// idformats::typed_id! {
///     /// Of a user.
///     pub struct UserId("user");
///     pub struct OrderId("order");
/// }
///
/// let id: UserId = "user_01h455vb4pex5vsknk084sn02q".parse()?;
/// assert_eq!(id.to_string(), "user_01h455vb4pex5vsknk084sn02q");
/// let error = "user_01h455vb4pex5vsknk084sn02q".parse::<OrderId>().unwrap_err();
/// assert_eq!(error.to_string(), "another prefix at byte 0: expected `order`");
/// # #[cfg(feature = "std")] {
/// let (one, two) = (OrderId::new()?, OrderId::new()?);
/// assert!(one < two);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! typed_id {
    ($($(#[$meta:meta])* $visibility:vis struct $name:ident($prefix:expr);)+) => {$(
        $(#[$meta])*
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::cmp::PartialOrd,
            ::core::cmp::Ord, ::core::hash::Hash,
        )]
        $visibility struct $name($crate::__uuid::Uuid);

        #[allow(dead_code, reason = "not all of it is needed everywhere")]
        impl $name {
            /// What stands before the UUID, without `_`.
            pub const PREFIX: &'static str = $crate::text::typeid::checked($prefix);

            /// The id of this UUID.
            pub const fn from_uuid(uuid: $crate::__uuid::Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID.
            pub const fn uuid(self) -> $crate::__uuid::Uuid {
                self.0
            }

            /// Writes the text to the start of `buffer`, and gives what was written.
            pub fn encode(self, buffer: &mut [u8; $crate::text::typeid::LEN_MAX]) -> &str {
                $crate::text::typeid::encode_typed(Self::PREFIX, self.0, buffer)
            }

            /// Reads a text.
            ///
            /// # Errors
            ///
            /// When it is no `TypeID`, or one of another prefix.
            pub fn parse(text: impl ::core::convert::AsRef<[u8]>) -> ::core::result::Result<Self, $crate::text::ParseError> {
                $crate::text::typeid::parse_typed(Self::PREFIX, text.as_ref()).map(Self)
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.encode(&mut [0; $crate::text::typeid::LEN_MAX]))
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{}({self})", ::core::stringify!($name))
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::text::ParseError;

            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl ::core::convert::From<$crate::__uuid::Uuid> for $name {
            fn from(uuid: $crate::__uuid::Uuid) -> Self {
                Self(uuid)
            }
        }

        impl ::core::convert::From<$name> for $crate::__uuid::Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ::core::convert::From<$name> for $crate::text::TypeId {
            fn from(id: $name) -> Self {
                Self::new($name::PREFIX, id.0).expect("the prefix was checked while compiling")
            }
        }

        $crate::__typed_id_new! { $name }
        $crate::__typed_id_serde! { $name }
    )+};
}

/// The constructor of typed ids; with `std`.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id_new {
    ($name:ident) => {
        #[allow(dead_code, reason = "not all of it is needed everywhere")]
        impl $name {
            /// A new id of version 7, of the process's generator.
            ///
            /// # Errors
            ///
            /// As for [`uuidv7`]($crate::uuidv7).
            pub fn new() -> ::core::result::Result<Self, $crate::IssueError> {
                $crate::uuidv7().map(Self)
            }
        }
    };
}

/// Nothing; without `std`.
#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id_new {
    ($name:ident) => {};
}

/// Nothing; without `serde`.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id_serde {
    ($name:ident) => {};
}

/// Writes the text of an id whose prefix was checked.
#[doc(hidden)]
pub fn encode_typed<'b>(prefix: &str, uuid: Uuid, buffer: &'b mut [u8; LEN_MAX]) -> &'b str {
    let mut start = prefix.len();
    buffer[..start].copy_from_slice(prefix.as_bytes());
    if start > 0 {
        buffer[start] = b'_';
        start += 1;
    }
    let end = start + SUFFIX_LEN;
    let suffix = buffer[start..end].first_chunk_mut().expect("as long as a suffix");
    encode_suffix(uuid, suffix);
    str::from_utf8(&buffer[..end]).expect("letters and digits are ASCII")
}

/// Reads the text of an id of one prefix.
#[doc(hidden)]
pub fn parse_typed(prefix: &'static str, text: &[u8]) -> Result<Uuid, ParseError> {
    let (found, uuid) = parts::parse(text)?;
    if found == prefix.as_bytes() {
        return Ok(uuid);
    }
    let position = found.iter().zip(prefix.bytes()).position(|(byte, expected)| *byte != expected);
    Err(ParseError::other_prefix(position.unwrap_or(found.len().min(prefix.len())), prefix))
}
