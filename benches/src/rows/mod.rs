//! What is measured. A group shares its runs: each contender of it is measured once a round, for
//! all of the group's rows.

mod capped;
mod fill;
mod latency;
mod local;
mod memory;
mod ulid;
mod uuidv4;
mod uuidv7;
mod wide;

use std::time::Duration;

use crate::{
    failure::Failure,
    harness::{self, Job, Run},
    keep::Keep,
    mint::{Mint, Source},
    pool::Pool,
    progress::Progress,
    rounds::{Contender, Figure, Measured, Measuring, Series},
    row::{Goal, Row, Summary, Unit},
    stats,
};

/// The means to measure a group.
pub(crate) struct Bench {
    /// Rounds that count.
    pub(crate) rounds: usize,
    /// How long a contender runs in a round.
    pub(crate) limit: Duration,
    /// Memory for the ids.
    pub(crate) pool: Pool,
    /// What is shown meanwhile.
    pub(crate) progress: Progress,
}

type Measure = dyn Fn(&Bench) -> Result<Vec<Row>, Failure>;
/// Measures rows with so many threads.
type MeasurePairings = fn(&Bench, &[Pairing], usize) -> Result<Vec<Row>, Failure>;

/// Rows that come from the same runs.
pub(crate) struct Group {
    /// The names of the rows, in order.
    pub(crate) rows: Vec<String>,
    /// Whether it takes rounds; otherwise it takes no time.
    pub(crate) timed: bool,
    measure: Box<Measure>,
}

impl Group {
    /// Rows that each hold one of this project's contenders against rivals, all measured with so many threads.
    fn of_pairings(pairings: Vec<Pairing>, threads: usize, measure: MeasurePairings) -> Self {
        Self {
            rows: pairings.iter().map(|pairing| pairing.name.clone()).collect(),
            timed: true,
            measure: Box::new(move |bench| measure(bench, &pairings, threads)),
        }
    }

    /// Measures the group.
    ///
    /// # Errors
    ///
    /// A fault in somebody's ids, or a generator that gives none.
    pub(crate) fn measure(&self, bench: &Bench) -> Result<Vec<Row>, Failure> {
        bench.progress.group(self.rows.join(" "));
        (self.measure)(bench)
    }
}

/// All groups, in the order of the report.
pub(crate) fn all() -> Vec<Group> {
    let mut groups = Vec::new();
    groups.extend([1, 2, 8, 64].map(capped::group));
    groups.extend([1, 2, 8].map(wide::group));
    groups.extend([1, 2, 8].map(local::group));
    groups.push(fill::group());
    groups.push(latency::group());
    groups.extend([1, 2, 8].map(uuidv7::group));
    groups.push(uuidv7::fill());
    groups.extend([1, 8].map(uuidv4::group));
    groups.extend([1, 2, 8].map(ulid::group));
    groups.extend([1, 8].map(ulid::unordered));
    groups.push(ulid::fill());
    groups.extend(memory::groups());
    groups
}

/// A figure of one run, and the CPUs it took.
pub(crate) struct Reading {
    value: f64,
    cpus: f64,
    of_wall: Option<f64>,
}

impl Figure for Reading {
    fn score(&self) -> f64 {
        self.value
    }
}

impl Series<Reading> {
    fn summary(&self) -> Summary {
        let of_wall = self
            .figures
            .iter()
            .all(|figure| figure.of_wall.is_some())
            .then(|| self.median(|figure| figure.of_wall.unwrap_or_default()));
        Summary {
            name: self.name.clone(),
            value: self.median(|figure| figure.value),
            cpus: Some(self.median(|figure| figure.cpus)),
            of_wall,
            rounds: self.all(|figure| figure.value),
        }
    }
}

/// How threads mint from a generator, and what is read from that. `K` is what is kept of their ids.
struct Sharing<'a, K> {
    bench: &'a Bench,
    threads: usize,
    catch_ticks: bool,
    /// Gives a figure of a run and the number of its ids, which are sound.
    read: fn(&Run<K>, u64) -> Reading,
}

impl<'a, K: Keep + 'a> Sharing<'a, K> {
    /// A contender whose threads mint from `source`.
    fn contender<S: Source<Id = K::Id> + 'a>(&self, name: &str, source: S) -> Contender<'a, Reading> {
        let Self { bench, threads, catch_ticks, read } = *self;
        Contender::new(name, move |name: &str| {
            // Threads that sleep are put where there is room; those that never do might share a processor for a whole run.
            let pinned = !catch_ticks && threads > 1;
            let job = Job { threads, limit: bench.limit, pool: &bench.pool, pinned, catch_ticks };
            let run = harness::run(name, &source, &job)?;
            let found = run.check().map_err(|fault| Failure::unsound(name, fault))?;
            let reading = read(&run, found.count);
            for kept in run.kept {
                kept.give_back(&bench.pool);
            }
            Ok(reading)
        })
    }
}

impl<'a, K: Keep + 'a> Measuring<'a> for Sharing<'a, K> {
    type Id = K::Id;
    type Figure = Reading;

    fn contender<M: Mint<Id = K::Id> + 'a>(&self, name: &str, minter: M) -> Contender<'a, Reading> {
        Self::contender(self, name, minter)
    }
}

/// Ids in a second.
fn per_second<K: Keep>(run: &Run<K>, count: u64) -> Reading {
    Reading { value: stats::float(count) / run.elapsed().as_secs_f64(), cpus: run.cpus(), of_wall: None }
}

/// A row of a group that has several contenders on either side.
struct Pairing {
    name: String,
    /// The place of ours among this project's contenders.
    ours: usize,
    /// The places of the rivals.
    rivals: &'static [usize],
    goal: Goal,
}

impl Pairing {
    fn row(&self, threads: usize, measured: &Measured<Reading>) -> Row {
        let ours = measured.ours[self.ours].summary();
        let rivals = self.rivals.iter().map(|rival| measured.rivals[*rival].summary()).collect();
        Row::new(self.name.clone(), Unit::PerSecond, threads, self.goal, ours, rivals)
    }
}
