//! How long a call may wait, all together.

use core::time::Duration;

use super::IssueError;

/// A sleep costs at least this much of a bound, so that a clock that stands still just before a tick ends the wait too.
const PAUSE_MIN: Duration = Duration::from_micros(1);

/// The share of a bound that may be waited on top of it, as a divisor: the operating system corrects a clock by slewing
/// it by up to a tenth, and a step that was within the bound is not to fail for that.
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

/// What is left of a call's bounds.
///
/// They are counted in what was asked of `sleep`, not by the clock, which is what may be wrong.
#[derive(Debug)]
pub(super) struct Patience {
    rollback: Bound,
    exhausted: Bound,
}

#[derive(Debug)]
struct Bound {
    max: Duration,
    left: Duration,
}

impl Bound {
    fn new(max: Duration) -> Self {
        Self { max, left: max.saturating_add(max / SLEW_DIVISOR) }
    }
}

impl Patience {
    pub(super) fn new(rollback_max: Duration, exhausted_max: Duration) -> Self {
        Self { rollback: Bound::new(rollback_max), exhausted: Bound::new(exhausted_max) }
    }

    /// The sleep that the verdict asks for, if its policy's bound allows it; the error otherwise.
    pub(super) fn spend(&mut self, verdict: Verdict) -> Result<Duration, IssueError> {
        let bound = match verdict.error {
            IssueError::ClockBehind { .. } => &mut self.rollback,
            IssueError::Exhausted { .. } => &mut self.exhausted,
            error => return Err(error),
        };
        let cost = verdict.pause.max(PAUSE_MIN);
        if verdict.pause > bound.max || cost > bound.left {
            return Err(verdict.error);
        }
        bound.left -= cost;
        Ok(verdict.pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn behind(pause: Duration) -> Verdict {
        Verdict { error: IssueError::ClockBehind { behind: pause, retry_after: pause }, pause }
    }

    fn exhausted(pause: Duration) -> Verdict {
        Verdict { error: IssueError::Exhausted { retry_after: pause }, pause }
    }

    #[test]
    fn a_pause_longer_than_the_bound_is_refused_at_once() {
        let mut patience = Patience::new(5 * MS, MS);
        assert_eq!(patience.spend(behind(5 * MS)), Ok(5 * MS));
        let mut patience = Patience::new(5 * MS, MS);
        assert!(patience.spend(behind(5 * MS + Duration::from_nanos(1))).is_err());
        assert!(patience.spend(exhausted(2 * MS)).is_err());
    }

    #[test]
    fn the_bound_is_for_all_pauses_together() {
        let mut patience = Patience::new(5 * MS, MS);
        assert!(patience.spend(behind(3 * MS)).is_ok());
        assert!(patience.spend(behind(3 * MS)).is_err());
        assert!(patience.spend(behind(2 * MS)).is_ok());
    }

    #[test]
    fn a_clock_that_stands_still_ends_the_wait() {
        let mut patience = Patience::new(MS, MS);
        let rounds = (0..10_000).take_while(|_| patience.spend(exhausted(Duration::ZERO)).is_ok()).count();
        assert_eq!(rounds, 1_125);
    }

    #[test]
    fn to_fail_is_to_wait_for_no_time() {
        let mut patience = Patience::new(Duration::ZERO, Duration::ZERO);
        assert!(patience.spend(behind(Duration::ZERO)).is_err());
        assert!(patience.spend(exhausted(MS)).is_err());
    }

    #[test]
    fn no_bound_waits_for_the_hopeless() {
        let mut patience = Patience::new(Duration::MAX, Duration::MAX);
        assert_eq!(patience.spend(Verdict::hopeless(IssueError::Closed)), Err(IssueError::Closed));
    }
}
