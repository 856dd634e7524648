//! Snowflake ids from one `AtomicU64`, lock-free, for any layout and any clock.
//!
//! ```
//! use idcore::{Standard, StaticLayout};
//!
//! let ids = Standard::generator().node(17).build()?;
//! let id = ids.next_id()?;
//! println!("{id} was made at {} ms by node {}", id.time(), id.node());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Generator`]: hands out ids; its page lists the guarantees, and what happens when the clock goes back, a tick is used
//!   up, reserved time or the layout ends.
//! - [`Layout`]: how the 64 bits are divided; [`presets`] has Twitter's, Discord's, Instagram's and more.
//! - [`Snowflake`]: an id, its text and its fields. [`Layout::range`] gives the ids of a range of time.
//! - [`Clock`]: where time comes from.
//!
//! # What this crate does not do
//!
//! It does not hand out worker numbers: two *processes* with one node hand out the same ids. Ids of this crate tell their
//! time, their node and how busy it is: they are no secrets.
//!
//! # Features
//!
//! - `std` (default): `SystemClock`, sleeping, and the register of nodes in use in the process. Without it the crate is
//!   `no_std` without `alloc`, and the platform implements [`Clock`].
//! - `serde`: ids as strings in human-readable formats, as integers in others.
//! - `spec`: layouts as text.
//! - `tokio`: `next_id_async`, which waits without blocking a thread.
//! - `testing`: `ManualClock`.
//!
//! The target needs 64-bit atomics.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "std", test))]
extern crate std;

mod clock;
mod fork;
mod generator;
mod id;
mod layout;
mod mix;
mod snippet;
mod state;
mod sync;
mod time;

pub use self::clock::{Clock, ClockSuspect, PublishedClock};
#[cfg(feature = "testing")]
pub use self::clock::{ManualClock, OnSleep};
#[cfg(feature = "std")]
pub use self::clock::{MonotonicClock, SystemClock, SystemTimes, TickerClock, Times};
pub use self::fork::ForkGuard;
pub use self::generator::{
    BuildError, Builder, CeilingError, Exhaustion, FillError, Generator, IssueError, Local, Mark, Reserved, Rollback,
    SequenceStart,
};
pub use self::id::{DynSnowflake, ParseIdError, Snowflake, Text};
#[cfg(feature = "spec")]
pub use self::layout::ParseLayoutError;
pub use self::layout::presets::{
    self, Discord, Instagram, JavaScript, Mastodon, Sonyflake, Sonyflake2, Standard, Tsid, Twitter, Wide,
};
pub use self::layout::{
    Decoded, Dyn, Field, FieldError, FieldKind, IdRange, Layout, LayoutError, Lifetime, PlacedField, RangeError,
    StaticLayout, Tag,
};
pub use self::state::Stats;
pub use self::time::{UnixMillis, UnixTime};
