//! The wide layout, 41 bits of time and 22 of sequence: no cap in the way, all threads on one
//! generator, a clock reading for every id that asks for one.

use super::{Bench, Group, Series, per_second, shared};
use crate::{
    failure::Failure,
    ours,
    rivals::{
        ferroid::{self, Backoff},
        snowflake_me::{self, Source},
    },
    rounds::{Contender, in_turn},
    row::{Goal, Row, Unit},
};

pub(super) fn group(threads: usize) -> Group {
    let rows = [format!("wide/next_id/{threads}"), format!("wide/next_id-vs-ticker/{threads}")];
    Group { rows: rows.clone().into(), timed: true, measure: Box::new(move |bench| measure(bench, &rows, threads)) }
}

fn measure(bench: &Bench, rows: &[String; 2], threads: usize) -> Result<Vec<Row>, Failure> {
    let generator = ours::wide()?;
    let ours = Contender::new(ours::NAME, |name: &str| shared(bench, name, &generator, threads, false, per_second));
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        let generator = snowflake_me::wide(source)?;
        snowflake_me.push(Contender::new(source.name(), move |name: &str| {
            shared(bench, name, &generator, threads, false, per_second)
        }));
    }
    let ferroid = Backoff::ALL.map(|backoff| {
        let generator = ferroid::wide(backoff);
        Contender::new(backoff.name(), move |name: &str| shared(bench, name, &generator, threads, false, per_second))
    });
    let rivals = vec![snowflake_me, ferroid.into()];
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
