//! A published clock with a thread that publishes.

use core::fmt;
use core::time::Duration;
use std::io;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

use super::published::PublishedClock;
use super::{Clock, ClockSuspect, SystemClock};
use crate::fork::ForkGuard;
use crate::time::UnixTime;

const NANOS_PER_MILLI: u64 = 1_000_000;

/// A clock that a thread of its own sets every millisecond, so that reading it is one load.
///
/// For generators whose speed is bounded by the clock: reading the operating system's takes longer than an id does. Clones
/// share the thread, which ends with the last of them.
///
/// - The time is at most as old as the thread is late: a millisecond, or longer on a machine that does not run it.
/// - Nothing waits for the thread: before a generator says that a tick is used up, it reads the clock underneath, publishes
///   that, and times its sleep from it. A thread that is starved, or gone, makes ids older than they are, and no more.
/// - It never goes back. **A step back of the wall clock is not seen at first**: the time stands still, and the ids of that
///   time are handed out. When they are used up, a generator reads the wall clock and finds it behind.
/// - After a fork the child has no such thread; it is started again when a generator of the child's first needs the exact
///   time, which building one does.
pub struct TickerClock<C = SystemClock>(Arc<Inner<C>>);

struct Inner<C> {
    clock: PublishedClock<C>,
    /// Renewed when the thread is started again in a child.
    thread_of: Mutex<ForkGuard>,
    /// The same question without the lock: of the process that made the clock.
    guard: ForkGuard,
}

impl TickerClock<SystemClock> {
    /// Starts a ticker on the wall clock.
    ///
    /// # Errors
    ///
    /// When the operating system starts no thread.
    pub fn start() -> io::Result<Self> {
        Self::start_on(SystemClock)
    }
}

impl<C: Clock + Send + Sync + 'static> TickerClock<C> {
    /// Starts a ticker on a clock of one's own.
    ///
    /// # Errors
    ///
    /// When the operating system starts no thread.
    pub fn start_on(clock: C) -> io::Result<Self> {
        let guard = ForkGuard::new();
        let inner = Arc::new(Inner { clock: PublishedClock::new(clock), thread_of: Mutex::new(guard.clone()), guard });
        spawn(&inner)?;
        Ok(Self(inner))
    }

    /// The clock underneath.
    pub fn underlying(&self) -> &C {
        self.0.clock.underlying()
    }

    /// Starts the thread again in a forked child. When that fails the exact time is still right, and it is tried again.
    #[cold]
    fn restart_in_child(&self) {
        // Whoever finds it locked leaves it to the owner: the exact time is right without the thread.
        let Ok(mut thread_of) = self.0.thread_of.try_lock() else { return };
        if thread_of.is_forked() && spawn(&self.0).is_ok() {
            *thread_of = ForkGuard::new();
        }
    }
}

impl<C: Clock + Send + Sync + 'static> Clock for TickerClock<C> {
    #[inline]
    fn now(&self) -> UnixTime {
        self.0.clock.now()
    }

    fn now_exact(&self) -> UnixTime {
        if self.0.guard.is_forked() {
            self.restart_in_child();
        }
        self.0.clock.now_exact()
    }

    fn suspicion(&self) -> Option<ClockSuspect> {
        self.0.clock.suspicion()
    }

    fn sleep(&self, duration: Duration) {
        self.0.clock.sleep(duration);
    }
}

impl<C> Clone for TickerClock<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C> fmt::Debug for TickerClock<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TickerClock").finish_non_exhaustive()
    }
}

fn spawn<C: Clock + Send + Sync + 'static>(inner: &Arc<Inner<C>>) -> io::Result<()> {
    let weak = Arc::downgrade(inner);
    thread::Builder::new().name("idcore-ticker".into()).spawn(move || run(&weak)).map(drop)
}

/// Ticks at the start of every millisecond until the last clone is dropped.
fn run<C: Clock>(weak: &Weak<Inner<C>>) {
    while let Some(inner) = weak.upgrade() {
        let now = inner.clock.tick();
        // Not held while asleep, or the thread would keep the clock alive.
        drop(inner);
        thread::sleep(Duration::from_nanos(NANOS_PER_MILLI - u64::from(now.sub_ms_nanos())));
    }
}
