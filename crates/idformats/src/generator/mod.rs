//! The generator: a clock, a state word, keys and entropy.

mod back_fill;
mod builder;
mod error;
mod local;
mod take;

use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use idcore::{Clock, UnixMillis};

pub use self::back_fill::BackFill;
pub use self::builder::Builder;
pub use self::error::{BuildError, FillError, IssueError};
pub use self::local::Local;
use self::take::now_ms;
use crate::base::Key;
use crate::entropy::Entropy;
use crate::format::{Bits, Format};
use crate::state::{Counters, Gate, Lineage, MS_END, Nonce, State, Stats, Taken, Word};

/// Hands out ids of one format to any number of threads, without a lock and without a system call for an id.
///
/// `F` is the [`Format`], `C` the clock, `E` the source of [`Entropy`]. Share it by reference or `Arc`; it cannot be cloned,
/// since two of one key would make the same ids. [`Format::generator`] begins one.
///
/// # Guarantees
///
/// - Ids increase strictly in the order in which calls take them, over all threads, also as text.
/// - No id twice, by one generator for certain; by several, or by a process and its forks, as surely as random bits differ:
///   each format says how many there are.
/// - An id's time is the clock's, unless that would break the order; see below.
///
/// | what happens | what the generator does |
/// |---|---|
/// | a new millisecond | the counter is seeded with random bits, its top bit clear: half of it, 2^19, or for method 3 2^7 a fraction, are always there |
/// | the counter's end | the time goes on by a millisecond (method 3: 1/4096 ms) with a new seed, at most [`ahead_max`](Builder::ahead_max) ahead of the clock; then the policy waits |
/// | clock goes back | ids keep the last time, and come back to the clock when it has passed that; [`IssueError::ClockBehind`] beyond [`rollback_max`](Builder::rollback_max) |
/// | clock jumps ahead | the clock's affair: `MonotonicClock` answers [`IssueError::ClockSuspect`] until the jump persists |
/// | process forked | the child goes on, with new random bits, in the next millisecond; its ids and the parent's do not collide |
/// | restart | starts at the clock, with new keys; [`not_before`](Builder::not_before) keeps the order |
/// | time at or past 2^44 ms (year 2527), or before 1970 | [`IssueError::TimeOutOfRange`], never a wrapped id |
///
/// # Examples
///
/// ```
/// use idformats::{Format, V7Counter};
///
/// let ids = V7Counter::generator().build()?;
/// let (one, two) = (ids.next_id()?, ids.next_id()?);
/// assert!(one < two);
/// assert_eq!(one.get_version_num(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Generator<F, C, E> {
    state: State,
    gate: Gate,
    lineage: Lineage,
    key: Key,
    rollback_ms_max: u64,
    ahead_ms_max: u64,
    exhausted_max: Duration,
    counters: Counters,
    entropy: E,
    clock: C,
    format: PhantomData<fn() -> F>,
}

/// Random bytes that `fill` draws at a time. With the 32 of the next key they are eight times what `ChaCha12` makes at once.
const RANDOM_LEN: usize = 8 * 256 - 32;

impl<F: Format, C: Clock, E: Entropy> Generator<F, C, E> {
    /// The next id.
    ///
    /// # Errors
    ///
    /// See [`IssueError`]; waits when ids have run too far ahead of the clock, if the policy says so.
    #[inline]
    pub fn next_id(&self) -> Result<F::Id, IssueError> {
        let random = self.random()?;
        let nonce = self.nonce()?;
        match self.take_one(random) {
            Some(slot) => Ok(self.id_of(slot, random, nonce)),
            None => self.next_waiting(random, nonce),
        }
    }

    /// Apart, so that the rest is small enough to be inlined.
    #[cold]
    #[inline(never)]
    fn next_waiting(&self, random: u64, nonce: Nonce) -> Result<F::Id, IssueError> {
        self.take_waiting(1, random).map(|taken| self.id_of_one(taken, random, nonce))
    }

    /// The next id, if there is one now; never waits.
    ///
    /// # Errors
    ///
    /// See [`IssueError`]; [`retry_after`](IssueError::retry_after) says for how long.
    #[inline]
    pub fn try_next_id(&self) -> Result<F::Id, IssueError> {
        let random = self.random()?;
        let nonce = self.nonce()?;
        match self.take_one(random) {
            Some(slot) => Ok(self.id_of(slot, random, nonce)),
            None => self.take_exact(1, random).map(|taken| self.id_of_one(taken, random, nonce)),
        }
    }

    /// Fills a buffer with new ids, strictly increasing: one reading of the clock and one exchange for all that the counter
    /// has left.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id), with the number of ids that were filled before: those are the caller's.
    pub fn fill(&self, ids: &mut [F::Id]) -> Result<(), FillError> {
        let mut filled = 0;
        while filled < ids.len() {
            filled +=
                self.fill_some(&mut ids[filled..]).map_err(|(some, error)| FillError::new(filled + some, error))?;
        }
        Ok(())
    }

