//! What a generator does when no id can be had now.

use core::time::Duration;

use crate::mix::mix;

/// What to do when the clock is behind the last id's time by more than ids may run ahead of it.
///
/// The third known answer, a logical clock, is [`ahead_max`](crate::Builder::ahead_max): within it the generator goes on
/// from the last time, and this policy says what happens beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollback {
    /// An error that says by how much.
    Fail,
    /// Waits until the clock has caught up, if that is at most `max` away; otherwise an error at once. A clock that steps
    /// back again meanwhile ends the wait with an error once the bound is used up.
    Wait {
        /// The longest step that is waited out. All waits of one call together may take an eighth more, for a clock that is
        /// being slewed meanwhile.
        max: Duration,
    },
}

/// Waits out a step of up to 5 ms.
impl Default for Rollback {
    fn default() -> Self {
        Self::Wait { max: Duration::from_millis(5) }
    }
}

/// What to do when the ids of the tick are used up.
///
/// The third known answer, borrowing from the time to come, is [`ahead_max`](crate::Builder::ahead_max).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhaustion {
    /// An error that says when the next tick begins.
    Fail,
    /// Sleeps until the next tick begins, and again when other threads have used up that one too.
    Wait {
        /// The longest time that one call sleeps, all together; when the next tick is further away, an error at once.
        max: Duration,
    },
}

/// Waits for up to 5 s: in practice for the next tick.
impl Default for Exhaustion {
    fn default() -> Self {
        Self::Wait { max: Duration::from_secs(5) }
    }
}

impl Rollback {
    /// To fail is to wait for no time at all.
    pub(super) fn wait_max_ns(self) -> u64 {
        match self {
            Self::Fail => 0,
            Self::Wait { max } => saturating_ns(max),
        }
    }
}

impl Exhaustion {
    pub(super) fn wait_max_ns(self) -> u64 {
        match self {
            Self::Fail => 0,
            Self::Wait { max } => saturating_ns(max),
        }
    }
}

/// Nanoseconds; 584 years at the most.
fn saturating_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Where the ids of a tick begin.
///
/// At low rates nearly every id is the first of its tick, with sequence 0, and `id % n` is the same for all of them. Those
/// who choose a shard that way want the start spread out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceStart {
    bits: u32,
    seed: u32,
}

impl SequenceStart {
    /// At sequence 0: every tick has all its ids. The default.
    pub const ZERO: Self = Self { bits: 0, seed: 0 };

    /// At a sequence of 0 to 2^`bits` - 1 that looks random and changes with the tick, at the cost of that many ids of the
    /// tick. It is no secret.
    ///
    /// `bits` must be fewer than the layout's sequence has, and at most 31: building the generator checks that.
    pub const fn spread(bits: u32, seed: u32) -> Self {
        Self { bits, seed }
    }

    pub(super) const BITS_MAX: u32 = 31;

    pub(super) const fn bits(self) -> u32 {
        self.bits
    }

    /// The sequence at which this tick begins.
    #[inline]
    pub(super) fn of_tick(self, tick: u64) -> u64 {
        if self.bits == 0 {
            return 0;
        }
        mix(tick ^ (u64::from(self.seed) << 32)) & ((1 << self.bits) - 1)
    }
}
