//! Where random bits come from, and what happens when none come.
//!
//! - A source that fails, at its first question or at any later one: an error and no id, from every call, and a generator that
//!   goes on in order when the source does. What `fill` says it has filled is the caller's.
//! - A source of one's own makes ids that can be made again.
//! - `ThreadEntropy` gives different bits to each thread, and none twice: over the edges of refills, by words and by buffers of
//!   up to three pools. (A forked child: `tests/fork`.)

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use idcore::{ManualClock, UnixMillis};
use idformats::{BuildError, Entropy, EntropyError, IssueError, RandomUlid, RandomUuid, ThreadEntropy};
use idtest::for_each_format;
use idtest::formats::{Known, SeededEntropy};
use ulid::Ulid;
use uuid::Uuid;

const NONE: IssueError = IssueError::Entropy(EntropyError::new());

fn clock() -> ManualClock {
    ManualClock::new(UnixMillis::new(1_800_000_000_000))
}

fn fails_and_goes_on<F: Known>() {
    let clock = clock();
    let entropy = SeededEntropy::new(3);
    let mut ids = F::on(&clock).entropy(&entropy).build().unwrap();
    let mut last = ids.next_id().unwrap();
    let needs_none = F::KIND == idtest::formats::Kind::UlidMonotonic;
    // A new millisecond asks for a seed too; within one that is open nothing but the tail is asked for.
    for (answered, step) in [(0, 0), (0, 1), (1, 1), (2, 1), (1, 0)] {
        clock.advance(Duration::from_millis(step));
        entropy.fail_after(answered);
        let mut local = ids.local();
        let results = [ids.next_id(), ids.try_next_id(), local.next_id(), ids.next_id()];
        for result in results {
            match result {
                Ok(id) => {
                    assert!(last < id);
                    last = id;
                }
                Err(error) => assert_eq!(error, NONE),
            }
        }
        let failed = results.iter().filter(|result| result.is_err()).count() as u64;
        assert_eq!(failed == 0, needs_none);
        assert!(failed >= if needs_none { 0 } else { 4 - answered }, "{answered} answers, {failed} errors");
        entropy.mend();
        for next in [ids.next_id(), local.next_id().and(ids.try_next_id())] {
            assert!(last < next.unwrap(), "goes on in order");
            last = next.unwrap();
        }
    }
    entropy.fail_after(0);
    let then = UnixMillis::new(5);
    assert_eq!(ids.at(then), Err(NONE));
    assert_eq!(ids.back_fill(then).unwrap_err(), NONE);
    assert_eq!(ids.reset(), Err(NONE));
    entropy.mend();
    let mut of_then = ids.back_fill(then).unwrap();
    let first = of_then.next_id().unwrap();
    entropy.fail_after(0);
    assert_eq!(of_then.next_id(), Err(NONE));
    entropy.mend();
    assert!(first < of_then.next_id().unwrap());
    assert!(last < ids.next_id().unwrap(), "a reset that failed has changed nothing");
}

#[test]
fn a_source_that_fails_gives_errors_and_no_ids() {
    for_each_format!(fails_and_goes_on());
}

fn part_of_a_buffer<F: Known>() {
    let clock = clock();
    let entropy = SeededEntropy::new(3);
    let ids = F::on(&clock).entropy(&entropy).build().unwrap();
    let mut last = ids.next_id().unwrap();
    for answered in 0..8 {
        entropy.fail_after(answered);
        let mut buffer = [F::of_number(0); 700];
        let (filled, error) = match ids.fill(&mut buffer) {
            Ok(()) => (buffer.len(), None),
            Err(error) => (error.filled, Some(error.error)),
        };
        assert!(error.is_none_or(|error| error == NONE) && error.is_none() == (filled == buffer.len()));
        assert!(buffer[filled..].iter().all(|id| *id == F::of_number(0)), "written past what was filled");
        for id in &buffer[..filled] {
            assert!(last < *id);
            last = *id;
        }
        entropy.mend();
        let next = ids.next_id().unwrap();
        assert!(last < next);
        last = next;
    }
}

#[test]
fn a_source_that_fails_within_a_buffer() {
    for_each_format!(part_of_a_buffer());
}

