//! Ids of one given time, in order.

use core::fmt;
use core::marker::PhantomData;

use idcore::UnixMillis;

use super::{IssueError, checked_ms};
use crate::entropy::Entropy;
use crate::format::Format;

/// Bits of a random step: 2^33 ids and more fit above the lowest half.
const STEP_BITS: u32 = 40;

/// Makes ids of one given time, strictly increasing: for rows of the past that get an id now.
///
/// All free bits (74 of a UUID, 80 of a ULID) begin at random with the top bit clear, and grow by random steps of 1 to 2^40.
/// The handle knows nothing of a generator's ids, nor of other handles: they are unique as surely as random bits differ.
///
/// # Examples
///
/// ```
/// use idcore::UnixMillis;
/// use idformats::{Format, V7Counter};
///
/// let ids = V7Counter::generator().build()?;
/// let mut of_2022 = ids.back_fill(UnixMillis::new(1_645_557_742_000))?;
/// let (one, two) = (of_2022.next_id()?, of_2022.next_id()?);
/// assert!(one < two);
/// assert!(one.to_string().starts_with("017f22e2-79b0-7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BackFill<F, E> {
    unix_ms: u64,
    /// The free bits of the next id.
    next: u128,
    entropy: E,
    format: PhantomData<fn() -> F>,
}

impl<F: Format, E: Entropy> BackFill<F, E> {
    pub(super) fn new(time: UnixMillis, entropy: E) -> Result<Self, IssueError> {
        let unix_ms = checked_ms(time)?;
        let next = entropy.next_u128()? & ((1 << (F::FREE_BITS - 1)) - 1);
        Ok(Self { unix_ms, next, entropy, format: PhantomData })
    }

    /// The next id of the time.
    ///
    /// # Errors
    ///
    /// [`IssueError::BackFillEnded`] after 2^33 ids or more, [`IssueError::Entropy`].
    pub fn next_id(&mut self) -> Result<F::Id, IssueError> {
        if self.next >> F::FREE_BITS != 0 {
            return Err(IssueError::BackFillEnded);
        }
        let step = 1 + u128::from(self.entropy.next_u64()? >> (u64::BITS - STEP_BITS));
        let id = F::with_free_bits(self.unix_ms, self.next);
        self.next += step;
        Ok(id)
    }
}

impl<F, E> fmt::Debug for BackFill<F, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the bits: they tell the next id.
        f.debug_struct("BackFill").field("unix_ms", &self.unix_ms).finish_non_exhaustive()
    }
}
