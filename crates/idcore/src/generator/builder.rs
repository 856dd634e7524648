//! How a generator is made: everything is checked here, so that nothing is masked to fit later.

use core::marker::PhantomData;
use core::time::Duration;

use super::{BuildError, Exhaustion, Generator, Mark, Rollback, SequenceStart, ceiling_tick};
use crate::clock::Clock;
use crate::fork::ForkGuard;
use crate::id::Snowflake;
use crate::layout::{Layout, Packing, Tag};
use crate::state::{Bookings, Ceiling, Claim, Gate, Key, State, Unclaimed, Waiters, Word};
use crate::time::UnixMillis;

/// Settings of a [`Generator`] to be.
#[derive(Clone, Copy, Debug)]
#[must_use = "a builder makes a generator when `build` is called"]
pub struct Builder<T, C> {
    layout: Layout,
    clock: C,
    node: Option<u64>,
    rollback: Rollback,
    exhaustion: Exhaustion,
    ahead_max: Duration,
    sequence_start: SequenceStart,
    ceiling: Option<UnixMillis>,
    start: Option<UnixMillis>,
    mark_slot: u64,
    id_above: Option<u64>,
    registered: bool,
    tag: PhantomData<fn() -> T>,
}

impl<T, C> Builder<T, C> {
    pub(crate) fn new(layout: Layout, clock: C) -> Self {
        Self {
            layout,
            clock,
            node: None,
            rollback: Rollback::default(),
            exhaustion: Exhaustion::default(),
            ahead_max: Duration::ZERO,
            sequence_start: SequenceStart::ZERO,
            ceiling: None,
            start: None,
            mark_slot: 0,
            id_above: None,
            registered: true,
            tag: PhantomData,
        }
    }

    /// The worker number. Needed unless the layout has no node fields; [`Layout::node_of`] makes it of named parts.
    pub fn node(mut self, node: u64) -> Self {
        self.node = Some(node);
        self
    }

    /// What to do when the clock has gone back. By default: wait for up to 5 ms.
    pub fn on_rollback(mut self, policy: Rollback) -> Self {
        self.rollback = policy;
        self
    }

    /// What to do when the ids of a tick are used up. By default: sleep until the next one.
    pub fn on_exhausted(mut self, policy: Exhaustion) -> Self {
        self.exhaustion = policy;
        self
    }

    /// How far ids may run ahead of the clock, rounded down to whole ticks; by default not at all.
    ///
    /// This is the logical clock (after a step back the generator goes on from the last time) and borrowing (a burst uses the
    /// ids of the ticks to come) in one bound, since they are one thing to the state: a last tick that is ahead of the clock.
    /// Ids run ahead only as far as order demands, and come back to the clock as soon as it has passed them.
    pub fn ahead_max(mut self, bound: Duration) -> Self {
        self.ahead_max = bound;
        self
    }

    /// Where the ids of a tick begin. By default: at sequence 0.
    pub fn sequence_start(mut self, start: SequenceStart) -> Self {
        self.sequence_start = start;
        self
    }

    /// No id before this time, rounded up to a tick. Calls before it find the clock behind, or, within the last tick before
    /// it, that tick used up.
    pub fn start_at(mut self, time: UnixMillis) -> Self {
        self.start = Some(time);
        self
    }

    /// No id at or past this time, rounded down to a tick, until the ceiling is raised. By default: the layout's end.
    pub fn ceiling(mut self, until: UnixMillis) -> Self {
        self.ceiling = Some(until);
        self
    }

    /// No id below a mark that a generator of this layout and node has left: for a restart.
    pub fn not_before(mut self, mark: Mark) -> Self {
        self.mark_slot = self.mark_slot.max(mark.get());
        self
    }

    /// No id that does not sort above this one of the same layout: for a restart or a migration from another generator.
    ///
    /// Its node does not matter. In layouts with a node above the timestamp "above" is meant within a node.
    pub fn not_before_id(mut self, id: Snowflake<T>) -> Self {
        self.id_above = self.id_above.max(Some(id.into()));
        self
    }

    /// Builds the generator though another of this layout and node may live in this process, and does not start above what
    /// an earlier one has handed out.
    ///
    /// For those who see to it by other means, such as reserved time, and for tests.
    pub fn unregistered(mut self) -> Self {
        self.registered = false;
        self
    }
}

