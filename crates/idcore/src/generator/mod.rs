//! The generator: a clock, a state word and a packing.

mod block;
mod builder;
mod error;
mod local;
mod mark;
mod policy;
#[cfg(feature = "tokio")]
mod queue;
mod reserved;
mod take;
#[cfg(feature = "tokio")]
mod tokio;
mod turns;
mod wait;

use core::fmt;
use core::marker::PhantomData;

pub use self::builder::Builder;
pub use self::error::{BuildError, CeilingError, FillError, IssueError};
pub use self::local::Local;
pub use self::mark::Mark;
pub use self::policy::{Exhaustion, Rollback, SequenceStart};
pub use self::reserved::Reserved;
use crate::clock::Clock;
use crate::fork::ForkGuard;
use crate::id::Snowflake;
use crate::layout::{Packing, Tag, packing_of};
use crate::state::{Bookings, Ceiling, Claim, Gate, State, Stats, Waiters};
use crate::time::UnixMillis;

/// Hands out ids of one layout and one node to any number of threads, without a lock.
///
/// `T` is the layout, or [`Dyn`](crate::Dyn) for a layout that is a value; `C` is the [`Clock`]. Share it by reference or
/// `Arc`. [`StaticLayout::generator`](crate::StaticLayout::generator) and [`Layout::generator`](crate::Layout::generator)
/// begin one.
///
/// # Guarantees
///
/// - No id twice, by any number of threads and under any clock: each call takes slots by one exchange of one word, or by one
///   addition to it, and the word only ever grows. (Two generators of one layout need two nodes; in one process the second is refused.)
/// - Ids increase strictly in the order in which calls take them, so also for each thread that calls the generator. (A
///   handle takes its blocks ahead: its own ids increase strictly, and interleave with those of other calls.)
/// - An id's time is the clock's, rounded down to the tick, or at most [`ahead_max`](Builder::ahead_max) ahead of it.
/// - Nothing blocks but a wait that a policy allows, and each wait has a bound.
///
/// | what happens | what the generator does |
/// |---|---|
/// | clock goes back | [`Rollback`]: waits for up to 5 ms, then an error; within `ahead_max` it goes on |
/// | ids of a tick used up | [`Exhaustion`]: sleeps until the next tick; within `ahead_max` it borrows |
/// | ceiling reached | [`IssueError::ReservationEnded`], until [`raise_ceiling`](Self::raise_ceiling) |
/// | process forked | [`IssueError::Forked`] in the child, for good |
/// | end of the timestamp | [`IssueError::EpochEnded`], never a wrapped id |
/// | restart | starts at the clock; [`not_before`](Builder::not_before) or [`start_at`](Builder::start_at) for more |
///
/// # Examples
///
/// ```
/// use idcore::{Standard, StaticLayout};
///
/// let ids = Standard::generator().node(17).build()?;
/// let (one, two) = (ids.next_id()?, ids.next_id()?);
/// assert!(one < two);
/// assert_eq!(one.node(), 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Generator<T, C> {
    state: State,
    ceiling: Ceiling,
    gate: Gate,
    packing: Packing,
    node_bits: u64,
    ahead_ticks_max: u64,
    rollback_max_ns: u64,
    exhausted_max_ns: u64,
    waiters: Waiters,
    bookings: Bookings,
    #[cfg(feature = "tokio")]
    queue: queue::Queue,
    sequence_start: SequenceStart,
    claim: Option<Claim>,
    fork: ForkGuard,
    clock: C,
    tag: PhantomData<fn() -> T>,
}

#[cfg(all(feature = "std", not(feature = "tokio")))]
const _: () = assert!(size_of::<Generator<crate::Dyn, crate::SystemClock>>() <= 256);

impl<T: Tag, C: Clock> Generator<T, C> {
    /// The next id; waits as the policies say.
    ///
    /// # Errors
    ///
    /// What no policy waits for: see [`IssueError`].
    #[inline]
    pub fn next_id(&self) -> Result<Snowflake<T>, IssueError> {
        let slot = self.take_one().or_else(|now| self.take_one_waiting(now))?;
        Ok(self.id_of(slot))
    }

