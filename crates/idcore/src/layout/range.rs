//! The ids of a range of time: what `WHERE id BETWEEN lowest AND highest` asks for.

use super::Layout;
use super::error::RangeError;
use super::field::FieldKind;
use crate::time::UnixMillis;

/// The lowest and the highest id that a range of time can have, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange {
    /// No id of the range is lower.
    pub lowest: u64,
    /// No id of the range is higher.
    pub highest: u64,
}

impl Layout {
    /// The ids of all nodes whose time is `from` or later and before `to`; none when no id has such a time.
    ///
    /// The time of an id is the start of its tick. What is before the epoch or past the layout's end has no ids.
    ///
    /// # Errors
    ///
    /// When `to` is before `from`, or when a node field is above the timestamp, so that the ids of a time lie together only
    /// within one node: use [`range_of_node`](Self::range_of_node).
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::{StaticLayout, Twitter, UnixMillis};
    ///
    /// let day = UnixMillis::new(1_656_374_400_000)..UnixMillis::new(1_656_460_800_000); // 2022-06-28
    /// let ids = Twitter::LAYOUT.range(day.start, day.end)?.expect("the day has ids");
    /// assert!((ids.lowest..=ids.highest).contains(&1_541_815_603_606_036_480));
    /// # Ok::<(), idcore::RangeError>(())
    /// ```
    pub fn range(&self, from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange>, RangeError> {
        if self.has_node_above_timestamp() {
            return Err(RangeError::NodeNeeded);
        }
        self.range_above(0, from, to)
    }

    /// As [`range`](Self::range), within one worker number's part of the id space.
    ///
    /// Node fields below the timestamp do not narrow the range: ids of several nodes lie between each other there.
    ///
    /// # Errors
    ///
    /// When `to` is before `from`, or the worker number does not fit the layout.
    pub fn range_of_node(&self, node: u64, from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange>, RangeError> {
        let node_bits = self.place_node(node).map_err(RangeError::Node)?;
        self.range_above(node_bits, from, to)
    }

    fn range_above(&self, node_bits: u64, from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange>, RangeError> {
        if to < from {
            return Err(RangeError::Reversed { from, to });
        }
        let tick_max = u64::MAX >> (64 - self.timestamp_bits());
        let first = self.packing.tick_from(from);
        let end = self.packing.tick_from(to);
        if first >= end || first > tick_max {
            return Ok(None);
        }
        let last = (end - 1).min(tick_max);
        let shift = self.packing.timestamp_shift;
        // What is above the timestamp stays as it is, what is below is all zeros or all ones.
        let above = node_bits & !((tick_max << shift) | self.below_timestamp());
        Ok(Some(IdRange {
            lowest: above | (first << shift),
            highest: above | (last << shift) | self.below_timestamp(),
        }))
    }

    const fn below_timestamp(&self) -> u64 {
        (1 << self.packing.timestamp_shift) - 1
    }

    fn has_node_above_timestamp(&self) -> bool {
        self.fields()[0].kind() == FieldKind::Node
    }
}
