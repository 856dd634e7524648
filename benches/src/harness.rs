//! Many threads on one generator: the timed region and what comes out of it.
//!
//! Inside the region a thread does nothing but ask for an id, keep it in memory that was touched
//! before, and look whether the run is over. Everything else happens before or after.

use std::{
    sync::{
        Barrier, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::Duration,
};

use crate::{
    check::{self, Checked, Fault},
    cpu,
    failure::Failure,
    keep::Keep,
    mint::Source,
    pool::Pool,
    ticks::{self, Caught, Stamp},
};

/// How a run is to be made.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// Threads that mint.
    pub(crate) threads: usize,
    /// How long, unless the memory for the ids is used up before.
    pub(crate) limit: Duration,
    /// Memory for the ids.
    pub(crate) pool: &'a Pool,
    /// Whether the threads are spread over the processors and stay there.
    pub(crate) pinned: bool,
    /// Whether a bare thread catches ticks at the same time.
    pub(crate) catch_ticks: bool,
}

/// What a run gave.
pub(crate) struct Run<K> {
    /// What was kept of the ids of each thread.
    pub(crate) kept: Vec<K>,
    /// Just before the first id could be asked for.
    pub(crate) begun: Stamp,
    /// When the run was called off.
    pub(crate) ended: Stamp,
    /// The ticks that a bare thread caught, if it was asked for.
    pub(crate) caught: Option<Caught>,
}

/// The sign to end a run; the first to give it fixes the moment.
pub(crate) struct Stop {
    set: AtomicBool,
    at: OnceLock<Stamp>,
    controller: Thread,
}

impl Stop {
    /// A sign that the calling thread waits for.
    pub(crate) fn new() -> Self {
        Self { set: AtomicBool::new(false), at: OnceLock::new(), controller: thread::current() }
    }

    /// Whether it was given.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        // ORDERING: nothing is read on the strength of the flag; the join publishes the ids.
        self.set.load(Ordering::Relaxed)
    }

    /// Gives the sign, and says when it was given first.
    pub(crate) fn give(&self) -> Stamp {
        let stamp = *self.at.get_or_init(Stamp::now);
        self.set.store(true, Ordering::Relaxed);
        self.controller.unpark();
        stamp
    }

    /// Waits until the sign is given, at most up to `limit` after `begun`, and gives it then.
    fn wait(&self, begun: Stamp, limit: Duration) -> Stamp {
        while !self.is_set() {
            let left = limit.saturating_sub(begun.at.elapsed());
            if left.is_zero() {
                break;
            }
            thread::park_timeout(left);
        }
        self.give()
    }
}

