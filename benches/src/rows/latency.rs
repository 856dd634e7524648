//! One call every 100 µs on the Twitter layout: how long it takes.

use std::time::Duration;

use super::{Bench, Group};
use crate::{
    failure::Failure,
    mint::Mint,
    ours::snowflake as ours,
    pace,
    rivals::{
        ferroid,
        snowflake_me::{self, Source},
    },
    rounds::{Contender, Figure, Measuring, Series, in_turn},
    row::{Goal, Row, Summary, Unit},
    stats,
};

/// 10,000 calls in a second.
const INTERVAL: Duration = Duration::from_micros(100);

/// Enough calls that the 99.9th percentile is not the greatest one.
const LIMIT_MIN: Duration = Duration::from_millis(300);

/// Thousandths of the calls that take no longer, and the goal for that in nanoseconds.
const ROWS: [(&str, usize, Goal); 4] = [
    ("latency/p50", 500, Goal::None),
    ("latency/p99", 990, Goal::None),
    ("latency/p99.9", 999, Goal::AtMost(2_000_000.0)),
    ("latency/max", 1000, Goal::None),
];

struct Latency {
    nanos: [u64; ROWS.len()],
    cpus: f64,
}

impl Figure for Latency {
    fn score(&self) -> f64 {
        // By the 99.9th percentile: the row that has a goal.
        -stats::float(self.nanos[2])
    }
}

pub(super) fn group() -> Group {
    Group { rows: ROWS.map(|(name, ..)| name.to_owned()).into(), timed: true, measure: Box::new(measure) }
}

fn measure(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let pacing = Pacing { limit: bench.limit.max(LIMIT_MIN) };
    let ours = vec![pacing.contender(ours::NAME, ours::twitter()?)];
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(pacing.contender(source.name(), snowflake_me::twitter(source)?));
    }
    let rivals = vec![ferroid::each_twitter(&pacing), snowflake_me];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    Ok(ROWS
        .into_iter()
        .enumerate()
        .map(|(at, (name, _, goal))| {
            let rivals = measured.rivals.iter().map(|rival| summary(rival, at));
            let ours = summary(&measured.ours[0], at);
            Row::new(name, Unit::Nanos, 1, goal, ours, rivals.collect())
        })
        .collect())
}

/// Calls at a steady rate.
struct Pacing {
    limit: Duration,
}

impl<'a> Measuring<'a> for Pacing {
    type Id = u64;
    type Figure = Latency;

    fn contender<M: Mint<Id = u64> + 'a>(&self, name: &str, minter: M) -> Contender<'a, Latency> {
        let limit = self.limit;
        Contender::new(name, move |name: &str| {
            let paced = pace::run(name, &minter, INTERVAL, limit)?;
            Ok(Latency {
                nanos: ROWS.map(|(_, per_mille, _)| stats::percentile(&paced.nanos, per_mille)),
                cpus: paced.cpus,
            })
        })
    }
}

fn summary(series: &Series<Latency>, at: usize) -> Summary {
    Summary {
        name: series.name.clone(),
        value: series.median(|figure| stats::float(figure.nanos[at])),
        cpus: Some(series.median(|figure| figure.cpus)),
        of_wall: None,
        rounds: series.all(|figure| stats::float(figure.nanos[at])),
    }
}
