//! Between the public calls and the state word: bounds in, slots or verdicts out.

use super::turns::Turns;
use super::wait::{Verdict, Wait};
use super::{Generator, IssueError};
use crate::clock::Clock;
use crate::layout::Tag;
use crate::state::{Bounds, Refused, Share, Taken, Waiting, Word};
use crate::time::UnixTime;

/// Why an attempt took nothing.
enum Stop {
    /// The word and the bounds leave nothing.
    Refused(Refused),
    /// Something else stands in the way, whatever they say.
    Obstacle(IssueError),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl<T: Tag, C: Clock> Generator<T, C> {
    /// Takes one slot of the clock's tick, if that has been begun and nothing stands in the way; the clock's time otherwise.
    #[inline]
    pub(super) fn take_one(&self) -> Result<u64, UnixTime> {
        let now = self.clock.now();
        if self.fork.is_forked() || self.clock.suspicion().is_some() {
            return Err(now);
        }
        let slot = if self.packing().is_wide() { self.add_one(now) } else { self.exchange_one(now) };
        slot.ok_or(now)
    }

    /// The next slot by adding one to the word, if the gate is open and the slot is one of its tick.
    #[inline]
    fn add_one(&self, now: UnixTime) -> Option<u64> {
        let packing = self.packing();
        let tick = packing.wide_tick_of(now.millis());
        // Callers that wait have slots kept for them, which takes a look at the word.
        if !self.gate.is_open_for(tick) || self.anybody_waits() {
            return None;
        }
        match self.state.add_one(tick, packing.sequence_bits()) {
            Ok(slot) => Some(slot),
            Err(word_tick) => self.burnt(word_tick),
        }
    }

    #[inline]
    fn exchange_one(&self, now: UnixTime) -> Option<u64> {
        let packing = self.packing();
        let tick = packing.tick_of(now.millis())?;
        if tick >= self.ceiling.tick() {
            return None;
        }
        let sequence_bits = packing.sequence_bits();
        let first = (tick << sequence_bits) | self.sequence_start.of_tick(tick);
        let end = ((tick + 1) << sequence_bits) - self.kept_for_others(None);
        self.state.take_one_of(&(first..end))
    }

    /// Counts a slot that nobody gets, and shuts the gate that led to it.
    #[cold]
    fn burnt(&self, word_tick: u64) -> Option<u64> {
        self.state.counters().burn();
        self.gate.shut_before(word_tick);
        None
    }

    /// Opens the gate for a tick of which these were taken by an exchange, if they are the first and the rule allows it.
    #[inline]
    fn begin_tick(&self, taken: Taken, bounds: Bounds) {
        let packing = self.packing();
        if !packing.is_wide() {
            return;
        }
        let end = taken.first + taken.len;
        let [last_tick, next_tick] = [end - 1, end].map(|slot| slot >> packing.sequence_bits());
        let has_room = next_tick == last_tick;
        let is_last = last_tick + 1 >= bounds.ceiling_tick;
        self.gate.begin(last_tick, bounds.now_tick == Some(last_tick) && has_room && !is_last);
    }

    /// The last tick in which an id was taken, where the word can have passed more.
    fn last_tick_max(&self) -> u64 {
        if self.packing().is_wide() { self.gate.last_tick() } else { u64::MAX }
    }

    /// The first slot of a tick, and what else [`take_one`](Self::take_one) has not; waits as the policies say.
    #[cold]
    pub(super) fn take_one_waiting(&self, now: UnixTime) -> Result<u64, IssueError> {
        match self.take_at(now, 1) {
            Some(taken) => Ok(taken.first),
            None => self.take_waiting(1).map(|taken| taken.first),
        }
    }

    /// The same without a wait.
    #[cold]
    pub(super) fn take_one_exact(&self, now: UnixTime) -> Result<u64, IssueError> {
        match self.take_at(now, 1) {
            Some(taken) => Ok(taken.first),
            None => self.take_exact(1, None).map(|taken| taken.first).map_err(|verdict| verdict.error),
        }
    }

    /// Takes up to `n` slots the quick way. Here the clock is read before the word, so that load and exchange are close
    /// together; none means no more than that it is worth looking closely.
    #[inline]
    pub(super) fn take(&self, n: u64) -> Option<Taken> {
        self.take_at(self.clock.now(), n)
    }

    #[inline]
    fn take_at(&self, now: UnixTime, n: u64) -> Option<Taken> {
        let bounds = self.bounds(now, None);
        if self.fork.is_forked() || self.clock.suspicion().is_some() {
            return None;
        }
        let taken = self.state.take(n, bounds, self.packing().sequence_bits())?;
        self.begin_tick(taken, bounds);
        if self.ahead_ticks_max > 0 {
            self.count_borrowed(taken, bounds);
        }
        Some(taken)
    }

    /// Takes up to `n` slots, or says for certain why not; for a caller that has waited, or not.
    #[cold]
    pub(super) fn take_exact(&self, n: u64, waiting: Option<Share>) -> Result<Taken, Verdict> {
        let mut read = None;
        let taken = self.state.take_exact(n, self.packing().sequence_bits(), |word| {
            // Before the clock, as the word: an id that is taken meanwhile in a later tick is no clock that went back.
            let last_tick_max = self.last_tick_max();
            let now = self.clock.now_exact();
            let bounds = Bounds { last_tick_max, ..self.bounds(now, waiting) };
            read = Some((now, bounds));
            match self.obstacle(word) {
                None => Ok(bounds),
                Some(error) => Err(Stop::Obstacle(error)),
            }
        });
        let (now, bounds) = read.expect("every take reads the clock");
        match taken {
            Ok(taken) => {
                self.begin_tick(taken, bounds);
                self.count_borrowed(taken, bounds);
                Ok(taken)
            }
            Err(Stop::Refused(refused)) => Err(self.verdict(refused, now, bounds)),
            Err(Stop::Obstacle(error)) => Err(Verdict::hopeless(error)),
        }
    }

    /// Takes up to `n` slots, and waits as the policies say.
    #[cold]
    pub(super) fn take_waiting(&self, n: u64) -> Result<Taken, IssueError> {
        self.wait_for(n, |waiting| self.take_exact(n, waiting))
    }

    /// Makes attempts until one succeeds, and sleeps between them as the policies say; for a caller that wants `n` slots of a
    /// tick.
    pub(super) fn wait_for<R>(
        &self,
        n: u64,
        mut attempt: impl FnMut(Option<Share>) -> Result<R, Verdict>,
    ) -> Result<R, IssueError> {
        let mut wait = self.wait(n);
        loop {
            match attempt(wait.waiting().map(Waiting::share)) {
                Ok(taken) => return Ok(taken),
                Err(verdict) => self.clock.sleep(wait.pause_for(verdict)?),
            }
        }
    }

    /// Whether nothing stands in the way of slots that are taken already.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.check_open().is_ok()
    }

