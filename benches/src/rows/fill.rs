//! `fill` of 1,000 ids on the wide layout, one thread, for each id.

use std::{marker::PhantomData, time::Duration};

use super::{Bench, Group, Reading, Series};
use crate::{
    burst::{self, Batch, OneByOne},
    failure::Failure,
    id::Id,
    mint::Mint,
    ours::snowflake as ours,
    rivals::{
        ferroid,
        snowflake_me::{self, Source},
    },
    rounds::{Contender, Measuring, in_turn},
    row::{Goal, Row, Unit},
    stats,
};

/// Against ferroid's call for a single id (it has none for many), and against a batch call.
const ROWS: [(&str, Goal); 2] = [("wide/fill1000/1", Goal::Ratio(20.0)), ("wide/fill1000-vs-batch/1", Goal::None)];

pub(super) fn group() -> Group {
    Group { rows: ROWS.map(|(name, _)| name.to_owned()).into(), timed: true, measure: Box::new(measure) }
}

fn measure(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let bursts = Bursting::<u64>::of(bench);
    let ours = vec![bursts.batches(ours::NAME, ours::wide()?)];
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(bursts.batches(source.name(), snowflake_me::wide(source)?));
    }
    let rivals = vec![ferroid::each_wide(&bursts), snowflake_me];
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

/// Bursts of batches. Those who have no call for a batch are asked for one id after the other.
pub(super) struct Bursting<I> {
    limit: Duration,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id> Bursting<I> {
    pub(super) fn of(bench: &Bench) -> Self {
        Self { limit: bench.limit, ids: PhantomData }
    }

    /// A contender that fills batches.
    pub(super) fn batches<'a, B: Batch<Id = I> + 'a>(&self, name: &str, batcher: B) -> Contender<'a, Reading> {
        let limit = self.limit;
        Contender::new(name, move |name: &str| {
            let bursts = burst::run(name, &batcher, limit)?;
            let value = stats::float(bursts.ids) / bursts.active.as_secs_f64();
            Ok(Reading { value, cpus: bursts.cpus, of_wall: None })
        })
    }
}

impl<'a, I: Id> Measuring<'a> for Bursting<I> {
    type Id = I;
    type Figure = Reading;

    fn contender<M: Mint<Id = I> + 'a>(&self, name: &str, minter: M) -> Contender<'a, Reading> {
        self.batches(name, OneByOne(minter))
    }
}
