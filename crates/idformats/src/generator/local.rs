//! A thread's own handle on a generator: it takes blocks, and hands out their ids without touching the shared word.

use core::fmt;
use core::ops::Deref;

use idcore::Clock;

use super::take::now_ms;
use super::{FillError, Generator, IssueError};
use crate::entropy::Entropy;
use crate::format::Format;
use crate::state::{Nonce, Word};

/// A block has at most so many ids.
const BLOCK_LEN_MAX: u64 = 256;

/// A handle on a generator for one thread: its ids come from blocks that it takes for itself. `G` is a reference to the
/// generator, or an `Arc` of it.
///
/// - Ids of a handle increase strictly. Ids of several handles interleave within a millisecond.
/// - An id's time is the clock's, as without a handle: what is left of a block when its time has passed is dropped.
/// - Blocks begin at one id, double within a unit of time, and have at most 256, or a sixteenth of what the unit has.
///
/// # Examples
///
/// ```
/// use idformats::{Format, UlidMonotonic};
///
/// let ids = UlidMonotonic::generator().build()?;
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| {
///             let mut ids = ids.local();
///             (0..1_000).map(|_| ids.next_id()).collect::<Result<Vec<_>, _>>()
///         });
///     }
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Local<G> {
    generator: G,
    block: Block,
}

/// What is left of a block, and how large it was.
#[derive(Clone, Copy)]
struct Block {
    next: u64,
    end: u64,
    len: u64,
    /// What its ids are based on; none before the first block.
    nonce: Option<Nonce>,
}

impl Block {
    const EMPTY: Self = Self { next: 0, end: 0, len: 0, nonce: None };
}

impl<F: Format, C: Clock, E: Entropy> Generator<F, C, E> {
    /// A handle for this thread.
    pub fn local(&self) -> Local<&Self> {
        Local::new(self)
    }
}

impl<G> Local<G> {
    /// A handle on a generator behind a reference or an `Arc`.
    pub const fn new(generator: G) -> Self {
        Self { generator, block: Block::EMPTY }
    }

    /// The generator.
    pub const fn generator(&self) -> &G {
        &self.generator
    }
}

impl<F: Format, C: Clock, E: Entropy, G: Deref<Target = Generator<F, C, E>>> Local<G> {
    /// The next id; waits as the generator's policy says.
    ///
    /// # Errors
    ///
    /// As for [`Generator::next_id`].
    #[inline]
    pub fn next_id(&mut self) -> Result<F::Id, IssueError> {
        let generator = &*self.generator;
        let random = generator.random()?;
        let nonce = generator.nonce()?;
        let slot = match self.block.take(generator, nonce) {
            Some(slot) => slot,
            None => self.block.renew(generator, random, nonce)?,
        };
        Ok(generator.id_of(slot, random, nonce))
    }

    /// Fills a buffer with new ids, which come after the block; what is left of that is dropped.
    ///
    /// # Errors
    ///
    /// As for [`Generator::fill`].
    pub fn fill(&mut self, ids: &mut [F::Id]) -> Result<(), FillError> {
        if !ids.is_empty() {
            self.block = Block::EMPTY;
        }
        self.generator.fill(ids)
    }
}

impl Block {
    /// The next slot, when there is one of this process and its time has not passed.
    #[inline]
    fn take<F: Format, C: Clock, E: Entropy>(&mut self, generator: &Generator<F, C, E>, nonce: Nonce) -> Option<u64> {
        if self.next == self.end || self.nonce != Some(nonce) || generator.clock.suspicion().is_some() {
            return None;
        }
        let now = generator.clock.now();
        let now_ms = now_ms(now).ok()?;
        let unit = |slot: u64| slot >> F::UNIT_BITS;
        let has_passed = unit(self.next) < unit(Word::slot_of_ms(now_ms) | F::unit_of(now));
        let ahead_ms = Word::ms_of_slot(self.next).saturating_sub(now_ms);
        if has_passed || ahead_ms > generator.rollback_ms_max.max(generator.ahead_ms_max) {
            return None;
        }
        if ahead_ms > 0 {
            generator.counters.ahead(1, ahead_ms);
        }
        self.next += 1;
        Some(self.next - 1)
    }

    /// The first slot of a new block: of one slot for a new unit of time, of twice as many as the last within one.
    #[cold]
    fn renew<F: Format, C: Clock, E: Entropy>(
        &mut self,
        generator: &Generator<F, C, E>,
        random: u64,
        nonce: Nonce,
    ) -> Result<u64, IssueError> {
        let len_max = BLOCK_LEN_MAX.min(1 << (F::UNIT_BITS - 4));
        let wanted = if self.is_used_up() { (self.len * 2).clamp(1, len_max) } else { 1 };
        let taken = match generator.take(wanted, random)? {
            Some(taken) => taken,
            None => generator.take_waiting(wanted, random)?,
        };
        generator.count_ahead(taken, 1);
        *self = Self { next: taken.first + 1, end: taken.first + taken.len, len: wanted, nonce: Some(nonce) };
        Ok(taken.first)
    }

    /// Whether all ids of the block were wanted before their time had passed.
    fn is_used_up(self) -> bool {
        self.next == self.end
    }
}

impl<G> fmt::Debug for Local<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("left", &(self.block.end - self.block.next)).finish_non_exhaustive()
    }
}
