//! The bodies of the fuzz targets: any bytes, and equality, order and the oracle's word to be held against.
//!
//! `fuzz/` calls them with what libFuzzer makes up; `tests/corpus.rs` with what is committed in `fuzz/corpus`.

mod formats_text;
mod id_text;
mod layout_spec;

pub use self::formats_text::{formats_text, formats_text_read};
pub use self::id_text::id_text;
pub use self::layout_spec::layout_spec;
use crate::formats::{FormatScenario, FormatSeen};
use crate::scenario::{Scenario, Seen};

/// Operations on a generator under a clock that is moved about: see [`Scenario`].
///
/// # Panics
///
/// When the generator does anything but what the oracle says.
pub fn generator_ops(data: &[u8]) {
    let _seen: Seen = Scenario::from_bytes(data).run();
}

/// The same for UUIDs of version 7 and ULIDs: see [`FormatScenario`].
///
/// # Panics
///
/// When the generator does anything but what the oracle says.
pub fn formats_ops(data: &[u8]) {
    let _seen: FormatSeen = FormatScenario::from_bytes(data).run();
}
