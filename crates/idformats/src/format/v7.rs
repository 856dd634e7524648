//! UUID version 7 by the three methods of RFC 9562 section 6.2.

use idcore::UnixTime;
use uuid::Uuid;

use super::Bits;
use super::sealed::Spec;
use crate::state::COUNTER_BITS;

/// Bits of an id of version 7 that are neither time nor version nor variant: `rand_a` of 12, `rand_b` of 62.
const FREE_BITS: u32 = 74;
const RAND_B_BITS: u32 = 62;
/// Random bits below the counter of methods 1 and 3.
const TAIL_BITS: u32 = FREE_BITS - COUNTER_BITS;

/// UUID version 7 by method 1: a counter right after the timestamp.
///
/// `{ unix_ms:48, version:4, counter:12, variant:2, counter:8, random:54 }`. The counter's seed is random in each millisecond,
/// with its top bit clear; the 54 bits are fresh in each id.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct V7Counter;

/// UUID version 7 by method 2: the random bits of a millisecond grow by random steps.
///
/// The 74 bits are a base, random in each millisecond, with its top bit clear, plus `n × 2^52 + r` for the n-th id, with `r`
/// of 52 fresh bits: steps of 1 to 2^53 - 1. The next id cannot be guessed from the last one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct V7Random;

/// UUID version 7 by method 3: more of the clock in place of random bits.
///
/// `{ unix_ms:48, version:4, fraction:12, variant:2, counter:8, random:54 }`. The fraction counts 1/4096 ms; within one the
/// counter is seeded with 7 random bits, and its end carries into the fraction.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct V7SubMs;

impl Spec for V7Counter {
    type Id = Uuid;
    const SEED_BITS: u32 = COUNTER_BITS - 1;
    const RANDOM_BITS: u32 = TAIL_BITS;
    const FREE_BITS: u32 = FREE_BITS;

    #[inline]
    fn id(bits: Bits) -> Uuid {
        counted(bits)
    }

    fn with_free_bits(unix_ms: u64, free: u128) -> Uuid {
        v7(unix_ms, free)
    }

    fn unix_ms(id: Uuid) -> Option<u64> {
        unix_ms(id)
    }
}

impl Spec for V7Random {
    type Id = Uuid;
    const HAS_BASE: bool = true;
    const RANDOM_BITS: u32 = 52;
    const FREE_BITS: u32 = FREE_BITS;

    #[inline]
    fn id(bits: Bits) -> Uuid {
        const STEP_BITS: u32 = V7Random::RANDOM_BITS;
        const { assert!(COUNTER_BITS + STEP_BITS < FREE_BITS - 1, "all steps together stay below the guard bit") };
        v7(bits.unix_ms(), bits.guarded_base(FREE_BITS) + bits.random_steps(STEP_BITS))
    }

    fn with_free_bits(unix_ms: u64, free: u128) -> Uuid {
        v7(unix_ms, free)
    }

    fn unix_ms(id: Uuid) -> Option<u64> {
        unix_ms(id)
    }
}

impl Spec for V7SubMs {
    type Id = Uuid;
    const UNIT_BITS: u32 = 8;
    const SEED_BITS: u32 = Self::UNIT_BITS - 1;
    const RANDOM_BITS: u32 = TAIL_BITS;
    const FREE_BITS: u32 = FREE_BITS;

    #[inline]
    fn unit_of(now: UnixTime) -> u64 {
        const FRACTION_BITS: u32 = COUNTER_BITS - V7SubMs::UNIT_BITS;
        const NANOS_PER_MILLI: u64 = 1_000_000;
        ((u64::from(now.sub_ms_nanos()) << FRACTION_BITS) / NANOS_PER_MILLI) << Self::UNIT_BITS
    }

    #[inline]
    fn id(bits: Bits) -> Uuid {
        counted(bits)
    }

    fn with_free_bits(unix_ms: u64, free: u128) -> Uuid {
        v7(unix_ms, free)
    }

    fn unix_ms(id: Uuid) -> Option<u64> {
        unix_ms(id)
    }
}

/// What the word counts, right after the time, and fresh random bits after that.
#[inline]
fn counted(bits: Bits) -> Uuid {
    let tail = bits.random >> (u64::BITS - TAIL_BITS);
    let counter = bits.counter();
    let high = (bits.unix_ms() << 16) | VERSION | (counter >> (COUNTER_BITS - 12));
    let low = VARIANT | ((counter << TAIL_BITS) & RAND_B) | tail;
    Uuid::from_u64_pair(high, low)
}

const VERSION: u64 = 7 << 12;
const VARIANT: u64 = 0b10 << RAND_B_BITS;
const RAND_B: u64 = (1 << RAND_B_BITS) - 1;

/// The id of a time below 2^48 ms and of 74 bits: `{ unix_ms:48, version:4, rand_a:12, variant:2, rand_b:62 }`.
#[inline]
fn v7(unix_ms: u64, free: u128) -> Uuid {
    let [rand_a, rand_b] = halves(free);
    Uuid::from_u64_pair((unix_ms << 16) | VERSION | rand_a, VARIANT | rand_b)
}

/// `{ rand_a:12, rand_b:62 }`.
#[inline]
fn halves(free: u128) -> [u64; 2] {
    let bytes = free.to_le_bytes();
    let word =
        |half: usize| u64::from_le_bytes(*bytes[half * 8..].first_chunk().expect("sixteen bytes are two times eight"));
    let (low, high) = (word(0), word(1));
    [((high << 2) | (low >> RAND_B_BITS)) & 0xFFF, low & RAND_B]
}

fn unix_ms(id: Uuid) -> Option<u64> {
    let (high, _) = id.as_u64_pair();
    (id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122).then_some(high >> 16)
}
