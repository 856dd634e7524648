//! How long a call may wait, all together.

use core::time::Duration;

use super::IssueError;
use crate::state::{Counters, Waiters, Waiting};

/// A sleep costs at least this much of a bound, so that a clock that stands still just before a tick ends the wait too.
const PAUSE_MIN: Duration = Duration::from_micros(1);

/// A turn of an asynchronous runtime costs at least this much of it: less than any takes.
#[cfg(feature = "tokio")]
const TURN_MIN: Duration = Duration::from_nanos(100);

/// The share of the rollback bound that may be waited on top of it, as a divisor: the operating system corrects a clock by
/// slewing it by up to a tenth, and a step that was within the bound is not to fail for that.
const SLEW_DIVISOR: u32 = 8;

/// Why there is no id now, and how long to sleep before it is worth looking again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) error: IssueError,
    pub(super) pause: Duration,
}

impl Verdict {
    /// No sleep helps.
    pub(super) fn hopeless(error: IssueError) -> Self {
        Self { error, pause: Duration::MAX }
    }
}

/// One call's wait: what is left of its bounds, and its place among those who wait for a tick.
///
/// The bounds are counted in what was asked of `sleep`, not by the clock, which is what may be wrong.
#[derive(Debug)]
pub(super) struct Wait<'a> {
    rollback: Bound,
    exhausted: Bound,
    waiters: &'a Waiters,
    /// Since this call first found its tick used up.
    waiting: Option<Waiting<'a>>,
    counters: &'a Counters,
    /// How far the end was at the last turn.
    #[cfg(feature = "tokio")]
    last_pause: Duration,
}

#[derive(Debug)]
struct Bound {
    max: Duration,
    left: Duration,
}

impl Bound {
    fn new(max: Duration, slack: Duration) -> Self {
        Self { max, left: max.saturating_add(slack) }
    }
}

impl<'a> Wait<'a> {
    pub(super) fn new(
        rollback_max_ns: u64,
        exhausted_max_ns: u64,
        waiters: &'a Waiters,
        counters: &'a Counters,
    ) -> Self {
        let [rollback_max, exhausted_max] = [rollback_max_ns, exhausted_max_ns].map(Duration::from_nanos);
        Self {
            rollback: Bound::new(rollback_max, rollback_max / SLEW_DIVISOR),
            exhausted: Bound::new(exhausted_max, Duration::ZERO),
            waiters,
            waiting: None,
            #[cfg(feature = "tokio")]
            last_pause: Duration::ZERO,
            counters,
        }
    }

    /// The call's place among those who wait for a tick, once it does.
    pub(super) fn waiting(&self) -> Option<&Waiting<'a>> {
        self.waiting.as_ref()
    }

    /// The sleep that the verdict asks for, if its policy's bound allows it; the error otherwise.
    pub(super) fn pause_for(&mut self, verdict: Verdict) -> Result<Duration, IssueError> {
        self.charge(verdict, verdict.pause.max(PAUSE_MIN))?;
        Ok(verdict.pause)
    }

    /// A turn of other tasks instead of that sleep: charged as what the last turn has brought the end nearer, and a little if
    /// it has not.
    #[cfg(feature = "tokio")]
    pub(super) fn turn_for(&mut self, verdict: Verdict) -> Result<(), IssueError> {
        let nearer = self.last_pause.saturating_sub(verdict.pause);
        self.last_pause = verdict.pause;
        self.charge(verdict, nearer.max(TURN_MIN))
    }

    fn charge(&mut self, verdict: Verdict, cost: Duration) -> Result<(), IssueError> {
        let bound = match verdict.error {
            IssueError::ClockBehind { .. } => &mut self.rollback,
            IssueError::Exhausted { .. } => &mut self.exhausted,
            error => return Err(error),
        };
        if verdict.pause > bound.max || cost > bound.left {
            return Err(verdict.error);
        }
        bound.left -= cost;
        if matches!(verdict.error, IssueError::Exhausted { .. }) && self.waiting.is_none() {
            self.waiting = Some(self.waiters.join());
        }
        self.counters.wait();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn call<'a>(waiters: &'a Waiters, counters: &'a Counters, rollback: Duration, exhausted: Duration) -> Wait<'a> {
        let ns = |max: Duration| u64::try_from(max.as_nanos()).unwrap_or(u64::MAX);
        Wait::new(ns(rollback), ns(exhausted), waiters, counters)
    }

    fn behind(pause: Duration) -> Verdict {
        Verdict { error: IssueError::ClockBehind { behind: pause, retry_after: pause }, pause }
    }

    fn exhausted(pause: Duration) -> Verdict {
        Verdict { error: IssueError::Exhausted { retry_after: pause }, pause }
    }

    #[test]
    fn a_pause_longer_than_the_bound_is_refused_at_once() {
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, 5 * MS, MS);
        assert_eq!(wait.pause_for(behind(5 * MS)), Ok(5 * MS));
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, 5 * MS, MS);
        assert!(wait.pause_for(behind(5 * MS + Duration::from_nanos(1))).is_err());
        assert!(wait.pause_for(exhausted(2 * MS)).is_err());
    }

    #[test]
    fn the_bound_is_for_all_pauses_together() {
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, 5 * MS, MS);
        assert!(wait.pause_for(behind(3 * MS)).is_ok());
        assert!(wait.pause_for(behind(3 * MS)).is_err());
        assert!(wait.pause_for(behind(2 * MS)).is_ok());
    }

    #[test]
    fn a_clock_that_stands_still_ends_the_wait() {
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, MS, MS);
        let rounds = (0..10_000).take_while(|_| wait.pause_for(exhausted(Duration::ZERO)).is_ok()).count();
        assert_eq!(rounds, 1_000);
    }

    #[test]
    fn to_fail_is_to_wait_for_no_time() {
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, Duration::ZERO, Duration::ZERO);
        assert!(wait.pause_for(behind(Duration::ZERO)).is_err());
        assert!(wait.pause_for(exhausted(MS)).is_err());
    }

    #[test]
    fn no_bound_waits_for_the_hopeless() {
        let (waiters, counters) = Default::default();
        let mut wait = call(&waiters, &counters, Duration::MAX, Duration::MAX);
        assert_eq!(wait.pause_for(Verdict::hopeless(IssueError::Closed)), Err(IssueError::Closed));
    }

    #[test]
    fn who_waits_for_a_tick_is_counted_once_and_until_the_call_ends() {
        let (waiters, counters) = Default::default();
        let mut one = call(&waiters, &counters, MS, 5 * MS);
        assert!(one.pause_for(behind(MS)).is_ok());
        assert_eq!(waiters.count(), 0, "a clock that went back keeps nobody's slots");
        for _ in 0..2 {
            assert!(one.pause_for(exhausted(MS)).is_ok());
            assert_eq!(waiters.count(), 1);
        }
        assert_eq!(counters.read().waits, 3);
        drop(one);
        assert_eq!(waiters.count(), 0);
    }
}
