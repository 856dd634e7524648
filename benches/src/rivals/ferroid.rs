//! ferroid's shared atomic generator, on its ticker clock, with its state padded to cache lines.
//!
//! A caller must say what to do when there is no id or another thread won the race. Three usual
//! answers are measured; the best one for a row stands for the crate in that row.

use std::{convert::Infallible, hint, thread, time::Duration};

use ::ferroid::{
    define_snowflake_id,
    generator::AtomicSnowflakeGenerator,
    id::{SnowflakeId, SnowflakeTwitterId},
    time::{MonotonicClock, TWITTER_EPOCH},
};

use crate::harness::Mint;

define_snowflake_id!(
    /// The wide layout: 41 bits of time, 22 of sequence.
    WideId, u64,
    reserved: 1,
    timestamp: 41,
    machine_id: 0,
    sequence: 22
);

type Atomic<I> = AtomicSnowflakeGenerator<I, MonotonicClock<1>>;

/// The crate's own type on the Twitter layout.
pub(crate) type TwitterGenerator = Atomic<SnowflakeTwitterId>;

/// What a caller does when it is told to wait for some milliseconds, or to try again at once (0).
#[derive(Clone, Copy)]
pub(crate) enum Backoff {
    /// Spins.
    Spin,
    /// Gives the rest of its time slice away.
    Yield,
    /// Spins after a lost race, sleeps as long as it is told otherwise.
    Sleep,
}

impl Backoff {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Spin, Self::Yield, Self::Sleep];

    /// The name of the crate with this setting.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Spin => "ferroid (spin)",
            Self::Yield => "ferroid (yield)",
            Self::Sleep => "ferroid (sleep)",
        }
    }
}

/// A generator and what its callers do to wait.
pub(crate) struct Ferroid<I: SnowflakeId<Ty = u64>> {
    generator: Atomic<I>,
    backoff: Backoff,
}

impl<I: SnowflakeId<Ty = u64>> Ferroid<I> {
    fn new(machine: u64, backoff: Backoff) -> Self {
        Self { generator: AtomicSnowflakeGenerator::new(machine, MonotonicClock::with_epoch(TWITTER_EPOCH)), backoff }
    }
}

/// On the Twitter layout.
pub(crate) fn twitter(backoff: Backoff) -> Ferroid<SnowflakeTwitterId> {
    Ferroid::new(1, backoff)
}

/// On the wide layout.
pub(crate) fn wide(backoff: Backoff) -> Ferroid<WideId> {
    Ferroid::new(0, backoff)
}

impl<I: SnowflakeId<Ty = u64> + Sync> Mint for Ferroid<I> {
    type Error = Infallible;

    #[inline]
    fn mint(&self) -> Result<u64, Infallible> {
        let id = match self.backoff {
            Backoff::Spin => self.generator.next_id(|_| hint::spin_loop()),
            Backoff::Yield => self.generator.next_id(|_| thread::yield_now()),
            Backoff::Sleep => self.generator.next_id(|ms| match ms {
                0 => hint::spin_loop(),
                ms => thread::sleep(Duration::from_millis(ms)),
            }),
        };
        Ok(id.to_raw())
    }
}
