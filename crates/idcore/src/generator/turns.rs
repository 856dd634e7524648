//! How callers that find a tick used up take turns.

use core::time::Duration;

use crate::state::{Bookings, Waiters, Waiting};

/// How many callers are woken for a millisecond of a tick, at least. Handles use it up with as few, since a block has at most
/// a sixteenth of a tick; and a wake-up costs a processor some microseconds.
const WOKEN_IN_MS_MIN: u64 = 16;

/// How many callers of one kind are due in one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns<'a> {
    pub(super) waiters: &'a Waiters,
    bookings: &'a Bookings,
    callers: u64,
    sequence_bits: u32,
    tick: Duration,
}

impl<'a> Turns<'a> {
    /// For callers that want `wanted` slots each: as many as a tick has slots for, or as few as it takes to use it up; but
    /// never more than there are slots kept for, one each.
    pub(super) fn of(
        waiters: &'a Waiters,
        bookings: &'a Bookings,
        wanted: u64,
        sequence_bits: u32,
        tick_ms: u32,
    ) -> Self {
        let count = 1 << sequence_bits;
        let few = WOKEN_IN_MS_MIN * u64::from(tick_ms);
        let callers = (count / wanted.max(1)).max(few).min(count / 2).max(1);
        Self { waiters, bookings, callers, sequence_bits, tick: Duration::from_millis(u64::from(tick_ms)) }
    }

    /// Counts a caller that may have an id at `next_tick`, and gives it a turn: the time that it sleeps over until it is due,
    /// at most `max`.
    pub(super) fn join(self, next_tick: u64, max: Duration) -> (Waiting<'a>, Duration) {
        let ticks = if self.waiters.due_besides(None) < self.callers { 0 } else { self.book(next_tick, max) };
        (self.waiters.join(ticks), self.tick.saturating_mul(ticks))
    }

    fn book(self, next_tick: u64, max: Duration) -> u32 {
        let ticks_max = u32::try_from(max.as_nanos() / self.tick.as_nanos()).unwrap_or(u32::MAX);
        let slot_of = |tick: u64| tick.saturating_mul(1 << self.sequence_bits);
        let last = slot_of(next_tick.saturating_add(u64::from(ticks_max)).saturating_add(1)).saturating_sub(1);
        let share = (1 << self.sequence_bits) / self.callers;
        match self.bookings.book(share, slot_of(next_tick), last) {
            Some(slot) => u32::try_from((slot >> self.sequence_bits) - next_tick).unwrap_or(ticks_max),
            None => ticks_max,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Who waits for a layout with so many sequence bits.
    #[derive(Default)]
    struct Queue {
        waiters: Waiters,
        bookings: Bookings,
    }

    impl Queue {
        fn turns(&self, wanted: u64, sequence_bits: u32, tick_ms: u32) -> Turns<'_> {
            Turns::of(&self.waiters, &self.bookings, wanted, sequence_bits, tick_ms)
        }
    }

    /// What each of so many callers sleeps over, in ticks of a millisecond.
    fn turns_of(callers: usize, wanted: u64, sequence_bits: u32, tick_ms: u32) -> Vec<u128> {
        let queue = Queue::default();
        let turns = queue.turns(wanted, sequence_bits, tick_ms);
        let all: Vec<_> = (0..callers).map(|_| turns.join(7, Duration::MAX)).collect();
        all.iter().map(|(_, length)| length.as_millis() / u128::from(tick_ms)).collect()
    }

    fn ticks(turns: &[u128], ticks: u128) -> usize {
        turns.iter().filter(|turn| **turn == ticks).count()
    }

    #[test]
    fn callers_for_one_id_sleep_to_the_next_tick_while_it_has_one_kept_for_each() {
        let turns = turns_of(8_192, 1, 12, 1);
        assert!(turns[..2_048].iter().all(|turn| *turn == 0));
        assert_eq!([0, 1, 2, 3].map(|tick| ticks(&turns, tick)), [4_096, 2_048, 2_048, 0], "the first book nothing");
    }

    #[test]
    fn sixteen_handles_are_due_in_a_tick_of_a_millisecond() {
        for wanted in [256, 4_096, u64::MAX] {
            let turns = turns_of(80, wanted, 12, 1);
            assert_eq!([0, 1, 2, 3, 4].map(|tick| ticks(&turns, tick)), [32, 16, 16, 16, 0], "{wanted}");
        }
    }

    #[test]
    fn long_ticks_wake_all_whom_they_have_an_id_for() {
        let turns = turns_of(257, 16, 8, 10);
        assert_eq!([0, 1].map(|tick| ticks(&turns, tick)), [256, 1]);
    }

    #[test]
    fn layouts_with_few_ids_have_turns_too() {
        for (sequence_bits, callers) in [(0, 1), (1, 1), (2, 2), (4, 8)] {
            let turns = turns_of(9 * callers, 1, sequence_bits, 1);
            assert_eq!(
                [0, 1, 7, 8].map(|tick| ticks(&turns, tick)),
                [2 * callers, callers, callers, 0],
                "{sequence_bits}"
            );
        }
    }

    #[test]
    fn a_turn_is_no_longer_than_it_may_be_and_one_that_is_cut_books_nothing() {
        let queue = Queue::default();
        let turns = queue.turns(1, 1, 10);
        let _waiting = queue.waiters.join(0);
        for length in [0, 10, 20, 30, 40] {
            assert_eq!(turns.join(7, 49 * MS).1, length * MS);
        }
        for _ in 0..3 {
            assert_eq!(turns.join(7, 49 * MS).1, 40 * MS);
            assert_eq!(turns.join(7, 9 * MS).1, Duration::ZERO);
        }
        assert_eq!(
            [7, 12, 900].map(|next_tick| turns.join(next_tick, Duration::MAX).1),
            [50 * MS, 10 * MS, Duration::ZERO]
        );
    }

    #[test]
    fn the_last_ticks_of_any_layout_have_turns() {
        for sequence_bits in [0, 1, 22, 62] {
            let queue = Queue::default();
            let turns = queue.turns(u64::MAX, sequence_bits, 1);
            let _waiting = [(); 200].map(|()| queue.waiters.join(0));
            let last_tick = (1 << (63 - sequence_bits)) - 1;
            assert_eq!(turns.join(last_tick, Duration::MAX).1, Duration::ZERO);
            assert!(turns.join(last_tick, Duration::MAX).1 <= MS);
        }
    }
}
