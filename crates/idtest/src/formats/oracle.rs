//! A generator without threads, bits or tricks: slots are numbered from 1970 on, in `u128`.
//!
//! A millisecond has 2^20 slots, in one unit of time or in 4,096. The rules:
//!
//! - The slot to issue is the lowest that is free, but not before the unit that the clock reads.
//! - The first of a unit is seeded: it is any slot of the unit's lower half, where the id shows its counter.
//! - Its time is at most `ahead` past the clock. Beyond that: when it is the first of a unit and the slot before it is not
//!   beyond, the counter has come to its end; otherwise the clock went back, and `rollback` is the bound.
//! - The clock must be between 1970 and 2^44 ms; the last 4,096 slots of all are not issued.

use std::time::Duration;

use idcore::UnixMillis;
use idformats::IssueError;

use super::Kind;

const SLOTS_PER_MS: u128 = 1 << 20;
const END_MS: i64 = 1 << 44;
const SLOTS_SPARE: u128 = 4_096;
const NS_PER_MS: i128 = 1_000_000;

/// What a generator is built with.
#[derive(Clone, Copy, Debug)]
pub struct FormatSettings {
    /// How far the clock may be behind.
    pub rollback_ms: u64,
    /// How far a counter may carry the time.
    pub ahead_ms: u64,
    /// How long a call waits for the clock, if it does.
    pub exhausted_max: Option<Duration>,
    /// No id before this time.
    pub start_ms: Option<i64>,
    /// No id at or before this time.
    pub above_ms: Option<i64>,
}

/// Why there is no id now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatRefusal {
    /// What the caller is told.
    pub error: IssueError,
    /// The sleep after which a waiting caller looks again.
    pub pause: Option<Duration>,
}

/// What a generator must count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatCounts {
    /// Sleeps.
    pub waits: u64,
    /// Ids ahead of the clock.
    pub ahead: u64,
    /// Refusals because the clock is behind.
    pub clock_behind: u64,
    /// The furthest that it was, in milliseconds.
    pub behind_max_ms: u128,
}

/// Where ids may be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grant {
    /// The lowest slot.
    pub(super) first: u128,
    /// Whether any slot of the unit's lower half may be the first.
    pub(super) is_seeded: bool,
}

/// The naive generator.
#[derive(Clone, Debug)]
pub(super) struct Oracle {
    kind: Kind,
    rollback_ms: u128,
    ahead_ms: u128,
    /// The lowest free slot.
    next: u128,
    pub(super) counts: FormatCounts,
}

impl Oracle {
    /// The generator with these settings; none when there must be none.
    pub(super) fn new(kind: Kind, settings: FormatSettings) -> Option<Self> {
        let start_ms = settings.start_ms.unwrap_or(0).max(settings.above_ms.map_or(0, |ms| ms + 1));
        let is_possible = settings.start_ms.is_none_or(|ms| ms >= 0) && start_ms < END_MS;
        is_possible.then(|| Self {
            kind,
            rollback_ms: settings.rollback_ms.into(),
            ahead_ms: settings.ahead_ms.into(),
            next: u128::try_from(start_ms).expect("not before 1970") * SLOTS_PER_MS,
            counts: FormatCounts::default(),
        })
    }

    /// The millisecond of a slot.
    pub(super) const fn ms_of(slot: u128) -> u128 {
        slot / SLOTS_PER_MS
    }

    /// The unit of a slot.
    pub(super) const fn unit_of(&self, slot: u128) -> u128 {
        slot / self.kind.places_per_unit()
    }

    /// The unit that the clock reads.
    pub(super) fn unit_at(&self, now_ns: i128) -> Result<u128, FormatRefusal> {
        let clock_ms = now_ns.div_euclid(NS_PER_MS);
        if !(0..i128::from(END_MS)).contains(&clock_ms) {
            let unix_ms = i64::try_from(clock_ms).unwrap_or(if clock_ms < 0 { i64::MIN } else { i64::MAX });
            return Err(out_of_range(unix_ms));
        }
        Ok(now_ns.unsigned_abs() * self.kind.units_per_ms() / NS_PER_MS.unsigned_abs())
    }

