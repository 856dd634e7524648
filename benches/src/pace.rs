//! One thread that wants an id at a steady rate: how long each call takes.

use std::time::{Duration, Instant};

use crate::{
    check::{self, Checked, Fault},
    cpu,
    failure::Failure,
    id::Id,
    mint::Mint,
};

/// What the calls of one round took.
pub(crate) struct Paced {
    /// Nanoseconds of each call, in ascending order.
    pub(crate) nanos: Vec<u64>,
    /// CPUs kept busy, the pacing sleeps included.
    pub(crate) cpus: f64,
}

/// Calls `minter` every `interval` for as long as `limit`, sleeping in between.
///
/// A call that is late because the sleep before it was too long comes at once, so that the rate
/// holds on average.
///
/// # Errors
///
/// A fault in the ids, or what the generator called `name` said instead of giving one.
pub(crate) fn run<M: Mint>(name: &str, minter: &M, interval: Duration, limit: Duration) -> Result<Paced, Failure> {
    let calls = limit.as_nanos() / interval.as_nanos();
    let calls = usize::try_from(calls).unwrap_or(usize::MAX).max(1);
    let mut nanos = vec![0; calls];
    let mut ids = vec![M::Id::MAX; calls];
    let cpu_before = cpu::process();
    let begun = Instant::now();
    let mut due = begun;
    for (nanos, id) in nanos.iter_mut().zip(&mut ids) {
        let early = due.saturating_duration_since(Instant::now());
        if !early.is_zero() {
            std::thread::sleep(early);
        }
        due += interval;
        let before = Instant::now();
        *id = minter.mint().map_err(|error| Failure::refused(name, &error))?;
        *nanos = u64::try_from(before.elapsed().as_nanos()).unwrap_or(u64::MAX);
    }
    let elapsed = begun.elapsed();
    let cpus = cpu::busy(cpu::process().saturating_sub(cpu_before), elapsed);
    check_ids(&ids, elapsed).map_err(|fault| Failure::unsound(name, fault))?;
    nanos.sort_unstable();
    Ok(Paced { nanos, cpus })
}

fn check_ids<I: Id>(ids: &[I], elapsed: Duration) -> Result<(), Fault> {
    for (at, pair) in ids.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            return Err(Fault::disorder(0, u64::try_from(at).unwrap_or(u64::MAX) + 1, pair[0], pair[1]));
        }
    }
    let found = Checked {
        count: u64::try_from(ids.len()).unwrap_or(u64::MAX),
        lowest: *ids.first().ok_or(Fault::Empty)?,
        highest: *ids.last().ok_or(Fault::Empty)?,
    };
    check::check_clock(&found, elapsed)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    struct Sleeps(Instant);

    impl Mint for Sleeps {
        type Id = u64;
        type Error = Infallible;

        fn mint(&self) -> Result<u64, Infallible> {
            std::thread::sleep(Duration::from_millis(2));
            Ok(u64::try_from(self.0.elapsed().as_nanos()).unwrap() << 2)
        }
    }

    #[test]
    fn measures_each_call_and_checks_the_ids() {
        let interval = Duration::from_millis(1);
        let paced = run("sleeps", &Sleeps(Instant::now()), interval, Duration::from_millis(20)).unwrap();
        assert_eq!(paced.nanos.len(), 20);
        assert!(paced.nanos[0] >= 2_000_000, "{:?}", paced.nanos);
        assert!(paced.nanos.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn a_planted_disorder_is_found() {
        let fault = Fault::Disorder { thread: 0, at: 2, before: 8, after: 8 };
        assert_eq!(check_ids(&[7, 8, 8, 9_u64], Duration::ZERO), Err(fault));
        assert_eq!(check_ids(&[7, 8, 9_u64], Duration::ZERO), Ok(()));
        assert_eq!(check_ids::<u64>(&[], Duration::ZERO), Err(Fault::Empty));
    }
}
