//! One run: a generator and a handle of it, the oracle beside them, and what has been issued.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use idcore::{ManualClock, OnSleep, UnixMillis};
use idformats::{FillError, Generator, IssueError, Local};

use super::arbitrary::FormatOp;
use super::mirror::Mirror;
use super::oracle::{FormatRefusal, FormatSettings, Grant, Oracle};
use super::scenario::{FormatScenario, FormatSeen};
use super::{FreeBits, Known, SeededEntropy, split, unit_and_place};

/// Every id of a call is looked at up to this many, and one in so many of a larger call.
const LOOKED_AT_MAX: usize = 2_000;
const LOOKED_AT_ONE_IN: usize = 1_009;

/// A handle's blocks have at most so many ids, or a sixteenth of what a unit has.
const BLOCK_MAX: u128 = 256;

/// The slots that a handle holds, and how many it asked for.
#[derive(Default)]
struct Handle {
    slots: Vec<u128>,
    asked: u128,
}

/// What has been handed out since the last reset.
#[derive(Default)]
struct Shown {
    ids: BTreeSet<u128>,
    last_of_generator: Option<u128>,
    last_of_handle: Option<u128>,
    /// Of each millisecond: a place, and the free bits of the id there.
    bases: BTreeMap<u128, (u128, u128)>,
}

/// What a call for ids gave.
struct Given {
    ids: Vec<u128>,
    error: Option<IssueError>,
}

pub(super) struct Run<'a> {
    scenario: &'a FormatScenario,
    clock: &'a ManualClock,
    mirror: Mirror,
    oracle: Oracle,
    handle: Handle,
    shown: Shown,
    seen: FormatSeen,
}

pub(super) type Ids<'c, F> = Generator<F, &'c ManualClock, SeededEntropy>;

impl<'c> Run<'c> {
    pub(super) fn new(scenario: &'c FormatScenario, clock: &'c ManualClock, oracle: Oracle) -> Self {
        Self {
            scenario,
            clock,
            mirror: Mirror::new(scenario.clock_ms),
            oracle,
            handle: Handle::default(),
            shown: Shown::default(),
            seen: FormatSeen::default(),
        }
    }

    pub(super) const fn seen(&self) -> FormatSeen {
        self.seen
    }

    pub(super) fn step<F: Known>(
        &mut self,
        op: FormatOp,
        ids: &mut Arc<Ids<'c, F>>,
        handle: &mut Option<Local<Arc<Ids<'c, F>>>>,
    ) {
        let local = handle.as_mut().expect("it is there between two steps");
        match op {
            FormatOp::Next => self.of_generator(&one::<F>(ids.next_id()), 1, true),
            FormatOp::TryNext => self.of_generator(&one::<F>(ids.try_next_id()), 1, false),
            FormatOp::Fill(n) => self.of_generator(&filled::<F>(n, |buffer| ids.fill(buffer)), n, true),
            FormatOp::LocalNext => self.of_handle(&one::<F>(local.next_id())),
            FormatOp::LocalFill(n) => {
                let given = filled::<F>(n, |buffer| local.fill(buffer));
                if n > 0 {
                    self.handle = Handle::default();
                }
                self.check_handle_order(&given.ids);
                self.of_generator(&given, n, true);
            }
            FormatOp::Reset => {
                *handle = None;
                let ids_alone = Arc::get_mut(ids).expect("the handle was the only other");
                self.reset(ids_alone.reset());
                *handle = Some(Local::new(Arc::clone(ids)));
            }
            FormatOp::SetMs(ms) => {
                self.clock.set(UnixMillis::new(ms));
                self.mirror.now_ns = i128::from(ms) * 1_000_000;
            }
            FormatOp::AdvanceNs(ns) => {
                self.clock.advance(Duration::from_nanos(ns));
                self.mirror.now_ns += i128::from(ns);
            }
            FormatOp::StepBackNs(ns) => {
                self.clock.step_back(Duration::from_nanos(ns));
                self.mirror.now_ns -= i128::from(ns);
            }
            FormatOp::Freeze | FormatOp::Thaw => {
                self.mirror.is_frozen = op == FormatOp::Freeze;
                self.clock.on_sleep(if self.mirror.is_frozen { OnSleep::Freeze } else { OnSleep::Advance });
            }
            FormatOp::StepAtSleepMs(ms) => {
                self.clock.step_at_next_sleep(ms);
                self.mirror.steps_at_sleep_ms.push(ms);
            }
        }
        self.compare_counts(op, ids);
    }

