//! The state word as a plain value, and its transitions as pure functions.

use core::ops::Range;

const CLOSED: u64 = 1 << 63;

/// A snapshot of the state word `{ closed:1, tick, sequence }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(pub(super) u64);

/// What bounds a take, in ticks, apart from the word itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The tick that the clock reads; none before the epoch.
    pub(crate) now_tick: Option<u64>,
    /// Nothing is issued at or past this tick.
    pub(crate) ceiling_tick: u64,
    /// How far the issued tick may be ahead of the clock's.
    pub(crate) ahead_ticks_max: u64,
    /// The place in a tick that has no id yet at which its ids begin.
    pub(crate) sequence_start: u64,
    /// Slots that are kept for others, who have waited for them.
    pub(crate) kept_for_others: u64,
    /// Slots that the caller gets before those are kept: 1 when it has waited itself.
    pub(crate) entitled: u64,
    /// No id was taken in a tick after this one: what the word has passed of those is burnt.
    pub(crate) last_tick_max: u64,
}

/// Slots that belong to the caller alone: `first`, and the `len - 1` after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) first: u64,
    pub(crate) len: u64,
}

/// Why there was no slot to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The generator is closed.
    Closed,
    /// The word or the clock has reached the ceiling.
    AtCeiling,
    /// The clock is behind the last issued tick by more than that may be ahead.
    ClockBehind { last_tick: u64, next_tick: u64 },
    /// Every slot up to the last tick that may be issued now is taken.
    Exhausted { next_tick: u64 },
}

impl Word {
    /// The word whose next free slot is `slot`.
    pub(crate) const fn at_slot(slot: u64) -> Self {
        assert!(slot < CLOSED, "a layout's slots are below the closed bit");
        Self(slot)
    }

    /// The next free slot, whether closed or not.
    pub(crate) const fn slot(self) -> u64 {
        self.0 & !CLOSED
    }

    /// The word that stays, with the same slot.
    pub(super) const CLOSED_BIT: u64 = CLOSED;

    pub(crate) const fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    /// Takes one slot if it is one of these, which are a tick's below the ceiling: the word that says so.
    ///
    /// A closed word is none of them, since the closed bit is above the tick.
    #[inline]
    #[must_use = "a transition that is not installed takes nothing"]
    pub(super) fn take_one_of(self, slots: &Range<u64>) -> Option<Self> {
        slots.contains(&self.0).then_some(Self(self.0 + 1))
    }

    /// Takes up to `n` slots (`n` at least 1): what was taken and the word that says so, or why not.
    #[inline]
    #[must_use = "a transition that is not installed takes nothing"]
    pub(super) fn take(self, n: u64, bounds: Bounds, sequence_bits: u32) -> Result<(Taken, Self), Refused> {
        let Some(now_tick) = bounds.now_tick else {
            return Err(self.refuse(None, bounds, sequence_bits));
        };
        // Clamped before any shift, so that no tick is shifted out of the word.
        let now = now_tick.min(bounds.ceiling_tick);
        // A closed word is past every limit, since the closed bit is above the tick.
        let start = self.0.max((now << sequence_bits) | bounds.sequence_start);
        let end_tick = now.saturating_add(bounds.ahead_ticks_max).saturating_add(1).min(bounds.ceiling_tick);
        let limit = end_tick << sequence_bits;
        if start >= limit {
            return Err(self.refuse(Some(now), bounds, sequence_bits));
        }
        let free = limit - start;
        let len = n.min(free.saturating_sub(bounds.kept_for_others).max(bounds.entitled));
        if len == 0 {
            return Err(Refused::Exhausted { next_tick: end_tick });
        }
        Ok((Taken { first: start, len }, Self(start + len)))
    }

    /// Says why nothing could be taken. The order is that of what can be done about it: nothing, more time from whoever
    /// raises the ceiling, a clock that is put right, patience.
    #[cold]
    fn refuse(self, now: Option<u64>, bounds: Bounds, sequence_bits: u32) -> Refused {
        if self.is_closed() {
            return Refused::Closed;
        }
        let next_tick = self.0 >> sequence_bits;
        if next_tick.max(now.unwrap_or(0)) >= bounds.ceiling_tick {
            return Refused::AtCeiling;
        }
        // A full tick leaves the word at the next one: its last slot tells a full tick from a clock that went back.
        let last_tick = (self.0.saturating_sub(1) >> sequence_bits).min(bounds.last_tick_max);
        match now {
            Some(now) if last_tick <= now.saturating_add(bounds.ahead_ticks_max) => Refused::Exhausted { next_tick },
            _ => Refused::ClockBehind { last_tick, next_tick },
        }
    }
}

#[cfg(test)]
mod tests {
    //! `take` against the design: disjoint strictly rising ranges within the limit, and the precedence of refusals.

    use super::*;

    const S: u32 = 2;

    fn bounds(now_tick: u64, ceiling_tick: u64, ahead_ticks_max: u64) -> Bounds {
        Bounds {
            now_tick: Some(now_tick),
            ceiling_tick,
            ahead_ticks_max,
            sequence_start: 0,
            kept_for_others: 0,
            entitled: 0,
            last_tick_max: u64::MAX,
        }
    }

    #[test]
    fn a_tick_has_its_slots_and_then_is_exhausted() {
        let mut word = Word::at_slot(0);
        for expected in [40, 41, 42, 43] {
            let (taken, next) = word.take(1, bounds(10, 100, 0), S).expect("a free slot");
            assert_eq!(taken, Taken { first: expected, len: 1 });
            word = next;
        }
        assert_eq!(word.take(1, bounds(10, 100, 0), S), Err(Refused::Exhausted { next_tick: 11 }));
        assert_eq!(word.take(1, bounds(11, 100, 0), S).map(|(taken, _)| taken.first), Ok(44));
    }

