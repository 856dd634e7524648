//! Any bytes as a scenario: with a lean towards edges, where the faults are.

use std::time::Duration;

use idcore::{Exhaustion, Rollback};

use super::{NS_PER_MS, Op, Scenario};
use crate::Bytes;
use crate::oracle::Settings;
use crate::plan::{Part, Plan};

const OPS_MAX: usize = 200;
const FILL_MAX: u64 = 300;
/// The finest step of a clock: much finer ones make a wait on a clock that stands still too long for a test.
const FRACTION_NS: u64 = 100_000;

impl Scenario {
    /// The scenario that `data` stands for: any data stands for one.
    pub fn from_bytes(data: &[u8]) -> Self {
        let bytes = &mut Bytes::new(data);
        let plan = Plan::arbitrary(bytes);
        let clock_ms = arbitrary_clock(&plan, bytes);
        let settings = arbitrary_settings(&plan, clock_ms, bytes);
        let rollback = match bytes.below(4) {
            0 => Rollback::Fail,
            _ => Rollback::Wait { max: Duration::from_millis(bytes.pick(&[0, 1, 5, 20])) },
        };
        let exhaustion = match bytes.below(4) {
            0 => Exhaustion::Fail,
            _ => Exhaustion::Wait { max: Duration::from_millis(bytes.pick(&[0, 1, 20, 2_000])) },
        };
        let mut ops = Vec::new();
        while !bytes.is_empty() && ops.len() < OPS_MAX {
            ops.push(arbitrary_op(&plan, bytes));
        }
        Self { plan, settings, rollback, exhaustion, clock_ms, ops }
    }
}

fn arbitrary_clock(plan: &Plan, bytes: &mut Bytes<'_>) -> i64 {
    let end = plan.tick_count();
    let tick = match bytes.below(8) {
        0 => 0,
        1 | 2 => end.saturating_sub(1 + u128::from(bytes.below(4))),
        3 => u128::from(bytes.u64()) % end,
        _ => end / 2 + u128::from(bytes.below(16)).min(end / 3),
    };
    let within = bytes.pick(&[0, 0, i64::from(plan.tick_ms) / 2, i64::from(plan.tick_ms) - 1]);
    // Now and then a time that the layout does not have.
    let outside = if bytes.one_in(40) { bytes.pick(&[-1, 1]) } else { 0 };
    match outside {
        -1 => plan.start_ms(0).saturating_sub(1),
        1 => plan.start_ms(end),
        _ => plan.start_ms(tick) + within,
    }
}

fn arbitrary_settings(plan: &Plan, clock_ms: i64, bytes: &mut Bytes<'_>) -> Settings {
    let slots = plan.count_of(Part::Sequence);
    let node_max = u64::try_from(plan.count_of(Part::Node) - 1).expect("fewer than 64 bits");
    let node = match bytes.below(4) {
        0 => node_max,
        1 => node_max.wrapping_add(u64::from(bytes.one_in(16))),
        _ => bytes.u64() & node_max,
    };
    let tick_ms = u64::from(plan.tick_ms);
    let ahead_ms = bytes.pick(&[0, 0, 0, tick_ms - 1, tick_ms, 3 * tick_ms, 50, u64::MAX]);
    let near_clock = |bytes: &mut Bytes<'_>| {
        let offset = bytes.pick(&[0, 1, 2, 5, 6, -1, -40]) * i64::from(plan.tick_ms) + bytes.pick(&[0, 0, 1, -1]);
        clock_ms.saturating_add(offset)
    };
    let start_ms = (bytes.below(6) == 5).then(|| near_clock(bytes));
    let ceiling_ms = match bytes.below(8) {
        6 => Some(near_clock(bytes)),
        7 => Some(bytes.pick(&[i64::MIN, i64::MAX, plan.start_ms(plan.tick_count())])),
        _ => None,
    };
    let mark = match bytes.below(6) {
        // Just before the end of the clock's tick, or a few ticks ahead, or out of the layout.
        4 => {
            let tick = plan.tick_of(i128::from(clock_ms) * i128::from(NS_PER_MS)).unwrap_or(0);
            let slot = ((tick + 1 + u128::from(bytes.below(4))) * slots).saturating_sub(bytes.below(3).into());
            u64::try_from(slot).unwrap_or(u64::MAX)
        }
        5 if bytes.one_in(8) => u64::MAX,
        _ => 0,
    };
    Settings { node, ahead_max: Duration::from_millis(ahead_ms), start_ms, ceiling_ms, mark }
}

fn arbitrary_op(plan: &Plan, bytes: &mut Bytes<'_>) -> Op {
    let tick_ms = i64::from(plan.tick_ms);
    match bytes.below(32) {
        0..=6 => Op::Next,
        7..=12 => Op::TryNext,
        13..=17 => {
            let slots = u64::try_from(plan.count_of(Part::Sequence)).unwrap_or(u64::MAX);
            let n = bytes.pick(&[1, 2, 0, slots - 1, slots, slots.saturating_add(1), slots.saturating_mul(3)]);
            Op::Fill(usize::try_from(n.min(FILL_MAX)).expect("a few thousand"))
        }
        18 if bytes.one_in(4) => Op::Close,
        18 | 19 => {
            let ticks: i64 = bytes.pick(&[0, 1, 2, 5, 60, 1 << 50]);
            Op::RaiseCeiling(ticks.saturating_mul(tick_ms) + bytes.pick(&[0, -1]))
        }
        20 if bytes.one_in(4) => Op::SetMs(bytes.pick(&[i64::MIN, i64::MAX, plan.epoch_ms, plan.epoch_ms - 1])),
        20..=24 => Op::AdvanceNs(arbitrary_span_ns(plan, bytes)),
        25..=27 => Op::StepBackNs(arbitrary_span_ns(plan, bytes)),
        28 => {
            let fraction_ns = i64::try_from(FRACTION_NS).expect("a part of a millisecond");
            Op::DriftNs(bytes.pick(&[0, 1, -1, 15, -15]) * fraction_ns)
        }
        29 => Op::Freeze,
        30 => Op::Thaw,
        _ => Op::StepAtSleepMs(bytes.pick(&[0, 1, -1, 5, -5, -6, 1_000, -3_600_000])),
    }
}

fn arbitrary_span_ns(plan: &Plan, bytes: &mut Bytes<'_>) -> u64 {
    let tick_ns = u64::from(plan.tick_ms) * NS_PER_MS;
    let ms = |n: u64| n * NS_PER_MS;
    bytes.pick(&[
        ms(1),
        tick_ns,
        ms(5),
        ms(6),
        3 * tick_ns,
        tick_ns - FRACTION_NS,
        tick_ns / 2,
        FRACTION_NS,
        ms(128),
        ms(1_000),
        ms(3_600_000),
    ])
}
