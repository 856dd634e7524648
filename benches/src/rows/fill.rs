//! `fill` of 1,000 ids on the wide layout, one thread, for each id.

use super::{Bench, Group, Reading, Series};
use crate::{
    burst::{self, Batch, OneByOne},
    failure::Failure,
    ours,
    rivals::{
        ferroid::{self, Backoff, Sleep, Spin, Yield},
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
    let ours = vec![contender(bench, ours::NAME, ours::wide()?)];
    let ferroid = vec![
        contender(bench, Spin::NAME, OneByOne(ferroid::wide::<Spin>())),
        contender(bench, Yield::NAME, OneByOne(ferroid::wide::<Yield>())),
        contender(bench, Sleep::NAME, OneByOne(ferroid::wide::<Sleep>())),
    ];
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(contender(bench, source.name(), snowflake_me::wide(source)?));
    }
    let rivals = vec![ferroid, snowflake_me];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    Ok(ROWS
        .into_iter()
        .zip(measured.rivals.iter().map(Series::summary))
        .map(|((name, goal), rival)| {
            let ours = measured.ours[0].summary();
            Row::new(name, Unit::PerSecond, 1, goal, ours, vec![rival])
        })
        .collect())
}

fn contender<'a, B: Batch + 'a>(bench: &Bench, name: &str, batcher: B) -> Contender<'a, Reading> {
    let limit = bench.limit;
    Contender::new(name, move |name: &str| {
        let bursts = burst::run(name, &batcher, limit)?;
        let value = stats::float(bursts.ids) / bursts.active.as_secs_f64();
        Ok(Reading { value, cpus: bursts.cpus, of_wall: None })
    })
}