/// Lets threads mint from the generator called `name`.
///
/// # Errors
///
/// What the generator said to a thread instead of giving an id.
pub(crate) fn run<S, K>(name: &str, source: &S, job: &Job<'_>) -> Result<Run<K>, Failure>
where
    S: Source<Id = K::Id>,
    K: Keep,
{
    let stop = Stop::new();
    let start = Barrier::new(job.threads + 1);
    let arrived = AtomicUsize::new(0);
    thread::scope(|scope| {
        let catcher = job.catch_ticks.then(|| scope.spawn(|| ticks::catch(&stop, job.limit)));
        let workers: Vec<_> = (0..job.threads)
            .map(|nth| {
                let (stop, start, arrived) = (&stop, &start, &arrived);
                scope.spawn(move || {
                    if job.pinned {
                        cpu::pin(nth);
                    }
                    let mut hold = source.hold();
                    arrived.fetch_add(1, Ordering::Relaxed);
                    start.wait();
                    K::mint_until(&mut hold, stop, job.pool).map_err(|error| Failure::refused(name, &error))
                })
            })
            .collect();
        // The stamp is taken by the last to arrive, so that no id is older than it.
        while arrived.load(Ordering::Relaxed) < job.threads {
            thread::sleep(Duration::from_micros(100));
        }
        let begun = Stamp::now();
        start.wait();
        let ended = stop.wait(begun, job.limit);
        let kept = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<_>, _>>()?;
        let caught = catcher.map(|catcher| catcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok(Run { kept, begun, ended, caught })
    })
}

impl<K: Keep> Run<K> {
    /// How long it took.
    pub(crate) fn elapsed(&self) -> Duration {
        self.ended.at.duration_since(self.begun.at)
    }

    /// CPUs that the generator and the threads on it kept busy, without the catcher of ticks.
    pub(crate) fn cpus(&self) -> f64 {
        let all = self.ended.cpu.saturating_sub(self.begun.cpu);
        let catcher = self.caught.as_ref().map_or(Duration::ZERO, |caught| caught.cpu);
        cpu::busy(all.saturating_sub(catcher), self.elapsed())
    }

    /// Checks the ids: order in each thread, if it was promised, no id twice, a clock that advanced.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub(crate) fn check(&self) -> Result<Checked<K::Id>, Fault> {
        let found = K::check(&self.kept)?;
        check::check_clock(&found, self.elapsed())?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::atomic::AtomicU64,
        time::{Instant, SystemTime},
    };

    use super::*;
    use crate::{id::TIME_SHIFT, mint::Mint, pool::Stream, streaks::Streaks};

    /// Milliseconds since it was made, and a counter that never starts again.
    struct Counter {
        begun: Instant,
        next: AtomicU64,
        repeats: bool,
    }

    impl Counter {
        fn new(repeats: bool) -> Self {
            Self { begun: Instant::now(), next: AtomicU64::new(0), repeats }
        }
    }

    impl Mint for Counter {
        type Id = u64;
        type Error = Infallible;

        fn mint(&self) -> Result<u64, Infallible> {
            let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap();
            let floor = now << TIME_SHIFT;
            if self.repeats {
                // Another thread may get the same number before this one has stored it.
                let id = self.next.load(Ordering::SeqCst).max(floor);
                thread::yield_now();
                self.next.store(id + 1, Ordering::SeqCst);
                return Ok(id);
            }
            self.next.fetch_max(floor, Ordering::SeqCst);
            Ok(self.next.fetch_add(1, Ordering::SeqCst))
        }
    }

    fn run<K: Keep>(source: &impl Source<Id = K::Id>, pool: &Pool, limit_ms: u64) -> Result<Run<K>, Failure> {
        let job = Job { threads: 4, limit: Duration::from_millis(limit_ms), pool, pinned: true, catch_ticks: true };
        super::run("counter", source, &job)
    }

    #[test]
    fn a_sound_generator_passes_and_its_ids_are_all_there() {
        let pool = Pool::new(1 << 22);
        let counter = Counter::new(false);
        let run: Run<Stream<u64>> = run(&counter, &pool, 60).unwrap();
        let found = run.check().unwrap();
        let kept: usize = run.kept.iter().map(|stream| stream.ids().count()).sum();
        assert_eq!(found.count, u64::try_from(kept).unwrap());
        assert_eq!(run.kept.len(), 4);
        assert!(run.elapsed() >= Duration::from_millis(50), "{:?}", run.elapsed());
        assert!(run.cpus() > 0.1, "{} CPUs", run.cpus());
    }

    #[test]
    fn a_generator_that_races_is_found_out_whatever_is_kept() {
        let pool = Pool::new(1 << 22);
        assert!(run::<Stream<u64>>(&Counter::new(true), &pool, 60).unwrap().check().is_err());
        assert!(run::<Streaks>(&Counter::new(true), &pool, 60).unwrap().check().is_err());
        run::<Streaks>(&Counter::new(false), &pool, 60).unwrap().check().unwrap();
    }

    #[test]
    fn a_full_pool_ends_the_run_early() {
        let pool = Pool::new(1);
        let run: Run<Stream<u64>> = run(&Counter::new(false), &pool, 60_000).unwrap();
        assert!(run.elapsed() < Duration::from_secs(50));
        check::check(&run.kept).unwrap();
    }

    #[test]
    fn an_error_ends_the_run_and_comes_out() {
        struct Refuses;
        impl Mint for Refuses {
            type Id = u64;
            type Error = &'static str;
            fn mint(&self) -> Result<u64, &'static str> {
                Err("closed")
            }
        }
        let pool = Pool::new(1);
        let said = |failure: Option<Failure>| failure.map(|failure| failure.to_string());
        let expected = Some("counter gave no id: closed".to_owned());
        assert_eq!(said(run::<Stream<u64>>(&Refuses, &pool, 60_000).err()), expected);
        assert_eq!(said(run::<Streaks>(&Refuses, &pool, 60_000).err()), expected);
    }

    #[test]
    fn the_catcher_of_ticks_sees_increasing_milliseconds_of_the_wall_clock() {
        let pool = Pool::new(1 << 22);
        let run: Run<Stream<u64>> = run(&Counter::new(false), &pool, 60).unwrap();
        let caught = run.caught.unwrap().unix_ms;
        assert!(caught.windows(2).all(|pair| pair[0] < pair[1]));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        let last = u128::from(*caught.last().unwrap());
        assert!(now - last < 10_000, "{last} is not near {now}");
    }
}