    /// `n` ids of the shared word, in as many turns as there are units to take them from.
    fn of_generator(&mut self, given: &Given, n: usize, waits: bool) {
        let mut left = given.ids.as_slice();
        let mut error = None;
        while given.ids.len() - left.len() < n && error.is_none() {
            let wanted = n - (given.ids.len() - left.len());
            match self.look(waits) {
                Ok(grant) => {
                    let first = *left.first().unwrap_or_else(|| panic!("no id, but {:?}: {grant:?}", given.error));
                    let slot = self.slot_of(first, grant);
                    let len = usize::try_from(self.take(slot, wanted as u128)).expect("at most what was wanted");
                    assert!(left.len() >= len, "{} ids of {len}, and {:?}", left.len(), given.error);
                    self.check_ids(&left[..len], slot);
                    self.oracle.hand_out(slot, len as u64, self.mirror.now_ns);
                    left = &left[len..];
                }
                Err(refusal) => error = Some(refusal.error),
            }
        }
        assert_eq!((left.len(), given.error), (0, error), "ids too many, and the error");
        for pair in given.ids.windows(2) {
            assert!(pair[0] < pair[1], "{:032x} before {:032x}", pair[0], pair[1]);
        }
        if let (Some(first), Some(last)) = (given.ids.first(), given.ids.last()) {
            assert!(self.shown.last_of_generator < Some(*first), "{first:032x} does not follow the last id");
            self.shown.last_of_generator = Some(*last);
        }
        self.see(given);
    }

    /// One id of the handle: of its block, or the first of a new one.
    fn of_handle(&mut self, given: &Given) {
        let id = given.ids.first().copied();
        match self.handle.slots.first().copied() {
            Some(slot) if self.oracle.is_still_good(slot, self.mirror.now_ns) => {
                let id = id.unwrap_or_else(|| panic!("no id, but {:?}", given.error));
                self.handle.slots.remove(0);
                self.oracle.hand_out(slot, 1, self.mirror.now_ns);
                self.check_ids(&[id], slot);
                self.seen.of_blocks += 1;
            }
            _ => {
                let most = BLOCK_MAX.min(self.scenario.kind.places_per_unit() / 16);
                let is_used_up = self.handle.slots.is_empty();
                let asked = if is_used_up { (self.handle.asked * 2).clamp(1, most) } else { 1 };
                match self.look(true) {
                    Ok(grant) => {
                        let id = id.unwrap_or_else(|| panic!("no id, but {:?}: {grant:?}", given.error));
                        let slot = self.slot_of(id, grant);
                        let len = self.take(slot, asked);
                        self.check_ids(&[id], slot);
                        self.oracle.hand_out(slot, 1, self.mirror.now_ns);
                        self.handle = Handle { slots: (slot + 1..slot + len).collect(), asked };
                        self.shown.last_of_generator = self.shown.last_of_generator.max(Some(id));
                    }
                    Err(refusal) => assert_eq!((id, given.error), (None, Some(refusal.error))),
                }
            }
        }
        self.check_handle_order(&given.ids);
        self.see(given);
    }

    /// What there is now, after as many sleeps as the policy allows.
    fn look(&mut self, waits: bool) -> Result<Grant, FormatRefusal> {
        let mut left = if waits { self.scenario.settings.exhausted_max } else { None };
        loop {
            let refusal = match self.oracle.look(self.mirror.now_ns) {
                Ok(grant) => return Ok(grant),
                Err(refusal) => refusal,
            };
            self.oracle.count(&refusal);
            // A sleep costs a microsecond at least, so that a clock that stands still ends the wait too.
            let cost = refusal.pause.map(|pause| pause.max(Duration::from_micros(1)));
            match (refusal.pause, left.zip(cost).and_then(|(left, cost)| left.checked_sub(cost))) {
                (Some(pause), Some(rest)) => {
                    left = Some(rest);
                    self.oracle.counts.waits += 1;
                    self.mirror.sleep(pause);
                }
                _ => return Err(refusal),
            }
        }
    }

    fn take(&mut self, slot: u128, n: u128) -> u128 {
        let len = self.oracle.take(slot, n);
        self.seen.carries += u64::from((slot + len) % self.scenario.kind.places_per_unit() == 0);
        len
    }

    /// The slot of the first id of a grant: what the grant says, or what the id shows within the grant.
    fn slot_of(&self, id: u128, grant: Grant) -> u128 {
        let kind = self.scenario.kind;
        if kind.step().is_some() || !grant.is_seeded {
            return grant.first;
        }
        let (unit, place) = unit_and_place(kind, id);
        let slot = unit * kind.places_per_unit() + place;
        let seeds = grant.first..grant.first + kind.seed_count();
        assert!(seeds.contains(&slot), "{id:032x} begins at place {place} of unit {unit}: expected {grant:?}");
        slot
    }

