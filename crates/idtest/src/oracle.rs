//! A generator without threads, bits or tricks: it takes one slot after the other, in `u128`.
//!
//! Slots are numbered from the epoch on: `tick × slots per tick + place`. The rules:
//!
//! - A slot is issued once, and none below an issued one afterwards.
//! - The slot to issue is the lowest that is free, but not before the tick that the clock reads.
//! - It must be below the ceiling, and its tick at most `ahead` ticks ahead of the clock's. A clock before the epoch reads
//!   no tick at all.
//! - A refusal says the most hopeless of: closed, reserved time or layout at its end, clock behind, tick used up. The clock
//!   is behind when the last issued slot is further ahead of it than allowed.

use std::time::Duration;

use idcore::IssueError;
use idcore::UnixMillis;

use crate::plan::{Part, Parts, Plan};

const NS_PER_MS: i128 = 1_000_000;

/// What a generator is built with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The worker number.
    pub node: u64,
    /// How far ids may run ahead of the clock.
    pub ahead_max: Duration,
    /// No id before this time.
    pub start_ms: Option<i64>,
    /// No id at or past this time.
    pub ceiling_ms: Option<i64>,
    /// No slot below this one.
    pub mark: u64,
}

/// A generator's answer when there is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the caller is told.
    pub error: IssueError,
    /// The sleep after which a waiting caller looks again; none when no sleep helps.
    pub pause: Option<Duration>,
}

/// What a generator must count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ids whose tick was ahead of the clock's.
    pub borrowed: u64,
    /// Verdicts that the clock is behind.
    pub clock_behind: u64,
    /// The furthest that it was.
    pub clock_behind_max: Duration,
    /// Verdicts that the ceiling is reached.
    pub ceiling_refusals: u64,
}

/// The naive generator.
#[derive(Clone, Debug)]
pub struct Oracle {
    plan: Plan,
    node: u64,
    ahead_ticks: u128,
    /// The lowest free slot.
    next: u128,
    /// The first tick that must not be issued.
    ceiling: u128,
    closed: bool,
    counts: Counts,
}

impl Oracle {
    /// The generator with these settings; none when it must not be built with a clock that reads `now_ns`.
    pub fn new(plan: &Plan, settings: Settings, now_ns: i128) -> Option<Self> {
        let end = plan.tick_count();
        let now = plan.tick_of(now_ns)?;
        let start = settings.start_ms.map_or(0, |ms| first_tick_from(plan, ms)) * plan.count_of(Part::Sequence);
        let next = start.max(u128::from(settings.mark));
        let ceiling = settings.ceiling_ms.map_or(Some(end), |ms| ceiling_of(plan, ms))?;
        let fits = now < end
            && u128::from(settings.node) < plan.count_of(Part::Node)
            && next < end * plan.count_of(Part::Sequence);
        fits.then(|| Self {
            plan: plan.clone(),
            node: settings.node,
            ahead_ticks: settings.ahead_max.as_millis() / u128::from(plan.tick_ms),
            next,
            ceiling,
            closed: false,
            counts: Counts::default(),
        })
    }

    /// What has been counted.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The lowest free slot.
    pub const fn mark(&self) -> u128 {
        self.next
    }

    /// The time that no id reaches.
    pub fn ceiling_ms(&self) -> i64 {
        self.plan.start_ms(self.ceiling)
    }

    /// Up to `n` ids at one reading of the clock, at least one; or why there is none.
    ///
    /// # Errors
    ///
    /// When there is no id at this reading.
    pub fn take(&mut self, now_ns: i128, n: usize) -> Result<Vec<u64>, Refusal> {
        let mut ids = Vec::new();
        while ids.len() < n {
            match self.take_one(now_ns) {
                Ok(id) => ids.push(id),
                Err(refusal) if ids.is_empty() => return Err(refusal),
                Err(_) => break,
            }
        }
        Ok(ids)
    }

    /// Counts a refusal that a caller is told of, or that a waiting call waits for.
    pub fn count(&mut self, refusal: &Refusal) {
        match refusal.error {
            IssueError::ClockBehind { behind, .. } => {
                self.counts.clock_behind += 1;
                self.counts.clock_behind_max = self.counts.clock_behind_max.max(behind);
            }
            IssueError::ReservationEnded { .. } | IssueError::EpochEnded { .. } => self.counts.ceiling_refusals += 1,
            _ => {}
        }
    }

