//! The shared word, and the only places that change it. The rules are those of the [module](super).

use core::hint;

use crossbeam_utils::{Backoff, CachePadded};

use super::gate::Gate;
use super::word::{Bounds, COUNTER_BITS, MS_END, Refused, Taken, Word};
use crate::sync::{AtomicU64, Ordering};

/// From this counter on the gate is shut, so that the counter's end is met by an exchange, which seeds what follows it.
const OPEN_COUNTER_END: u64 = (1 << COUNTER_BITS) - (1 << 12);

/// A thread takes so many slots, a power of two, before it looks whether others want the line too.
const STREAK: u64 = 16;

/// How long it then leaves the line to them, in spin hints: long enough for a streak of theirs.
const STAND_BACK: u32 = 256;

/// The shared word of a generator `{ unix_ms:44, counter:20 }`, on cache lines of its own. Its gate lies elsewhere, on one that
/// is mostly read.
#[derive(Debug)]
pub(crate) struct State(CachePadded<AtomicU64>);

impl State {
    pub(crate) fn new(word: Word) -> Self {
        Self(CachePadded::new(AtomicU64::new(word.0)))
    }

    /// Takes a slot of the millisecond `now_ms` by one addition, if its gate is open.
    ///
    /// None means no more than that it is worth looking closely; a slot of another time, where a thread that was paused
    /// between gate and addition has come too late, is given up.
    #[inline]
    pub(crate) fn take_open(&self, gate: &Gate, now_ms: u64) -> Option<u64> {
        if !gate.is_open_at(now_ms) {
            return None;
        }
        // ORDERING: Relaxed, an addition goes on with the release sequence of the exchange that brought this millisecond, and
        // whoever loads the word sees the clock behind that. Models: `clock_is_never_behind_an_addition`,
        // `gate_against_exchange`.
        let slot = self.0.fetch_add(1, Ordering::Relaxed);
        if Word::ms_of_slot(slot) != now_ms || counter_of(slot) >= OPEN_COUNTER_END {
            gate.shut(now_ms);
            return (Word::ms_of_slot(slot) == now_ms).then_some(slot);
        }
        if slot % STREAK == 0 {
            self.stand_back(slot + 1);
        }
        Some(slot)
    }

    /// Leaves the line to others, if there are any, so that each has it for a streak and not for one slot.
    #[inline]
    fn stand_back(&self, next: u64) {
        // ORDERING: Relaxed, only to see whether others are at it.
        if cfg!(not(idcore_loom)) && self.0.load(Ordering::Relaxed) != next {
            for _ in 0..STAND_BACK {
                hint::spin_loop();
            }
        }
    }

    /// Takes up to `n` slots for a clock that has just been read.
    ///
    /// The clock is older than the word, so a refusal is a hint only: [`take_exact`](Self::take_exact) decides.
    pub(crate) fn take(&self, gate: &Gate, n: u64, bounds: Bounds) -> Option<Taken> {
        let mut word = self.load();
        let backoff = Backoff::new();
        loop {
            let (taken, next) = word.take(n, bounds).ok()?;
            match self.exchange(word, next) {
                Ok(()) => {
                    open_or_shut(gate, taken, bounds);
                    return Some(taken);
                }
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
        gate: &Gate,
        n: u64,
        mut bounds: impl FnMut() -> Result<Bounds, E>,
    ) -> Result<Taken, E> {
        loop {
            let word = self.load();
            let bounds = bounds()?;
            let (taken, next) = word.take(n, bounds)?;
            if self.exchange(word, next).is_ok() {
                open_or_shut(gate, taken, bounds);
                return Ok(taken);
            }
        }
    }

    /// Gives up what is left of the millisecond of the last slot before `seen`, a word of this state. To do so twice changes
    /// nothing.
    pub(crate) fn skip_ms(&self, seen: Word) {
        let next_ms = Word::ms_of_slot(seen.0.saturating_sub(1)).saturating_add(1).min(MS_END - 1);
        // ORDERING: AcqRel, as in `load` and `exchange`; it comes before the exchange of the lineage. Model:
        // `renewal_keeps_order`.
        self.0.fetch_max(Word::slot_of_ms(next_ms), Ordering::AcqRel);
    }

    /// The next free slot: a moment's value.
    pub(crate) fn load(&self) -> Word {
        // ORDERING: Acquire pairs with the Release of `exchange`: whoever sees a word also sees the clock that
        // its writer saw, so a clock read after this load cannot be older than the word. Model: `clock_is_never_behind`.
        Word(self.0.load(Ordering::Acquire))
    }

    fn exchange(&self, current: Word, next: Word) -> Result<(), Word> {
        // ORDERING: Release publishes the clock reading behind `next`: see `load`. Relaxed on failure, since the word that won
        // decides nothing but the next exchange; a refusal loads it again. Uniqueness needs neither.
        match self.0.compare_exchange_weak(current.0, next.0, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            Err(seen) => Err(Word(seen)),
        }
    }
}

/// Opens the gate of the clock's millisecond while the word is in it, seeded and with slots left; shuts any gate otherwise, so
/// that an addition does not take the first slot of a carry, which is to be seeded.
fn open_or_shut(gate: &Gate, taken: Taken, bounds: Bounds) {
    let next = taken.first + taken.len;
    let is_whole_ms = bounds.unit_bits == COUNTER_BITS;
    let is_now = Word::ms_of_slot(taken.first) == bounds.now_ms && Word::ms_of_slot(next) == bounds.now_ms;
    // Not in the last millisecond of the word, where an addition could wrap.
    if is_whole_ms && is_now && counter_of(next) < OPEN_COUNTER_END && bounds.now_ms + 1 < MS_END {
        gate.open(bounds.now_ms);
    } else {
        gate.shut_any();
    }
}

fn counter_of(slot: u64) -> u64 {
    slot & ((1 << COUNTER_BITS) - 1)
}
