//! Between the public calls and the state word: bounds in, slots or errors out.

use core::time::Duration;

use idcore::{Clock, UnixMillis, UnixTime};

use super::{Generator, IssueError, word_end};
use crate::entropy::Entropy;
use crate::format::Format;
use crate::process;
use crate::state::{Bounds, COUNTER_BITS, MS_END, Nonce, Refused, Taken, Word};

/// Low bits of an id's random word that no format with a seed puts into the id.
const SPARE_BITS: u32 = 10;

/// A sleep costs at least this much of a bound, so that a clock that stands still ends the wait too.
const PAUSE_MIN: Duration = Duration::from_micros(1);

/// Why an attempt took nothing.
enum Stop {
    Refused(Refused),
    Error(IssueError),
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl<F: Format, C: Clock, E: Entropy> Generator<F, C, E> {
    /// Takes a slot the quick way. None means no more than that it is worth looking closely.
    #[inline]
    pub(super) fn take_one(&self, random: u64) -> Option<u64> {
        let now = self.clock.now();
        if F::UNIT_BITS == COUNTER_BITS {
            // A time before 1970 becomes one that is never open.
            let now_ms = u64::try_from(now.millis().get()).unwrap_or(u64::MAX);
            if self.clock.suspicion().is_none() {
                if let Some(slot) = self.state.take_open(&self.gate, now_ms) {
                    return Some(slot);
                }
            }
            return self.take_shut(now, random);
        }
        self.take_closely(now, random)
    }

    /// Takes a slot where the gate is shut: once in a millisecond. Apart, so that the rest is small enough to be inlined.
    #[cold]
    #[inline(never)]
    fn take_shut(&self, now: UnixTime, random: u64) -> Option<u64> {
        self.take_closely(now, random)
    }

    #[inline]
    fn take_closely(&self, now: UnixTime, random: u64) -> Option<u64> {
        let taken = self.take_at(now, 1, random).ok().flatten()?;
        self.count_ahead(taken, 1);
        Some(taken.first)
    }

    /// Takes up to `n` slots the quick way; none, or an error of entropy.
    pub(super) fn take(&self, n: u64, random: u64) -> Result<Option<Taken>, IssueError> {
        self.take_at(self.clock.now(), n, random)
    }

    fn take_at(&self, now: UnixTime, n: u64, random: u64) -> Result<Option<Taken>, IssueError> {
        if self.clock.suspicion().is_some() {
            return Ok(None);
        }
        let Ok(now_ms) = now_ms(now) else { return Ok(None) };
        let bounds = self.bounds(now, now_ms, self.seed(random)?);
        Ok(self.state.take(&self.gate, n, bounds))
    }

    /// Takes up to `n` slots, or says for certain why not.
    #[cold]
    pub(super) fn take_exact(&self, n: u64, random: u64) -> Result<Taken, IssueError> {
        let seed = self.seed(random)?;
        let mut read = UnixTime::from(UnixMillis::new(0));
        let taken = self.state.take_exact(&self.gate, n, || {
            let now = self.clock.now_exact();
            read = now;
            if let Some(suspect) = self.clock.suspicion() {
                return Err(Stop::Error(IssueError::ClockSuspect(suspect)));
            }
            let now_ms = now_ms(now).map_err(Stop::Error)?;
            Ok(self.bounds(now, now_ms, seed))
        });
        taken.map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Refused(refused) => self.refusal(refused, read),
        })
    }

    /// Takes up to `n` slots, and waits as the policy says.
    #[cold]
    pub(super) fn take_waiting(&self, n: u64, random: u64) -> Result<Taken, IssueError> {
        let mut left = self.exhausted_max;
        loop {
            match self.take_exact(n, random) {
                Err(IssueError::Exhausted { retry_after }) if retry_after.max(PAUSE_MIN) <= left => {
                    left -= retry_after.max(PAUSE_MIN);
                    self.counters.wait();
                    self.clock.sleep(retry_after);
                }
                result => return result,
            }
        }
    }

    /// The nonce of this process: after a fork a new one, and from the next millisecond on.
    #[inline]
    pub(super) fn nonce(&self) -> Result<Nonce, IssueError> {
        // Formats without a base have fresh random bits in every id: entropy sees to forks there.
        if !F::HAS_BASE {
            return Ok(Nonce::NONE);
        }
        let nonce = self.lineage.load();
        if nonce.generation() == process::generation() { Ok(nonce) } else { self.renew() }
    }

    #[cold]
    fn renew(&self) -> Result<Nonce, IssueError> {
        let nonce = self.drawn_nonce()?;
        if self.lineage.renew(&self.state, nonce) {
            self.counters.renewal();
        }
        Ok(self.lineage.load())
    }

    pub(super) fn drawn_nonce(&self) -> Result<Nonce, IssueError> {
        let generation = process::generation();
        Nonce::new(generation, self.entropy.next_u64()?).ok_or(IssueError::Forked { depth: generation })
    }

    #[inline]
    fn bounds(&self, now: UnixTime, now_ms: u64, seed: u64) -> Bounds {
        Bounds {
            now_ms,
            now_slot: Word::slot_of_ms(now_ms) | F::unit_of(now),
            unit_bits: F::UNIT_BITS,
            seed,
            ahead_ms_max: self.ahead_ms_max,
            rollback_ms_max: self.rollback_ms_max,
        }
    }

    /// Where a unit of time begins its counter, if it is this call that does: of bits that are not in the id.
    #[inline]
    fn seed(&self, random: u64) -> Result<u64, IssueError> {
        if F::SEED_BITS == 0 {
            return Ok(0);
        }
        let bits = if F::SEED_BITS <= SPARE_BITS { random } else { self.entropy.next_u64()? };
        Ok(bits & ((1 << F::SEED_BITS) - 1))
    }

    fn refusal(&self, refused: Refused, now: UnixTime) -> IssueError {
        let until = |ms: u64| {
            let millis = u64::try_from(now.millis().get()).map_or(ms, |now_ms| ms.saturating_sub(now_ms));
            Duration::from_millis(millis).saturating_sub(Duration::from_nanos(u64::from(now.sub_ms_nanos())))
        };
        match refused {
            Refused::ClockBehind { last_ms, next_ms } => {
                let behind = until(last_ms);
                // The start of a millisecond one past `ahead_max` counts as a carry, however far the clock may be behind.
                let is_carry_at_bound =
                    next_ms > last_ms && self.rollback_ms_max == self.ahead_ms_max.saturating_add(1);
                let rollback_ms_max = if is_carry_at_bound { 0 } else { self.rollback_ms_max };
                let bound_ms = rollback_ms_max.max(self.ahead_ms_max);
                self.counters.clock_behind(u64::try_from(behind.as_millis()).unwrap_or(u64::MAX));
                IssueError::ClockBehind { behind, retry_after: until(next_ms.saturating_sub(bound_ms)) }
            }
            Refused::Exhausted { next_ms } => {
                IssueError::Exhausted { retry_after: until(next_ms.saturating_sub(self.ahead_ms_max)) }
            }
            Refused::Ended => IssueError::TimeOutOfRange { unix_ms: word_end(), end: word_end() },
        }
    }

    /// Counts so many of the slots as ids, if they are ahead of the clock.
    #[inline]
    pub(super) fn count_ahead(&self, taken: Taken, ids: u64) {
        if taken.ahead_ms > 0 {
            self.counters.ahead(ids, taken.ahead_ms);
        }
    }
}

/// The clock's milliseconds, if the word can hold them.
#[inline]
pub(super) fn now_ms(now: UnixTime) -> Result<u64, IssueError> {
    let unix_ms = now.millis();
    u64::try_from(unix_ms.get())
        .ok()
        .filter(|now_ms| *now_ms < MS_END)
        .ok_or(IssueError::TimeOutOfRange { unix_ms, end: word_end() })
}
