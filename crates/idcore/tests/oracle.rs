//! The generator against a naive one, on random layouts, settings and operations.
//!
//! - Every id, every error with its durations, every sleep, mark, ceiling and counter is the oracle's: see `idtest::Scenario`.
//!   Layouts have 1 to 64 bits, with and without a sequence, with nodes above, between and below, and ticks of 1 ms, 7 ms,
//!   10 ms, 1 s and 1 h; the clock steps, freezes, drifts and jumps, also during a wait.
//! - `retry_after` is exact: one nanosecond earlier there is no id, at that time there is one.
//! - What a test run covers is every kind of answer.
//!
//! `IDTEST_SEED` replays a run; a failing input is shrunk and printed as bytes and as a scenario.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::time::Duration;

use idcore::{IssueError, ManualClock, Mark, UnixMillis};
use idtest::{Bytes, Part, Plan, Rng, Scenario, Seed, Seen, quietly};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

const CASES: u32 = 3_000;
const BYTES_MAX: usize = 500;

#[test]
fn every_answer_is_the_oracles() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &rng.bytes(32)));
    let outcome = runner.run(&vec(any::<u8>(), 0..BYTES_MAX), |data| {
        quietly(|| Scenario::from_bytes(&data).run_silently())
            .map(|_| ())
            .ok_or_else(|| TestCaseError::fail("not what the oracle says"))
    });
    if let Err(TestError::Fail(reason, data)) = outcome {
        eprintln!("{reason}, for the bytes {data:?}");
        Scenario::from_bytes(&data).run();
        panic!("passes the second time");
    }
    outcome.unwrap();
}

#[test]
fn every_kind_of_answer_comes_up() {
    let mut rng = Rng::new(1);
    let mut all = Seen::default();
    let mut refused = 0;
    for _ in 0..1_000 {
        let seen = Scenario::from_bytes(&rng.bytes(BYTES_MAX)).run();
        refused += u32::from(seen.build_refused);
        all = all.and(seen);
    }
    assert!((10..500).contains(&refused), "{refused} of 1,000 scenarios have no generator");
    assert!(all.is_everything(), "{all:?}");
    assert!(all.ids > 10_000 && all.sleeps > 500 && all.borrowed > 1_000, "{all:?}");
}

#[test]
fn retry_after_is_exact() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let mut kinds = [0; 2];
    for _ in 0..2_000 {
        let plan = Plan::arbitrary(&mut Bytes::new(&rng.bytes(60)));
        let Some((clock_ms, mark, ahead)) = unissuable(&plan, &mut rng) else { continue };
        let clock = ManualClock::new(UnixMillis::new(clock_ms));
        let ids = plan
            .layout()
            .generator_with(&clock)
            .unregistered()
            .node(0)
            .ahead_max(ahead)
            .not_before(Mark::new(mark))
            .build()
            .unwrap();
        // A clock that has just missed a tick, or is in the middle of one.
        clock.advance(Duration::from_nanos(rng.pick(&[0, 1, 400_000, 999_999])));
        let error = ids.try_next_id().expect_err("the mark is ahead");
        kinds[usize::from(matches!(error, IssueError::Exhausted { .. }))] += 1;
        let retry_after = error.retry_after().expect("time helps");
        clock.advance(retry_after.checked_sub(Duration::from_nanos(1)).unwrap());
        let too_early = ids.try_next_id().expect_err("one nanosecond too early");
        assert_eq!(too_early.retry_after(), Some(Duration::from_nanos(1)), "{plan}, {error:?}");
        clock.advance(Duration::from_nanos(1));
        assert!(ids.try_next_id().is_ok(), "{plan}, {error:?}");
    }
    assert!(kinds.iter().all(|count| *count > 100), "behind, exhausted: {kinds:?}");
}

/// A time, a mark that is ahead of it and a bound that does not reach the mark; none when the layout is too short for that.
fn unissuable(plan: &Plan, rng: &mut Rng) -> Option<(i64, u64, Duration)> {
    let tick_count = plan.tick_count();
    let ahead_ticks = u128::from(rng.below(3));
    let mark_tick = ahead_ticks + 1 + u128::from(rng.below(4));
    if mark_tick >= tick_count {
        return None;
    }
    let clock_tick = u128::from(rng.below(u64::try_from(mark_tick - ahead_ticks).unwrap()));
    let slots = plan.count_of(Part::Sequence);
    let place = u128::from(rng.next_u64()) % slots;
    let mark = u64::try_from(mark_tick * slots + place * u128::from(rng.below(2))).unwrap();
    let ahead = Duration::from_millis(u64::from(plan.tick_ms) * u64::try_from(ahead_ticks).unwrap());
    Some((plan.start_ms(clock_tick), mark, ahead))
}
