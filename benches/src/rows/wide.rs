//! The wide layout, 41 bits of time and 22 of sequence: no cap in the way, all threads on one generator, by the clock that
//! each id is asked of.
//!
//! Streaks of ids are kept, not each id: an atomic addition or exchange waits for the stores before it, so that storing ids to
//! memory would be a good part of the time measured.

use super::{Bench, Group, Pairing, Sharing, per_second};
use crate::{
    failure::Failure,
    ours::snowflake as ours,
    rivals::{
        ferroid,
        snowflake_me::{self, Source},
    },
    rounds::in_turn,
    row::{Goal, Row},
    streaks::Streaks,
};

/// The places of this project's contenders.
const WALL: usize = 0;
const TICKER: usize = 1;
const MONOTONIC: usize = 2;

/// The places of the rivals, each with settings of its own.
const SNOWFLAKE_ME: &[usize] = &[0];
const FERROID: &[usize] = &[1];

/// Thread counts at which the monotonic clock is looked at: alone, and with more threads than processors.
const MONOTONIC_THREADS: [usize; 2] = [1, 8];

pub(super) fn group(threads: usize) -> Group {
    Group::of_pairings(pairings(threads), threads, measure)
}

/// Each clock against the rival whose clock costs as much; without a goal, the wall clock against a clock that a thread
/// advances, which costs one load.
fn pairings(threads: usize) -> Vec<Pairing> {
    let mut rows = vec![
        ("wide/next_id", WALL, SNOWFLAKE_ME, Goal::Ratio(1.2)),
        ("wide/next_id-vs-ticker", WALL, FERROID, Goal::None),
        ("wide/ticker/next_id", TICKER, FERROID, Goal::Ratio(1.2)),
    ];
    if MONOTONIC_THREADS.contains(&threads) {
        rows.push(("wide/monotonic/next_id", MONOTONIC, SNOWFLAKE_ME, Goal::None));
    }
    rows.into_iter()
        .map(|(call, ours, rivals, goal)| Pairing { name: format!("{call}/{threads}"), ours, rivals, goal })
        .collect()
}

fn measure(bench: &Bench, pairings: &[Pairing], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Streaks> { bench, threads, catch_ticks: false, read: per_second };
    let mut ours =
        vec![sharing.contender(ours::NAME, ours::wide()?), sharing.contender(ours::NAME_TICKER, ours::wide_ticker()?)];
    if MONOTONIC_THREADS.contains(&threads) {
        ours.push(sharing.contender(ours::NAME_MONOTONIC, ours::wide_monotonic()?));
    }
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(sharing.contender(source.name(), snowflake_me::wide(source)?));
    }
    let rivals = vec![snowflake_me, ferroid::each_wide(&sharing)];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    Ok(pairings.iter().map(|pairing| pairing.row(threads, &measured)).collect())
}
