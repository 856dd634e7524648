//! How long a call may wait, all together.

use core::time::Duration;

use super::IssueError;
use super::turns::Turns;
use crate::state::{Counters, Waiting};

/// A sleep costs at least this much of a bound, so that a clock that stands still just before a tick ends the wait too.
const PAUSE_MIN: Duration = Duration::from_micros(1);

/// A turn of an asynchronous runtime costs at least this much of it: less than any takes.
#[cfg(feature = "tokio")]
const TURN_MIN: Duration = Duration::from_nanos(100);

/// The share of the rollback bound that may be waited on top of it, as a divisor: the operating system corrects a clock by
/// slewing it by up to a tenth, and a step that was within the bound is not to fail for that.
const SLEW_DIVISOR: u32 = 8;

/// The share of what is left of a bound that a turn may take, as a divisor: the rest is for ticks that others use up first.
const TURN_DIVISOR: u32 = 2;

/// Why there is no id now, and how long to sleep before it is worth looking again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) error: IssueError,
    pub(super) pause: Duration,
    /// The tick that is slept to, when this one is used up.
    pub(super) next_tick: u64,
}

impl Verdict {
    /// No sleep helps.
    pub(super) fn hopeless(error: IssueError) -> Self {
        Self { error, pause: Duration::MAX, next_tick: 0 }
    }
}