fn no_generator<F: Known>() {
    for answered in 0..2 {
        let entropy = SeededEntropy::new(3);
        entropy.fail_after(answered);
        let error = F::on(clock()).entropy(&entropy).build().unwrap_err();
        assert_eq!(error, BuildError::Entropy(EntropyError::new()), "{answered} answers");
    }
}

#[test]
fn a_source_that_fails_gives_no_generator() {
    for_each_format!(no_generator());
}

#[test]
fn ids_without_an_order_of_a_source_that_fails() {
    let entropy = SeededEntropy::new(3);
    let (of_v4, of_ulid) = (RandomUuid::new(&entropy), RandomUlid::new(clock(), &entropy));
    entropy.fail_after(0);
    assert_eq!(of_v4.next_id(), Err(EntropyError::new()));
    entropy.fail_after(1);
    assert_eq!(of_v4.fill(&mut [Uuid::nil(); 127]), Err(EntropyError::new()), "more ids than one answer is enough for");
    entropy.fail_after(0);
    assert_eq!(of_ulid.next_id(), Err(NONE));
    entropy.fail_after(2);
    let error = of_ulid.fill(&mut [Ulid(0); 3]).unwrap_err();
    assert_eq!((error.filled, error.error), (2, NONE));
    entropy.mend();
    assert!(of_v4.next_id().is_ok() && of_ulid.next_id().is_ok());
    let text = "no random bytes from the source of entropy";
    assert_eq!((EntropyError::new().to_string(), EntropyError::new().raw_os_error()), (text.to_owned(), None));
}

fn made_again<F: Known>() {
    let run = |seed: u64| {
        let clock = clock();
        let ids = F::on(&clock).entropy(Arc::new(SeededEntropy::new(seed))).build().unwrap();
        let mut local = ids.local();
        let mut numbers = Vec::new();
        for step_ms in [0, 1, 0, 5, 20] {
            clock.advance(Duration::from_millis(step_ms));
            let mut buffer = [F::of_number(0); 40];
            ids.fill(&mut buffer).unwrap();
            numbers.extend(buffer.map(F::number));
            numbers
                .extend([ids.next_id(), ids.at(UnixMillis::new(7)), local.next_id()].map(|id| F::number(id.unwrap())));
        }
        numbers
    };
    assert_eq!(run(1), run(1));
    let (one, other): (HashSet<u128>, HashSet<u128>) = (run(1).into_iter().collect(), run(2).into_iter().collect());
    assert!(one.is_disjoint(&other));
}

#[test]
fn a_source_of_ones_own_makes_ids_again() {
    for_each_format!(made_again());
}

/// No sixteen bytes come up twice, wherever they begin.
fn assert_never_repeated(bytes: &[u8]) {
    let mut windows: Vec<u128> =
        bytes.windows(16).map(|window| u128::from_le_bytes(window.try_into().unwrap())).collect();
    let count = windows.len();
    windows.sort_unstable();
    windows.dedup();
    assert_eq!(windows.len(), count, "{} times sixteen bytes were given out again", count - windows.len());
}

#[test]
fn no_bytes_are_given_out_twice() {
    let mut all = Vec::new();
    let lengths = (1..1_030).chain([2_047, 2_048, 2_049, 3_000]).chain((0..1_000).map(|_| 8));
    for len in lengths {
        let before = all.len();
        all.resize(before + len, 0);
        ThreadEntropy.fill(&mut all[before..]).unwrap();
        if len % 3 == 0 {
            all.extend(ThreadEntropy.next_u64().unwrap().to_le_bytes());
            all.extend(ThreadEntropy.next_u128().unwrap().to_le_bytes());
        }
    }
    assert_never_repeated(&all);
    ThreadEntropy.fill(&mut []).unwrap();
}

#[test]
fn every_thread_has_bits_of_its_own() {
    let draw = || {
        let mut bytes = vec![0; 5_000];
        ThreadEntropy.fill(&mut bytes[..1_000]).unwrap();
        ThreadEntropy.fill(&mut bytes[1_000..]).unwrap();
        bytes
    };
    let threads: Vec<_> = (0..32).map(|_| thread::spawn(draw)).collect();
    let mut all: Vec<u8> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    // And one after another: a new thread does not find the pool of one that has ended.
    for _ in 0..8 {
        all.extend(thread::spawn(draw).join().unwrap());
    }
    assert_never_repeated(&all);
}