    /// Ids of consecutive slots: their time, their counter, and that none was handed out before.
    fn check_ids(&mut self, ids: &[u128], first_slot: u128) {
        let step = if ids.len() > LOOKED_AT_MAX { LOOKED_AT_ONE_IN } else { 1 };
        for (slot, id) in (first_slot..).zip(ids).step_by(step) {
            let kind = self.scenario.kind;
            let FreeBits { unix_ms, free } = split(kind, *id);
            assert_eq!(unix_ms, Oracle::ms_of(slot), "the time of {id:032x}");
            let clock_ms = u128::try_from(self.mirror.now_ns.div_euclid(1_000_000)).expect("a clock that gives ids");
            let FormatSettings { rollback_ms, ahead_ms, .. } = self.scenario.settings;
            let ahead_max = u128::from(rollback_ms.max(ahead_ms));
            assert!(unix_ms >= clock_ms && unix_ms - clock_ms <= ahead_max, "{id:032x} with a clock at {clock_ms} ms");
            let place = slot % kind.places_per_unit();
            match kind.step() {
                None => assert_eq!(unit_and_place(kind, *id), (self.oracle.unit_of(slot), place), "{id:032x}"),
                Some(step) => {
                    let (known_place, known_free) = *self.shown.bases.entry(unix_ms).or_insert((place, free));
                    let least = |place: u128, free: u128| free + step.random - 1 - place * step.of_place;
                    let difference = least(place, free).abs_diff(least(known_place, known_free));
                    assert!(difference < step.random, "{id:032x} is at no place {place} of its millisecond");
                    assert!(free < step.base_count + (place + 1) * step.of_place, "{id:032x} is past its guard");
                }
            }
            assert!(self.shown.ids.insert(*id), "{id:032x} was handed out twice");
        }
    }

    fn check_handle_order(&mut self, ids: &[u128]) {
        for id in ids {
            assert!(self.shown.last_of_handle < Some(*id), "{id:032x} does not follow the handle's last id");
            self.shown.last_of_handle = Some(*id);
        }
    }

    fn reset(&mut self, result: Result<(), IssueError>) {
        let before = self.shown.last_of_generator.map(|id| split(self.scenario.kind, id).unix_ms);
        let expected = self.oracle.reset(self.mirror.now_ns);
        assert_eq!(result.err(), expected.err().map(|refusal| refusal.error), "a reset");
        self.handle = Handle::default();
        if expected.is_ok() {
            // New bases, and an order that begins anew; no id twice all the same.
            let ids = std::mem::take(&mut self.shown.ids);
            self.shown = Shown { ids, ..Shown::default() };
            let clock_ms = u128::try_from(self.mirror.now_ns.div_euclid(1_000_000)).expect("a clock that gives ids");
            self.seen.went_back |= before > Some(clock_ms);
        }
    }

    fn compare_counts<F: Known>(&self, op: FormatOp, ids: &Ids<'_, F>) {
        let (stats, counts) = (ids.stats(), self.oracle.counts);
        let seen = (stats.waits, stats.ahead, stats.clock_behind, stats.renewals);
        assert_eq!(seen, (counts.waits, counts.ahead, counts.clock_behind, 0), "counts after {op:?}: {stats:?}");
        assert_eq!(stats.clock_behind_max.as_millis(), counts.behind_max_ms, "after {op:?}");
        let slept = (self.clock.sleeps(), self.clock.slept());
        assert_eq!(slept, (self.mirror.sleeps, self.mirror.slept), "sleeps after {op:?}");
    }

    fn see(&mut self, given: &Given) {
        self.seen.ids += given.ids.len() as u64;
        self.seen.sleeps = self.oracle.counts.waits;
        self.seen.ahead = self.oracle.counts.ahead;
        self.seen.part_filled |= given.error.is_some() && !given.ids.is_empty();
        match given.error {
            Some(IssueError::ClockBehind { .. }) => self.seen.clock_behind = true,
            Some(IssueError::Exhausted { .. }) => self.seen.exhausted = true,
            Some(IssueError::TimeOutOfRange { .. }) => self.seen.out_of_range = true,
            None => {}
            Some(other) => panic!("an error that the oracle does not know: {other}"),
        }
    }
}

fn one<F: Known>(result: Result<F::Id, IssueError>) -> Given {
    match result {
        Ok(id) => Given { ids: vec![F::number(id)], error: None },
        Err(error) => Given { ids: Vec::new(), error: Some(error) },
    }
}

fn filled<F: Known>(n: usize, fill: impl FnOnce(&mut [F::Id]) -> Result<(), FillError>) -> Given {
    let mut buffer = vec![F::of_number(0); n];
    let (filled, error) = match fill(&mut buffer) {
        Ok(()) => (n, None),
        Err(FillError { filled, error, .. }) => (filled, Some(error)),
    };
    assert!(buffer[filled..].iter().all(|id| *id == F::of_number(0)), "written past what was filled");
    Given { ids: buffer[..filled].iter().map(|id| F::number(*id)).collect(), error }
}
