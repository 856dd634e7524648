//! UUIDv7 by all three methods of RFC 9562 and monotonic ULID, shared by threads without a lock.
//!
//! ```
//! let id = idformats::uuidv7()?;
//! println!("{id}");
//! # Ok::<(), idformats::IssueError>(())
//! ```
//!
//! - [`Generator`]: hands out ids of a [`Format`]; its page lists the guarantees and what happens when the clock goes back, a
//!   counter comes to its end, the process forks.
//! - [`V7Counter`], [`V7Random`], [`V7SubMs`], [`UlidMonotonic`], [`UlidRandom`]: the formats.
//! - [`RandomUuid`] (version 4) and [`RandomUlid`]: ids without an order.
//! - `uuidv7()`, `uuidv4()`, `ulid()`: of one generator for the process.
//! - [`UuidExt`] and [`UlidExt`]: fields and time of an id, the ids of a range of time, from one type to the other.
//! - [`text`]: strict and fast text forms, `TypeID`s, and [`typed_id!`], which makes a type of its own for the ids of users.
//!
//! [`rfc9562`] lists what RFC 9562 demands, and the test of each.
//!
//! Ids are [`uuid::Uuid`] and [`ulid::Ulid`]: their serde and databases are those crates' affair.
//!
//! # What this crate does not do
//!
//! UUIDs and ULIDs are unique by random bits, not for certain: keep a unique constraint. They tell their time; RFC 9562 section
//! 8: they must not be used as capabilities.
//!
//! # Features
//!
//! - `std` (default): the system's clocks, [`ThreadEntropy`], and the functions that need no object. Without it the crate is
//!   `no_std` without `alloc`; the platform implements [`idcore::Clock`] and [`Entropy`], and forks are not detected.
//! - `serde`: [`text::TypeId`] and typed ids as strings in human-readable formats, as bytes in others.
//! - `testing`: `idcore::ManualClock` as a clock.

#![no_std]
// Two files of `text` allow it: `ascii.rs` and `digits/sse2.rs` say why.
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "std", test))]
extern crate std;

mod base;
mod clock;
mod entropy;
mod ext;
mod format;
mod generator;
#[cfg(feature = "std")]
mod global;
mod process;
#[doc = include_str!("../RFC9562.md")]
pub mod rfc9562 {}
mod state;
mod sync;
pub mod text;
mod unordered;

pub use self::clock::{ClockFor, SubMsClock};
#[cfg(feature = "std")]
pub use self::entropy::ThreadEntropy;
pub use self::entropy::{Entropy, EntropyError};
pub use self::ext::{
    DceFields, FreeFields, GregorianFields, IdRange, UlidExt, UlidFields, UuidExt, UuidFields, V7Fields,
};
pub use self::format::{DefaultEntropy, Format, UlidMonotonic, UlidRandom, V7Counter, V7Random, V7SubMs};
pub use self::generator::{BackFill, BuildError, Builder, FillError, Generator, IssueError, Local};
#[cfg(feature = "std")]
pub use self::global::{ulid, uuidv4, uuidv7};
pub use self::state::Stats;
// For the code that `typed_id!` writes.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde as __serde;
#[doc(hidden)]
pub use uuid as __uuid;

pub use self::unordered::{RandomUlid, RandomUuid};
