//! What a generator occupies, on the stack and the heap, and what a call allocates.

use super::{Bench, Group};
use crate::{
    failure::Failure,
    mint::Mint,
    ours,
    rivals::{
        ferroid::{self, Spin},
        snowflake_me::{self, Source},
        snowflaked,
    },
    row::{Goal, Row, Summary, Unit},
    stats,
};

/// Calls that are watched for allocations: more than a tick of the layout has.
const CALLS: usize = 10_000;

const ROWS: [(&str, Unit, Goal); 2] = [
    ("memory/generator", Unit::Bytes, Goal::AtMost(256.0)),
    ("memory/allocations", Unit::Allocations, Goal::AtMost(0.0)),
];

struct Memory {
    name: &'static str,
    /// The value itself and what it keeps on the heap.
    bytes: u64,
    /// Allocations of [`CALLS`] calls.
    allocations: u64,
}

pub(super) fn group() -> Group {
    Group { rows: ROWS.map(|(name, ..)| name.to_owned()).into(), timed: false, measure: Box::new(measure) }
}

fn measure(_bench: &Bench) -> Result<Vec<Row>, Failure> {
    let ours = weigh(ours::NAME, size_of::<ours::TwitterGenerator>(), ours::twitter)?;
    let rivals = [
        weigh("ferroid", size_of::<ferroid::TwitterGenerator>(), || Ok(ferroid::twitter::<Spin>()))?,
        weigh("snowflake_me", size_of::<snowflake_me::Snowflake>(), || snowflake_me::twitter(Source::Own))?,
        weigh(snowflaked::NAME, size_of::<snowflaked::Generator>(), || Ok(snowflaked::twitter()))?,
    ];
    let row = |(name, unit, goal), read: fn(&Memory) -> u64| {
        let rivals = rivals.iter().map(|rival| summary(rival, read)).collect();
        Row::new(name, unit, 1, goal, summary(&ours, read), rivals)
    };
    let [generator, allocations] = ROWS;
    Ok(vec![row(generator, |memory| memory.bytes), row(allocations, |memory| memory.allocations)])
}

fn weigh<M: Mint>(
    name: &'static str,
    value_bytes: usize,
    make: impl Fn() -> Result<M, Failure>,
) -> Result<Memory, Failure> {
    // What is set up once in a process, a ticker or a registry, is not charged to a generator.
    drop(make()?);
    let mut built = None;
    let heap = allocation_counter::measure(|| built = Some(make()));
    let generator = built.expect("the closure ran")?;
    let mut outcome = Ok(());
    let calls = allocation_counter::measure(|| {
        outcome = (0..CALLS).try_for_each(|_| generator.mint().map(|_| ()));
    });
    outcome.map_err(|error| Failure::refused(name, &error))?;
    let value = u64::try_from(value_bytes).unwrap_or(u64::MAX);
    let kept = u64::try_from(heap.bytes_current).unwrap_or(0);
    Ok(Memory { name, bytes: value + kept, allocations: calls.count_total })
}

fn summary(memory: &Memory, read: fn(&Memory) -> u64) -> Summary {
    let value = stats::float(read(memory));
    Summary { name: memory.name.to_owned(), value, cpus: None, of_wall: None, rounds: vec![value] }
}
