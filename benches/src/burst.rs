//! Batches on one thread: short bursts are timed, their ids checked in between.
//!
//! A batch call is so fast that storing its ids to memory, let alone looking at them, would cost
//! more than making them. So a burst stays within the cache, and the clock stands while it is
//! checked. Generators without a batch call are measured in the same way.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use crate::{
    check::{self, Checked, Fault},
    cpu,
    failure::Failure,
    id::Id,
    mint::Mint,
};

/// Ids in a batch.
pub(crate) const BATCH_IDS: usize = 1000;

/// Batches in a burst, for ids of one word: 256 KiB of them. Ids of two words have half as many.
const BURST_BATCHES: usize = 32;

/// A generator that fills a buffer.
pub(crate) trait Batch {
    /// Its ids as numbers.
    type Id: Id;
    /// Memory for a batch.
    type Buffer;
    /// Why there is no batch.
    type Error: Display;

    /// A buffer for [`BATCH_IDS`] ids, touched already.
    fn buffer(&self) -> Self::Buffer;

    /// Replaces what is in `buffer` by [`BATCH_IDS`] new ids.
    ///
    /// # Errors
    ///
    /// What the generator says instead.
    fn fill(&self, buffer: &mut Self::Buffer) -> Result<(), Self::Error>;

    /// The ids in `buffer`.
    fn ids(buffer: &Self::Buffer) -> impl Iterator<Item = Self::Id>;
}

/// Asks for every id of a batch by itself.
pub(crate) struct OneByOne<M>(pub(crate) M);

impl<M: Mint> Batch for OneByOne<M> {
    type Id = M::Id;
    type Buffer = Vec<M::Id>;
    type Error = M::Error;

    fn buffer(&self) -> Vec<M::Id> {
        vec![M::Id::MAX; BATCH_IDS]
    }

    fn fill(&self, buffer: &mut Vec<M::Id>) -> Result<(), M::Error> {
        for slot in buffer {
            *slot = self.0.mint()?;
        }
        Ok(())
    }

    fn ids(buffer: &Vec<M::Id>) -> impl Iterator<Item = M::Id> {
        buffer.iter().copied()
    }
}

/// What the bursts of one round gave.
pub(crate) struct Bursts {
    /// Ids in all.
    pub(crate) ids: u64,
    /// Time within the bursts.
    pub(crate) active: Duration,
    /// CPUs kept busy within the bursts.
    pub(crate) cpus: f64,
}

/// Fills bursts of batches for `limit`, checks included.
///
/// # Errors
///
/// A fault in the ids, or what the generator called `name` said instead of filling a buffer.
pub(crate) fn run<B: Batch>(name: &str, batcher: &B, limit: Duration) -> Result<Bursts, Failure> {
    let mut buffers: Vec<_> = (0..BURST_BATCHES / B::Id::WORDS).map(|_| batcher.buffer()).collect();
    let (mut active, mut cpu_time) = (Duration::ZERO, Duration::ZERO);
    let mut found: Option<Checked<B::Id>> = None;
    let begun = Instant::now();
    let mut elapsed = Duration::ZERO;
    while begun.elapsed() < limit {
        let cpu_before = cpu::process();
        let before = Instant::now();
        for buffer in &mut buffers {
            batcher.fill(buffer).map_err(|error| Failure::refused(name, &error))?;
        }
        active += before.elapsed();
        cpu_time += cpu::process().saturating_sub(cpu_before);
        // Before the check: that takes time too, in which no id is made.
        elapsed = begun.elapsed();
        check_burst::<B>(&buffers, &mut found).map_err(|fault| Failure::unsound(name, fault))?;
    }
    let found = found.ok_or_else(|| Failure::unsound(name, Fault::Empty))?;
    check::check_clock(&found, elapsed).map_err(|fault| Failure::unsound(name, fault))?;
    Ok(Bursts { ids: found.count, active, cpus: cpu::busy(cpu_time, active) })
}

/// Checks that a burst goes on strictly above the one before. One thread: that is uniqueness too.
fn check_burst<B: Batch>(buffers: &[B::Buffer], found: &mut Option<Checked<B::Id>>) -> Result<(), Fault> {
    for buffer in buffers {
        let mut filled = 0;
        for id in B::ids(buffer) {
            filled += 1;
            match found {
                None => {
                    *found = Some(Checked { count: 1, lowest: id, highest: id });
                }
                Some(all) if id <= all.highest => {
                    return Err(Fault::disorder(0, all.count, all.highest, id));
                }
                Some(all) => {
                    all.highest = id;
                    all.count += 1;
                }
            }
        }
        if filled != BATCH_IDS {
            return Err(Fault::Short { got: filled, expected: BATCH_IDS });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible};

    use super::*;

    /// Counts up from the time, with a fault planted at one of the ids.
    struct Planted {
        begun: Instant,
        next: Cell<u64>,
        repeat_after: u64,
        short: bool,
    }

    impl Planted {
        fn new(repeat_after: u64, short: bool) -> Self {
            Self { begun: Instant::now(), next: Cell::new(0), repeat_after, short }
        }
    }

    impl Batch for Planted {
        type Id = u64;
        type Buffer = Vec<u64>;
        type Error = Infallible;

        fn buffer(&self) -> Vec<u64> {
            Vec::new()
        }

        fn fill(&self, buffer: &mut Vec<u64>) -> Result<(), Infallible> {
            let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap();
            let mut next = self.next.get().max(now << crate::id::TIME_SHIFT);
            buffer.clear();
            for at in 0..BATCH_IDS - usize::from(self.short) {
                buffer.push(next);
                if self.repeat_after != u64::try_from(at).unwrap() {
                    next += 1;
                }
            }
            self.next.set(next);
            Ok(())
        }

        fn ids(buffer: &Vec<u64>) -> impl Iterator<Item = u64> {
            buffer.iter().copied()
        }
    }

    fn fault(planted: &Planted) -> Option<Fault> {
        match run("planted", planted, Duration::from_millis(200)) {
            Err(Failure::Unsound { fault, .. }) => Some(fault),
            Err(other) => panic!("{other}"),
            Ok(_) => None,
        }
    }

    #[test]
    fn sound_batches_pass() {
        assert_eq!(fault(&Planted::new(u64::MAX, false)), None);
    }

    #[test]
    fn a_repeated_id_is_found_inside_a_batch_and_between_two() {
        for at in [0, 500, 998, 999] {
            let found = fault(&Planted::new(at, false));
            assert!(
                matches!(found, Some(Fault::Disorder { before, after, .. }) if before == after),
                "repeated after id {at}: {found:?}"
            );
        }
    }

    #[test]
    fn a_short_batch_is_found() {
        let expected = Fault::Short { got: 999, expected: 1000 };
        assert_eq!(fault(&Planted::new(u64::MAX, true)), Some(expected));
    }
}
