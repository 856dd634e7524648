//! Wall-clock time that runs on the monotonic clock: it never goes back, and it does not believe every jump.

use core::time::Duration;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::jump::Jump;
use super::{Clock, ClockSuspect};
use crate::sync::{AtomicU64, Ordering};
use crate::time::{UnixMillis, UnixTime};

const NANOS_PER_MILLI: u64 = 1_000_000;
const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// How often the wall clock is looked at. It differs from the monotonic clock only by steps, which are rare.
const SAMPLE_EVERY_NS: u64 = NANOS_PER_MILLI;
const FORWARD_JUMP_MAX: Duration = Duration::from_secs(1);
const BELIEVE_AFTER: Duration = Duration::from_secs(10);

/// Unix time that never goes back while the process runs: the monotonic clock plus one offset, which only rises.
///
/// - *The wall clock steps back*: the time runs on, ahead of the wall clock by as much ([`lead`](Self::lead) says by how much).
/// - *It steps ahead by up to [`forward_jump_max`](Self::forward_jump_max)*, 1 s by default: followed at once.
/// - *It jumps further ahead*, as after a suspended machine wakes up, or when somebody sets it wrong: the time runs on as it
///   was, and generators answer [`IssueError::ClockSuspect`](crate::IssueError::ClockSuspect) until the jump has stayed for
///   [`believe_after`](Self::believe_after), 10 s by default; then it is followed. A jump that is taken back is forgotten.
///   A jump of a year that is followed cannot be undone: ids would stay a year ahead.
///
/// The wall clock is looked at when the time is read, at most once in a millisecond, so a jump stays that stays whenever it
/// is looked at. A wall clock before 1970 or after 2554 counts as one that stands there.
///
/// Wall and monotonic clock as they are: [`wall`](Self::wall), [`monotonic`](Self::monotonic).
#[derive(Debug)]
pub struct MonotonicClock<S = SystemTimes> {
    times: S,
    forward_jump_max_ns: u64,
    believe_after_ns: u64,
    /// Unix time less monotonic time, in nanoseconds. Only rises.
    offset_ns: AtomicU64,
    /// When to look at the wall clock again, in monotonic nanoseconds.
    sample_at_ns: AtomicU64,
    jump: Jump,
}

/// The two clocks underneath a [`MonotonicClock`].
pub trait Times {
    /// The wall clock: nanoseconds since 1970, 0 before.
    fn wall_ns(&self) -> u64;

    /// Nanoseconds since some moment; never goes back.
    fn monotonic_ns(&self) -> u64;

    /// Blocks the calling thread for about `duration`.
    fn sleep(&self, duration: Duration);
}

/// The operating system's wall clock and monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemTimes {
    origin: Instant,
}

