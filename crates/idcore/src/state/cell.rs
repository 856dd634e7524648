//! The shared word, and the only places that change it. The rules are those of the [module](super).

use core::ops::Range;

use crossbeam_utils::{Backoff, CachePadded};

use super::counters::Counters;
use super::word::{Bounds, Refused, Taken, Word};
use crate::sync::{AtomicU64, Ordering};

/// Spin hints for which a thread that has lost the word to another leaves it alone, so that the winner takes many slots before
/// the cache line moves: 12 µs on an AMD EPYC. 64 and 256 gave fewer ids a second there, 1,024 no more.
const STAND_BACK_SPINS: u32 = 512;

/// After so many slots of a tick a thread looks whether others take some too, and stands back if so.
const BURST: u64 = 16;

/// The shared word of a generator `{ closed:1, tick, sequence }`, on cache lines of its own; what there is to count of its
/// troubles is there too, since whoever counts has just had the word.
#[derive(Debug)]
pub(crate) struct State(CachePadded<Shared>);

#[derive(Debug)]
struct Shared {
    word: AtomicU64,
    counters: Counters,
}

impl State {
    pub(crate) fn new(word: Word) -> Self {
        Self(CachePadded::new(Shared { word: AtomicU64::new(word.0), counters: Counters::default() }))
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.0.counters
    }

    /// Takes one slot of a tick for a clock that has just read it: the next, if that is one of these.
    ///
    /// None is a hint only, as in [`take`](Self::take).
    #[inline]
    pub(crate) fn take_one_of(&self, slots: &Range<u64>) -> Option<u64> {
        loop {
            let seen = self.load();
            let next = seen.take_one_of(slots)?;
            if self.exchange(seen, next).is_ok() {
                return Some(seen.slot());
            }
            stand_back();
        }
    }

    /// Takes the next slot, whatever it is, for a thread that has found the gate open for this tick. If the slot is none of
    /// the tick's it is burnt: the tick that the word has come to, above all ticks when it is closed.
    #[inline]
    pub(crate) fn add_one(&self, tick: u64, sequence_bits: u32) -> Result<u64, u64> {
        // ORDERING: Release, as in `exchange`. Uniqueness needs none: the word grows, and the slot is the one by which it
        // grew. Models: `one_id_each_through_the_gate`, `the_gate_over_a_tick_change`.
        let slot = self.0.word.fetch_add(1, Ordering::Release);
        if slot >> sequence_bits != tick {
            return Err(slot >> sequence_bits);
        }
        if slot % BURST == BURST - 1 && self.load().0 != slot + 1 {
            stand_back();
        }
        Ok(slot)
    }

    /// Takes up to `n` slots for a clock that has just been read.
    ///
    /// The clock is older than the word, so a refusal is a hint only: [`take_exact`](Self::take_exact) decides.
    #[inline]
    pub(crate) fn take(&self, n: u64, bounds: Bounds, sequence_bits: u32) -> Option<Taken> {
        let mut word = self.load();
        let backoff = Backoff::new();
        loop {
            let (taken, next) = word.take(n, bounds, sequence_bits).ok()?;
            match self.exchange(word, next) {
                Ok(()) => return Some(taken),
                // The word that won is as good a start: no second load, no second reading of the clock.
                Err(current) => word = current,
            }
            backoff.spin();
        }
    }

    /// Takes up to `n` slots, with the clock read after the word; a refusal is final.
    ///
    /// `bounds` is called once for every attempt. An attempt fails only when another thread's succeeded.
    pub(crate) fn take_exact<E: From<Refused>>(
        &self,
        n: u64,
        sequence_bits: u32,
        mut bounds: impl FnMut(Word) -> Result<Bounds, E>,
    ) -> Result<Taken, E> {
        loop {
            let word = self.load();
            let (taken, next) = word.take(n, bounds(word)?, sequence_bits)?;
            if self.exchange(word, next).is_ok() {
                return Ok(taken);
            }
        }
    }

    pub(crate) fn load(&self) -> Word {
        // ORDERING: Acquire pairs with the Release of `exchange`: whoever sees a word also sees the clock that its writer
        // saw, so a clock read after this load cannot be older than the word. Model: `ticker_is_never_behind`.
        Word(self.0.word.load(Ordering::Acquire))
    }

    fn exchange(&self, current: Word, next: Word) -> Result<(), Word> {
        // ORDERING: Release publishes the clock reading behind `next`: see `load`. Relaxed on failure, since the word that won
        // decides nothing but the next exchange; a refusal loads it again. Uniqueness needs neither: rule 1. Models:
        // `ticker_is_never_behind`, `one_id_each`.
        match self.0.word.compare_exchange_weak(current.0, next.0, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            Err(seen) => Err(Word(seen)),
        }
    }

    /// Sets the closed bit; the word as it was then, whose slot is the first that no call ever takes.
    pub(crate) fn close(&self) -> Word {
        // ORDERING: AcqRel, so that whoever reads the mark has everything that led to it, and what follows the closing is
        // seen by those that find it closed. Model: `close_is_final`.
        Word(self.0.word.fetch_or(Word::CLOSED_BIT, Ordering::AcqRel))
    }
}

/// Leaves the word to whoever has it.
#[cold]
fn stand_back() {
    for _ in 0..STAND_BACK_SPINS {
        core::hint::spin_loop();
    }
}
