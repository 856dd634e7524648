//! `fill` of 1,000 ids on the wide layout, one thread, for each id.

use super::{Bench, Group, Reading, Series};
use crate::{
    burst::{self, Batch, OneByOne},
    failure::Failure,
    ours,
    rivals::{
        ferroid::{self, Backoff},
        snowflake_me::{self, Source},
    },
    rounds::{Contender, in_turn},
    row::{Goal, Row, Unit},
    stats,
};

/// Against ferroid's call for a single id (it has none for many), and against a batch call.
const ROWS: [(&str, Goal); 2] = [("wide/fill1000/1", Goal::Ratio(20.0)), ("wide/fill1000-vs-batch/1", Goal::None)];

pub(super) fn group() -> Group {
    Group { rows: ROWS.map(|(name, _)| name.to_owned()).into(), timed: true, measure: Box::new(measure) }
}

fn measure(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let generator = ours::wide()?;
    let ours = Contender::new(ours::NAME, |name: &str| bursts(bench, name, &generator));
    let ferroid = Backoff::ALL.map(|backoff| {
        let generator = OneByOne(ferroid::wide(backoff));
        Contender::new(backoff.name(), move |name: &str| bursts(bench, name, &generator))
    });
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        let generator = snowflake_me::wide(source)?;
        snowflake_me.push(Contender::new(source.name(), move |name: &str| bursts(bench, name, &generator)));
    }
    let rivals = vec![ferroid.into(), snowflake_me];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    Ok(ROWS
        .into_iter()
        .zip(measured.rivals.iter().map(Series::summary))
        .map(|((name, goal), rival)| {
            let ours = measured.ours.summary();
            Row::new(name, Unit::PerSecond, 1, goal, ours, vec![rival])
        })
        .collect())
}

fn bursts<B: Batch>(bench: &Bench, name: &str, batcher: &B) -> Result<Reading, Failure> {
    let bursts = burst::run(name, batcher, bench.limit)?;
    Ok(Reading { value: stats::float(bursts.ids) / bursts.active.as_secs_f64(), cpus: bursts.cpus, of_wall: None })
}