impl Times for SystemTimes {
    fn wall_ns(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, saturating_ns)
    }

    #[inline]
    fn monotonic_ns(&self) -> u64 {
        saturating_ns(self.origin.elapsed())
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

impl MonotonicClock<SystemTimes> {
    /// A clock that starts at the wall clock's time.
    pub fn new() -> Self {
        Self::on(SystemTimes { origin: Instant::now() })
    }
}

impl Default for MonotonicClock<SystemTimes> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Times> MonotonicClock<S> {
    /// A clock on two clocks of one's own.
    pub fn on(times: S) -> Self {
        let clock = Self {
            times,
            forward_jump_max_ns: saturating_ns(FORWARD_JUMP_MAX),
            believe_after_ns: saturating_ns(BELIEVE_AFTER),
            offset_ns: AtomicU64::new(0),
            sample_at_ns: AtomicU64::new(0),
            jump: Jump::none(),
        };
        let (offset_ns, _) = clock.wall_offset();
        clock.follow(offset_ns);
        clock
    }

    /// The largest step ahead that is followed at once.
    #[must_use]
    pub fn forward_jump_max(mut self, bound: Duration) -> Self {
        self.forward_jump_max_ns = saturating_ns(bound);
        self
    }

    /// How long a larger jump must stay until it is followed.
    #[must_use]
    pub fn believe_after(mut self, time: Duration) -> Self {
        self.believe_after_ns = saturating_ns(time);
        self
    }

    /// The two clocks underneath.
    pub fn times(&self) -> &S {
        &self.times
    }

    /// The wall clock, as it is.
    pub fn wall(&self) -> UnixTime {
        unix_time(self.times.wall_ns())
    }

    /// The monotonic clock, as it is: the time since some moment.
    pub fn monotonic(&self) -> Duration {
        Duration::from_nanos(self.times.monotonic_ns())
    }

    /// How far this clock is ahead of the wall clock, since that stepped back; zero when it is not.
    pub fn lead(&self) -> Duration {
        let (offset_ns, _) = self.wall_offset();
        Duration::from_nanos(self.offset().saturating_sub(offset_ns))
    }

    /// The offset that the wall clock has now, and the monotonic time of the look.
    ///
    /// The wall clock is read first: a thread that is paused between the two finds an offset that is too small, which
    /// changes nothing. The other way round it would be too large, and the clock would go ahead by the pause for good.
    fn wall_offset(&self) -> (u64, u64) {
        let wall_ns = self.times.wall_ns();
        let monotonic_ns = self.times.monotonic_ns();
        (wall_ns.saturating_sub(monotonic_ns), monotonic_ns)
    }

    fn offset(&self) -> u64 {
        // ORDERING: Relaxed, the offset is all there is to see, and it only rises.
        self.offset_ns.load(Ordering::Relaxed)
    }

    fn follow(&self, offset_ns: u64) {
        // ORDERING: Relaxed, see `offset`.
        self.offset_ns.fetch_max(offset_ns, Ordering::Relaxed);
    }

    /// Looks at the wall clock, unless another thread has begun to.
    #[cold]
    fn sample(&self, monotonic_ns: u64) {
        let next_ns = monotonic_ns.saturating_add(SAMPLE_EVERY_NS);
        let begin = |due_ns: u64| (monotonic_ns >= due_ns).then_some(next_ns);
        // ORDERING: Relaxed, for speed alone: looks that overlap do no harm, and one that never ends stops no later ones.
        if self.sample_at_ns.fetch_update(Ordering::Relaxed, Ordering::Relaxed, begin).is_ok() {
            self.look();
        }
    }

    fn look(&self) {
        let (offset_ns, now_ns) = self.wall_offset();
        let size_ns = offset_ns.saturating_sub(self.offset());
        if size_ns <= self.forward_jump_max_ns {
            self.follow(offset_ns);
            return self.jump.forget(now_ns);
        }
        let since_ns = self.jump.found(offset_ns, size_ns, self.forward_jump_max_ns, now_ns);
        if now_ns.saturating_sub(since_ns) >= self.believe_after_ns {
            self.follow(offset_ns);
            return self.jump.forget(now_ns);
        }
        // Whoever waits until it can be believed finds it so.
        // ORDERING: Relaxed, a hint when to look again.
        self.sample_at_ns.fetch_min(since_ns.saturating_add(self.believe_after_ns), Ordering::Relaxed);
    }

    fn describe(&self, (size_ns, since_ns): (u64, u64)) -> ClockSuspect {
        let waited_ns = self.times.monotonic_ns().saturating_sub(since_ns);
        let retry_after = Duration::from_nanos(self.believe_after_ns.saturating_sub(waited_ns));
        ClockSuspect::new(Duration::from_nanos(size_ns), retry_after)
    }
}

impl<S: Times> Clock for MonotonicClock<S> {
    #[inline]
    fn now(&self) -> UnixTime {
        let monotonic_ns = self.times.monotonic_ns();
        // ORDERING: Relaxed, a hint when to look at the wall clock.
        if monotonic_ns >= self.sample_at_ns.load(Ordering::Relaxed) {
            self.sample(monotonic_ns);
        }
        unix_time(monotonic_ns.saturating_add(self.offset()))
    }

    #[inline]
    fn suspicion(&self) -> Option<ClockSuspect> {
        self.jump.size_and_since_ns().map(|jump| self.describe(jump))
    }

    fn sleep(&self, duration: Duration) {
        self.times.sleep(duration);
    }
}

/// 584 years at the most.
#[inline]
fn saturating_ns(duration: Duration) -> u64 {
    duration.as_secs().saturating_mul(NANOS_PER_SECOND).saturating_add(u64::from(duration.subsec_nanos()))
}

#[inline]
fn unix_time(unix_ns: u64) -> UnixTime {
    let millis = i64::try_from(unix_ns / NANOS_PER_MILLI).expect("2^64 ns are fewer than 2^63 ms");
    let nanos = u32::try_from(unix_ns % NANOS_PER_MILLI).expect("a remainder of a million");
    UnixTime::new(UnixMillis::new(millis), nanos)
}
