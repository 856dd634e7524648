//! The ids of a range of time: what `WHERE id BETWEEN lowest AND highest` asks for.

use idcore::{RangeError, UnixMillis};

use crate::format::sealed::Spec;

/// Bits of the time of a version 7 and of a ULID.
const TIME_BITS: u32 = 48;

/// The lowest and the highest id that a range of time can have, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange<I> {
    /// No id of the range is lower.
    pub lowest: I,
    /// No id of the range is higher.
    pub highest: I,
}

/// The ids of a format whose time is `from` or later and before `to`: as `idcore::Layout::range` does it, with the format's
/// 48 bits of Unix milliseconds.
pub(super) fn range<F: Spec>(from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange<F::Id>>, RangeError> {
    if to < from {
        return Err(RangeError::Reversed { from, to });
    }
    // What is before 1970 or past the last time has no ids.
    let clamp = |time: UnixMillis| u64::try_from(time.get()).unwrap_or(0).min(1 << TIME_BITS);
    let (first, end) = (clamp(from), clamp(to));
    if first == end {
        return Ok(None);
    }
    Ok(Some(IdRange {
        lowest: F::with_free_bits(first, 0),
        highest: F::with_free_bits(end - 1, (1 << F::FREE_BITS) - 1),
    }))
}
