//! UUIDs of version 7, all threads on one generator, against the generators that other crates have for the process. All of
//! them promise a strict order over threads, random bits that cannot be predicted, and the wall clock's time.

use idformats::{Format, V7Counter, V7Random, V7SubMs};

use super::{Bench, Group, Pairing, Series, Sharing, fill::Bursting, per_second};
use crate::{
    failure::Failure,
    ours::formats as ours,
    pool::Stream,
    rivals::{uuid, uuid7},
    rounds::{Contender, Measuring, in_turn},
    row::{Goal, Row, Unit},
};

/// The places of this project's contenders.
const COUNTER: usize = 0;
const TICKER: usize = 1;
const RANDOM: usize = 2;
const SUB_MS: usize = 3;
const HANDLES: usize = 4;

/// The places of the rivals.
const RIVALS: &[usize] = &[0, 1];

/// Thread counts that goals are set for, and at which the other methods and the handles are looked at.
const GOAL_THREADS: [usize; 2] = [1, 8];

/// The row of batches.
const FILL: &str = "uuidv7/fill1000/1";

pub(super) fn group(threads: usize) -> Group {
    Group::of_pairings(pairings(threads), threads, measure)
}

fn pairings(threads: usize) -> Vec<Pairing> {
    let has_goal = GOAL_THREADS.contains(&threads);
    let goal = |least| if has_goal { Goal::Ratio(least) } else { Goal::None };
    let mut rows = vec![("uuidv7/next_id", COUNTER, goal(2.0)), ("uuidv7/ticker/next_id", TICKER, goal(6.0))];
    if has_goal {
        rows.push(("uuidv7/random/next_id", RANDOM, Goal::None));
        rows.push(("uuidv7/sub-ms/next_id", SUB_MS, Goal::None));
        rows.push(("uuidv7/local", HANDLES, Goal::None));
    }
    rows.into_iter()
        .map(|(call, ours, goal)| Pairing { name: format!("{call}/{threads}"), ours, rivals: RIVALS, goal })
        .collect()
}

fn measure(bench: &Bench, pairings: &[Pairing], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing::<Stream<u128>> { bench, threads, catch_ticks: false, read: per_second };
    let mut ours = vec![
        sharing.contender(ours::NAME, ours::wall(V7Counter::generator())?),
        sharing.contender(ours::NAME_TICKER, ours::ticker::<V7Counter>()?),
    ];
    if GOAL_THREADS.contains(&threads) {
        ours.push(sharing.contender(ours::NAME_RANDOM, ours::wall(V7Random::generator())?));
        ours.push(sharing.contender(ours::NAME_SUB_MS, ours::wall(V7SubMs::generator())?));
        ours.push(sharing.contender(ours::NAME_HANDLES, ours::wall(V7Counter::generator())?.into_handles()));
    }
    let measured = in_turn(ours, rivals(&sharing), bench.rounds, &bench.progress)?;
    Ok(pairings.iter().map(|pairing| pairing.row(threads, &measured)).collect())
}

/// `fill` of 1,000 ids on one thread, for each id, against calls for one.
pub(super) fn fill() -> Group {
    Group { rows: vec![FILL.to_owned()], timed: true, measure: Box::new(measure_fill) }
}

fn measure_fill(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let bursts = Bursting::of(bench);
    let ours = vec![bursts.batches(ours::NAME, ours::wall(V7Counter::generator())?)];
    let measured = in_turn(ours, rivals(&bursts), bench.rounds, &bench.progress)?;
    let rivals = measured.rivals.iter().map(Series::summary).collect();
    Ok(vec![Row::new(FILL, Unit::PerSecond, 1, Goal::Ratio(20.0), measured.ours[0].summary(), rivals)])
}

fn rivals<'a, W: Measuring<'a, Id = u128>>(way: &W) -> Vec<Vec<Contender<'a, W::Figure>>> {
    vec![vec![way.contender(uuid::NAME_V7, uuid::NowV7)], vec![way.contender(uuid7::NAME, uuid7::Uuid7)]]
}
