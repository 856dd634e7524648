//! Monotonic ULIDs: `{ unix_ms:48, random:80 }`, of which the 80 bits grow within a millisecond.

use ulid::Ulid;

use super::Bits;
use super::sealed::Spec;
use crate::state::COUNTER_BITS;

const FREE_BITS: u32 = 80;

/// ULID as its specification's section on monotonicity says: the 80 bits of a millisecond are random, and grow by one.
///
/// The top bit of a millisecond's first value is clear, so that they do not come to an end.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct UlidMonotonic;

/// ULID whose 80 bits grow by random steps within a millisecond: the next id cannot be guessed from the last one.
///
/// They are a base, random in each millisecond, with its top bit clear, plus `n × 2^58 + r` for the n-th id, with `r` of 58
/// fresh bits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct UlidRandom;

impl Spec for UlidMonotonic {
    type Id = Ulid;
    const HAS_BASE: bool = true;
    const RANDOM_BITS: u32 = 0;
    const FREE_BITS: u32 = FREE_BITS;

    #[inline]
    fn id(bits: Bits) -> Ulid {
        ulid(bits.unix_ms(), bits.guarded_base(FREE_BITS) + u128::from(bits.counter()))
    }

    fn with_free_bits(unix_ms: u64, free: u128) -> Ulid {
        ulid(unix_ms, free)
    }

    fn unix_ms(id: Ulid) -> Option<u64> {
        Some(id.timestamp_ms())
    }
}

impl Spec for UlidRandom {
    type Id = Ulid;
    const HAS_BASE: bool = true;
    const RANDOM_BITS: u32 = 58;
    const FREE_BITS: u32 = FREE_BITS;

    #[inline]
    fn id(bits: Bits) -> Ulid {
        const STEP_BITS: u32 = UlidRandom::RANDOM_BITS;
        const { assert!(COUNTER_BITS + STEP_BITS < FREE_BITS - 1, "all steps together stay below the guard bit") };
        ulid(bits.unix_ms(), bits.guarded_base(FREE_BITS) + bits.random_steps(STEP_BITS))
    }

    fn with_free_bits(unix_ms: u64, free: u128) -> Ulid {
        ulid(unix_ms, free)
    }

    fn unix_ms(id: Ulid) -> Option<u64> {
        Some(id.timestamp_ms())
    }
}

/// The id of a time below 2^48 ms and of 80 bits.
#[inline]
fn ulid(unix_ms: u64, free: u128) -> Ulid {
    Ulid((u128::from(unix_ms) << FREE_BITS) | (free & ((1 << FREE_BITS) - 1)))
}
