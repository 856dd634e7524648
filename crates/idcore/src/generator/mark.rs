//! How far a generator has come.

use crate::layout::Layout;
use crate::time::UnixMillis;

/// A high-water mark: the first slot `{ tick, sequence }` of its layout that has not been handed out.
///
/// [`get`](Self::get) gives a number to store, [`new`](Self::new) takes it back, and
/// [`not_before`](crate::Builder::not_before) starts a generator of the same layout there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(u64);

impl Mark {
    /// The mark with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number: the tick above the sequence, as wide as the layout's sequence is.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Layout {
    /// The start of the first tick that is wholly unused: no id at or past this time was handed out before the mark.
    pub const fn first_unused_time(&self, mark: Mark) -> UnixMillis {
        self.packing().time_of_tick(mark.0.div_ceil(self.sequence_count()))
    }
}
