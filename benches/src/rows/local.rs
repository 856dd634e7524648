//! The wide layout with a handle for each thread, against ferroid's shared generator: so many ids that no memory holds them,
//! so streaks of them are kept, on both sides.

use super::{Bench, Group, Pairing, Sharing, per_second};
use crate::{
    failure::Failure,
    ours::snowflake as ours,
    rivals::ferroid,
    rounds::in_turn,
    row::{Goal, Row},
    streaks::Streaks,
};

/// The places of this project's contenders.
const TICKER: usize = 0;
const WALL: usize = 1;

/// The one rival.
const FERROID: &[usize] = &[0];

/// The number of threads that the goal is set for, and at which the wall clock is looked at.
const THREADS: usize = 8;

pub(super) fn group(threads: usize) -> Group {
    Group::of_pairings(pairings(threads), threads, measure)
}

fn pairings(threads: usize) -> Vec<Pairing> {
    let rows = if threads == THREADS {
        vec![("wide/ticker/local", TICKER, Goal::Ratio(8.0)), ("wide/wall/local", WALL, Goal::None)]
    } else {
        vec![("wide/ticker/local", TICKER, Goal::None)]
    };
    rows.into_iter()
        .map(|(call, ours, goal)| Pairing { name: format!("{call}/{threads}"), ours, rivals: FERROID, goal })
        .collect()
}

fn measure(bench: &Bench, pairings: &[Pairing], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Streaks> { bench, threads, catch_ticks: false, read: per_second };
    let mut ours = vec![sharing.contender(ours::NAME_TICKER_HANDLES, ours::wide_ticker()?.into_handles())];
    if threads == THREADS {
        ours.push(sharing.contender(ours::NAME_HANDLES, ours::wide()?.into_handles()));
    }
    let measured = in_turn(ours, vec![ferroid::each_wide(&sharing)], bench.rounds, &bench.progress)?;
    Ok(pairings.iter().map(|pairing| pairing.row(threads, &measured)).collect())
}