    /// Ends the generator and gives the lowest slot that it never issues.
    pub fn close(&mut self) -> u128 {
        self.closed = true;
        self.next
    }

    /// Raises the ceiling; false when that is past the layout's end.
    pub fn raise_ceiling(&mut self, until_ms: i64) -> bool {
        let Some(tick) = ceiling_of(&self.plan, until_ms) else { return false };
        self.ceiling = self.ceiling.max(tick);
        true
    }

    fn take_one(&mut self, now_ns: i128) -> Result<u64, Refusal> {
        let slots = self.plan.count_of(Part::Sequence);
        let now = self.plan.tick_of(now_ns);
        let slot = self.next.max(now.unwrap_or(0) * slots);
        let tick = slot / slots;
        if self.closed {
            return Err(Refusal { error: IssueError::Closed, pause: None });
        }
        if tick >= self.ceiling {
            return Err(Refusal { error: self.at_ceiling(now_ns), pause: None });
        }
        match now {
            Some(now) if tick <= now + self.ahead_ticks => {
                self.next = slot + 1;
                self.counts.borrowed += u64::from(tick > now);
                let parts = Parts { tick, node: u128::from(self.node), sequence: slot % slots };
                Ok(self.plan.compose(parts))
            }
            _ => Err(self.too_early(now, now_ns)),
        }
    }

    fn at_ceiling(&self, now_ns: i128) -> IssueError {
        let end = self.plan.tick_count();
        if self.ceiling < end {
            IssueError::ReservationEnded { until: UnixMillis::new(self.plan.start_ms(self.ceiling)) }
        } else {
            let now =
                i64::try_from(now_ns.div_euclid(1_000_000)).expect("a clock's time is within 64 bits of milliseconds");
            IssueError::EpochEnded { now: UnixMillis::new(now), end: UnixMillis::new(self.plan.start_ms(end)) }
        }
    }

    fn too_early(&self, now: Option<u128>, now_ns: i128) -> Refusal {
        let slots = self.plan.count_of(Part::Sequence);
        let last = self.next.saturating_sub(1) / slots;
        let retry_after = self.time_to(self.issuable_at(self.next / slots), now_ns);
        match now {
            Some(now) if last <= now + self.ahead_ticks => {
                Refusal { error: IssueError::Exhausted { retry_after }, pause: Some(retry_after) }
            }
            _ => {
                let behind = self.time_to(last, now_ns);
                let pause = self.time_to(self.issuable_at(last), now_ns);
                Refusal { error: IssueError::ClockBehind { behind, retry_after }, pause: Some(pause) }
            }
        }
    }

    /// The earliest clock tick at which `tick` may be issued.
    fn issuable_at(&self, tick: u128) -> u128 {
        tick.saturating_sub(self.ahead_ticks)
    }

    fn time_to(&self, tick: u128, now_ns: i128) -> Duration {
        let ns = self.plan.start_ns(tick) - now_ns;
        let ns = u128::try_from(ns).unwrap_or(0);
        let seconds = u64::try_from(ns / 1_000_000_000).expect("fewer than 2^64 seconds");
        Duration::new(seconds, u32::try_from(ns % 1_000_000_000).expect("a remainder of 10^9"))
    }
}

/// The first tick that starts at the time or later.
fn first_tick_from(plan: &Plan, ms: i64) -> u128 {
    let ns = i128::from(ms) * NS_PER_MS;
    match plan.tick_of(ns) {
        None => 0,
        Some(tick) if plan.start_ns(tick) == ns => tick,
        Some(tick) => tick + 1,
    }
}

/// The last tick that starts at the time or earlier; none when that is past the layout's end.
fn ceiling_of(plan: &Plan, ms: i64) -> Option<u128> {
    if ms > plan.start_ms(plan.tick_count()) {
        return None;
    }
    Some(plan.tick_of(i128::from(ms) * NS_PER_MS).unwrap_or(0))
}
