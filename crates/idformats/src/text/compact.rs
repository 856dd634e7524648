//! 128-bit ids in serde as 16 bytes without a length before them: `#[serde(with = "idformats::text::compact")]`.
//!
//! `Uuid` and typed ids are byte strings in binary formats, which costs a byte or eight for the length in some. Here they are
//! a tuple of 16 numbers: 16 bytes in formats that write a `u8` as one (bincode, postcard), and more in those that do not (CBOR,
//! `MessagePack`). In human-readable formats, too, they are 16 numbers.
//!
//! ```
//! idformats::typed_id! { pub struct UserId("user"); }
//!
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct User {
//!     #[serde(with = "idformats::text::compact")]
//!     id: UserId,
//! }
//! ```

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use uuid::Uuid;

/// Writes 16 numbers.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<T: Copy + Into<Uuid>, S: Serializer>(id: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let uuid: Uuid = (*id).into();
    uuid.into_bytes().serialize(serializer)
}

/// Reads 16 numbers.
///
/// # Errors
///
/// Those of the deserializer; when there are not 16 numbers below 256.
pub fn deserialize<'de, T: From<Uuid>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    <[u8; 16]>::deserialize(deserializer).map(|bytes| Uuid::from_bytes(bytes).into())
}