    /// Fills from the buffer's start what one take gives; on an error, too, says how many were filled.
    fn fill_some(&self, ids: &mut [F::Id]) -> Result<usize, (usize, IssueError)> {
        let wanted = ids.len() as u64;
        let take = || {
            let nonce = self.nonce()?;
            let seed = self.random()?;
            let taken = match self.take(wanted, seed)? {
                Some(taken) => taken,
                None => self.take_waiting(wanted, seed)?,
            };
            Ok((nonce, taken))
        };
        let (nonce, taken): (Nonce, Taken) = take().map_err(|error| (0, error))?;
        let len = usize::try_from(taken.len).expect("no more was taken than the buffer has room for");
        let base = self.base(taken.first, nonce);
        // Each id has only the bytes that it needs, and a word can be read where they begin.
        let bytes = F::RANDOM_BITS.div_ceil(8).max(1);
        let stride = bytes as usize;
        let batch_len = RANDOM_LEN / stride;
        let mut random = [0; RANDOM_LEN + 8];
        let mut slot = taken.first;
        for (batch, filled) in ids[..len].chunks_mut(batch_len).zip((0..).step_by(batch_len)) {
            if F::RANDOM_BITS > 0 {
                self.entropy.fill(&mut random[..batch.len() * stride]).map_err(|error| (filled, error.into()))?;
            }
            for (index, id) in batch.iter_mut().enumerate() {
                let at = index * stride;
                let word = random[at..at + 8].try_into().expect("eight bytes");
                // Only what is the id's own: the word's last bytes are the next one's.
                let random = u64::from_le_bytes(word) << (u64::BITS - 8 * bytes);
                *id = F::id(Bits { slot: slot + index as u64, random, base });
            }
            self.count_ahead(taken, batch.len() as u64);
            slot += batch.len() as u64;
        }
        Ok(len)
    }

    /// An id of a given time with fresh random bits, for data of the past or the future. It does not touch the generator's
    /// state: several of one time are in no order, and ids are unique as surely as random bits differ (74, or 80 for ULID).
    ///
    /// # Errors
    ///
    /// [`IssueError::TimeOutOfRange`] before 1970 and from 2^48 ms on, [`IssueError::Entropy`].
    pub fn at(&self, time: UnixMillis) -> Result<F::Id, IssueError> {
        let unix_ms = checked_ms(time)?;
        let free = self.entropy.next_u128()? & ((1 << F::FREE_BITS) - 1);
        Ok(F::with_free_bits(unix_ms, free))
    }

    /// A handle that makes ids of one given time, in order.
    ///
    /// # Errors
    ///
    /// As for [`at`](Self::at).
    pub fn back_fill(&self, time: UnixMillis) -> Result<BackFill<F, &E>, IssueError> {
        BackFill::new(time, &self.entropy)
    }

    /// Forgets the last time: the next id has the clock's, though it may sort below earlier ones. For a clock that was far
    /// ahead and was put right. The generator draws a new nonce, so that no id is made twice.
    ///
    /// # Errors
    ///
    /// [`IssueError::Entropy`], [`IssueError::TimeOutOfRange`]; nothing is changed then.
    pub fn reset(&mut self) -> Result<(), IssueError> {
        let now_ms = now_ms(self.clock.now_exact())?;
        let nonce = self.drawn_nonce()?;
        self.lineage = Lineage::new(nonce);
        self.state = State::new(Word::at_slot(Word::slot_of_ms(now_ms)));
        self.gate = Gate::new();
        Ok(())
    }

    /// How often the generator did not follow its clock.
    pub fn stats(&self) -> Stats {
        self.counters.read()
    }

    /// The clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    #[inline]
    fn random(&self) -> Result<u64, IssueError> {
        if F::RANDOM_BITS > 0 { Ok(self.entropy.next_u64()?) } else { Ok(0) }
    }

    #[inline]
    fn base(&self, slot: u64, nonce: Nonce) -> u128 {
        if F::HAS_BASE { self.key.base_cached(nonce, Word::ms_of_slot(slot)) } else { 0 }
    }

    #[cold]
    fn id_of_one(&self, taken: Taken, random: u64, nonce: Nonce) -> F::Id {
        self.count_ahead(taken, 1);
        self.id_of(taken.first, random, nonce)
    }

    #[inline]
    fn id_of(&self, slot: u64, random: u64, nonce: Nonce) -> F::Id {
        F::id(Bits { slot, random, base: self.base(slot, nonce) })
    }
}

/// A time that an id has room for.
pub(crate) fn checked_ms(time: UnixMillis) -> Result<u64, IssueError> {
    let end = UnixMillis::new(1 << 48);
    u64::try_from(time.get()).ok().filter(|_| time < end).ok_or(IssueError::TimeOutOfRange { unix_ms: time, end })
}

/// The first time that the word does not hold.
fn word_end() -> UnixMillis {
    UnixMillis::new(i64::try_from(MS_END).expect("2^44 is below 2^63"))
}

impl<F, C, E> fmt::Debug for Generator<F, C, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No key and no nonce.
        f.debug_struct("Generator").field("state", &self.state).finish_non_exhaustive()
    }
}
