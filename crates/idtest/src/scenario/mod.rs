//! A layout, settings and operations, run on a generator and held against the oracle.

mod arbitrary;
mod run;

use std::thread;

use idcore::{BuildError, Dyn, Exhaustion, Generator, ManualClock, Mark, Rollback, UnixMillis};

use self::run::Run;
use crate::oracle::{Oracle, Settings};
use crate::plan::Plan;
use crate::recorder::Recorder;
use crate::replay::Patience;

const NS_PER_MS: u64 = 1_000_000;

/// One operation on a generator or on its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `next_id`.
    Next,
    /// `try_next_id`.
    TryNext,
    /// `fill` with this many.
    Fill(usize),
    /// `close`.
    Close,
    /// `raise_ceiling` to this many milliseconds after the clock's start.
    RaiseCeiling(i64),
    /// The clock jumps to this time.
    SetMs(i64),
    /// The clock goes on.
    AdvanceNs(u64),
    /// The clock steps back.
    StepBackNs(u64),
    /// From now on the clock moves by this much at every reading.
    DriftNs(i64),
    /// From now on a sleep does not move the clock.
    Freeze,
    /// From now on a sleep moves the clock.
    Thaw,
    /// The next sleep moves the clock by this many milliseconds instead.
    StepAtSleepMs(i64),
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The layout.
    pub plan: Plan,
    /// What the generator is built with.
    pub settings: Settings,
    /// What to wait for when the clock is behind.
    pub rollback: Rollback,
    /// What to wait for when a tick is used up.
    pub exhaustion: Exhaustion,
    /// What the clock reads at first.
    pub clock_ms: i64,
    /// What is done then.
    pub ops: Vec<Op>,
}

/// What came up in a run, so that a corpus can be judged by what it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of marks, each on its own")]
pub struct Seen {
    /// The settings were refused, as they had to be.
    pub build_refused: bool,
    /// The number of ids.
    pub ids: u64,
    /// The number of sleeps.
    pub sleeps: u64,
    /// The number of ids ahead of the clock.
    pub borrowed: u64,
    /// Closed.
    pub closed: bool,
    /// Reserved time used up.
    pub reservation_ended: bool,
    /// The layout's end reached.
    pub epoch_ended: bool,
    /// A clock behind.
    pub clock_behind: bool,
    /// A tick used up.
    pub exhausted: bool,
    /// A `fill` that ended with an error after some ids.
    pub part_filled: bool,
}

impl Seen {
    /// What came up in either of two runs.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            build_refused: self.build_refused || other.build_refused,
            ids: self.ids + other.ids,
            sleeps: self.sleeps + other.sleeps,
            borrowed: self.borrowed + other.borrowed,
            closed: self.closed || other.closed,
            reservation_ended: self.reservation_ended || other.reservation_ended,
            epoch_ended: self.epoch_ended || other.epoch_ended,
            clock_behind: self.clock_behind || other.clock_behind,
            exhausted: self.exhausted || other.exhausted,
            part_filled: self.part_filled || other.part_filled,
        }
    }

    /// Whether everything came up that can come up when a generator is built.
    pub const fn is_everything(&self) -> bool {
        self.ids > 0
            && self.sleeps > 0
            && self.borrowed > 0
            && self.closed
            && self.reservation_ended
            && self.epoch_ended
            && self.clock_behind
            && self.exhausted
            && self.part_filled
    }
}

impl Scenario {
    /// Runs the scenario, and prints it on failure.
    ///
    /// # Panics
    ///
    /// When the generator does anything but what the oracle says.
    pub fn run(&self) -> Seen {
        let _printed_on_failure = PrintOnPanic(self);
        self.run_silently()
    }

    /// As [`run`](Self::run), without printing the scenario.
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn run_silently(&self) -> Seen {
        let clock = Recorder::new(ManualClock::new(UnixMillis::new(self.clock_ms)));
        let oracle = Oracle::new(&self.plan, self.settings, i128::from(self.clock_ms) * i128::from(NS_PER_MS));
        let built = self.build(&clock);
        let (ids, oracle) = match (built, oracle) {
            (Ok(ids), Some(oracle)) => (ids, oracle),
            (Err(_), None) => return Seen { build_refused: true, ..Seen::default() },
            (Ok(_), None) => panic!("built, though the settings have no generator"),
            (Err(error), Some(_)) => panic!("not built, though nothing is wrong: {error}"),
        };
        clock.take();
        let mut run = Run::new(self, ids, &clock, oracle);
        for op in &self.ops {
            run.step(*op);
        }
        run.seen()
    }

    fn build<'c>(
        &self,
        clock: &'c Recorder<ManualClock>,
    ) -> Result<Generator<Dyn, &'c Recorder<ManualClock>>, BuildError> {
        let mut builder = self
            .plan
            .layout()
            .generator_with(clock)
            .unregistered()
            .node(self.settings.node)
            .on_rollback(self.rollback)
            .on_exhausted(self.exhaustion)
            .ahead_max(self.settings.ahead_max)
            .not_before(Mark::new(self.settings.mark));
        if let Some(ms) = self.settings.start_ms {
            builder = builder.start_at(UnixMillis::new(ms));
        }
        if let Some(ms) = self.settings.ceiling_ms {
            builder = builder.ceiling(UnixMillis::new(ms));
        }
        builder.build()
    }

    const fn patience(&self) -> Patience {
        Patience {
            rollback_max: match self.rollback {
                Rollback::Fail => None,
                Rollback::Wait { max } => Some(max),
            },
            exhausted_max: match self.exhaustion {
                Exhaustion::Fail => None,
                Exhaustion::Wait { max } => Some(max),
            },
        }
    }
}

struct PrintOnPanic<'a>(&'a Scenario);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("layout {}\n{:#?}", self.0.plan, self.0);
        }
    }
}
