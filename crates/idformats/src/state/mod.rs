//! The shared state of a generator: one word, a gate before it, and the lineage of its keys. All atomics are here.
//!
//! 1. The word `{ unix_ms:44, counter:20 }` is the next free slot. Every change of it reads its immediate predecessor and
//!    installs a greater one, so what two calls take is disjoint, and later takes are greater: that is all that order over
//!    threads needs.
//! 2. The gate holds the clock's millisecond while there are slots in it for sure. Behind it a slot is taken by one addition;
//!    a slot that turns out to be of another millisecond is given up. The gate is a hint: no guarantee hangs on it.
//! 3. A refusal is final only when the clock was read after the word.
//! 4. The bases of methods that count from one (`Lineage`) are derived from a nonce. A forked child skips to the next
//!    millisecond first and exchanges the nonce then: no slot that the parent may have based on the old nonce is taken under
//!    it again, and no slot of a millisecond is based on two.

mod cell;
mod counters;
mod gate;
mod lineage;
mod word;

pub(crate) use self::cell::State;
pub(crate) use self::counters::Counters;
pub use self::counters::Stats;
pub(crate) use self::gate::Gate;
pub(crate) use self::lineage::{Lineage, Nonce};
pub(crate) use self::word::{Bounds, COUNTER_BITS, MS_END, Refused, Taken, Word};
