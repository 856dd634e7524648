//! Many ids at once, packed one by one.

use core::fmt;
use core::iter::FusedIterator;

use super::{Generator, IssueError};
use crate::clock::Clock;
use crate::id::Snowflake;
use crate::layout::Tag;

/// Ids that a caller has reserved: an iterator that increases strictly.
///
/// They are the caller's and nobody else's, used or not, and their time is that of the reservation, whenever they are used.
/// In a forked child, and once the generator is closed, the iterator gives that error and ends.
pub struct Reserved<'a, T, C> {
    generator: &'a Generator<T, C>,
    next: u64,
    end: u64,
}

impl<T: Tag, C: Clock> Generator<T, C> {
    /// Reserves up to `n` ids by one exchange: at least one, and no more than can be had now. Waits as the policies say when
    /// there is none; `n` of 0 reserves none.
    ///
    /// [`fill`](Self::fill) goes on until it has all; [`local`](Self::local) renews its blocks by itself.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id).
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::{StaticLayout, Wide};
    ///
    /// let ids = Wide::generator().build()?;
    /// let rows = ["a", "b", "c"];
    /// for (id, row) in ids.reserve(3)?.zip(rows) {
    ///     println!("{} {row}", id?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reserve(&self, n: u64) -> Result<Reserved<'_, T, C>, IssueError> {
        if n == 0 {
            return Ok(Reserved { generator: self, next: 0, end: 0 });
        }
        let taken = match self.take(n) {
            Some(taken) => taken,
            None => self.take_waiting(n)?,
        };
        Ok(Reserved { generator: self, next: taken.first, end: taken.first + taken.len })
    }
}

impl<T, C> Reserved<'_, T, C> {
    /// The number of ids that are left.
    pub const fn remaining(&self) -> u64 {
        self.end - self.next
    }
}

impl<T: Tag, C: Clock> Iterator for Reserved<'_, T, C> {
    type Item = Result<Snowflake<T>, IssueError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        if let Err(error) = self.generator.check_handed_out() {
            self.next = self.end;
            return Some(Err(error));
        }
        self.next += 1;
        Some(Ok(self.generator.id_of(self.next - 1)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // At least one item while there are ids: an error is one.
        let upper = usize::try_from(self.remaining()).ok();
        (usize::from(self.next < self.end), upper)
    }
}

impl<T: Tag, C: Clock> FusedIterator for Reserved<'_, T, C> {}

impl<T, C> fmt::Debug for Reserved<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reserved").field("remaining", &self.remaining()).finish_non_exhaustive()
    }
}