    #[test]
    fn a_clock_that_went_back_is_told_from_a_full_tick() {
        let partly_used = Word::at_slot(41);
        assert_eq!(
            partly_used.take(1, bounds(9, 100, 0), S),
            Err(Refused::ClockBehind { last_tick: 10, next_tick: 10 })
        );
        let full = Word::at_slot(44);
        assert_eq!(full.take(1, bounds(9, 100, 0), S), Err(Refused::ClockBehind { last_tick: 10, next_tick: 11 }));
        assert_eq!(full.take(1, bounds(9, 100, 1), S), Err(Refused::Exhausted { next_tick: 11 }));
        assert_eq!(full.take(9, bounds(9, 100, 2), S).map(|(taken, _)| taken), Ok(Taken { first: 44, len: 4 }));
    }

    #[test]
    fn burnt_slots_past_a_full_tick_are_no_clock_that_went_back() {
        let burnt = Word::at_slot(46);
        let known = Bounds { last_tick_max: 10, ..bounds(10, 100, 0) };
        assert_eq!(burnt.take(1, known, S), Err(Refused::Exhausted { next_tick: 11 }));
        let behind = Bounds { now_tick: Some(9), ..known };
        assert_eq!(burnt.take(1, behind, S), Err(Refused::ClockBehind { last_tick: 10, next_tick: 11 }));
        let issued = Bounds { last_tick_max: 11, ..known };
        assert_eq!(burnt.take(1, issued, S), Err(Refused::ClockBehind { last_tick: 11, next_tick: 11 }));
    }

    #[test]
    fn nothing_is_taken_at_or_past_the_ceiling() {
        assert_eq!(Word::at_slot(0).take(1, bounds(10, 10, 5), S), Err(Refused::AtCeiling));
        assert_eq!(Word::at_slot(0).take(1, bounds(u64::MAX, 10, u64::MAX), S), Err(Refused::AtCeiling));
        assert_eq!(Word::at_slot(40).take(1, bounds(3, 10, u64::MAX), S), Err(Refused::AtCeiling));
        let (taken, next) = Word::at_slot(0).take(u64::MAX, bounds(9, 10, u64::MAX), S).expect("one tick is left");
        assert_eq!((taken, next), (Taken { first: 36, len: 4 }, Word::at_slot(40)));
    }

    #[test]
    fn closed_comes_before_all_else() {
        let closed = Word(Word::at_slot(40).0 | CLOSED);
        assert_eq!(closed.slot(), 40);
        for now_tick in [Some(0), Some(9), Some(10), Some(50), Some(u64::MAX), None] {
            let bounds = Bounds { now_tick, ..bounds(0, 50, 3) };
            assert_eq!(closed.take(1, bounds, S), Err(Refused::Closed));
        }
    }

    #[test]
    fn a_time_before_the_epoch_is_a_clock_behind_and_never_tick_zero() {
        let bounds = Bounds { now_tick: None, ..bounds(0, 50, 50) };
        assert_eq!(Word::at_slot(0).take(1, bounds, S), Err(Refused::ClockBehind { last_tick: 0, next_tick: 0 }));
    }

    #[test]
    fn slots_are_kept_for_those_who_have_waited() {
        let hot = Bounds { kept_for_others: 3, ..bounds(10, 100, 0) };
        let (taken, next) = Word::at_slot(0).take(9, hot, S).expect("one of four is not kept");
        assert_eq!(taken, Taken { first: 40, len: 1 });
        assert_eq!(next.take(1, hot, S), Err(Refused::Exhausted { next_tick: 11 }));
        let waited = Bounds { kept_for_others: 2, entitled: 1, ..bounds(10, 100, 0) };
        assert_eq!(next.take(9, waited, S).map(|(taken, _)| taken.len), Ok(1));
        let many_waited = Bounds { kept_for_others: 50, entitled: 1, ..bounds(10, 100, 0) };
        assert_eq!(next.take(9, many_waited, S).map(|(taken, _)| taken.len), Ok(1));
        assert_eq!(Word::at_slot(44).take(1, many_waited, S), Err(Refused::Exhausted { next_tick: 11 }));
    }

    #[test]
    fn a_new_tick_begins_where_it_is_told_to_and_a_used_one_goes_on() {
        let at_two = Bounds { sequence_start: 2, ..bounds(10, 100, 0) };
        let (taken, next) = Word::at_slot(40).take(1, at_two, S).expect("two of four are left");
        assert_eq!((taken.first, next), (42, Word::at_slot(43)));
        assert_eq!(next.take(9, at_two, S).map(|(taken, _)| taken), Ok(Taken { first: 43, len: 1 }));
        assert_eq!(Word::at_slot(44).take(1, at_two, S), Err(Refused::Exhausted { next_tick: 11 }));
    }

    #[test]
    fn the_last_slots_of_the_word_do_not_reach_the_closed_bit() {
        for sequence_bits in [0, 1, 22, 62] {
            let ceiling = (1 << (63 - sequence_bits)) - 1;
            let (taken, next) = Word::at_slot(0)
                .take(u64::MAX, bounds(u64::MAX - 1, ceiling + 1, 0), sequence_bits)
                .map_or_else(|_| Word::at_slot(0).take(u64::MAX, bounds(ceiling - 1, ceiling, 0), sequence_bits), Ok)
                .expect("the last tick is free");
            assert_eq!(taken.first + taken.len, next.slot());
            assert!(!next.is_closed());
        }
    }
}
