//! What can be wrong with a layout, with a value for one of its fields, or with a range of time.

use core::fmt;

use super::field::Name;
use crate::snippet::Snippet;
use crate::time::UnixMillis;

/// A layout that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutError(pub(super) LayoutFault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayoutFault {
    TickMs { tick_ms: u32 },
    FieldCount { count: usize },
    FieldBits { index: usize, bits: u32 },
    FieldName { index: usize, name: Snippet },
    FieldTwice { index: usize, first: usize, name: Name },
    TotalBits { bits: u32 },
    TimestampMissing,
    SequenceAboveTimestamp,
    SequenceLeavesNoTick { bits: u32 },
    TimePastMillis { bits: u32 },
}

impl LayoutError {
    /// Stops the compiler (or the program) with this error: for layouts that are constants.
    ///
    /// # Panics
    ///
    /// Always.
    pub const fn panic(self) -> ! {
        match self.0 {
            LayoutFault::TickMs { .. } => panic!("a tick is 1 to 3,600,000 ms"),
            LayoutFault::FieldCount { .. } => panic!("a layout has 1 to 8 fields"),
            LayoutFault::FieldBits { .. } => panic!("a field has 1 to 64 bits"),
            LayoutFault::FieldName { .. } => {
                panic!(
                    "a field's name is 1 to 15 of a-z, 0-9, _ and -, starts with a letter, and is not timestamp or sequence"
                )
            }
            LayoutFault::FieldTwice { .. } => panic!("each field of a layout has a name of its own"),
            LayoutFault::TotalBits { .. } => panic!("the fields of a layout have at most 64 bits together"),
            LayoutFault::TimestampMissing => panic!("a layout has a timestamp"),
            LayoutFault::SequenceAboveTimestamp => panic!("the sequence is below the timestamp"),
            LayoutFault::SequenceLeavesNoTick { .. } => {
                panic!("timestamp and sequence leave at least one tick in 63 bits")
            }
            LayoutFault::TimePastMillis { .. } => panic!("the timestamp ends within 2^63 ms of 1970"),
        }
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            LayoutFault::TickMs { tick_ms } => write!(f, "tick of {tick_ms} ms: expected 1 to 3600000 ms"),
            LayoutFault::FieldCount { count } => write!(f, "{count} fields: expected 1 to 8"),
            LayoutFault::FieldBits { index, bits } => {
                write!(f, "field {} has {bits} bits: expected 1 to 64", index + 1)
            }
            LayoutFault::FieldName { index, name } => write!(
                f,
                "name {name} of field {}: expected 1 to 15 of a-z, 0-9, _ and -, starting with a letter, \
                 and `timestamp` or `sequence` only for those fields",
                index + 1
            ),
            LayoutFault::FieldTwice { index, first, name } => {
                write!(
                    f,
                    "field {} is named `{}`, as field {} is: expected a name of its own",
                    index + 1,
                    name.as_str(),
                    first + 1
                )
            }
            LayoutFault::TotalBits { bits } => write!(f, "{bits} bits in all: expected at most 64"),
            LayoutFault::TimestampMissing => write!(f, "no timestamp among the fields: expected one"),
            LayoutFault::SequenceAboveTimestamp => {
                write!(f, "sequence above the timestamp: expected it below, so that ids sort by time")
            }
            LayoutFault::SequenceLeavesNoTick { bits } => {
                write!(f, "sequence of {bits} bits leaves no tick in the 63 bits of the state: expected fewer bits")
            }
            LayoutFault::TimePastMillis { bits } => {
                write!(
                    f,
                    "timestamp of {bits} bits ends more than 2^63 ms after 1970: expected fewer bits or a shorter tick"
                )
            }
        }
    }
}

impl core::error::Error for LayoutError {}

/// A value that a field of the layout, or the whole of it, cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldError(pub(crate) FieldFault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldFault {
    /// The id has bits above the layout's.
    RawTooLarge {
        raw: u64,
        max: u64,
    },
    /// A signed number that is no id.
    Negative {
        number: i64,
        max: u64,
    },
    /// `name: None` is the worker number as a whole.
    TooLarge {
        name: Option<Name>,
        value: u64,
        max: u64,
    },
    SequenceTooLarge {
        value: u64,
        max: u64,
    },
    Unknown {
        name: Snippet,
    },
    Missing {
        name: Name,
    },
    Twice {
        name: Name,
    },
    BeforeEpoch {
        time: UnixMillis,
        epoch: UnixMillis,
    },
    PastEnd {
        time: UnixMillis,
        end: UnixMillis,
    },
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FieldFault::RawTooLarge { raw, max } => write!(f, "id {raw}: expected at most {max} in this layout"),
            FieldFault::Negative { number, max } => write!(f, "id {number}: expected 0 to {max}"),
            FieldFault::TooLarge { name, value, max } => {
                let name = name.as_ref().map_or("node", Name::as_str);
                write!(f, "{name} {value}: expected 0 to {max} in this layout")
            }
            FieldFault::SequenceTooLarge { value, max } => {
                write!(f, "sequence {value}: expected 0 to {max} in this layout")
            }
            FieldFault::Unknown { name } => write!(f, "{name} is not a field of this layout that takes a value here"),
            FieldFault::Missing { name } => write!(f, "no value for {}: expected one for each field", name.as_str()),
            FieldFault::Twice { name } => write!(f, "two values for {}: expected one", name.as_str()),
            FieldFault::BeforeEpoch { time, epoch } => {
                write!(f, "time {time} ms: expected the layout's epoch, {epoch} ms, or later")
            }
            FieldFault::PastEnd { time, end } => {
                write!(f, "time {time} ms: expected a time before {end} ms, where the layout's timestamp ends")
            }
        }
    }
}

impl core::error::Error for FieldError {}

/// A range of time that has no lowest and highest id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RangeError {
    /// The range ends before it starts.
    Reversed {
        /// Where it starts.
        from: UnixMillis,
        /// Where it ends.
        to: UnixMillis,
    },
    /// A node field is above the timestamp: the ids of a time lie together only within one node.
    NodeNeeded,
    /// The node does not fit the layout.
    Node(FieldError),
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reversed { from, to } => {
                write!(f, "range from {from} ms to {to} ms: expected an end that is not before the start")
            }
            Self::NodeNeeded => {
                write!(f, "no node given: expected one, since a node field of this layout is above the timestamp")
            }
            Self::Node(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for RangeError {}
