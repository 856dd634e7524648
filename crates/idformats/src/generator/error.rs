//! Why there was no id, or no generator.

use core::fmt;
use core::time::Duration;

use idcore::{ClockSuspect, UnixMillis};

use crate::EntropyError;

/// Why there was no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IssueError {
    /// The clock is behind the last id's time by more than the bound.
    ClockBehind {
        /// How far the clock is behind.
        behind: Duration,
        /// The time until an id can be had, if the clock runs on as it should.
        retry_after: Duration,
    },
    /// The clock jumped ahead, and is not believed yet.
    ClockSuspect(ClockSuspect),
    /// The counter has come to its end, and going on would be too far ahead of the clock.
    Exhausted {
        /// The time until the clock has come near enough.
        retry_after: Duration,
    },
    /// A time before 1970, or one that these ids cannot hold.
    TimeOutOfRange {
        /// The time.
        unix_ms: UnixMillis,
        /// The first time that is too late.
        end: UnixMillis,
    },
    /// No random bits.
    Entropy(EntropyError),
    /// The process is a fork of a fork, and so on, deeper than can be told apart.
    Forked {
        /// The number of forks between the first process and this one.
        depth: u64,
    },
    /// The ids of a [`BackFill`](crate::BackFill) are used up.
    BackFillEnded,
}

impl IssueError {
    /// The time after which another try can succeed; none when time alone does not help.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::ClockBehind { retry_after, .. } | Self::Exhausted { retry_after } => Some(*retry_after),
            Self::ClockSuspect(suspect) => Some(suspect.retry_after),
            Self::TimeOutOfRange { .. } | Self::Entropy(_) | Self::Forked { .. } | Self::BackFillEnded => None,
        }
    }
}

impl fmt::Display for IssueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClockBehind { behind, retry_after } => {
                write!(f, "clock is {behind:?} behind the last id: next id in {retry_after:?}")
            }
            Self::ClockSuspect(suspect) => suspect.fmt(f),
            Self::Exhausted { retry_after } => {
                write!(f, "counter is used up and the time ahead of the clock: next id in {retry_after:?}")
            }
            Self::TimeOutOfRange { unix_ms, end } => {
                write!(f, "time {unix_ms} ms is out of range: expected 0 to {} ms", end.get() - 1)
            }
            Self::Entropy(error) => error.fmt(f),
            Self::Forked { depth } => write!(f, "process is {depth} forks deep: expected fewer, or a new program"),
            Self::BackFillEnded => write!(f, "ids of this time are used up: expected another back-fill handle"),
        }
    }
}

impl core::error::Error for IssueError {}

impl From<EntropyError> for IssueError {
    fn from(error: EntropyError) -> Self {
        Self::Entropy(error)
    }
}

/// Why a buffer was not filled, and how far it was.
pub type FillError = idcore::FillError<IssueError>;

/// Why there was no generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// No random bits.
    Entropy(EntropyError),
    /// The time to start at, or of the id to start above, is one that the generator cannot hold.
    StartOutOfRange {
        /// The time.
        unix_ms: UnixMillis,
        /// The first time that is too late.
        end: UnixMillis,
    },
    /// The id to start above is not of the generator's format.
    StartFormat,
    /// The process is a fork of a fork, and so on, deeper than can be told apart.
    Forked {
        /// The number of forks between the first process and this one.
        depth: u64,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entropy(error) => error.fmt(f),
            Self::StartOutOfRange { unix_ms, end } => {
                write!(f, "start at {unix_ms} ms is out of range: expected 0 to {} ms", end.get() - 1)
            }
            Self::StartFormat => {
                write!(f, "id to start above is of another format: expected one that this generator makes")
            }
            Self::Forked { depth } => write!(f, "process is {depth} forks deep: expected fewer, or a new program"),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<EntropyError> for BuildError {
    fn from(error: EntropyError) -> Self {
        Self::Entropy(error)
    }
}