    /// Where ids may be taken at this reading of the clock, or why nowhere.
    pub(super) fn look(&self, now_ns: i128) -> Result<Grant, FormatRefusal> {
        let clock_ms = Self::ms_of(self.unit_at(now_ns)? * self.kind.places_per_unit());
        let now_first = self.unit_at(now_ns)? * self.kind.places_per_unit();
        if self.next <= now_first {
            return granted(Grant { first: now_first, is_seeded: true });
        }
        let ahead_of = |slot: u128| Self::ms_of(slot).saturating_sub(clock_ms);
        let is_first_of_unit = self.next % self.kind.places_per_unit() == 0;
        let may_be_ahead_ms = self.ahead_ms.max(self.rollback_ms);
        let is_carry = is_first_of_unit && ahead_of(self.next - 1) <= self.ahead_ms;
        let ahead_ms = ahead_of(self.next);
        if ahead_ms <= self.ahead_ms || (!is_carry && ahead_ms <= self.rollback_ms) {
            return granted(Grant { first: self.next, is_seeded: is_first_of_unit });
        }
        let next_ms = Self::ms_of(self.next);
        if is_carry {
            let retry_after = time_to(next_ms - self.ahead_ms, now_ns);
            return Err(FormatRefusal { error: IssueError::Exhausted { retry_after }, pause: Some(retry_after) });
        }
        let behind = time_to(Self::ms_of(self.next - 1), now_ns);
        // One past `ahead` the first of a unit is a carry, though `rollback` allows it.
        let retry_at_ms =
            if is_first_of_unit && may_be_ahead_ms == self.ahead_ms + 1 && next_ms > Self::ms_of(self.next - 1) {
                next_ms - self.ahead_ms
            } else {
                next_ms - may_be_ahead_ms
            };
        let retry_after = time_to(retry_at_ms, now_ns);
        Err(FormatRefusal { error: IssueError::ClockBehind { behind, retry_after }, pause: None })
    }

    /// The slots are taken, up to the end of the unit at most.
    pub(super) fn take(&mut self, first: u128, n: u128) -> u128 {
        let unit_end = (self.unit_of(first) + 1) * self.kind.places_per_unit();
        let len = n.min(unit_end.min(end_slot()) - first);
        self.next = first + len;
        len
    }

    /// Counts ids that are handed out.
    pub(super) fn hand_out(&mut self, slot: u128, ids: u64, now_ns: i128) {
        let clock_ms = u128::try_from(now_ns.div_euclid(NS_PER_MS)).expect("a clock that ids can be had of");
        let ahead_ms = Self::ms_of(slot).saturating_sub(clock_ms);
        if ahead_ms > 0 {
            self.counts.ahead += ids;
            self.counts.behind_max_ms = self.counts.behind_max_ms.max(ahead_ms);
        }
    }

    /// Counts a refusal.
    pub(super) fn count(&mut self, refusal: &FormatRefusal) {
        if let IssueError::ClockBehind { behind, .. } = refusal.error {
            self.counts.clock_behind += 1;
            self.counts.behind_max_ms = self.counts.behind_max_ms.max(behind.as_millis());
        }
    }

    /// Whether a slot is near enough to the clock for one who has taken it before.
    pub(super) fn is_still_good(&self, slot: u128, now_ns: i128) -> bool {
        let Ok(unit) = self.unit_at(now_ns) else { return false };
        let clock_ms = Self::ms_of(unit * self.kind.places_per_unit());
        self.unit_of(slot) >= unit && Self::ms_of(slot) <= clock_ms.saturating_add(self.ahead_ms.max(self.rollback_ms))
    }

    /// Forgets the last time.
    pub(super) fn reset(&mut self, now_ns: i128) -> Result<(), FormatRefusal> {
        self.next = Self::ms_of(self.unit_at(now_ns)? * self.kind.places_per_unit()) * SLOTS_PER_MS;
        Ok(())
    }
}

const fn end_slot() -> u128 {
    END_MS.unsigned_abs() as u128 * SLOTS_PER_MS - SLOTS_SPARE
}

fn granted(grant: Grant) -> Result<Grant, FormatRefusal> {
    // A unit's seed is far below the spare slots, which are the last of the last unit.
    if grant.first >= end_slot() { Err(out_of_range(END_MS)) } else { Ok(grant) }
}

fn out_of_range(unix_ms: i64) -> FormatRefusal {
    let [unix_ms, end] = [unix_ms, END_MS].map(UnixMillis::new);
    FormatRefusal { error: IssueError::TimeOutOfRange { unix_ms, end }, pause: None }
}

/// From the clock's time to the start of a millisecond.
fn time_to(ms: u128, now_ns: i128) -> Duration {
    let ns = i128::try_from(ms).expect("far below 2^127") * NS_PER_MS - now_ns;
    let ns = u128::try_from(ns).unwrap_or(0);
    let seconds = u64::try_from(ns / 1_000_000_000).expect("fewer than 2^64 seconds");
    Duration::new(seconds, u32::try_from(ns % 1_000_000_000).expect("a remainder of 10^9"))
}
