//! The kinds of ids, each as a type: how a slot of the state word, a base and random bits become an id.

mod ulid;
mod v7;

use idcore::{Clock, UnixTime};

pub use self::ulid::{UlidMonotonic, UlidRandom};
pub use self::v7::{V7Counter, V7Random, V7SubMs};
#[cfg(feature = "std")]
use crate::ThreadEntropy;
use crate::clock::ClockFor;
use crate::generator::Builder;
use crate::state::COUNTER_BITS;

/// A kind of id that a [`Generator`](crate::Generator) makes.
///
/// | format | id | after the milliseconds | source |
/// |---|---|---|---|
/// | [`V7Counter`] | [`uuid::Uuid`] | counter of 20 bits, 54 random bits | RFC 9562 section 6.2, method 1 |
/// | [`V7Random`] | [`uuid::Uuid`] | 74 bits that grow by random steps | method 2 |
/// | [`V7SubMs`] | [`uuid::Uuid`] | 12 bits of 1/4096 ms, counter of 8 bits, 54 random bits | method 3 |
/// | [`UlidMonotonic`] | [`ulid::Ulid`](::ulid::Ulid) | 80 bits that grow by one | ULID specification, monotonicity |
/// | [`UlidRandom`] | [`ulid::Ulid`](::ulid::Ulid) | 80 bits that grow by random steps | the same, where the next id must not be guessed |
///
/// Implemented by these five types, and by no others.
pub trait Format: sealed::Spec + 'static {
    /// The settings of a generator with this clock.
    fn generator_with<C: ClockFor<Self>>(clock: C) -> Builder<Self, C, DefaultEntropy>
    where
        Self: Sized,
    {
        Builder::new(clock)
    }

    /// The settings of a generator with the system's clock.
    #[cfg(feature = "std")]
    fn generator() -> Builder<Self, idcore::SystemClock, ThreadEntropy>
    where
        Self: Sized,
        idcore::SystemClock: ClockFor<Self>,
    {
        Builder::new(idcore::SystemClock)
    }
}

/// What generators take their entropy from if nothing else is named.
#[cfg(feature = "std")]
pub type DefaultEntropy = ThreadEntropy;

/// Without `std` there is no entropy by default: [`Builder::entropy`] names one.
#[cfg(not(feature = "std"))]
pub type DefaultEntropy = ();

pub(crate) mod sealed {
    use super::{Bits, UnixTime};

    /// The part of a format that is not for users.
    pub trait Spec {
        /// The type of its ids.
        type Id: Copy + Ord + core::fmt::Debug + Send;

        /// Bits of the counter within a unit of time.
        const UNIT_BITS: u32 = super::COUNTER_BITS;
        /// Bits of a unit's first counter that are random; the counter's top bit is not among them.
        const SEED_BITS: u32 = 0;
        /// Whether ids begin from the base of their millisecond.
        const HAS_BASE: bool = false;
        /// Fresh random bits of each id.
        const RANDOM_BITS: u32;
        /// Bits after the time that can be chosen freely.
        const FREE_BITS: u32;

        /// The first slot of the unit of time that the clock reads, in its millisecond.
        fn unit_of(_: UnixTime) -> u64 {
            0
        }

        /// The id of a slot.
        fn id(bits: Bits) -> Self::Id;

        /// The id of a time below 2^48 ms, and of the free bits.
        fn with_free_bits(unix_ms: u64, free: u128) -> Self::Id;

        /// The time of an id, if it is of this format.
        fn unix_ms(id: Self::Id) -> Option<u64>;
    }
}

/// What an id is made of.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// The slot `{ unix_ms:44, counter:20 }`.
    pub(crate) slot: u64,
    /// Fresh random bits.
    pub(crate) random: u64,
    /// The base of the slot's millisecond, 128 random bits; 0 for formats without one.
    pub(crate) base: u128,
}

impl Bits {
    pub(crate) const fn unix_ms(self) -> u64 {
        self.slot >> COUNTER_BITS
    }

    pub(crate) const fn counter(self) -> u64 {
        self.slot & ((1 << COUNTER_BITS) - 1)
    }

    /// The base's lowest bits, one fewer than `free_bits`: the top bit of what grows is its guard.
    pub(crate) const fn guarded_base(self, free_bits: u32) -> u128 {
        self.base & ((1 << (free_bits - 1)) - 1)
    }

    /// The counter's step of 2^`step_bits`, and as many random bits on top.
    pub(crate) const fn random_steps(self, step_bits: u32) -> u128 {
        ((self.counter() as u128) << step_bits) + (self.random >> (u64::BITS - step_bits)) as u128
    }
}

impl<F: sealed::Spec + 'static> Format for F {}

/// A clock that any format can be made of; see [`ClockFor`].
impl<C: Clock> ClockFor<V7Counter> for C {}
impl<C: Clock> ClockFor<V7Random> for C {}
impl<C: Clock> ClockFor<UlidMonotonic> for C {}
impl<C: Clock> ClockFor<UlidRandom> for C {}
