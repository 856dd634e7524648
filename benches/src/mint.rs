//! What is measured: a generator, and what a thread holds of it while it mints.

use std::fmt::Display;

use crate::id::Id;

/// A generator that gives ids to any number of threads.
pub(crate) trait Mint: Sync {
    /// Its ids as numbers.
    type Id: Id;
    /// Why there is no id.
    type Error: Display;

    /// The next id as a number. Waits as the generator does.
    ///
    /// # Errors
    ///
    /// What the generator says instead of giving an id; it ends the run.
    fn mint(&self) -> Result<Self::Id, Self::Error>;
}

/// What one thread has of a generator: a reference to it, or a handle of its own.
pub(crate) trait Hold {
    /// Its ids as numbers.
    type Id: Id;
    /// Why there is no id.
    type Error: Display;

    /// The next id of this thread as a number. Waits as the generator does.
    ///
    /// # Errors
    ///
    /// What the generator says instead of giving an id; it ends the run.
    fn mint(&mut self) -> Result<Self::Id, Self::Error>;
}

/// What threads take their hold on.
pub(crate) trait Source: Sync {
    /// Its ids as numbers.
    type Id: Id;
    /// What one thread has of it.
    type Hold<'a>: Hold<Id = Self::Id>
    where
        Self: 'a;

    /// For the calling thread.
    fn hold(&self) -> Self::Hold<'_>;
}

impl<M: Mint> Hold for &M {
    type Id = M::Id;
    type Error = M::Error;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&mut self) -> Result<M::Id, M::Error> {
        M::mint(self)
    }
}

/// Threads that share a generator by reference.
impl<M: Mint> Source for M {
    type Id = M::Id;
    type Hold<'a>
        = &'a M
    where
        M: 'a;

    fn hold(&self) -> &M {
        self
    }
}
