//! The wide layout, 41 bits of time and 22 of sequence: no cap in the way, all threads on one
//! generator, a clock reading for every id that asks for one.

use super::{Bench, Group, Series, Sharing, per_second};
use crate::{
    failure::Failure,
    ours,
    rivals::{
        ferroid::{self, Backoff, Sleep, Spin, Yield},
        snowflake_me::{self, Source},
    },
    rounds::in_turn,
    row::{Goal, Row, Unit},
};

pub(super) fn group(threads: usize) -> Group {
    let rows = [format!("wide/next_id/{threads}"), format!("wide/next_id-vs-ticker/{threads}")];
    Group { rows: rows.clone().into(), timed: true, measure: Box::new(move |bench| measure(bench, &rows, threads)) }
}

fn measure(bench: &Bench, rows: &[String; 2], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing { threads, catch_ticks: false, read: per_second };
    let ours = sharing.contender(bench, ours::NAME, ours::wide()?);
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(sharing.contender(bench, source.name(), snowflake_me::wide(source)?));
    }
    let ferroid = vec![
        sharing.contender(bench, Spin::NAME, ferroid::wide::<Spin>()),
        sharing.contender(bench, Yield::NAME, ferroid::wide::<Yield>()),
        sharing.contender(bench, Sleep::NAME, ferroid::wide::<Sleep>()),
    ];
    let rivals = vec![snowflake_me, ferroid];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    // The wall clock against the wall clock; then, without a goal, against a clock that a thread
    // advances, which costs one load.
    let goals = [Goal::Ratio(1.2), Goal::None];
    let compared = measured.rivals.iter().map(Series::summary);
    Ok(rows
        .iter()
        .zip(goals)
        .zip(compared)
        .map(|((name, goal), rival)| {
            let ours = measured.ours.summary();
            Row::new(name, Unit::PerSecond, threads, goal, ours, vec![rival])
        })
        .collect())
}
