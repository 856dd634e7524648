//! Any bytes as a scenario: with a lean towards edges, where the faults are.

use std::time::Duration;

use super::Kind;
use super::oracle::FormatSettings;
use super::scenario::FormatScenario;
use crate::Bytes;

const OPS_MAX: usize = 200;
const NS_PER_MS: u64 = 1_000_000;
/// As many ids as a millisecond has: one buffer of them is enough for a scenario.
const WHOLE_MS: usize = 1 << 20;

/// One operation on a generator, on a handle of it, or on its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatOp {
    /// `next_id`.
    Next,
    /// `try_next_id`.
    TryNext,
    /// `fill` with this many.
    Fill(usize),
    /// `next_id` of the handle.
    LocalNext,
    /// `fill` of the handle.
    LocalFill(usize),
    /// `reset`; the handle is a new one then.
    Reset,
    /// The clock jumps to this time.
    SetMs(i64),
    /// The clock goes on.
    AdvanceNs(u64),
    /// The clock steps back.
    StepBackNs(u64),
    /// From now on a sleep does not move the clock.
    Freeze,
    /// From now on a sleep moves the clock.
    Thaw,
    /// The next sleep moves the clock by this many milliseconds instead.
    StepAtSleepMs(i64),
}

impl FormatScenario {
    /// The scenario that `data` stands for: any data stands for one.
    pub fn from_bytes(data: &[u8]) -> Self {
        let bytes = &mut Bytes::new(data);
        let kind = bytes.pick(&Kind::ALL);
        let clock_ms = match bytes.below(8) {
            0 => bytes.pick(&[0, 1, -1, -86_400_000]),
            1 => (1 << 44) + bytes.pick(&[-1, -2, -5, -12, -1_000, 0]),
            _ => 1_800_000_000_000,
        };
        let settings = settings(clock_ms, bytes);
        let entropy = bytes.byte().into();
        let mut ops = Vec::new();
        while !bytes.is_empty() && ops.len() < OPS_MAX {
            let has_whole_ms = ops.contains(&FormatOp::Fill(WHOLE_MS));
            ops.push(op(kind, has_whole_ms, bytes));
        }
        Self { kind, settings, clock_ms, entropy, ops }
    }
}

fn settings(clock_ms: i64, bytes: &mut Bytes<'_>) -> FormatSettings {
    let rollback_ms = bytes.pick(&[10_000, 0, 1, 5, 10, u64::MAX]);
    let ahead_ms = bytes.pick(&[10, 0, 1, 5, 50]);
    let exhausted_max = match bytes.below(4) {
        0 => None,
        _ => Some(Duration::from_millis(bytes.pick(&[5_000, 0, 1, 20]))),
    };
    let mut near_clock = |one_in: u64| {
        let is_there = bytes.one_in(one_in);
        // One past `ahead_ms` is where the end of a counter leads at most.
        let at_end = i64::try_from(ahead_ms).expect("a short time") + 1;
        let offset =
            bytes.pick(&[at_end, at_end, at_end, at_end + 1, 0, 1, 5, -1, -40, 10_000, 10_001, 10_011, 3_600_000]);
        is_there.then(|| clock_ms + offset)
    };
    let (start_ms, above_ms) = (near_clock(2), near_clock(8));
    let above_ms = above_ms.filter(|ms| *ms >= 0);
    FormatSettings { rollback_ms, ahead_ms, exhausted_max, start_ms, above_ms }
}

fn op(kind: Kind, has_whole_ms: bool, bytes: &mut Bytes<'_>) -> FormatOp {
    // Units of 1/4096 ms have few ids, and are used up in other ways too.
    let whole_ms_in = if kind.units_per_ms() == 1 { 24 } else { 240 };
    match bytes.below(32) {
        0..=5 => FormatOp::Next,
        6..=9 => FormatOp::TryNext,
        10 if !has_whole_ms && bytes.one_in(whole_ms_in) => FormatOp::Fill(WHOLE_MS),
        10..=13 => FormatOp::Fill(bytes.pick(&[1, 2, 0, 127, 128, 129, 256, 257, 700])),
        14..=18 => FormatOp::LocalNext,
        19 => FormatOp::LocalFill(bytes.pick(&[0, 1, 3, 300])),
        20 if bytes.one_in(4) => FormatOp::Reset,
        20 | 21 => FormatOp::SetMs(bytes.pick(&[
            1_800_000_000_000,
            1_800_000_000_005,
            0,
            (1 << 44) - 1,
            (1 << 44) - 2,
            1 << 44,
            -1,
            i64::MIN,
            i64::MAX,
        ])),
        22..=25 => FormatOp::AdvanceNs(span_ns(bytes)),
        26..=28 => FormatOp::StepBackNs(span_ns(bytes)),
        29 => FormatOp::Freeze,
        30 => FormatOp::Thaw,
        _ => FormatOp::StepAtSleepMs(bytes.pick(&[0, 1, -1, 5, -5, 1_000, -3_600_000])),
    }
}

fn span_ns(bytes: &mut Bytes<'_>) -> u64 {
    let ms = |n: u64| n * NS_PER_MS;
    bytes.pick(&[
        ms(1),
        244,
        245,
        100_000,
        999_999,
        ms(1) + 1,
        ms(5),
        ms(10),
        ms(11),
        ms(1_000),
        ms(11_000),
        ms(3_600_000),
    ])
}