impl<T: Tag, C: Clock> Builder<T, C> {
    /// The generator.
    ///
    /// # Errors
    ///
    /// When the node is missing, does not fit the layout or is in use in this process; when the clock is before the layout's
    /// epoch or past its end; when a start or a ceiling is past its end.
    pub fn build(self) -> Result<Generator<T, C>, BuildError> {
        let packing = self.layout.packing();
        let node_bits = self.checked_node()?;
        self.check_clock()?;
        self.check_sequence_start()?;
        let ceiling_tick = match self.ceiling {
            Some(until) => ceiling_tick(packing, until).map_err(BuildError::Ceiling)?,
            None => packing.tick_count(),
        };
        let start_slot = self.start_slot(packing, node_bits)?;
        let (claim, start_slot) = self.claim(packing, node_bits, start_slot)?;
        Ok(Generator {
            state: State::new(Word::at_slot(start_slot)),
            gate: Gate::new(start_slot.saturating_sub(1) >> packing.sequence_bits()),
            ceiling: Ceiling::new(ceiling_tick),
            packing,
            node_bits,
            ahead_ticks_max: saturating_millis(self.ahead_max) / u64::from(self.layout.tick_ms()),
            rollback_max_ns: self.rollback.wait_max_ns(),
            exhausted_max_ns: self.exhaustion.wait_max_ns(),
            waiters: Waiters::default(),
            bookings: Bookings::default(),
            #[cfg(feature = "tokio")]
            queue: super::queue::Queue::default(),
            sequence_start: self.sequence_start,
            claim,
            fork: ForkGuard::new(),
            clock: self.clock,
            tag: PhantomData,
        })
    }

    /// The claim on layout and node, if the generator is to be registered, and the slot to start at.
    fn claim(&self, packing: Packing, node_bits: u64, start_slot: u64) -> Result<(Option<Claim>, u64), BuildError> {
        if !self.registered {
            return Ok((None, start_slot));
        }
        match Claim::acquire(Key::of(packing.identity(node_bits))) {
            Ok((claim, mark_slot)) => Ok((Some(claim), start_slot.max(mark_slot))),
            Err(Unclaimed::InUse) => Err(BuildError::NodeInUse { node: self.node.unwrap_or(0) }),
            Err(Unclaimed::Full) => Err(BuildError::RegisterFull),
        }
    }

    fn checked_node(&self) -> Result<u64, BuildError> {
        match self.node {
            None if self.layout.node_bits() > 0 => Err(BuildError::NodeMissing { count: self.layout.node_count() }),
            node => self.layout.place_node(node.unwrap_or(0)).map_err(BuildError::Node),
        }
    }

    fn check_clock(&self) -> Result<(), BuildError> {
        let now = self.clock.now_exact().millis();
        let lifetime = self.layout.lifetime();
        if now < lifetime.first {
            return Err(BuildError::ClockBeforeEpoch { now, epoch: lifetime.first });
        }
        if now >= lifetime.end {
            return Err(BuildError::EpochEnded { now, end: lifetime.end });
        }
        Ok(())
    }

    fn check_sequence_start(&self) -> Result<(), BuildError> {
        let bits = self.sequence_start.bits();
        let sequence_bits = self.layout.sequence_bits();
        if bits > SequenceStart::BITS_MAX || (bits > 0 && bits >= sequence_bits) {
            return Err(BuildError::SequenceStart { bits, sequence_bits });
        }
        Ok(())
    }

    /// The highest of the slots that were asked to start at.
    fn start_slot(&self, packing: Packing, node_bits: u64) -> Result<u64, BuildError> {
        let end = self.layout.lifetime().end;
        let end_slot = packing.tick_count() << packing.sequence_bits();
        let from_time = match self.start.map_or(0, |time| packing.tick_from(time)) {
            tick if tick >= packing.tick_count() => {
                return Err(BuildError::StartPastEnd { start: packing.time_of_tick(tick), end });
            }
            tick => tick << packing.sequence_bits(),
        };
        let from_id = match self.id_above {
            Some(raw) => self.slot_above(packing, raw, node_bits)?,
            None => 0,
        };
        let slot = from_time.max(from_id).max(self.mark_slot);
        if slot >= end_slot {
            let start = packing.time_of_tick(slot >> packing.sequence_bits());
            return Err(BuildError::StartPastEnd { start, end });
        }
        Ok(slot)
    }

    /// The first slot from which every id of this node sorts above `raw`.
    fn slot_above(&self, packing: Packing, raw: u64, node_bits: u64) -> Result<u64, BuildError> {
        self.layout.check_raw(raw).map_err(BuildError::StartId)?;
        let end = self.layout.lifetime().end;
        let slot = packing.slot_of(raw).ok_or(BuildError::StartPastEnd { start: end, end })?;
        let next = slot + 1;
        // With node bits between tick and sequence, a lower node sorts below until the next tick.
        if packing.sort_key(packing.pack(next, node_bits)) > packing.sort_key(raw) {
            return Ok(next);
        }
        Ok(((slot >> packing.sequence_bits()) + 1) << packing.sequence_bits())
    }
}

fn saturating_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
