//! Where the ids of a tick begin.
//!
//! - At one id per millisecond `id % n` is 0 for all of them by default, and even with a start that is spread.
//! - A tick then has as many ids as there are from its start on, adjacent; the next one has a start of its own.
//! - The start is below 2^bits, and the same for the same tick and seed; another seed gives others.
//! - A start spread over all of a tick, or more, is refused when the generator is built.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use idcore::{
    BuildError, Clock, Discord, Dyn, DynSnowflake, Exhaustion, Field, Generator, IssueError, Layout, ManualClock,
    SequenceStart, Snowflake, Standard, StaticLayout, UnixMillis,
};

const MS: Duration = Duration::from_millis(1);
const DAY_MS: i64 = 86_400_000;

fn clock_for(layout: Layout) -> ManualClock {
    ManualClock::new(UnixMillis::new(layout.epoch().get() + DAY_MS))
}

fn standard(clock: &ManualClock, start: SequenceStart) -> Generator<Standard, &ManualClock> {
    let ids = Standard::generator_with(clock).node(17).unregistered().sequence_start(start);
    ids.on_exhausted(Exhaustion::Fail).build().unwrap()
}

/// One id in each of `ticks` milliseconds.
fn one_per_ms(start: SequenceStart, ticks: usize) -> Vec<Snowflake<Standard>> {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock, start);
    (0..ticks).map(|_| (ids.next_id().unwrap(), clock.advance(MS)).0).collect()
}

fn shards(ids: &[Snowflake<Standard>], n: u64) -> Vec<usize> {
    let mut counts = vec![0; usize::try_from(n).unwrap()];
    for id in ids {
        counts[usize::try_from(id.get() % n).unwrap()] += 1;
    }
    counts
}

#[test]
fn by_default_one_id_per_ms_goes_to_one_shard() {
    for start in [SequenceStart::ZERO, SequenceStart::default(), SequenceStart::spread(0, 77)] {
        assert_eq!(shards(&one_per_ms(start, 1_000), 8), [1_000, 0, 0, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn with_a_spread_start_one_id_per_ms_goes_to_all_shards_evenly() {
    for seed in [0, 1, 2, 77, u32::MAX] {
        let ids = one_per_ms(SequenceStart::spread(8, seed), 1_000);
        for n in [2, 3, 5, 7, 8, 16] {
            let counts = shards(&ids, n);
            let mean = 1_000 / usize::try_from(n).unwrap();
            // Four standard deviations of a fair draw are four times the root of the mean, at most.
            let off = counts.iter().map(|count| count.abs_diff(mean)).max().unwrap();
            assert!(off * off <= 16 * mean, "seed {seed}, {n} shards: {counts:?}");
        }
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn starts_look_random() {
    let starts: Vec<u64> = one_per_ms(SequenceStart::spread(10, 5), 4_000).iter().map(|id| id.sequence()).collect();
    assert!(starts.iter().all(|start| *start < 1_024));
    let distinct: HashSet<_> = starts.iter().collect();
    // Of 1,024 values 4,000 fair draws miss one in fifty.
    assert!((960..=1_024).contains(&distinct.len()), "{} starts", distinct.len());
    let steps: HashSet<_> = starts.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) % 1_024).collect();
    assert!(steps.len() > 900, "{} steps from a start to the next", steps.len());
    for bit in 0..10 {
        let ones = starts.iter().filter(|start| *start >> bit & 1 == 1).count();
        assert!((1_850..2_150).contains(&ones), "bit {bit} is set in {ones} of 4,000");
    }
}

#[test]
fn a_tick_has_the_ids_from_its_start_on() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock, SequenceStart::spread(11, 3));
    let mut starts = HashSet::new();
    for _ in 0..50 {
        let first = ids.next_id().unwrap();
        let mut buffer = vec![Snowflake::ZERO; 4_096];
        let error = ids.fill(&mut buffer).unwrap_err();
        assert_eq!(error.error, IssueError::Exhausted { retry_after: MS });
        assert_eq!(1 + error.filled as u64, 4_096 - first.sequence());
        let adjacent = |(id, sequence): (&Snowflake<_>, u64)| id.time() == first.time() && id.sequence() == sequence;
        assert!(buffer[..error.filled].iter().zip(first.sequence() + 1..).all(adjacent));
        starts.insert(first.sequence());
        clock.advance(MS);
    }
    assert!(starts.len() > 40 && starts.iter().all(|start| *start < 2_048), "also after a tick that was used up");
}

#[test]
fn handles_and_reserved_ids_begin_there_too() {
    let start = SequenceStart::spread(6, 3);
    let expected = one_per_ms(start, 20);
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock, start);
    let mut local = ids.local();
    for (place, expected) in expected.into_iter().enumerate() {
        let id = if place % 2 == 0 { local.next_id() } else { ids.reserve(3).unwrap().next().unwrap() };
        assert_eq!(id, Ok(expected));
        clock.advance(MS);
    }
}

#[test]
fn a_clock_that_comes_back_to_a_tick_goes_on_in_it() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = standard(&clock, SequenceStart::spread(8, 4));
    let first = ids.next_id().unwrap();
    clock.step_back(MS);
    clock.advance(MS);
    let second = ids.next_id().unwrap();
    assert_eq!((second.time(), second.sequence()), (first.time(), first.sequence() + 1));
    let restarted = Standard::generator_with(&clock).node(17).unregistered().not_before(ids.close());
    let restarted = restarted.sequence_start(SequenceStart::spread(8, 5)).build().unwrap();
    assert!(restarted.next_id().unwrap() > second, "and so does a restart, with whatever seed");
}

