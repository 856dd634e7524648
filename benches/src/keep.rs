//! What is kept of the ids of a thread, inside the timed region: every id.

use crate::{
    check::{self, Checked, Fault},
    harness::Stop,
    mint::Hold,
    pool::{Pool, Stream},
};

/// Something that is kept of the ids of one thread, so that all of them can be checked afterwards.
pub(crate) trait Keep: Sized + Send {
    /// The timed region of one thread: mints until the run is over or the memory is used up, and gives the sign then.
    ///
    /// # Errors
    ///
    /// What the generator said instead of giving an id.
    fn mint_until<H: Hold>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error>;

    /// Checks that the ids of each thread increase strictly and that no two threads share one.
    ///
    /// # Errors
    ///
    /// The first fault.
    fn check(kept: &[Self]) -> Result<Checked, Fault>;

    /// The memory that is to go back to the pool.
    fn into_stream(self) -> Stream;
}

/// Every id.
impl Keep for Stream {
    #[inline(never)]
    fn mint_until<H: Hold>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error> {
        let mut stream = Self::default();
        while let Some(chunk) = stream.grow(pool) {
            for (at, slot) in chunk.iter_mut().enumerate() {
                match hold.mint() {
                    Ok(id) => *slot = id,
                    Err(error) => {
                        stop.give();
                        return Err(error);
                    }
                }
                if stop.is_set() {
                    stream.end_at(at + 1);
                    return Ok(stream);
                }
            }
        }
        stop.give();
        Ok(stream)
    }

    fn check(kept: &[Self]) -> Result<Checked, Fault> {
        check::check(kept)
    }

    fn into_stream(self) -> Stream {
        self
    }
}
