//! A format, settings and operations, and what came up when they were run.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use idcore::{Exhaustion, ManualClock, UnixMillis};
use idformats::{BuildError, Local, UlidMonotonic, UlidRandom, V7Counter, V7Random, V7SubMs};

use super::arbitrary::FormatOp;
use super::oracle::{FormatSettings, Oracle};
use super::run::{Ids, Run};
use super::{FreeBits, Kind, Known, SeededEntropy, join};

/// A format, settings and operations, run on a generator and held against the oracle step by step.
#[derive(Clone, Debug)]
pub struct FormatScenario {
    /// The format.
    pub kind: Kind,
    /// What the generator is built with.
    pub settings: FormatSettings,
    /// What the clock reads at first.
    pub clock_ms: i64,
    /// The seed of the entropy.
    pub entropy: u64,
    /// What is done then.
    pub ops: Vec<FormatOp>,
}

/// What came up in a run, so that a corpus can be judged by what it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a list of marks, each on its own")]
pub struct FormatSeen {
    /// The settings were refused, as they had to be.
    pub build_refused: bool,
    /// The number of ids.
    pub ids: u64,
    /// The number of a handle's ids that came out of a block.
    pub of_blocks: u64,
    /// The number of sleeps.
    pub sleeps: u64,
    /// The number of ids ahead of the clock.
    pub ahead: u64,
    /// The number of counters that came to their end.
    pub carries: u64,
    /// A clock behind.
    pub clock_behind: bool,
    /// A counter used up, and the time too far ahead.
    pub exhausted: bool,
    /// A time that ids cannot hold.
    pub out_of_range: bool,
    /// A `fill` that ended with an error after some ids.
    pub part_filled: bool,
    /// A reset that lowered the time.
    pub went_back: bool,
}

impl FormatSeen {
    /// What came up in either of two runs.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            build_refused: self.build_refused || other.build_refused,
            ids: self.ids + other.ids,
            of_blocks: self.of_blocks + other.of_blocks,
            sleeps: self.sleeps + other.sleeps,
            ahead: self.ahead + other.ahead,
            carries: self.carries + other.carries,
            clock_behind: self.clock_behind || other.clock_behind,
            exhausted: self.exhausted || other.exhausted,
            out_of_range: self.out_of_range || other.out_of_range,
            part_filled: self.part_filled || other.part_filled,
            went_back: self.went_back || other.went_back,
        }
    }

    /// Whether everything came up that can come up when a generator is built.
    pub const fn is_everything(&self) -> bool {
        self.ids > 0
            && self.of_blocks > 0
            && self.sleeps > 0
            && self.ahead > 0
            && self.carries > 0
            && self.clock_behind
            && self.exhausted
            && self.out_of_range
            && self.part_filled
            && self.went_back
    }
}

impl FormatScenario {
    /// Runs the scenario, and prints it on failure.
    ///
    /// # Panics
    ///
    /// When the generator does anything but what the oracle says.
    pub fn run(&self) -> FormatSeen {
        let _printed_on_failure = PrintOnPanic(self);
        self.run_silently()
    }

    /// As [`run`](Self::run), without printing the scenario.
    ///
    /// # Panics
    ///
    /// As for [`run`](Self::run).
    pub fn run_silently(&self) -> FormatSeen {
        match self.kind {
            Kind::V7Counter => self.run_as::<V7Counter>(),
            Kind::V7Random => self.run_as::<V7Random>(),
            Kind::V7SubMs => self.run_as::<V7SubMs>(),
            Kind::UlidMonotonic => self.run_as::<UlidMonotonic>(),
            Kind::UlidRandom => self.run_as::<UlidRandom>(),
        }
    }

    fn run_as<F: Known>(&self) -> FormatSeen {
        let clock = ManualClock::new(UnixMillis::new(self.clock_ms));
        let (mut ids, oracle) = match (self.build::<F>(&clock), Oracle::new(self.kind, self.settings)) {
            (Ok(ids), Some(oracle)) => (Arc::new(ids), oracle),
            (Err(BuildError::StartOutOfRange { .. }), None) => {
                return FormatSeen { build_refused: true, ..FormatSeen::default() };
            }
            (Ok(_), None) => panic!("built, though the settings have no generator"),
            (Err(error), _) => panic!("not built: {error}"),
        };
        let mut run = Run::new(self, &clock, oracle);
        let mut local = Some(Local::new(Arc::clone(&ids)));
        for op in &self.ops {
            run.step(*op, &mut ids, &mut local);
        }
        run.seen()
    }

    fn build<'c, F: Known>(&self, clock: &'c ManualClock) -> Result<Ids<'c, F>, BuildError> {
        let FormatSettings { rollback_ms, ahead_ms, exhausted_max, start_ms, above_ms } = self.settings;
        let mut builder = F::on(clock)
            .entropy(SeededEntropy::new(self.entropy))
            .rollback_max(Duration::from_millis(rollback_ms))
            .ahead_max(Duration::from_millis(ahead_ms))
            .on_exhausted(exhausted_max.map_or(Exhaustion::Fail, |max| Exhaustion::Wait { max }));
        if let Some(ms) = start_ms {
            builder = builder.start_at(UnixMillis::new(ms));
        }
        if let Some(ms) = above_ms {
            let unix_ms = u128::try_from(ms).expect("an id's time");
            builder = builder.not_before(F::of_number(join(self.kind, FreeBits { unix_ms, free: 5 })));
        }
        builder.build()
    }
}

struct PrintOnPanic<'a>(&'a FormatScenario);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{:#?}", self.0);
        }
    }
}
