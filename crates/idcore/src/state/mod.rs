//! The state of a generator: one word, its pure transitions, and the only places that change it.
//!
//! The word is `{ closed:1, tick, sequence }`: the next free slot, the tick above the sequence, both together at most 63
//! bits. Node bits are not in it, so that a carry out of the sequence goes into the tick.
//!
//! 1. Every success makes the word strictly greater: by an exchange, which replaces exactly the word it was computed from,
//!    or by an addition, behind the [gate]. So the ranges that are taken are disjoint: that is the whole argument for
//!    uniqueness, and it needs no ordering.
//! 2. A verdict (behind, exhausted) is final only when the clock was read after the word it is held against: a thread that
//!    was paused between the two would otherwise see a clock step that never happened.
//! 3. The ceiling only rises. Stopping is the closed bit, which stays.
//!
//! Nothing outside this module touches a generator's atomics.

mod ceiling;
mod cell;
mod counters;
mod gate;
mod register;
mod waiters;
mod word;

pub(crate) use self::ceiling::Ceiling;
pub(crate) use self::cell::State;
pub(crate) use self::counters::Counters;
pub use self::counters::Stats;
pub(crate) use self::gate::Gate;
pub(crate) use self::register::{Claim, ENTRIES, Key, Unclaimed};
pub(crate) use self::waiters::{Bookings, Share, Waiters, Waiting};
pub(crate) use self::word::{Bounds, Refused, Taken, Word};
