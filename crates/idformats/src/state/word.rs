//! The state word as a plain value, and its transition as a pure function.

/// Bits of the counter in the word `{ unix_ms:44, counter:20 }`.
pub(crate) const COUNTER_BITS: u32 = 20;

/// The first time that the word cannot hold: 2^44 ms, in the year 2527.
pub(crate) const MS_END: u64 = 1 << (u64::BITS - COUNTER_BITS);

/// The first slot that is never taken. What follows is room for additions that come too late, so that they do not wrap the word.
const SLOT_END: u64 = u64::MAX - ((1 << 12) - 1);

/// A snapshot of the state word `{ unix_ms:44, counter:20 }`: the next free slot.
///
/// Method 3 reads it as `{ unix_ms:44, fraction:12, counter:8 }`; to the word that is a clock with a finer unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(pub(super) u64);

/// What a take goes by, apart from the word itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The milliseconds that the clock reads.
    pub(crate) now_ms: u64,
    /// The first slot of the unit of time that the clock reads.
    pub(crate) now_slot: u64,
    /// Bits of the counter within a unit: 20, or 8 where the unit is 1/4096 ms.
    pub(crate) unit_bits: u32,
    /// Where a unit's counter begins that has given out nothing yet: below half of the counter, RFC 9562's rollover guard.
    pub(crate) seed: u64,
    /// How far ahead of the clock a counter that has come to its end may carry the time.
    pub(crate) ahead_ms_max: u64,
    /// How far behind the last slot's time the clock may be.
    pub(crate) rollback_ms_max: u64,
}

/// Slots that belong to the caller alone: `first`, and the `len - 1` after it, all of one unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) first: u64,
    pub(crate) len: u64,
    /// How far their time is ahead of the clock's.
    pub(crate) ahead_ms: u64,
}

/// Why there was no slot to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The clock is behind the last slot's time by more than the bound. The next slot is a millisecond later at most.
    ClockBehind { last_ms: u64, next_ms: u64 },
    /// The counter has come to its end, and its carry would be too far ahead of the clock.
    Exhausted { next_ms: u64 },
    /// The word has no slots left.
    Ended,
}

impl Word {
    /// The word whose next free slot is `slot`.
    pub(crate) const fn at_slot(slot: u64) -> Self {
        Self(slot)
    }

    /// The first slot of a millisecond, which is below [`MS_END`].
    pub(crate) const fn slot_of_ms(ms: u64) -> u64 {
        ms << COUNTER_BITS
    }

    pub(crate) const fn ms_of_slot(slot: u64) -> u64 {
        slot >> COUNTER_BITS
    }

    /// Takes up to `n` slots (`n` at least 1): what was taken and the word that says so, or why not.
    ///
    /// The start is the first of these that holds: the clock's unit, seeded, when the word is older; the unit that a carry
    /// has brought, seeded as well; the next slot.
    #[inline]
    #[must_use = "a transition that is not installed takes nothing"]
    pub(super) fn take(self, n: u64, bounds: Bounds) -> Result<(Taken, Self), Refused> {
        let unit_mask = (1 << bounds.unit_bits) - 1;
        let next = self.0;
        let is_carried = next & unit_mask == 0;
        let start = if next <= bounds.now_slot {
            bounds.now_slot | bounds.seed
        } else {
            self.check_ahead(bounds, is_carried)?;
            if is_carried { next | bounds.seed } else { next }
        };
        let unit_end = (start | unit_mask).saturating_add(1).min(SLOT_END);
        let len = n.min(unit_end.saturating_sub(start));
        if len == 0 {
            return Err(Refused::Ended);
        }
        let ahead_ms = Self::ms_of_slot(start).saturating_sub(bounds.now_ms);
        Ok((Taken { first: start, len, ahead_ms }, Self(start + len)))
    }

    /// Whether the next slot may be taken though it is past the clock.
    fn check_ahead(self, bounds: Bounds, is_carried: bool) -> Result<(), Refused> {
        let ahead_of = |slot: u64| Self::ms_of_slot(slot).saturating_sub(bounds.now_ms);
        let ahead_ms = ahead_of(self.0);
        if ahead_ms <= bounds.ahead_ms_max {
            return Ok(());
        }
        let last = self.0.saturating_sub(1);
        // No carry has brought the last slot this far: the clock went back.
        let went_back = ahead_of(last) > bounds.ahead_ms_max;
        match (is_carried, went_back) {
            (true, false) => Err(Refused::Exhausted { next_ms: Self::ms_of_slot(self.0) }),
            _ if ahead_ms <= bounds.rollback_ms_max => Ok(()),
            _ => Err(Refused::ClockBehind { last_ms: Self::ms_of_slot(last), next_ms: Self::ms_of_slot(self.0) }),
        }
    }
}

