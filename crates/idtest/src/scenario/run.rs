//! One run: the generator, the oracle beside it, and what has been issued.

use std::collections::HashSet;
use std::time::Duration;

use idcore::{Dyn, DynSnowflake, Generator, IssueError, ManualClock, OnSleep, UnixMillis};

use super::{Op, Scenario, Seen};
use crate::oracle::Oracle;
use crate::plan::Part;
use crate::recorder::{Event, Recorder};
use crate::replay::{Answer, Patience, nanos, replay};

type Ids<'a> = Generator<Dyn, &'a Recorder<ManualClock>>;

pub(super) struct Run<'a> {
    scenario: &'a Scenario,
    ids: Ids<'a>,
    clock: &'a Recorder<ManualClock>,
    oracle: Oracle,
    seen: Seen,
    issued: HashSet<u64>,
    last_slot: Option<u128>,
    waits: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(scenario: &'a Scenario, ids: Ids<'a>, clock: &'a Recorder<ManualClock>, oracle: Oracle) -> Self {
        Self { scenario, ids, clock, oracle, seen: Seen::default(), issued: HashSet::new(), last_slot: None, waits: 0 }
    }

    pub(super) const fn seen(&self) -> Seen {
        self.seen
    }

    pub(super) fn step(&mut self, op: Op) {
        let manual = self.clock.inner();
        match op {
            Op::Next => self.issue(op, 1, self.scenario.patience(), |ids| match ids.next_id() {
                Ok(id) => (vec![id.get()], None),
                Err(error) => (Vec::new(), Some(error)),
            }),
            Op::TryNext => self.issue(op, 1, Patience::NONE, |ids| match ids.try_next_id() {
                Ok(id) => (vec![id.get()], None),
                Err(error) => (Vec::new(), Some(error)),
            }),
            Op::Fill(n) => self.issue(op, n, self.scenario.patience(), |ids| fill(ids, n)),
            Op::Close => assert_eq!(u128::from(self.ids.close().get()), self.oracle.close(), "the mark of close"),
            Op::RaiseCeiling(ms) => {
                let until = self.scenario.clock_ms.saturating_add(ms);
                let raised = self.ids.raise_ceiling(UnixMillis::new(until)).is_ok();
                assert_eq!(raised, self.oracle.raise_ceiling(until), "raising the ceiling to {until}");
            }
            Op::SetMs(ms) => manual.set(UnixMillis::new(ms)),
            Op::AdvanceNs(ns) => manual.advance(Duration::from_nanos(ns)),
            Op::StepBackNs(ns) => manual.step_back(Duration::from_nanos(ns)),
            Op::DriftNs(ns) => manual.drift(ns),
            Op::Freeze => manual.on_sleep(OnSleep::Freeze),
            Op::Thaw => manual.on_sleep(OnSleep::Advance),
            Op::StepAtSleepMs(ms) => manual.step_at_next_sleep(ms),
        }
        assert_eq!(u128::from(self.ids.mark().get()), self.oracle.mark(), "the mark after {op:?}");
        assert_eq!(self.ids.ceiling().get(), self.oracle.ceiling_ms(), "the ceiling after {op:?}");
        self.compare_stats(op);
    }

    fn issue(
        &mut self,
        op: Op,
        n: usize,
        patience: Patience,
        call: impl FnOnce(&Ids<'_>) -> (Vec<u64>, Option<IssueError>),
    ) {
        let (ids, error) = call(&self.ids);
        let events = self.clock.take();
        let sleeps = events.iter().filter(|event| matches!(event, Event::Sleep(_))).count() as u64;
        let expected = replay(&mut self.oracle, &events, n, patience);
        assert_eq!(Answer { ids: ids.clone(), error, sleeps }, expected, "{op:?}, clock: {events:?}");
        self.check_ids(&ids, &events);
        self.waits += sleeps;
        self.see(&ids, error, sleeps);
    }

    /// What holds whatever the oracle says: new, above the last, the generator's node, and not ahead of the clock.
    fn check_ids(&mut self, ids: &[u64], events: &[Event]) {
        let plan = &self.scenario.plan;
        let latest_ns = events.iter().filter_map(|event| match event {
            Event::Read(now) => Some(nanos(*now)),
            Event::Sleep(_) => None,
        });
        let latest_ns = latest_ns.max().unwrap_or(i128::MAX);
        for id in ids {
            assert!(self.issued.insert(*id), "{id} was handed out twice");
            let parts = plan.parts(*id);
            assert_eq!(parts.node, u128::from(self.scenario.settings.node), "the node of {id}");
            let slot = parts.tick * plan.count_of(Part::Sequence) + parts.sequence;
            assert!(self.last_slot < Some(slot), "{id} does not follow the last id");
            self.last_slot = Some(slot);
            let ahead_ns = plan.start_ns(parts.tick).saturating_sub(latest_ns);
            let ahead_max_ns = i128::try_from(self.scenario.settings.ahead_max.as_nanos()).unwrap_or(i128::MAX);
            assert!(ahead_ns <= ahead_max_ns, "{id} is {ahead_ns} ns ahead of the clock");
        }
    }

    fn compare_stats(&self, op: Op) {
        let (stats, counts) = (self.ids.stats(), self.oracle.counts());
        assert_eq!(stats.waits, self.waits, "waits after {op:?}");
        assert_eq!(stats.borrowed, counts.borrowed, "borrowed after {op:?}");
        assert_eq!(stats.clock_behind, counts.clock_behind, "clock_behind after {op:?}");
        // Counted in nanoseconds of 64 bits: 584 years.
        let most = Duration::from_nanos(u64::MAX);
        assert_eq!(stats.clock_behind_max, counts.clock_behind_max.min(most), "clock_behind_max after {op:?}");
        assert_eq!(stats.ceiling_refusals, counts.ceiling_refusals, "ceiling_refusals after {op:?}");
    }

    fn see(&mut self, ids: &[u64], error: Option<IssueError>, sleeps: u64) {
        self.seen.ids += ids.len() as u64;
        self.seen.sleeps += sleeps;
        self.seen.borrowed = self.oracle.counts().borrowed;
        self.seen.part_filled |= error.is_some() && !ids.is_empty();
        match error {
            Some(IssueError::Closed) => self.seen.closed = true,
            Some(IssueError::ReservationEnded { .. }) => self.seen.reservation_ended = true,
            Some(IssueError::EpochEnded { .. }) => self.seen.epoch_ended = true,
            Some(IssueError::ClockBehind { .. }) => self.seen.clock_behind = true,
            Some(IssueError::Exhausted { .. }) => self.seen.exhausted = true,
            None => {}
            Some(other) => panic!("an error that the oracle does not know: {other}"),
        }
    }
}

fn fill(ids: &Ids<'_>, n: usize) -> (Vec<u64>, Option<IssueError>) {
    let mut buffer = vec![DynSnowflake::ZERO; n];
    let (filled, error) = match ids.fill(&mut buffer) {
        Ok(()) => (n, None),
        Err(error) => (error.filled, Some(error.error)),
    };
    assert!(buffer[filled..].iter().all(|id| *id == DynSnowflake::ZERO), "written past what was filled");
    (buffer[..filled].iter().map(|id| id.get()).collect(), error)
}
