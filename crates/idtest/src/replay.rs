//! What a call must return, given how it used the clock.
//!
//! A clock may read something else each time, so the oracle is asked at the readings that the call has made. That leaves no
//! freedom: an attempt ends with the first reading at which the oracle has an id, it looks twice before it gives up, and
//! every sleep is as long as the oracle says.

use std::time::Duration;

use idcore::{IssueError, UnixTime};

use crate::oracle::{Oracle, Refusal};
use crate::recorder::Event;

/// An attempt reads the clock before the state, and once more after it before it says no.
const READINGS_PER_ATTEMPT_MAX: usize = 2;

/// How long a call may wait, all together, for a clock that is behind and for a tick that is used up; `None`: it must not
/// wait at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    pub(crate) rollback_max: Option<Duration>,
    pub(crate) exhausted_max: Option<Duration>,
}

impl Patience {
    pub(crate) const NONE: Self = Self { rollback_max: None, exhausted_max: None };

    fn of(&self, error: IssueError) -> Option<Duration> {
        match error {
            IssueError::ClockBehind { .. } => self.rollback_max,
            IssueError::Exhausted { .. } => self.exhausted_max,
            _ => None,
        }
    }
}

/// What a call returned, or must return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) ids: Vec<u64>,
    pub(crate) error: Option<IssueError>,
    pub(crate) sleeps: u64,
}

/// What a call for `n` ids must return; the oracle has taken them then.
pub(crate) fn replay(oracle: &mut Oracle, events: &[Event], n: usize, patience: Patience) -> Answer {
    let mut answer = Answer { ids: Vec::new(), error: None, sleeps: 0 };
    let mut events = events.iter().copied().peekable();
    while answer.ids.len() < n && answer.error.is_none() {
        let mut waited = Waited::default();
        // One turn is one attempt; a sleep leads to the next.
        loop {
            let mut readings = 0;
            let taken = loop {
                let Some(Event::Read(now)) = events.next() else { panic!("an attempt begins by reading the clock") };
                readings += 1;
                let taken = oracle.take(nanos(now), n - answer.ids.len());
                if taken.is_ok() || !matches!(events.peek(), Some(Event::Read(_))) {
                    break taken;
                }
                assert!(readings < READINGS_PER_ATTEMPT_MAX, "a third reading for one verdict: {events:?}");
            };
            match taken {
                Ok(ids) => answer.ids.extend(ids),
                Err(refusal) => {
                    oracle.count(&refusal);
                    if let Some(Event::Sleep(pause)) = events.peek().copied() {
                        events.next();
                        answer.sleeps += 1;
                        waited.sleep(pause, &refusal, patience);
                        continue;
                    }
                    waited.give_up(&refusal, patience);
                    answer.error = Some(refusal.error);
                }
            }
            break;
        }
    }
    assert_eq!(events.next(), None, "the clock was used after the answer was clear: {answer:?}");
    answer
}

/// What one wait has slept so far.
#[derive(Debug, Default)]
struct Waited {
    rollback: Spent,
    exhausted: Spent,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    slept: Duration,
    sleeps: u32,
}

impl Waited {
    fn spent(&mut self, error: IssueError) -> &mut Spent {
        if matches!(error, IssueError::ClockBehind { .. }) { &mut self.rollback } else { &mut self.exhausted }
    }

    fn sleep(&mut self, pause: Duration, refusal: &Refusal, patience: Patience) {
        assert_eq!(Some(pause), refusal.pause, "the sleep for {refusal:?}");
        let max =
            patience.of(refusal.error).unwrap_or_else(|| panic!("slept though {refusal:?} is not to be waited for"));
        assert!(pause <= max, "slept {pause:?} for {refusal:?}, with a bound of {max:?}");
        let spent = self.spent(refusal.error);
        spent.slept += pause;
        spent.sleeps += 1;
        // A clock that is being slewed needs up to an eighth more than the step.
        let slewed = if matches!(refusal.error, IssueError::ClockBehind { .. }) { max / 8 } else { Duration::ZERO };
        let most = max.saturating_add(slewed);
        assert!(spent.slept <= most, "slept {:?} in all, with a bound of {max:?}", spent.slept);
    }

    fn give_up(&mut self, refusal: &Refusal, patience: Patience) {
        let (Some(pause), Some(max)) = (refusal.pause, patience.of(refusal.error)) else { return };
        let spent = *self.spent(refusal.error);
        // Each sleep may cost a microsecond at least, so that a clock that stands still just before a tick ends a wait.
        let least = Duration::from_micros(1) * (spent.sleeps + 1);
        assert!(
            pause > max || spent.slept + pause + least > max,
            "gave up on {refusal:?} after {spent:?}, with {max:?} allowed"
        );
    }
}

pub(crate) fn nanos(time: UnixTime) -> i128 {
    i128::from(time.millis().get()) * 1_000_000 + i128::from(time.sub_ms_nanos())
}