    #[inline]
    fn check_open(&self) -> Result<(), IssueError> {
        self.check_handed_out()?;
        match self.clock.suspicion() {
            None => Ok(()),
            Some(suspect) => Err(IssueError::ClockSuspect(suspect)),
        }
    }

    /// Whether slots that are taken already may still be handed out, whatever the clock says.
    #[inline]
    pub(super) fn check_handed_out(&self) -> Result<(), IssueError> {
        if self.fork.is_forked() {
            return Err(IssueError::Forked);
        }
        if self.state.load().is_closed() {
            return Err(IssueError::Closed);
        }
        Ok(())
    }

    /// Whether slots of this tick, which are taken already, may be handed out now; no when the tick has passed.
    pub(super) fn is_due(&self, tick: u64) -> Result<bool, Verdict> {
        let now = self.clock.now_exact();
        self.check_open().map_err(Verdict::hopeless)?;
        let bounds = self.bounds(now, None);
        match bounds.now_tick {
            Some(now_tick) if now_tick.saturating_add(bounds.ahead_ticks_max) >= tick => Ok(tick >= now_tick),
            _ => Err(self.verdict(Refused::ClockBehind { last_tick: tick, next_tick: tick }, now, bounds)),
        }
    }

    /// The wait of one call that wants `n` slots of a tick: its bounds are its own.
    pub(super) fn wait(&self, n: u64) -> Wait<'_> {
        let packing = self.packing();
        let turns = Turns::of(&self.waiters, &self.bookings, n, packing.sequence_bits(), packing.tick_ms());
        Wait::new(self.rollback_max_ns, self.exhausted_max_ns, turns, self.state.counters())
    }

    #[inline]
    fn bounds(&self, now: UnixTime, waiting: Option<Share>) -> Bounds {
        let now_tick = self.packing().tick_of(now.millis());
        Bounds {
            now_tick,
            ceiling_tick: self.ceiling.tick(),
            ahead_ticks_max: self.ahead_ticks_max,
            sequence_start: now_tick.map_or(0, |tick| self.sequence_start.of_tick(tick)),
            kept_for_others: self.kept_for_others(waiting),
            entitled: u64::from(waiting.is_some()),
            last_tick_max: u64::MAX,
        }
    }

    #[inline]
    fn anybody_waits(&self) -> bool {
        #[cfg(feature = "tokio")]
        if self.queue.is_any_parked() {
            return true;
        }
        self.waiters.is_any()
    }

    #[inline]
    fn kept_for_others(&self, own: Option<Share>) -> u64 {
        // At most half of a tick: waiters that do not come, such as threads that have no processor, starve nobody.
        let kept = self.waiters.due_besides(own).min(self.packing().sequence_count() / 2);
        #[cfg(feature = "tokio")]
        if !own.is_some_and(Share::is_leading) {
            return kept + self.kept_for_parked();
        }
        kept
    }

    /// What stands in the way whatever bounds say. A closed generator stays closed under any clock.
    fn obstacle(&self, word: Word) -> Option<IssueError> {
        if self.fork.is_forked() {
            return Some(IssueError::Forked);
        }
        self.clock.suspicion().filter(|_| !word.is_closed()).map(IssueError::ClockSuspect)
    }

    fn verdict(&self, refused: Refused, now: UnixTime, bounds: Bounds) -> Verdict {
        let until_issuable =
            |tick: u64| now.until(self.packing().time_of_tick(tick.saturating_sub(self.ahead_ticks_max)));
        match refused {
            Refused::Closed => Verdict::hopeless(IssueError::Closed),
            Refused::AtCeiling => {
                self.state.counters().ceiling_refusal();
                let end = self.packing().tick_count();
                Verdict::hopeless(if bounds.ceiling_tick >= end {
                    IssueError::EpochEnded { now: now.millis(), end: self.packing().time_of_tick(end) }
                } else {
                    IssueError::ReservationEnded { until: self.packing().time_of_tick(bounds.ceiling_tick) }
                })
            }
            Refused::ClockBehind { last_tick, next_tick } => {
                let behind = now.until(self.packing().time_of_tick(last_tick));
                self.state.counters().clock_behind(behind);
                let retry_after = until_issuable(next_tick);
                // Waits to where the clock was, and then looks again: a full tick is not the clock's fault.
                let pause = until_issuable(last_tick);
                Verdict { error: IssueError::ClockBehind { behind, retry_after }, pause, next_tick }
            }
            Refused::Exhausted { next_tick } => {
                let retry_after = until_issuable(next_tick);
                Verdict { error: IssueError::Exhausted { retry_after }, pause: retry_after, next_tick }
            }
        }
    }

    #[cold]
    fn count_borrowed(&self, taken: Taken, bounds: Bounds) {
        let Some(now_tick) = bounds.now_tick else { return };
        let sequence_bits = self.packing().sequence_bits();
        let ahead_from = now_tick.min(bounds.ceiling_tick).saturating_add(1).min(bounds.ceiling_tick) << sequence_bits;
        let borrowed = (taken.first + taken.len).saturating_sub(taken.first.max(ahead_from));
        if borrowed > 0 {
            self.state.counters().borrow(borrowed);
        }
    }
}
