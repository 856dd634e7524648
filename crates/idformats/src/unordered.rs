//! Ids without an order of their own: UUID version 4, and ULIDs that are random within a millisecond.

use idcore::{Clock, UnixMillis};
use ulid::Ulid;
use uuid::Uuid;

use crate::entropy::{Entropy, EntropyError};
use crate::format::UlidRandom;
use crate::format::sealed::Spec as _;
use crate::generator::{FillError, IssueError, checked_ms};

/// Makes UUIDs of version 4: 122 random bits that tell nothing (RFC 9562 section 5.4).
///
/// # Examples
///
/// ```
/// use idformats::{RandomUuid, ThreadEntropy};
///
/// let id = RandomUuid::new(ThreadEntropy).next_id()?;
/// assert_eq!(id.get_version_num(), 4);
/// # Ok::<(), idformats::EntropyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomUuid<E> {
    entropy: E,
}

impl<E: Entropy> RandomUuid<E> {
    /// Ids of this entropy.
    pub const fn new(entropy: E) -> Self {
        Self { entropy }
    }

    /// The next id.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    #[inline]
    pub fn next_id(&self) -> Result<Uuid, EntropyError> {
        self.entropy.next_u128().map(v4)
    }

    /// Fills a buffer with new ids.
    ///
    /// # Errors
    ///
    /// When there is no entropy: then none of the buffer's ids is to be used.
    pub fn fill(&self, ids: &mut [Uuid]) -> Result<(), EntropyError> {
        // With the 32 of the next key they are eight times what `ChaCha12` makes at once.
        const BATCH: usize = (8 * 256 - 32) / 16;
        let mut random = [0; BATCH * 16];
        for batch in ids.chunks_mut(BATCH) {
            let random = &mut random[..batch.len() * 16];
            self.entropy.fill(random)?;
            for (id, random) in batch.iter_mut().zip(random.chunks_exact(16)) {
                *id = v4(u128::from_le_bytes(random.try_into().expect("sixteen bytes")));
            }
        }
        Ok(())
    }
}

/// `{ random:48, version:4, random:12, variant:2, random:62 }`.
#[inline]
fn v4(random: u128) -> Uuid {
    const FIXED: u128 = (0xF << 76) | (0b11 << 62);
    Uuid::from_u128((random & !FIXED) | (4 << 76) | (0b10 << 62))
}

/// Makes ULIDs with 80 fresh random bits each: in the order of their milliseconds, and in none within one.
///
/// The clock is followed wherever it goes, also back: there is no state. [`UlidMonotonic`](crate::UlidMonotonic) and
/// [`UlidRandom`] keep an order.
///
/// # Examples
///
/// ```
/// use idcore::SystemClock;
/// use idformats::{RandomUlid, ThreadEntropy};
///
/// let id = RandomUlid::new(SystemClock, ThreadEntropy).next_id()?;
/// assert_eq!(id.to_string().len(), 26);
/// # Ok::<(), idformats::IssueError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomUlid<C, E> {
    clock: C,
    entropy: E,
}

impl<C: Clock, E: Entropy> RandomUlid<C, E> {
    /// Ids of this clock and this entropy.
    pub const fn new(clock: C, entropy: E) -> Self {
        Self { clock, entropy }
    }

    /// The next id.
    ///
    /// # Errors
    ///
    /// [`IssueError::TimeOutOfRange`] before 1970 and from 2^48 ms on, [`IssueError::ClockSuspect`], [`IssueError::Entropy`].
    pub fn next_id(&self) -> Result<Ulid, IssueError> {
        self.at(self.now()?)
    }

    /// An id of a given time.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id), without the clock's.
    pub fn at(&self, time: UnixMillis) -> Result<Ulid, IssueError> {
        Ok(UlidRandom::with_free_bits(checked_ms(time)?, self.entropy.next_u128()?))
    }

    /// Fills a buffer with new ids of one reading of the clock.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id), with the number of ids that were filled before.
    pub fn fill(&self, ids: &mut [Ulid]) -> Result<(), FillError> {
        let mut filled = 0;
        let mut fill = || -> Result<(), IssueError> {
            let time = self.now()?;
            for id in &mut *ids {
                *id = self.at(time)?;
                filled += 1;
            }
            Ok(())
        };
        fill().map_err(|error| FillError::new(filled, error))
    }

    fn now(&self) -> Result<UnixMillis, IssueError> {
        let now = self.clock.now().millis();
        match self.clock.suspicion() {
            Some(suspect) => Err(IssueError::ClockSuspect(suspect)),
            None => Ok(now),
        }
    }
}
