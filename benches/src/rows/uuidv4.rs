//! UUIDs of version 4: nothing is shared, and there is neither order nor time.

use super::{Bench, Group, Series, Sharing, per_second};
use crate::{
    failure::Failure,
    keep::Unordered,
    ours::formats as ours,
    rivals::uuid,
    rounds::in_turn,
    row::{Goal, Row, Unit},
};

pub(super) fn group(threads: usize) -> Group {
    let row = format!("uuidv4/{threads}");
    Group { rows: vec![row.clone()], timed: true, measure: Box::new(move |bench| measure(bench, &row, threads)) }
}

fn measure(bench: &Bench, row: &str, threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Unordered<u128>> { bench, threads, catch_ticks: false, read: per_second };
    let ours = vec![sharing.contender(ours::NAME, ours::v4())];
    let rivals = vec![vec![sharing.contender(uuid::NAME_V4, uuid::NewV4)]];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    let rivals = measured.rivals.iter().map(Series::summary).collect();
    Ok(vec![Row::new(row, Unit::PerSecond, threads, Goal::None, measured.ours[0].summary(), rivals)])
}
