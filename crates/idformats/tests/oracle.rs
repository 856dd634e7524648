//! Generators and handles against a naive one, on random formats, settings and operations.
//!
//! - Every id's time and counter, every error with its durations, every sleep and every count is the oracle's: see
//!   `idtest::FormatScenario`. Formats that show no counter are held to `base + place × step + r`. The clock steps both ways,
//!   by parts of a millisecond too, freezes, and jumps during a wait; times are those of today, of 1970, and the word's last.
//! - `retry_after` is exact: one nanosecond earlier there is no id, at that time there is one.
//! - What a test run covers is every kind of answer.
//!
//! `IDTEST_SEED` replays a run; a failing input is shrunk and printed as bytes and as a scenario. `IDCORE_LONG=1` runs many.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::env;
use std::time::Duration;

use idcore::{ManualClock, UnixMillis};
use idformats::{IssueError, UlidMonotonic, V7Counter, V7SubMs};
use idtest::formats::{FormatScenario, FormatSeen, Kind, Known, SeededEntropy};
use idtest::{Rng, Seed, quietly};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

const BYTES_MAX: usize = 400;

fn cases() -> u32 {
    if env::var_os("IDCORE_LONG").is_some() { 20_000 } else { 400 }
}

#[test]
fn every_answer_is_the_oracles() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &rng.bytes(32)));
    let outcome = runner.run(&vec(any::<u8>(), 0..BYTES_MAX), |data| {
        quietly(|| FormatScenario::from_bytes(&data).run_silently())
            .map(|_| ())
            .ok_or_else(|| TestCaseError::fail("not what the oracle says"))
    });
    if let Err(TestError::Fail(reason, data)) = outcome {
        eprintln!("{reason}, for the bytes {data:?}");
        FormatScenario::from_bytes(&data).run();
        panic!("passes the second time");
    }
    outcome.unwrap();
}

#[test]
fn every_kind_of_answer_comes_up() {
    let mut rng = Rng::new(1);
    let mut all = FormatSeen::default();
    let mut kinds = [0; Kind::ALL.len()];
    for _ in 0..300 {
        let scenario = FormatScenario::from_bytes(&rng.bytes(BYTES_MAX));
        let seen = scenario.run();
        let kind = Kind::ALL.iter().position(|kind| *kind == scenario.kind).unwrap();
        kinds[kind] += seen.ids;
        all = all.and(seen);
    }
    assert!(all.is_everything() && all.build_refused, "{all:?}");
    assert!(all.ids > 10_000 && all.sleeps > 30 && all.ahead > 1_000 && all.carries > 100, "{all:?}");
    assert!(kinds.iter().all(|ids| *ids > 1_000), "{kinds:?}");
}

#[test]
fn retry_after_is_exact() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let mut kinds = [0; 2];
    for _ in 0..1_000 {
        let error = match rng.below(3) {
            0 => is_exact::<V7Counter>(&mut rng),
            1 => is_exact::<V7SubMs>(&mut rng),
            _ => is_exact::<UlidMonotonic>(&mut rng),
        };
        kinds[usize::from(matches!(error, IssueError::Exhausted { .. }))] += 1;
    }
    assert!(kinds.iter().all(|count| *count > 100), "behind, exhausted: {kinds:?}");
}

/// A generator whose last id, or whose start, is too far ahead: tries it around the time that its error names.
fn is_exact<F: Known>(rng: &mut Rng) -> IssueError {
    let clock = ManualClock::new(UnixMillis::new(1_800_000_000_000));
    let (rollback_ms, ahead_ms) = (rng.below(20), rng.below(4));
    let most_ms = rollback_ms.max(ahead_ms);
    let is_start = rng.below(2) == 0;
    // A start that is one past `ahead_max` is as a carry that comes there.
    let start_ms = if rng.below(2) == 0 { ahead_ms + 1 } else { most_ms + 1 + rng.below(5) };
    let start_ms = if is_start { i64::try_from(start_ms).unwrap() } else { 0 };
    let ids = F::on(&clock)
        .entropy(SeededEntropy::new(rng.next_u64()))
        .rollback_max(Duration::from_millis(rollback_ms))
        .ahead_max(Duration::from_millis(ahead_ms))
        .start_at(UnixMillis::new(1_800_000_000_000 + start_ms))
        .build()
        .unwrap();
    if !is_start {
        ids.next_id().unwrap();
        clock.step_back(Duration::from_millis(most_ms + 1 + rng.below(5)));
    }
    // A clock that has just missed a millisecond, or is in the middle of one.
    clock.advance(Duration::from_nanos(rng.pick(&[0, 1, 400_000, 999_999])));
    let Err(error) = ids.try_next_id() else { panic!("no id is to be had: {start_ms} ms, {rollback_ms}, {ahead_ms}") };
    let retry_after = error.retry_after().expect("time helps");
    clock.advance(retry_after.checked_sub(Duration::from_nanos(1)).unwrap());
    let too_early = ids.try_next_id().expect_err("one nanosecond too early");
    assert_eq!(too_early.retry_after(), Some(Duration::from_nanos(1)), "{error:?}");
    clock.advance(Duration::from_nanos(1));
    assert!(ids.try_next_id().is_ok(), "{error:?}");
    error
}
