//! Keyed, invertible public ids: a sortable id inside, an opaque one outside, and no second column.
//!
//! | mode | inside | outside | hides | check |
//! |---|---|---|---|---|
//! | [`V47`] | UUID version 7 | UUID version 4 | the time | none |
//! | [`Strong`] | UUID version 7 | UUID version 4 | all 122 bits | none |
//! | [`Int`] | integer of 63 bits | another, or 11 characters | all | none |
//! | [`Token`] | integer of 64 bits | 22 characters | all | 64 bits |
//! | [`UlidTime`] | ULID | ULID | the time | none |
//!
//! Ids are bytes and integers here: any crate's UUIDs, ULIDs and Snowflakes are. All modes are permutations: the same id and key
//! give the same public id, two ids never the same one.
//!
//! # What masking is not
//!
//! - *Not authorisation.* Whoever has seen a public id has it. Check who may see what.
//! - *Not encryption of a message.* Equal ids stay equal. Without a check ([`Token`] has one) a made-up public id is of some id: look
//!   it up.
//! - *Not for ids that others choose.* `V47` shows the 74 random bits of the id inside: two ids with the same ones show the
//!   difference of their times. Take ids only from your own generator.
//! - *A key that leaks tells all*, also of ids that were made before. Use one key for nothing else, keep it where keys are kept, and
//!   see [`Ring`] for how it is replaced.
//! - Where nothing has to sort inside, a UUID of version 4 needs no key at all.
//!
//! # Features
//!
//! - `std` (default): [`Key::generate`]. Without it the crate is `no_std`.
//! - `alloc`: [`Ring`] and [`TokenRing`].

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod base62;
mod error;
mod int;
mod key;
mod mode;
#[cfg(feature = "alloc")]
mod ring;
mod simd;
mod sip;
mod strong;
mod token;
mod ulid;
mod uuid;
mod v47;

pub use self::base62::Text;
pub use self::error::{BatchError, KeyError, MaskError};
pub use self::int::{Int, IntText};
pub use self::key::{Key, KeyId};
pub use self::mode::Mode;
#[cfg(feature = "alloc")]
pub use self::ring::{Candidate, CandidatesError, Ring, TokenRing};
pub use self::strong::Strong;
pub use self::token::{Token, TokenText};
pub use self::ulid::UlidTime;
pub use self::v47::V47;