/// One call's wait: what is left of its bounds, and its place among those who wait for a tick.
///
/// The bounds are counted in what was asked of `sleep`, not by the clock, which is what may be wrong.
#[derive(Debug)]
pub(super) struct Wait<'a> {
    rollback: Bound,
    exhausted: Bound,
    turns: Turns<'a>,
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
    pub(super) fn new(rollback_max_ns: u64, exhausted_max_ns: u64, turns: Turns<'a>, counters: &'a Counters) -> Self {
        let [rollback_max, exhausted_max] = [rollback_max_ns, exhausted_max_ns].map(Duration::from_nanos);
        Self {
            rollback: Bound::new(rollback_max, rollback_max / SLEW_DIVISOR),
            exhausted: Bound::new(exhausted_max, Duration::ZERO),
            turns,
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
    ///
    /// The first sleep for a tick goes on until the call's turn has come; from then on the call is due in every tick.
    pub(super) fn pause_for(&mut self, verdict: Verdict) -> Result<Duration, IssueError> {
        self.charge(verdict, verdict.pause.max(PAUSE_MIN))?;
        let IssueError::Exhausted { .. } = verdict.error else { return Ok(verdict.pause) };
        if let Some(waiting) = &mut self.waiting {
            waiting.is_due();
            return Ok(verdict.pause);
        }
        let (waiting, turn) = self.turns.join(verdict.next_tick, self.exhausted.left / TURN_DIVISOR);
        self.waiting = Some(waiting);
        self.exhausted.left -= turn;
        Ok(verdict.pause + turn)
    }

    /// A turn of other tasks instead of that sleep: charged as what the last turn has brought the end nearer, and a little if
    /// it has not.
    #[cfg(feature = "tokio")]
    pub(super) fn turn_for(&mut self, verdict: Verdict) -> Result<(), IssueError> {
        let nearer = self.last_pause.saturating_sub(verdict.pause);
        self.last_pause = verdict.pause;
        self.charge(verdict, nearer.max(TURN_MIN))
    }

    /// The call is due in every tick from the next one on, when that is what it waits for.
    #[cfg(feature = "tokio")]
    pub(super) fn takes_no_turns(&mut self, verdict: Verdict) {
        if matches!(verdict.error, IssueError::Exhausted { .. }) && self.waiting.is_none() {
            self.waiting = Some(self.turns.waiters.join(0));
        }
    }

    /// The time for which the call may be parked, at most `max`; none when the bound is used up.
    #[cfg(feature = "tokio")]
    pub(super) fn patience(&self, max: Duration) -> Option<Duration> {
        Some(max.min(self.exhausted.left)).filter(|patience| !patience.is_zero())
    }

    /// The call has been parked for that time.
    #[cfg(feature = "tokio")]
    pub(super) fn charge_patience(&mut self, patience: Duration) {
        self.exhausted.left = self.exhausted.left.saturating_sub(patience);
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
        self.counters.wait();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Bookings, Waiters};

    const MS: Duration = Duration::from_millis(1);

    #[derive(Default)]
    struct Parts {
        waiters: Waiters,
        bookings: Bookings,
        counters: Counters,
    }

    fn call(generator: &Parts, rollback: Duration, exhausted: Duration) -> Wait<'_> {
        let ns = |max: Duration| u64::try_from(max.as_nanos()).unwrap_or(u64::MAX);
        let turns = Turns::of(&generator.waiters, &generator.bookings, 1, 2, 1);
        Wait::new(ns(rollback), ns(exhausted), turns, &generator.counters)
    }

    fn behind(pause: Duration) -> Verdict {
        Verdict { error: IssueError::ClockBehind { behind: pause, retry_after: pause }, pause, next_tick: 7 }
    }

    fn exhausted(pause: Duration) -> Verdict {
        Verdict { error: IssueError::Exhausted { retry_after: pause }, pause, next_tick: 7 }
    }

    #[test]
    fn a_pause_longer_than_the_bound_is_refused_at_once() {
        let parts = Parts::default();
        let mut wait = call(&parts, 5 * MS, MS);
        assert_eq!(wait.pause_for(behind(5 * MS)), Ok(5 * MS));
        let parts = Parts::default();
        let mut wait = call(&parts, 5 * MS, MS);
        assert!(wait.pause_for(behind(5 * MS + Duration::from_nanos(1))).is_err());
        assert!(wait.pause_for(exhausted(2 * MS)).is_err());
    }

    #[test]
    fn the_bound_is_for_all_pauses_together() {
        let parts = Parts::default();
        let mut wait = call(&parts, 5 * MS, MS);
        assert!(wait.pause_for(behind(3 * MS)).is_ok());
        assert!(wait.pause_for(behind(3 * MS)).is_err());
        assert!(wait.pause_for(behind(2 * MS)).is_ok());
    }

    #[test]
    fn a_clock_that_stands_still_ends_the_wait() {
        let parts = Parts::default();
        let mut wait = call(&parts, MS, MS);
        let rounds = (0..10_000).take_while(|_| wait.pause_for(exhausted(Duration::ZERO)).is_ok()).count();
        assert_eq!(rounds, 1_000);
    }

    #[test]
    fn to_fail_is_to_wait_for_no_time() {
        let parts = Parts::default();
        let mut wait = call(&parts, Duration::ZERO, Duration::ZERO);
        assert!(wait.pause_for(behind(Duration::ZERO)).is_err());
        assert!(wait.pause_for(exhausted(MS)).is_err());
    }

    #[test]
    fn no_bound_waits_for_the_hopeless() {
        let parts = Parts::default();
        let mut wait = call(&parts, Duration::MAX, Duration::MAX);
        assert_eq!(wait.pause_for(Verdict::hopeless(IssueError::Closed)), Err(IssueError::Closed));
    }

    #[test]
    fn who_waits_for_a_tick_is_counted_once_and_until_the_call_ends() {
        let parts = Parts::default();
        let mut one = call(&parts, MS, 5 * MS);
        assert!(one.pause_for(behind(MS)).is_ok());
        assert_eq!(parts.waiters.due_besides(None), 0, "a clock that went back keeps nobody's slots");
        for _ in 0..2 {
            assert!(one.pause_for(exhausted(MS)).is_ok());
            assert_eq!(parts.waiters.due_besides(None), 1);
        }
        assert_eq!(parts.counters.read().waits, 3);
        drop(one);
        assert_eq!(parts.waiters.due_besides(None), 0);
    }

    #[test]
    fn who_finds_as_many_waiting_as_are_due_in_a_tick_books_a_turn() {
        let parts = Parts::default();
        let _before: [_; 2] = core::array::from_fn(|_| parts.waiters.join(0));
        let mut calls: [_; 6] = core::array::from_fn(|_| call(&parts, MS, 10 * MS));
        let slept = calls.each_mut().map(|wait| wait.pause_for(exhausted(MS)));
        assert_eq!(slept, [MS, MS, 2 * MS, 2 * MS, 3 * MS, 3 * MS].map(Ok), "two a tick");
        assert_eq!(parts.waiters.due_besides(None), 2 + 2 + 1, "a half twice, and two thirds of one");
        assert_eq!(parts.waiters.due_besides(calls[0].waiting().map(Waiting::share)), 4);
        let again = calls.each_mut().map(|wait| wait.pause_for(exhausted(MS)));
        assert_eq!(again, [MS; 6].map(Ok), "the turns have come");
        assert_eq!(parts.waiters.due_besides(None), 8);
        drop(calls);
        assert_eq!(parts.waiters.due_besides(None), 2);
    }

    #[test]
    fn a_turn_takes_no_more_than_half_of_what_is_left() {
        for (exhausted_max, slept) in [(MS, MS), (2 * MS, MS), (3 * MS, 2 * MS), (10 * MS, 5 * MS), (99 * MS, 21 * MS)]
        {
            let parts = Parts::default();
            let _before: [_; 2] = core::array::from_fn(|_| parts.waiters.join(0));
            parts.bookings.book(20 << 2, 7 << 2, u64::MAX).expect("twenty ticks");
            let mut wait = call(&parts, MS, exhausted_max);
            assert_eq!(wait.pause_for(exhausted(MS)), Ok(slept), "{exhausted_max:?}");
            let rest = (0..1_000).map_while(|_| wait.pause_for(exhausted(MS)).ok()).sum::<Duration>();
            assert_eq!(slept + rest, exhausted_max);
        }
    }
}
