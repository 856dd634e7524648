//! The slots that a handle has taken for itself.

use super::wait::Verdict;
use super::{Generator, IssueError};
use crate::clock::Clock;
use crate::layout::Tag;
use crate::state::Share;
use crate::time::UnixMillis;

/// A block has at most the ids of a tick divided by this.
const BLOCKS_IN_TICK_MIN: u64 = 16;

/// What is left of a block, and how large it was.
///
/// A slot of it is handed out while the clock says that it is due: `now <= tick <= now + ahead`. When the tick has passed
/// the rest is dropped; when the clock has gone back it is kept for later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    next: u64,
    end: u64,
    /// The size of the block when it was taken, and the tick that it was taken for.
    size: u64,
    tick: u64,
    /// Slots below this one are due at this time, as was found before.
    due_end: u64,
    due_at: UnixMillis,
}

impl Block {
    pub(super) const EMPTY: Self =
        Self { next: 0, end: 0, size: 0, tick: 0, due_end: 0, due_at: UnixMillis::new(i64::MIN) };

    /// The next slot, when there is one and nothing stands in the way.
    #[inline]
    pub(super) fn take<T: Tag, C: Clock>(&mut self, generator: &Generator<T, C>) -> Option<u64> {
        let now = generator.clock.now().millis();
        if (now != self.due_at || self.next >= self.due_end) && !self.becomes_due(generator, now) {
            return None;
        }
        if !generator.is_open() {
            return None;
        }
        let slot = self.next;
        self.next += 1;
        Some(slot)
    }

    /// Whether the next slot is due now. If it is, so are the others of its tick as long as the clock says the same.
    fn becomes_due<T: Tag, C: Clock>(&mut self, generator: &Generator<T, C>, now: UnixMillis) -> bool {
        let packing = generator.packing();
        let tick = self.next >> packing.sequence_bits();
        // None when the tick has passed.
        let ahead_ticks = packing.tick_of(now).and_then(|now_tick| tick.checked_sub(now_tick));
        if self.next == self.end || ahead_ticks.is_none_or(|ahead_ticks| ahead_ticks > generator.ahead_ticks_max) {
            return false;
        }
        self.due_end = self.end.min((tick + 1) << packing.sequence_bits());
        self.due_at = now;
        true
    }

    /// The next slot, of a new block where need be; waits as the generator's policies say.
    #[cold]
    pub(super) fn take_waiting<T: Tag, C: Clock>(&mut self, generator: &Generator<T, C>) -> Result<u64, IssueError> {
        let size_max = Self::size_max(generator);
        generator.wait_for(size_max, |waiting| self.take_exact(generator, waiting))
    }

    /// The next slot, of a new block where need be, or why there is none.
    #[cold]
    pub(super) fn take_exact<T: Tag, C: Clock>(
        &mut self,
        generator: &Generator<T, C>,
        waiting: Option<Share>,
    ) -> Result<u64, Verdict> {
        let sequence_bits = generator.packing().sequence_bits();
        if let Some(slot) = self.take_due(generator)? {
            return Ok(slot);
        }
        let wanted = self.size_of_next(generator);
        let taken = match generator.take(wanted) {
            Some(taken) => taken,
            None => generator.take_exact(wanted, waiting)?,
        };
        *self = Self {
            next: taken.first + 1,
            end: taken.first + taken.len,
            size: wanted,
            tick: taken.first >> sequence_bits,
            ..Self::EMPTY
        };
        Ok(taken.first)
    }

    /// The next slot of what is left, none when there is nothing left; waits for a clock that is behind it.
    #[cold]
    pub(super) fn take_rest_waiting<T: Tag, C: Clock>(
        &mut self,
        generator: &Generator<T, C>,
    ) -> Result<Option<u64>, IssueError> {
        generator.wait_for(1, |_| self.take_due(generator))
    }

    /// The next slot of what is left, or why it cannot be had now; nothing is left when its tick has passed.
    fn take_due<T: Tag, C: Clock>(&mut self, generator: &Generator<T, C>) -> Result<Option<u64>, Verdict> {
        if self.next == self.end {
            return Ok(None);
        }
        // The clock is read after the block was taken, and the exact one: this verdict is final.
        if generator.is_due(self.next >> generator.packing().sequence_bits())? {
            self.next += 1;
            return Ok(Some(self.next - 1));
        }
        self.next = self.end;
        Ok(None)
    }

    /// One at first in a tick, then twice as many as the last time.
    fn size_of_next<T: Tag, C: Clock>(&self, generator: &Generator<T, C>) -> u64 {
        let packing = generator.packing();
        let now_tick = packing.tick_of(generator.clock.now().millis()).unwrap_or(0);
        // A block that ran ahead of the clock belongs to the same burst.
        if self.tick < now_tick { 1 } else { (self.size * 2).clamp(1, Self::size_max(generator)) }
    }

    fn size_max<T: Tag, C: Clock>(generator: &Generator<T, C>) -> u64 {
        (generator.packing().sequence_count() / BLOCKS_IN_TICK_MIN).max(1)
    }
}