#[cfg(test)]
mod tests {
    //! `take` against the design: disjoint, strictly rising ranges; seeds; the bounds ahead of the clock.

    use super::*;

    const COUNTER_END: u64 = 1 << COUNTER_BITS;

    fn bounds(now_ms: u64) -> Bounds {
        Bounds {
            now_ms,
            now_slot: Word::slot_of_ms(now_ms),
            unit_bits: COUNTER_BITS,
            seed: 1_000,
            ahead_ms_max: 2,
            rollback_ms_max: 10,
        }
    }

    fn slot(ms: u64, counter: u64) -> u64 {
        Word::slot_of_ms(ms) + counter
    }

    fn first(next: u64, bounds: Bounds) -> Result<u64, Refused> {
        Word::at_slot(next).take(1, bounds).map(|(taken, word)| {
            assert_eq!(word, Word::at_slot(taken.first + 1));
            taken.first
        })
    }

    #[test]
    fn a_new_millisecond_is_seeded_and_a_used_one_goes_on() {
        for next in [0, slot(9, 0), slot(9, 77), slot(10, 0)] {
            assert_eq!(first(next, bounds(10)), Ok(slot(10, 1_000)));
        }
        assert_eq!(first(slot(10, 1), bounds(10)), Ok(slot(10, 1)));
        assert_eq!(first(slot(10, COUNTER_END - 1), bounds(10)), Ok(slot(10, COUNTER_END - 1)));
    }

    #[test]
    fn many_are_of_one_unit_and_no_more_than_are_left() {
        let (taken, word) = Word::at_slot(slot(10, 5)).take(u64::MAX, bounds(10)).expect("the rest of the millisecond");
        assert_eq!((taken.first, taken.len, word), (slot(10, 5), COUNTER_END - 5, Word::at_slot(slot(11, 0))));
        let fine = Bounds { unit_bits: 8, now_slot: slot(10, 3 << 8), seed: 100, ..bounds(10) };
        let (taken, word) = Word::at_slot(0).take(u64::MAX, fine).expect("the rest of the fraction");
        assert_eq!((taken.first, taken.len, word), (slot(10, (3 << 8) + 100), 156, Word::at_slot(slot(10, 4 << 8))));
        assert_eq!(first(word.0, fine), Ok(slot(10, (4 << 8) + 100)), "a carry is seeded");
    }

    #[test]
    fn a_carry_is_seeded_and_bounded() {
        assert_eq!(first(slot(11, 0), bounds(10)), Ok(slot(11, 1_000)));
        assert_eq!(first(slot(12, 0), bounds(10)), Ok(slot(12, 1_000)));
        assert_eq!(first(slot(13, 0), bounds(10)), Err(Refused::Exhausted { next_ms: 13 }));
        assert_eq!(first(slot(13, 0), bounds(11)), Ok(slot(13, 1_000)));
        let ahead_ms = |next| Word::at_slot(next).take(9, bounds(10)).map(|(taken, _)| taken.ahead_ms);
        assert_eq!([slot(9, 0), slot(10, 3), slot(12, 0)].map(ahead_ms), [Ok(0), Ok(0), Ok(2)]);
    }

    #[test]
    fn a_clock_that_went_back_is_followed_up_to_the_bound() {
        for last_ms in [13, 20] {
            assert_eq!(first(slot(last_ms, 7), bounds(10)), Ok(slot(last_ms, 7)));
        }
        assert_eq!(first(slot(21, 7), bounds(10)), Err(Refused::ClockBehind { last_ms: 21, next_ms: 21 }));
        // The end of a counter far ahead: no carry has brought it there.
        assert_eq!(first(slot(20, 0), bounds(10)), Ok(slot(20, 1_000)));
        assert_eq!(first(slot(21, 0), bounds(10)), Err(Refused::ClockBehind { last_ms: 20, next_ms: 21 }));
        let no_rollback = Bounds { rollback_ms_max: 0, ..bounds(10) };
        assert_eq!(first(slot(12, 7), no_rollback), Ok(slot(12, 7)), "within what carries may bring");
        assert_eq!(first(slot(13, 7), no_rollback), Err(Refused::ClockBehind { last_ms: 13, next_ms: 13 }));
    }

    #[test]
    fn the_word_ends_before_it_wraps() {
        let last = bounds(MS_END - 1);
        assert_eq!(first(0, last), Ok(slot(MS_END - 1, 1_000)));
        let (taken, word) = Word::at_slot(slot(MS_END - 1, 1_000)).take(u64::MAX, last).expect("the last millisecond");
        assert_eq!(taken.first + taken.len, SLOT_END);
        assert_eq!(word.take(1, last), Err(Refused::Ended));
        assert_eq!(first(u64::MAX, last), Err(Refused::Ended), "after additions that came too late");
    }
}
