//! Ids as text, each form in a module of its own.
//!
//! | | of | sorts like the id |
//! |---|---|---|
//! | [`hyphenated`] | `67e55044-10b1-426f-9247-bb680e5fe0c8` | yes |
//! | [`simple`] | `67e5504410b1426f9247bb680e5fe0c8` | yes |
//! | [`urn`] | `urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8` | yes |
//! | [`braced`] | `{67e55044-10b1-426f-9247-bb680e5fe0c8}` | yes |
//! | [`crockford`] | `37WN84845H89QS4HXVD075ZR68` | yes |
//! | [`base62`] | `3A30O3qtpTRBe7GtXy50u0` | yes |
//! | [`typeid`] | `user_37wn84845h89qs4hxvd075zr68` | within a prefix, and prefixes in order |
//!
//! `encode` writes into the caller's array, `text` gives a value that holds the text in place; nothing allocates. `parse` is
//! strict: exactly the form is read, in either case where letters are digits, and `is_valid` says the same as `parse`. It takes
//! bytes as well as `str`, and no bytes make it panic. Errors say the position, what is there and what was expected. What is
//! lenient is another function: [`crockford::parse_lenient`]; [`parse_uuid`] reads the four forms of a UUID and says which.
//!
//! Not a text, but as often mixed up: a GUID's bytes in memory have the first three groups in little-endian order. `uuid`
//! reads and writes them, by [`Uuid::from_bytes_le`](uuid::Uuid::from_bytes_le) and [`to_bytes_le`](uuid::Uuid::to_bytes_le).

mod ascii;
mod digits;
mod error;
mod form;

pub mod base62;
pub mod braced;
#[cfg(feature = "serde")]
pub mod compact;
pub mod crockford;
pub mod hyphenated;
pub mod simple;
pub mod typeid;
pub mod urn;

pub use self::error::ParseError;
pub use self::form::{UuidForm, is_valid_uuid, parse_uuid};
pub use self::typeid::TypeId;
