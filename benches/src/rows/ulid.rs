//! ULIDs: monotonic ones, all threads on one generator, and those without an order within a millisecond.

use idformats::{Format, UlidMonotonic};

use super::{Bench, Group, Pairing, Series, Sharing, fill::Bursting, per_second};
use crate::{
    failure::Failure,
    keep::Unordered,
    ours::formats as ours,
    pool::Stream,
    rivals::{ferroid_ulid, rusty_ulid, ulid},
    rounds::{Contender, Measuring, in_turn},
    row::{Goal, Row, Unit},
};

/// The places of this project's contenders.
const WALL: usize = 0;
const TICKER: usize = 1;

/// The places of the rivals, of which ferroid's has a clock of one load, the others read the wall clock.
const RIVALS: &[usize] = &[0, 1, 2];

/// The number of threads that the goal is set for, and at which the ticker clock is looked at.
const THREADS: usize = 8;

/// The row of batches.
const FILL: &str = "ulid/fill1000/1";

pub(super) fn group(threads: usize) -> Group {
    Group::of_pairings(pairings(threads), threads, measure)
}

fn pairings(threads: usize) -> Vec<Pairing> {
    let rows = if threads == THREADS {
        vec![("ulid/next_id", WALL, Goal::Ratio(2.0)), ("ulid/ticker/next_id", TICKER, Goal::None)]
    } else {
        vec![("ulid/next_id", WALL, Goal::None)]
    };
    rows.into_iter()
        .map(|(call, ours, goal)| Pairing { name: format!("{call}/{threads}"), ours, rivals: RIVALS, goal })
        .collect()
}

fn measure(bench: &Bench, pairings: &[Pairing], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Stream<u128>> { bench, threads, catch_ticks: false, read: per_second };
    let mut ours = vec![sharing.contender(ours::NAME, ours::wall(UlidMonotonic::generator())?)];
    if threads == THREADS {
        ours.push(sharing.contender(ours::NAME_TICKER, ours::ticker::<UlidMonotonic>()?));
    }
    let measured = in_turn(ours, monotonic(&sharing), bench.rounds, &bench.progress)?;
    Ok(pairings.iter().map(|pairing| pairing.row(threads, &measured)).collect())
}

/// Ids without an order within a millisecond.
pub(super) fn unordered(threads: usize) -> Group {
    let row = format!("ulid/unordered/{threads}");
    Group {
        rows: vec![row.clone()],
        timed: true,
        measure: Box::new(move |bench| measure_unordered(bench, &row, threads)),
    }
}

fn measure_unordered(bench: &Bench, row: &str, threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Unordered<u128>> { bench, threads, catch_ticks: false, read: per_second };
    let ours = vec![sharing.contender(ours::NAME, ours::unordered_ulid())];
    let rivals = vec![
        vec![sharing.contender(ulid::NAME_UNORDERED, ulid::Unordered)],
        vec![sharing.contender(rusty_ulid::NAME_UNORDERED, rusty_ulid::Unordered)],
    ];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    let rivals = measured.rivals.iter().map(Series::summary).collect();
    Ok(vec![Row::new(row, Unit::PerSecond, threads, Goal::None, measured.ours[0].summary(), rivals)])
}

/// `fill` of 1,000 ids on one thread, for each id, against calls for one.
pub(super) fn fill() -> Group {
    Group { rows: vec![FILL.to_owned()], timed: true, measure: Box::new(measure_fill) }
}

fn measure_fill(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let bursts = Bursting::of(bench);
    let ours = vec![bursts.batches(ours::NAME, ours::wall(UlidMonotonic::generator())?)];
    let measured = in_turn(ours, monotonic(&bursts), bench.rounds, &bench.progress)?;
    let rivals = measured.rivals.iter().map(Series::summary).collect();
    Ok(vec![Row::new(FILL, Unit::PerSecond, 1, Goal::None, measured.ours[0].summary(), rivals)])
}

fn monotonic<'a, W: Measuring<'a, Id = u128>>(way: &W) -> Vec<Vec<Contender<'a, W::Figure>>> {
    vec![
        ferroid_ulid::each(way),
        vec![way.contender(ulid::NAME_MONOTONIC, ulid::Monotonic::default())],
        vec![way.contender(rusty_ulid::NAME_MONOTONIC, rusty_ulid::Monotonic::default())],
    ]
}