    /// The next id, if there is one now; never waits.
    ///
    /// # Errors
    ///
    /// Whatever is in the way; [`retry_after`](IssueError::retry_after) says for how long.
    #[inline]
    pub fn try_next_id(&self) -> Result<Snowflake<T>, IssueError> {
        let slot = self.take_one().or_else(|now| self.take_one_exact(now))?;
        Ok(self.id_of(slot))
    }

    /// Fills a buffer with new ids, strictly increasing; waits as the policies say, for every tick anew.
    ///
    /// One exchange takes all that a tick has left, or as many as are wanted.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id), with the number of ids that were filled before: those are the caller's.
    pub fn fill(&self, ids: &mut [Snowflake<T>]) -> Result<(), FillError> {
        let mut filled = 0;
        while filled < ids.len() {
            let rest = &mut ids[filled..];
            let wanted = rest.len() as u64;
            let taken = match self.take(wanted) {
                Some(taken) => taken,
                None => self.take_waiting(wanted).map_err(|error| FillError { filled, error })?,
            };
            let slots = taken.first..taken.first + taken.len;
            for (id, slot) in rest.iter_mut().zip(slots) {
                *id = self.id_of(slot);
            }
            filled += usize::try_from(taken.len).expect("no more was taken than the buffer has room for");
        }
        Ok(())
    }

    /// Ends the generator: every later call gets [`IssueError::Closed`].
    ///
    /// The mark is exact: every id that this generator has handed out, or that a call in flight is about to return, is below
    /// it, and none at or past it ever will be. Closing again gives the same mark.
    pub fn close(&self) -> Mark {
        Mark::new(self.gate.close(self.state.close().slot()))
    }

    /// How far the generator has come: a moment's value unless it is closed.
    pub fn mark(&self) -> Mark {
        Mark::new(self.mark_slot())
    }

    /// Lets the generator go on to `until`, rounded down to a tick: it hands out no id at or past that time.
    ///
    /// The ceiling only rises: a lower one changes nothing.
    ///
    /// # Errors
    ///
    /// When `until` is past the end of the layout; nothing is changed then.
    pub fn raise_ceiling(&self, until: UnixMillis) -> Result<(), CeilingError> {
        self.ceiling.raise(ceiling_tick(self.packing(), until)?);
        Ok(())
    }

    /// The time at which the generator stops, unless the ceiling is raised.
    pub fn ceiling(&self) -> UnixMillis {
        self.packing().time_of_tick(self.ceiling.tick())
    }

    /// How often ids could not be handed out at once.
    pub fn stats(&self) -> Stats {
        self.state.counters().read()
    }

    /// The clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    #[inline]
    fn packing(&self) -> Packing {
        packing_of::<T>(self.packing)
    }

    #[inline]
    fn id_of(&self, slot: u64) -> Snowflake<T> {
        Snowflake::from_slot(self.packing().pack(slot, self.node_bits))
    }
}

/// The ceiling `until`, rounded down to a tick.
fn ceiling_tick(packing: Packing, until: UnixMillis) -> Result<u64, CeilingError> {
    let end = packing.time_of_tick(packing.tick_count());
    if until > end {
        return Err(CeilingError { until, end });
    }
    Ok(packing.tick_of(until).unwrap_or(0))
}

impl<T, C> Generator<T, C> {
    /// The first slot that was not handed out. Of a closed word it may be a later one: slots can still be burnt.
    fn mark_slot(&self) -> u64 {
        let word = self.state.load();
        if word.is_closed() { self.gate.close(word.slot()) } else { word.slot() }
    }
}

impl<T, C> fmt::Debug for Generator<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator")
            .field("state", &self.state)
            .field("node_bits", &self.node_bits)
            .finish_non_exhaustive()
    }
}

impl<T, C> Drop for Generator<T, C> {
    fn drop(&mut self) {
        // A child's generator is still its parent's: the node does not become free in the child.
        if let Some(claim) = self.claim.take().filter(|_| !self.fork.is_forked()) {
            claim.release(self.mark_slot());
        }
    }
}
