//! What is measured. A group shares its runs: each contender of it is measured once a round, for
//! all of the group's rows.

mod capped;
mod fill;
mod latency;
mod memory;
mod wide;

use std::time::Duration;

use crate::{
    failure::Failure,
    harness::{self, Job, Mint, Run},
    pool::Pool,
    progress::Progress,
    rounds::{Contender, Figure, Series},
    row::{Row, Summary},
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

/// Rows that come from the same runs.
pub(crate) struct Group {
    /// The names of the rows, in order.
    pub(crate) rows: Vec<String>,
    /// Whether it takes rounds; otherwise it takes no time.
    pub(crate) timed: bool,
    measure: Box<Measure>,
}

impl Group {
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
    groups.push(fill::group());
    groups.push(latency::group());
    groups.push(memory::group());
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

/// How threads share a generator, and what is read from that.
#[derive(Clone, Copy)]
struct Sharing {
    threads: usize,
    catch_ticks: bool,
    /// Gives a figure of a run and the number of its ids, which are sound.
    read: fn(&Run, u64) -> Reading,
}

impl Sharing {
    /// A contender whose threads share `generator`.
    fn contender<'a, M: Mint + 'a>(self, bench: &'a Bench, name: &str, generator: M) -> Contender<'a, Reading>
    where
        M::Error: Send,
    {
        Contender::new(name, move |name: &str| {
            let job =
                Job { threads: self.threads, limit: bench.limit, pool: &bench.pool, catch_ticks: self.catch_ticks };
            let run = harness::run(&generator, &job).map_err(|error| Failure::refused(name, &error))?;
            let found = run.check().map_err(|fault| Failure::unsound(name, fault))?;
            let reading = (self.read)(&run, found.count);
            bench.pool.give_back(run.streams);
            Ok(reading)
        })
    }
}

/// Ids in a second.
fn per_second(run: &Run, count: u64) -> Reading {
    Reading { value: stats::float(count) / run.elapsed().as_secs_f64(), cpus: run.cpus(), of_wall: None }
}
