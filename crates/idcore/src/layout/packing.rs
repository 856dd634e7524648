//! Between slots of the state word and packed ids: shifts that were derived once.

use crate::time::UnixMillis;

/// A layout is wide with 2^20 ids or more in a millisecond: 1 ns each. The models' layouts have fewer.
const WIDE_BITS_IN_MS: u32 = if cfg!(idcore_loom) { 2 } else { 20 };

/// What the hot path needs of a layout: one register's worth of shifts, the epoch and the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Packing {
    pub(super) epoch: UnixMillis,
    pub(super) tick_ms: u32,
    pub(super) timestamp_shift: u8,
    pub(super) timestamp_bits: u8,
    pub(super) sequence_shift: u8,
    pub(super) sequence_bits: u8,
}

impl Packing {
    #[inline]
    pub(crate) const fn sequence_bits(&self) -> u32 {
        self.sequence_bits as u32
    }

    pub(crate) const fn tick_ms(&self) -> u32 {
        self.tick_ms
    }

    #[inline]
    pub(crate) const fn sequence_count(&self) -> u64 {
        1 << self.sequence_bits
    }

    /// Whether a tick has more ids than can be asked for in its time.
    #[inline]
    pub(crate) const fn is_wide(&self) -> bool {
        self.sequence_count() >> WIDE_BITS_IN_MS >= self.tick_ms as u64
    }

    /// The tick of a time in a wide layout; of a time before the epoch or of one that is too far from it, a number that is
    /// no tick.
    ///
    /// A difference that is negative becomes 2^63 or more, and a wide layout lasts for 2^43 ms at most.
    #[inline]
    pub(crate) const fn wide_tick_of(&self, time: UnixMillis) -> u64 {
        let Some(since_epoch_ms) = time.get().checked_sub(self.epoch.get()) else { return u64::MAX };
        let since_epoch_ms = u64::from_ne_bytes(since_epoch_ms.to_ne_bytes());
        if self.tick_ms == 1 { since_epoch_ms } else { since_epoch_ms / self.tick_ms as u64 }
    }

    /// The tick of a time; none before the epoch.
    #[inline]
    pub(crate) const fn tick_of(&self, time: UnixMillis) -> Option<u64> {
        if time.get() < self.epoch.get() {
            return None;
        }
        let since_epoch_ms = time.get().abs_diff(self.epoch.get());
        // The division is by a constant in layouts known when compiling, and by one in most.
        Some(if self.tick_ms == 1 { since_epoch_ms } else { since_epoch_ms / self.tick_ms as u64 })
    }

    /// The first tick that starts at `time` or later: 0 before the epoch.
    pub(crate) const fn tick_from(&self, time: UnixMillis) -> u64 {
        if time.get() <= self.epoch.get() {
            return 0;
        }
        time.get().abs_diff(self.epoch.get()).div_ceil(self.tick_ms as u64)
    }

    /// The start of a tick. Saturates past the layout's end, where no id is.
    pub(crate) const fn time_of_tick(&self, tick: u64) -> UnixMillis {
        let since_epoch_ms = tick.saturating_mul(self.tick_ms as u64);
        UnixMillis::new(self.epoch.get().saturating_add_unsigned(since_epoch_ms))
    }

    /// The number of ticks that a generator can issue.
    ///
    /// Tick and sequence share 63 bits of the state word, and the word after the last slot must fit them too: a layout that
    /// needs them all gives up its last tick.
    pub(crate) const fn tick_count(&self) -> u64 {
        let in_field = 1u128 << self.timestamp_bits;
        let in_word = (1u128 << (63 - self.sequence_bits as u32)) - 1;
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^63")]
        let count = if in_field < in_word { in_field } else { in_word } as u64;
        count
    }

    /// The id of a slot `{ tick, sequence }`, for a node whose bits are in place already.
    #[inline]
    pub(crate) const fn pack(&self, slot: u64, node_bits: u64) -> u64 {
        let sequence = slot & ((1 << self.sequence_bits) - 1);
        let tick = slot >> self.sequence_bits;
        (tick << self.timestamp_shift) | (sequence << self.sequence_shift) | node_bits
    }

    /// What tells the ids of two generators apart: everything but how long the timestamp lasts.
    pub(crate) fn identity(&self, node_bits: u64) -> [u64; 3] {
        let epoch = u64::from_ne_bytes(self.epoch.get().to_ne_bytes());
        let shifts = u32::from_be_bytes([self.timestamp_shift, self.sequence_shift, self.sequence_bits, 0]);
        [epoch, (u64::from(self.tick_ms) << 32) | u64::from(shifts), node_bits]
    }

    /// The id without what is above the timestamp: what ids of one node sort by.
    pub(crate) const fn sort_key(&self, raw: u64) -> u64 {
        raw & (u64::MAX >> (64 - self.timestamp_bits as u32 - self.timestamp_shift as u32))
    }

    /// The slot `{ tick, sequence }` of an id; none when tick and sequence have more than 63 bits together.
    pub(crate) const fn slot_of(&self, raw: u64) -> Option<u64> {
        let tick = (raw >> self.timestamp_shift) & (u64::MAX >> (64 - self.timestamp_bits as u32));
        let sequence = (raw >> self.sequence_shift) & ((1 << self.sequence_bits) - 1);
        if tick >= self.tick_count() {
            return None;
        }
        Some((tick << self.sequence_bits) | sequence)
    }
}
