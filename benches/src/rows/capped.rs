//! The Twitter layout, 4,096 ids a millisecond, all threads on one generator: shared, and with a handle for each.
//!
//! Nobody can mint more than the layout has, so the figure is the share of it. A tick counts when a
//! thread that does nothing but sleep to each tick caught it, or when the generator did (a thread
//! that spins may keep the sleeper from its processor). A tick that neither caught, the machine
//! did not give to anybody. Only ticks that lie wholly within the run count.

use super::{Bench, Group, Reading, Series, Sharing};
use crate::{
    failure::Failure,
    harness::Run,
    id::Id,
    ours::snowflake as ours,
    pool::Stream,
    rivals::{
        ferroid,
        snowflake_me::{self, Source},
        snowflaked,
    },
    rounds::in_turn,
    row::{Goal, Row, Unit},
    stats,
};

/// Ids of a tick.
const TICK_IDS: u64 = 1 << 12;

/// Ticks at either end of a run that do not count: the one the run begins or ends in, and one for
/// a clock that is out of step with the wall clock by less than a tick.
const EDGE_TICKS: u64 = 2;

/// What is called, in the order of the contenders, and what it may cost.
const ROWS: [(&str, Goal); 2] = [
    ("next_id", Goal::Share { least: 0.995, cpus_below: 0.9 }),
    ("local", Goal::Share { least: 0.995, cpus_below: 0.4 }),
];

pub(super) fn group(threads: usize) -> Group {
    let rows = ROWS.map(|(call, _)| format!("twitter/{call}/{threads}"));
    Group { rows: rows.clone().into(), timed: true, measure: Box::new(move |bench| measure(bench, &rows, threads)) }
}

fn measure(bench: &Bench, rows: &[String; 2], threads: usize) -> Result<Vec<Row>, Failure> {
    let sharing = Sharing { bench, threads, catch_ticks: true, read: share };
    let ours = vec![
        sharing.contender(ours::NAME, ours::twitter()?),
        sharing.contender(ours::NAME_HANDLES, ours::twitter()?.into_handles()),
    ];
    let mut snowflake_me = Vec::new();
    for source in Source::ALL {
        snowflake_me.push(sharing.contender(source.name(), snowflake_me::twitter(source)?));
    }
    let snowflaked = vec![sharing.contender(snowflaked::NAME, snowflaked::twitter())];
    let rivals = vec![ferroid::each_twitter(&sharing), snowflake_me, snowflaked];
    let measured = in_turn(ours, rivals, bench.rounds, &bench.progress)?;
    let rivals: Vec<_> = measured.rivals.iter().map(Series::summary).collect();
    let ours = measured.ours.iter().map(Series::summary);
    Ok(rows
        .iter()
        .zip(ROWS)
        .zip(ours)
        .map(|((name, (_, goal)), ours)| Row::new(name, Unit::Share, threads, goal, ours, rivals.clone()))
        .collect())
}

/// The share of the cap.
fn share(run: &Run<Stream<u64>>, _count: u64) -> Reading {
    let epoch = ours::EPOCH_UNIX_MS.unsigned_abs();
    let from = run.begun.unix_ms + EDGE_TICKS;
    let ticks = run.ended.unix_ms.saturating_sub(from + EDGE_TICKS - 1);
    let place = |unix_ms: u64| usize::try_from(unix_ms.checked_sub(from)?).ok();
    let mut caught = vec![false; usize::try_from(ticks).unwrap_or(0)];
    let mut ids = 0;
    for id in run.kept.iter().flat_map(Stream::ids) {
        let tick = place(id.ms() + epoch).and_then(|place| caught.get_mut(place));
        if let Some(tick) = tick {
            *tick = true;
            ids += 1;
        }
    }
    for unix_ms in run.caught.iter().flat_map(|caught| &caught.unix_ms) {
        if let Some(tick) = place(*unix_ms).and_then(|place| caught.get_mut(place)) {
            *tick = true;
        }
    }
    let charged = caught.iter().map(|caught| u64::from(*caught)).sum::<u64>();
    let share = |ticks: u64| stats::float(ids) / stats::float(ticks * TICK_IDS);
    Reading { value: share(charged), cpus: run.cpus(), of_wall: Some(share(ticks)) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::id::TIME_SHIFT;
    use crate::ticks::{Caught, Stamp};

    fn stamp(unix_ms: u64) -> Stamp {
        Stamp { at: Instant::now(), cpu: Duration::ZERO, unix_ms }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the values are exact")]
    fn whole_ticks_count_that_the_sleeper_or_the_generator_caught() {
        let epoch = ours::EPOCH_UNIX_MS.unsigned_abs();
        // Ticks 10 to 20, of which 12 to 17 lie wholly within the run. Half of the ids of each are
        // there, but for 14, which has none, and 16, which only the sleeper did not catch.
        let ids: Vec<u64> = (10..=20_u64)
            .filter(|tick| *tick != 14)
            .flat_map(|tick| (0..TICK_IDS / 2).map(move |sequence| (tick << TIME_SHIFT) | sequence))
            .collect();
        let caught =
            |ticks: &[u64]| Caught { unix_ms: ticks.iter().map(|tick| epoch + tick).collect(), cpu: Duration::ZERO };
        let mut run = Run {
            kept: vec![Stream::of(&ids)],
            begun: stamp(epoch + 10),
            ended: stamp(epoch + 19),
            caught: Some(caught(&[10, 11, 12, 13, 15, 17, 18, 19, 20])),
        };
        // Five ticks of six were caught, all with half of their ids.
        assert_eq!(share(&run, 0).value, 0.5);
        assert_eq!(share(&run, 0).of_wall, Some(0.5 * 5.0 / 6.0));
        // The sleeper was awake in tick 14: the generator is charged for it.
        run.caught = Some(caught(&[12, 13, 14]));
        assert_eq!(share(&run, 0).value, 0.5 * 5.0 / 6.0);
    }
}
