//! What is kept of the ids of a thread, inside the timed region: every id.

use crate::{
    check::{self, Checked, Fault},
    harness::Stop,
    id::Id,
    mint::Hold,
    pool::{Pool, Stream},
};

/// Something that is kept of the ids of one thread, so that all of them can be checked afterwards.
pub(crate) trait Keep: Sized + Send {
    /// What kind of ids.
    type Id: Id;

    /// The timed region of one thread: mints until the run is over or the memory is used up, and gives the sign then.
    ///
    /// # Errors
    ///
    /// What the generator said instead of giving an id.
    fn mint_until<H: Hold<Id = Self::Id>>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error>;

    /// Checks that the ids of each thread are as its generator promises and that no two threads share one.
    ///
    /// # Errors
    ///
    /// The first fault.
    fn check(kept: &[Self]) -> Result<Checked<Self::Id>, Fault>;

    /// Gives the memory back.
    fn give_back(self, pool: &Pool);
}

/// Every id, of a generator whose ids increase strictly.
impl<I: Id> Keep for Stream<I> {
    type Id = I;

    #[inline(never)]
    fn mint_until<H: Hold<Id = I>>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error> {
        let mut stream = Self::default();
        while let Some(chunk) = stream.grow(pool) {
            for (at, slot) in chunk.chunks_exact_mut(I::WORDS).enumerate() {
                match hold.mint() {
                    Ok(id) => id.store(slot),
                    Err(error) => {
                        stop.give();
                        return Err(error);
                    }
                }
                if stop.is_set() {
                    stream.end_at((at + 1) * I::WORDS);
                    return Ok(stream);
                }
            }
        }
        stop.give();
        Ok(stream)
    }

    fn check(kept: &[Self]) -> Result<Checked<I>, Fault> {
        check::check(kept)
    }

    fn give_back(self, pool: &Pool) {
        pool.give_back(self);
    }
}

/// Every id, of a generator that promises no order, only that none is there twice.
pub(crate) struct Unordered<I>(Stream<I>);

impl<I: Id> Keep for Unordered<I> {
    type Id = I;

    fn mint_until<H: Hold<Id = I>>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error> {
        Stream::mint_until(hold, stop, pool).map(Self)
    }

    fn check(kept: &[Self]) -> Result<Checked<I>, Fault> {
        check::check_unordered(&kept.iter().map(|Self(stream)| stream).collect::<Vec<_>>())
    }

    fn give_back(self, pool: &Pool) {
        pool.give_back(self.0);
    }
}