#[test]
fn ticks_that_are_borrowed_are_used_from_their_beginning() {
    let clock = clock_for(Standard::LAYOUT);
    let ids = Standard::generator_with(&clock).node(17).unregistered().sequence_start(SequenceStart::spread(8, 4));
    let ids = ids.ahead_max(2 * MS).on_exhausted(Exhaustion::Fail).build().unwrap();
    let mut buffer = vec![Snowflake::ZERO; 4 * 4_096];
    let error = ids.fill(&mut buffer).unwrap_err();
    assert_eq!(error.filled as u64, 3 * 4_096 - buffer[0].sequence());
    assert!(buffer[..error.filled].windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn the_same_seed_gives_the_same_ids_and_another_one_others() {
    let ids = one_per_ms(SequenceStart::spread(9, 42), 300);
    assert_eq!(ids, one_per_ms(SequenceStart::spread(9, 42), 300));
    for seed in [0, 41, 43, 42 << 8, !42] {
        let others = one_per_ms(SequenceStart::spread(9, seed), 300);
        let alike = ids.iter().zip(others).filter(|(id, other)| **id == *other).count();
        assert!(alike < 10, "{alike} of 300 alike with seed {seed}");
    }
}

#[test]
fn a_start_spread_over_a_whole_tick_is_refused() {
    let build = |sequence_bits: u32, bits: u32| {
        let mut fields = vec![Field::timestamp(20)];
        fields.extend((sequence_bits > 0).then(|| Field::sequence(sequence_bits)));
        let layout = Layout::new(UnixMillis::new(0), 1, &fields).unwrap();
        let ids = layout.generator_with(ManualClock::new(UnixMillis::new(1_000))).unregistered();
        ids.sequence_start(SequenceStart::spread(bits, 1)).build().map(|ids: Generator<Dyn, _>| {
            let first = ids.next_id().unwrap();
            assert!(first > DynSnowflake::ZERO && first.get() >> sequence_bits == 1_000);
        })
    };
    for (sequence_bits, bits) in [(0, 0), (1, 0), (2, 1), (12, 11), (20, 19), (40, 31)] {
        assert_eq!(build(sequence_bits, bits), Ok(()), "{bits} of {sequence_bits}");
    }
    for (sequence_bits, bits) in
        [(0, 1), (1, 1), (2, 2), (2, 3), (12, 12), (12, 31), (31, 31), (40, 32), (40, 40), (32, 99), (40, u32::MAX)]
    {
        assert_eq!(build(sequence_bits, bits), Err(BuildError::SequenceStart { bits, sequence_bits }));
    }
    let error = build(12, 12).unwrap_err().to_string();
    assert_eq!(error, "sequence start spread over 12 bits: expected fewer than the 12 of the sequence, and at most 31");
}

#[test]
fn threads_that_share_a_spread_start_repeat_no_id() {
    let ids = Discord::generator().node(5).unregistered().sequence_start(SequenceStart::spread(11, 9)).build().unwrap();
    let ids = &ids;
    let taken: Vec<Vec<_>> = thread::scope(|scope| {
        let take = move |thread: usize| {
            let mut local = ids.local();
            let next = |place: usize| if (place + thread) % 3 == 0 { local.next_id() } else { ids.next_id() };
            (0..5_000).map(next).collect::<Result<Vec<_>, _>>().unwrap()
        };
        let threads: Vec<_> = (0..8).map(|thread| scope.spawn(move || take(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(taken.iter().flatten().collect::<HashSet<_>>().len(), 40_000);
    assert!(taken.iter().flatten().all(|id| id.time() <= ids.clock().now().millis()));
}
