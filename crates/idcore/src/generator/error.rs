//! Why there was no id, or no generator.

use core::fmt;
use core::time::Duration;

use crate::clock::ClockSuspect;
use crate::layout::FieldError;
use crate::state::ENTRIES;
use crate::time::UnixMillis;

/// Why there was no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IssueError {
    /// The generator was closed: it never hands out an id again.
    Closed,
    /// The time that was reserved for this generator is used up: it goes on when the ceiling is raised.
    ReservationEnded {
        /// The ceiling: no id at or past this time.
        until: UnixMillis,
    },
    /// The layout's timestamp has no more values.
    EpochEnded {
        /// What the clock reads.
        now: UnixMillis,
        /// The first time that the layout cannot hold.
        end: UnixMillis,
    },
    /// This process is a fork of the one that built the generator: its ids are the parent's. A child builds a generator
    /// of its own, with another node.
    Forked,
    /// The clock jumped ahead, and is not believed yet.
    ClockSuspect(ClockSuspect),
    /// The clock is behind the last id's time, or before the epoch, by more than the policy waits out.
    ClockBehind {
        /// How far the clock is behind.
        behind: Duration,
        /// The time until an id can be had, if the clock runs on as it should.
        retry_after: Duration,
    },
    /// The ids of the tick are used up, and the policy does not wait for as long as the next one takes.
    Exhausted {
        /// The time until the next tick.
        retry_after: Duration,
    },
}

impl IssueError {
    /// The time after which another try can succeed; none when time alone does not help.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::ClockBehind { retry_after, .. } | Self::Exhausted { retry_after } => Some(*retry_after),
            Self::ClockSuspect(suspect) => Some(suspect.retry_after),
            Self::Closed | Self::Forked | Self::ReservationEnded { .. } | Self::EpochEnded { .. } => None,
        }
    }
}

impl fmt::Display for IssueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => write!(f, "generator is closed"),
            Self::Forked => write!(f, "generator belongs to the parent of this forked process"),
            Self::ClockSuspect(suspect) => suspect.fmt(f),
            Self::ReservationEnded { until } => {
                write!(f, "reserved time ended at {until} ms: expected the ceiling to be raised")
            }
            Self::EpochEnded { now, end } => {
                write!(f, "clock reads {now} ms: layout has no ids at {end} ms or later")
            }
            Self::ClockBehind { behind, retry_after } => {
                write!(f, "clock is {behind:?} behind the last id: next id in {retry_after:?}")
            }
            Self::Exhausted { retry_after } => write!(f, "ids of this tick are used up: next tick in {retry_after:?}"),
        }
    }
}

impl core::error::Error for IssueError {}

/// Why a buffer was not filled, and how far it was. `E` is what the generator says of a single id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FillError<E = IssueError> {
    /// The number of ids at the start of the buffer that are new and the caller's.
    pub filled: usize,
    /// Why there were no more.
    pub error: E,
}

impl<E> FillError<E> {
    /// So many ids, and then the error: for generators of other crates.
    pub const fn new(filled: usize, error: E) -> Self {
        Self { filled, error }
    }
}

impl<E: fmt::Display> fmt::Display for FillError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ids filled, then: {}", self.filled, self.error)
    }
}

impl<E: core::error::Error + 'static> core::error::Error for FillError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Why there is no generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The layout has node fields, and no node was given.
    NodeMissing {
        /// The number of nodes that the layout has.
        count: u64,
    },
    /// The node does not fit the layout.
    Node(FieldError),
    /// A live generator of this process has this layout and node (or another that packs the same bits): two of them would
    /// hand out the same ids.
    NodeInUse {
        /// The worker number.
        node: u64,
    },
    /// This process has had as many layouts and nodes as it can register: 65,536, without `std` 256.
    RegisterFull,
    /// The clock is before the layout's epoch.
    ClockBeforeEpoch {
        /// What the clock reads.
        now: UnixMillis,
        /// The layout's epoch.
        epoch: UnixMillis,
    },
    /// The clock is past the end of the layout's timestamp.
    EpochEnded {
        /// What the clock reads.
        now: UnixMillis,
        /// The first time that the layout cannot hold.
        end: UnixMillis,
    },
    /// A start, a mark or an id to start above leaves no id in the layout.
    StartPastEnd {
        /// The time of that start.
        start: UnixMillis,
        /// The first time that the layout cannot hold.
        end: UnixMillis,
    },
    /// The id to start above is not one of the layout.
    StartId(FieldError),
    /// The start of a tick is spread over all of its ids, or more.
    SequenceStart {
        /// The bits that the start was to be spread over.
        bits: u32,
        /// The bits that the layout's sequence has.
        sequence_bits: u32,
    },
    /// The ceiling is past the end of the layout's timestamp.
    Ceiling(CeilingError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NodeMissing { count } => write!(f, "no node given: expected 0 to {}", count - 1),
            Self::Node(error) => error.fmt(f),
            Self::StartId(error) => write!(f, "id to start above: {error}"),
            Self::NodeInUse { node } => {
                write!(
                    f,
                    "node {node} has a live generator with this layout in this process: expected it to be shared, or dropped first"
                )
            }
            Self::RegisterFull => {
                write!(
                    f,
                    "more than {ENTRIES} layouts and nodes in this process: expected fewer, or unregistered generators"
                )
            }
            Self::ClockBeforeEpoch { now, epoch } => {
                write!(f, "clock reads {now} ms: expected the layout's epoch, {epoch} ms, or later")
            }
            Self::EpochEnded { now, end } => {
                write!(f, "clock reads {now} ms: expected a time before {end} ms, where the layout ends")
            }
            Self::StartPastEnd { start, end } => {
                write!(f, "start at {start} ms: expected a time before {end} ms, where the layout ends")
            }
            Self::SequenceStart { bits, sequence_bits } => {
                write!(
                    f,
                    "sequence start spread over {bits} bits: expected fewer than the {sequence_bits} of the sequence, and at most 31"
                )
            }
            Self::Ceiling(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Node(error) | Self::StartId(error) => Some(error),
            Self::Ceiling(error) => Some(error),
            _ => None,
        }
    }
}

/// A ceiling past the end of the layout's timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CeilingError {
    /// What was asked for.
    pub until: UnixMillis,
    /// The highest ceiling that the layout has.
    pub end: UnixMillis,
}

impl fmt::Display for CeilingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ceiling of {} ms: expected at most {} ms, where the layout ends", self.until, self.end)
    }
}

impl core::error::Error for CeilingError {}
