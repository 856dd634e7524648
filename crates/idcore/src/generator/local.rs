//! A thread's own handle on a generator: it takes blocks, and hands out their ids without touching the shared word.

use core::fmt;
use core::ops::Deref;

use super::block::Block;
use super::{FillError, Generator, IssueError};
use crate::clock::Clock;
use crate::id::Snowflake;
use crate::layout::Tag;

/// A handle on a generator for one thread: its ids come from blocks that it takes for itself.
///
/// For threads that make many ids: the word that all threads share is exchanged once for a block, not once for an id. `G` is
/// a reference to the generator, or an `Arc` of it.
///
/// - Ids of a handle increase strictly. Ids of several handles interleave within a tick.
/// - An id's time is the clock's, as without a handle: what is left of a block when its tick has passed is dropped.
/// - Blocks begin at one id, double within a tick, and have at most a sixteenth of its ids: a thread that makes few wastes
///   few.
/// - A closed generator's handles are closed too: the ids of their blocks are below the mark, and are not handed out.
///
/// # Examples
///
/// ```
/// use idcore::{Standard, StaticLayout};
///
/// let ids = Standard::generator().node(18).build()?;
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

impl<T: Tag, C: Clock> Generator<T, C> {
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

impl<T: Tag, C: Clock, G: Deref<Target = Generator<T, C>>> Local<G> {
    /// The next id; waits as the generator's policies say.
    ///
    /// # Errors
    ///
    /// As for [`Generator::next_id`].
    #[inline]
    pub fn next_id(&mut self) -> Result<Snowflake<T>, IssueError> {
        let generator = &*self.generator;
        match self.block.take(generator) {
            Some(slot) => Ok(generator.id_of(slot)),
            None => self.block.take_waiting(generator).map(|slot| generator.id_of(slot)),
        }
    }

    /// The next id, if there is one now; never waits.
    ///
    /// # Errors
    ///
    /// As for [`Generator::try_next_id`].
    #[inline]
    pub fn try_next_id(&mut self) -> Result<Snowflake<T>, IssueError> {
        let generator = &*self.generator;
        let slot = match self.block.take(generator) {
            Some(slot) => slot,
            None => self.block.take_exact(generator, None).map_err(|verdict| verdict.error)?,
        };
        Ok(generator.id_of(slot))
    }

    /// Fills a buffer with new ids, the rest of the block first: also when that takes a wait for a clock that went back.
    ///
    /// # Errors
    ///
    /// As for [`Generator::fill`].
    pub fn fill(&mut self, ids: &mut [Snowflake<T>]) -> Result<(), FillError> {
        let generator = &*self.generator;
        let mut filled = 0;
        while filled < ids.len() {
            let slot = match self.block.take(generator) {
                Some(slot) => Some(slot),
                None => self.block.take_rest_waiting(generator).map_err(|error| FillError { filled, error })?,
            };
            let Some(slot) = slot else { break };
            ids[filled] = generator.id_of(slot);
            filled += 1;
        }
        if filled == ids.len() {
            return Ok(());
        }
        self.block = Block::EMPTY;
        generator.fill(&mut ids[filled..]).map_err(|rest| FillError { filled: filled + rest.filled, error: rest.error })
    }
}

impl<G> fmt::Debug for Local<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("block", &self.block).finish_non_exhaustive()
    }
}
