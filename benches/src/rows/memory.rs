//! What a generator occupies, on the stack and the heap, and what a call allocates.

use idformats::{Format, UlidMonotonic, V7Counter};

use super::Group;
use crate::{
    failure::Failure,
    mint::Mint,
    ours::{formats, snowflake},
    rivals::{
        ferroid::{self, Spin},
        ferroid_ulid,
        snowflake_me::{self, Source},
        snowflaked, ulid, uuid, uuid7,
    },
    row::{Goal, Row, Summary, Unit},
    stats,
};

/// Calls that are watched for allocations: more than a tick of the layout has.
const CALLS: usize = 10_000;

/// The goal for what a generator occupies.
const BYTES_MAX: f64 = 256.0;

struct Memory {
    name: &'static str,
    /// The value itself and what it keeps on the heap.
    bytes: Option<u64>,
    /// Allocations of [`CALLS`] calls.
    allocations: u64,
}

pub(super) fn groups() -> [Group; 3] {
    [
        group("memory/generator", "memory/allocations", snowflakes),
        group("memory/uuidv7-generator", "memory/uuidv7-allocations", uuids),
        group("memory/ulid-generator", "memory/ulid-allocations", ulids),
    ]
}

/// What was weighed of ours, and of the rivals.
type Weighed = Result<(Memory, Vec<Memory>), Failure>;

fn group(generator: &'static str, allocations: &'static str, weighed: fn() -> Weighed) -> Group {
    Group {
        rows: vec![generator.to_owned(), allocations.to_owned()],
        timed: false,
        measure: Box::new(move |_bench| {
            let (ours, rivals) = weighed()?;
            let row = |name, unit, most, read: fn(&Memory) -> Option<u64>| {
                let rivals = rivals.iter().filter_map(|rival| summary(rival, read)).collect();
                let ours = summary(&ours, read).expect("the size of a type of ours is known");
                Row::new(name, unit, 1, Goal::AtMost(most), ours, rivals)
            };
            Ok(vec![
                row(generator, Unit::Bytes, BYTES_MAX, |memory| memory.bytes),
                row(allocations, Unit::Allocations, 0.0, |memory| Some(memory.allocations)),
            ])
        }),
    }
}

fn snowflakes() -> Weighed {
    let ours = weigh(snowflake::NAME, Some(size_of::<snowflake::TwitterGenerator>()), snowflake::twitter)?;
    let rivals = vec![
        weigh("ferroid", Some(size_of::<ferroid::TwitterGenerator>()), || Ok(ferroid::twitter::<Spin>()))?,
        weigh("snowflake_me", Some(size_of::<snowflake_me::Snowflake>()), || snowflake_me::twitter(Source::Own))?,
        weigh(snowflaked::NAME, Some(size_of::<snowflaked::Generator>()), || Ok(snowflaked::twitter()))?,
    ];
    Ok((ours, rivals))
}

/// The rivals have one generator for the process, whose size cannot be asked for.
fn uuids() -> Weighed {
    let build = || formats::wall(V7Counter::generator());
    let ours = weigh(formats::NAME, Some(size_of::<formats::Shared<V7Counter>>()), build)?;
    let rivals = vec![weigh(uuid::NAME_V7, None, || Ok(uuid::NowV7))?, weigh(uuid7::NAME, None, || Ok(uuid7::Uuid7))?];
    Ok((ours, rivals))
}

fn ulids() -> Weighed {
    let build = || formats::wall(UlidMonotonic::generator());
    let ours = weigh(formats::NAME, Some(size_of::<formats::Shared<UlidMonotonic>>()), build)?;
    let rivals = vec![
        weigh("ferroid", Some(size_of::<ferroid_ulid::Generator>()), || Ok(ferroid_ulid::monotonic::<Spin>()))?,
        weigh(ulid::NAME_MONOTONIC, Some(size_of::<ulid::Monotonic>()), || Ok(ulid::Monotonic::default()))?,
    ];
    Ok((ours, rivals))
}

fn weigh<M: Mint>(
    name: &'static str,
    value_bytes: Option<usize>,
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
    let kept = u64::try_from(heap.bytes_current).unwrap_or(0);
    let bytes = value_bytes.map(|value| u64::try_from(value).unwrap_or(u64::MAX) + kept);
    Ok(Memory { name, bytes, allocations: calls.count_total })
}

fn summary(memory: &Memory, read: fn(&Memory) -> Option<u64>) -> Option<Summary> {
    let value = stats::float(read(memory)?);
    Some(Summary { name: memory.name.to_owned(), value, cpus: None, of_wall: None, rounds: vec![value] })
}
