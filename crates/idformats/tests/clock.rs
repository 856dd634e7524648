//! What a generator does when its clock steps, stands still, or is at the end of time.
//!
//! - Back by 1 ms, 1 s, 10 s: ids keep their time and order, and come back to the clock as soon as order allows. By 11 s, by an
//!   hour: `ClockBehind`, with the exact numbers, at once. A frozen clock: the counter, then `ahead_max`, then the policy.
//! - The bounds `rollback_max` and `ahead_max` at their edges. `try_next_id` never sleeps.
//! - The end of a counter: a new seed in the next unit, in the lower half, and the time no further than `ahead_max`.
//! - A reset by request. `start_at`, `not_before`.
//! - 2^44 - 1 ms, 2^44 ms, 2^48 ms, before 1970, and the extremes of `i64`: an error, never a wrapped id.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::time::Duration;

use idcore::{Exhaustion, ManualClock, OnSleep, SystemClock, UnixMillis};
use idformats::{
    BuildError, Generator, IssueError, RandomUlid, ThreadEntropy, UlidMonotonic, V7Counter, V7Random, V7SubMs,
};
use idtest::for_each_format;
use idtest::formats::{FreeBits, Kind, Known, SeededEntropy, join, split, unit_and_place};

const NOW_MS: i64 = 1_800_000_000_000;
const MS: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);
/// As many ids as a counter of 20 bits has.
const WHOLE: usize = 1 << 20;

type Ids<'a, F> = Generator<F, &'a ManualClock, ThreadEntropy>;

fn clock() -> ManualClock {
    ManualClock::new(UnixMillis::new(NOW_MS))
}

fn build<F: Known>(clock: &ManualClock) -> Ids<'_, F> {
    F::on(clock).build().unwrap()
}

/// The id's time, in milliseconds after the clock's start.
fn ms<F: Known>(id: F::Id) -> i64 {
    i64::try_from(split(F::KIND, F::number(id)).unix_ms).unwrap() - NOW_MS
}

fn order_holds_after<F: Known>(back: Duration) {
    let clock = clock();
    let ids = build::<F>(&clock);
    let mut local = ids.local();
    let mut issued: Vec<F::Id> = (0..50).map(|_| ids.next_id().unwrap()).collect();
    let of_handle = local.next_id().unwrap();
    clock.step_back(back);
    issued.extend((0..50).map(|_| ids.next_id().unwrap()));
    let mut buffer = [F::of_number(0); 50];
    ids.fill(&mut buffer).unwrap();
    issued.extend(buffer);
    assert!(local.next_id().unwrap() > of_handle);
    assert!(issued.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(issued.iter().all(|id| ms::<F>(*id) == 0), "ids keep the last time");
    assert_eq!(ids.stats().ahead, 101);
    assert_eq!(ids.stats().clock_behind_max, back);
    // Back at the clock as soon as it has passed.
    clock.advance(back);
    assert_eq!(ms::<F>(ids.next_id().unwrap()), 0);
    for passed in 1..5 {
        clock.advance(MS);
        assert_eq!(ms::<F>(ids.next_id().unwrap()), passed);
    }
    assert_eq!(ids.stats().ahead, 101);
    assert_eq!(clock.sleeps(), 0);
}

#[test]
fn order_holds_after_a_step_back() {
    for_each_format!(order_holds_after(MS));
    for_each_format!(order_holds_after(SECOND));
    for_each_format!(order_holds_after(10 * SECOND));
}

fn refuses_after<F: Known>(back: Duration) {
    let clock = clock();
    let ids = build::<F>(&clock);
    let mut local = ids.local();
    let last = ids.next_id().unwrap().max(local.next_id().unwrap());
    clock.step_back(back);
    let beyond = back.checked_sub(10 * SECOND).unwrap();
    let behind = IssueError::ClockBehind { behind: back, retry_after: beyond };
    assert_eq!(ids.next_id(), Err(behind));
    assert_eq!(ids.try_next_id(), Err(behind));
    assert_eq!(local.next_id(), Err(behind));
    let mut buffer = [F::of_number(0); 3];
    for error in [ids.fill(&mut buffer).unwrap_err(), local.fill(&mut buffer).unwrap_err()] {
        assert_eq!((error.filled, error.error), (0, behind));
    }
    assert_eq!((ids.stats().clock_behind, ids.stats().clock_behind_max), (5, back));
    assert_eq!((ids.stats().ahead, clock.sleeps()), (0, 0), "an error at once");
    clock.advance(beyond);
    assert!(ids.next_id().unwrap() > last);
}

#[test]
fn refuses_after_a_step_back_that_is_too_far() {
    for_each_format!(refuses_after(10 * SECOND + MS));
    for_each_format!(refuses_after(11 * SECOND));
    for_each_format!(refuses_after(HOUR));
}

fn rollback_edge<F: Known>() {
    for bound_ms in [0, 1, 7] {
        let clock = clock();
        let bound = Duration::from_millis(bound_ms);
        // A nanosecond short of the next millisecond is none.
        let odd = bound + Duration::from_nanos(999_999);
        let ids = F::on(&clock).ahead_max(Duration::ZERO).rollback_max(odd).build().unwrap();
        ids.next_id().unwrap();
        clock.step_back(bound);
        assert!(ids.next_id().is_ok(), "{bound_ms} ms back");
        clock.step_back(MS);
        let behind = IssueError::ClockBehind { behind: bound + MS, retry_after: MS };
        assert_eq!(ids.next_id(), Err(behind), "{bound_ms} ms and one more");
    }
}

#[test]
fn rollback_max_is_exact() {
    for_each_format!(rollback_edge());
}

// The formats whose counters can be used up quickly enough; the oracle's tests do it with all.
fn ahead_edge<F: Known>() {
    for bound_ms in [0, 1] {
        let clock = clock();
        let builder = F::on(&clock).entropy(SeededEntropy::new(7)).ahead_max(Duration::from_millis(bound_ms));
        let ids = builder.on_exhausted(Exhaustion::Fail).build().unwrap();
        let mut buffer = vec![F::of_number(0); WHOLE * (usize::try_from(bound_ms).unwrap() + 1) + 1];
        let full = ids.fill(&mut buffer).unwrap_err();
        assert_eq!(full.error, IssueError::Exhausted { retry_after: MS });
        let issued = &buffer[..full.filled];
        assert_eq!(ms::<F>(issued[issued.len() - 1]), i64::try_from(bound_ms).unwrap());
        // A half at least of each millisecond.
        assert!(issued.len() >= WHOLE / 2 * (usize::try_from(bound_ms).unwrap() + 1));
        assert_eq!(ids.next_id(), Err(full.error));
        assert_eq!(ids.try_next_id(), Err(full.error));
        assert_eq!(clock.sleeps(), 0);
        let of_the_clock = issued.iter().filter(|id| ms::<F>(**id) == 0).count();
        assert_eq!(ids.stats().ahead, (issued.len() - of_the_clock) as u64);
        clock.advance(Duration::from_nanos(999_999));
        assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: Duration::from_nanos(1) }));
        clock.advance(Duration::from_nanos(1));
        assert_eq!(ms::<F>(ids.next_id().unwrap()), i64::try_from(bound_ms).unwrap() + 1);
        // After the burst: back to the clock as soon as it has passed.
        clock.advance(Duration::from_millis(bound_ms));
        assert_eq!(ms::<F>(ids.next_id().unwrap()), i64::try_from(bound_ms).unwrap() + 1);
        clock.advance(MS);
        assert_eq!(ms::<F>(ids.next_id().unwrap()), i64::try_from(bound_ms).unwrap() + 2);
    }
}

#[test]
fn ahead_max_is_exact_for_uuids() {
    ahead_edge::<V7Counter>();
}

#[test]
fn ahead_max_is_exact_for_ulids() {
    ahead_edge::<UlidMonotonic>();
}

fn waits_when_exhausted<F: Known>() {
    let clock = clock();
    // A start one past the bound is as a counter that has carried the time there.
    let start = |policy| {
        clock.set(UnixMillis::new(NOW_MS));
        clock.advance(Duration::from_micros(300));
        let builder = F::on(&clock).ahead_max(2 * MS).start_at(UnixMillis::new(NOW_MS + 3));
        builder.on_exhausted(policy).build().unwrap()
    };
    let pause = Duration::from_micros(700);
    let ids = start(Exhaustion::Wait { max: pause });
    assert_eq!(ids.try_next_id(), Err(IssueError::Exhausted { retry_after: pause }));
    assert_eq!(clock.sleeps(), 0, "try_next_id never sleeps");
    assert_eq!(ms::<F>(ids.next_id().unwrap()), 3);
    assert_eq!((clock.sleeps(), clock.slept(), ids.stats().waits), (1, pause, 1));

    let ids = start(Exhaustion::Wait { max: Duration::from_nanos(699_999) });
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: pause }));
    assert_eq!((clock.sleeps(), ids.stats().waits), (1, 0), "a bound that is too short is not slept at all");
}

#[test]
fn on_exhausted_is_exact() {
    for_each_format!(waits_when_exhausted());
}

fn frozen<F: Known>() {
    let clock = clock();
    clock.on_sleep(OnSleep::Freeze);
    let policy = Exhaustion::Wait { max: 20 * MS };
    let ids = F::on(&clock).ahead_max(MS).on_exhausted(policy).build().unwrap();
    let issued: Vec<_> = (0..10_000).map(|_| ids.next_id().unwrap()).collect();
    assert!(issued.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(issued.iter().all(|id| ms::<F>(*id) == 0), "10,000 ids are no end of a millisecond");
    // A wait on a clock that stands still comes to its end too.
    let ids = F::on(&clock).ahead_max(MS).start_at(UnixMillis::new(NOW_MS + 2)).on_exhausted(policy).build().unwrap();
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: MS }));
    assert_eq!((clock.sleeps(), clock.slept()), (20, 20 * MS));
}

#[test]
fn a_clock_that_stands_still() {
    for_each_format!(frozen());
}

/// Unit and place of an id, the unit counted from the clock's start.
fn place<F: Known>(id: F::Id) -> (u128, u128) {
    let (unit, place) = unit_and_place(F::KIND, F::number(id));
    (unit - u128::try_from(NOW_MS).unwrap() * F::KIND.units_per_ms(), place)
}

/// The rest of a counter by `fill`, then the first id of the next unit, however it is asked for.
fn carry_is_seeded<F: Known>() {
    let half = F::KIND.places_per_unit() / 2;
    let mut seeds = HashSet::new();
    for round in 0..12_u64 {
        let clock = clock();
        let ids = F::on(&clock).entropy(SeededEntropy::new(round)).build().unwrap();
        let (unit, first) = place::<F>(ids.next_id().unwrap());
        assert!(unit == 0 && first < half, "the guard bit of a seed is clear");
        let left = F::KIND.places_per_unit() - first - 1;
        let mut rest = vec![F::of_number(0); usize::try_from(left).unwrap()];
        ids.fill(&mut rest).unwrap();
        assert_eq!(place::<F>(rest[rest.len() - 1]), (0, F::KIND.places_per_unit() - 1));
        let next = match round % 3 {
            0 => ids.next_id().unwrap(),
            1 => ids.local().next_id().unwrap(),
            _ => {
                let mut one = [F::of_number(0)];
                ids.fill(&mut one).unwrap();
                one[0]
            }
        };
        let (unit, seed) = place::<F>(next);
        assert!(unit == 1 && seed < half, "a carry is seeded, with its guard bit clear");
        assert_eq!(place::<F>(ids.next_id().unwrap()).1, seed + 1);
        seeds.extend([first, seed]);
    }
    // Of 24 seeds of 7 bits some may be equal.
    assert!(seeds.len() >= 16, "{seeds:?}");
}

#[test]
fn a_carry_is_seeded_anew_by_method_1() {
    carry_is_seeded::<V7Counter>();
}

#[test]
fn a_carry_is_seeded_anew_by_method_3() {
    carry_is_seeded::<V7SubMs>();
}

/// A counter's end one by one, where slots are taken by addition until shortly before.
#[test]
fn the_end_of_a_counter_one_by_one() {
    let clock = clock();
    let ids = build::<V7Counter>(&clock);
    let (_, first) = place::<V7Counter>(ids.next_id().unwrap());
    let mut rest = vec![V7Counter::of_number(0); WHOLE - 6_000 - usize::try_from(first).unwrap() - 1];
    ids.fill(&mut rest).unwrap();
    let mut last = place::<V7Counter>(rest[rest.len() - 1]);
    for _ in 0..6_000 {
        let next = place::<V7Counter>(ids.next_id().unwrap());
        assert_eq!(next, (0, last.1 + 1), "every place is used");
        last = next;
    }
    assert_eq!(last.1, WHOLE as u128 - 1);
    let (unit, seed) = place::<V7Counter>(ids.next_id().unwrap());
    assert!(unit == 1 && (1..WHOLE as u128 / 2).contains(&seed), "{seed}");
}

fn back_by_request<F: Known>() {
    let clock = clock();
    let mut ids = build::<F>(&clock);
    let before: Vec<u128> = (0..1_000).map(|_| F::number(ids.next_id().unwrap())).collect();
    clock.step_back(HOUR);
    assert!(ids.next_id().is_err());
    ids.reset().unwrap();
    let after: Vec<F::Id> = (0..1_000).map(|_| ids.next_id().unwrap()).collect();
    assert!(after.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(after.iter().all(|id| ms::<F>(*id) == -3_600_000), "all at the clock's time");
    // And when the clock is put back where it was: not the ids that there were.
    clock.set(UnixMillis::new(NOW_MS));
    ids.reset().unwrap();
    let again: Vec<u128> = (0..1_000).map(|_| F::number(ids.next_id().unwrap())).collect();
    let all: HashSet<u128> = before.into_iter().chain(after.into_iter().map(F::number)).chain(again).collect();
    assert_eq!(all.len(), 3_000);

    clock.set(UnixMillis::new(-1));
    assert!(matches!(ids.reset(), Err(IssueError::TimeOutOfRange { .. })));
    clock.set(UnixMillis::new(NOW_MS));
    assert_eq!(ms::<F>(ids.next_id().unwrap()), 0, "a reset that failed has changed nothing");
}

#[test]
fn a_reset_goes_back_to_the_clock() {
    for_each_format!(back_by_request());
}

fn starts_where_told<F: Known>() {
    let clock = clock();
    let id_of = |ms: i64, free: u128| {
        F::of_number(join(F::KIND, FreeBits { unix_ms: u128::try_from(NOW_MS + ms).unwrap(), free }))
    };
    let greatest = if F::KIND.is_uuid() { (1 << 74) - 1 } else { (1 << 80) - 1 };
    for (ahead_ms, free) in [(0, 0), (5, greatest), (4_000, 77)] {
        let above = id_of(ahead_ms, free);
        let ids = F::on(&clock).not_before(above).not_before(id_of(-50, greatest)).build().unwrap();
        let first = ids.next_id().unwrap();
        assert!(first > above);
        assert_eq!(ms::<F>(first), ahead_ms + 1);
    }
    let past = F::on(&clock).not_before(id_of(-1, greatest)).start_at(UnixMillis::new(NOW_MS - 7)).build().unwrap();
    assert_eq!(ms::<F>(past.next_id().unwrap()), 0, "what is past holds nobody up");
    let start = F::on(&clock).start_at(UnixMillis::new(NOW_MS + 9_000)).build().unwrap();
    assert_eq!(ms::<F>(start.next_id().unwrap()), 9_000);

    let end = UnixMillis::new(1 << 44);
    for out in [UnixMillis::new(-1), end, UnixMillis::new(i64::MIN), UnixMillis::new(i64::MAX)] {
        let error = F::on(&clock).start_at(out).build().unwrap_err();
        assert_eq!(error, BuildError::StartOutOfRange { unix_ms: out, end });
    }
    let of_last = |unix_ms| F::of_number(join(F::KIND, FreeBits { unix_ms, free: 0 }));
    assert!(F::on(&clock).not_before(of_last((1 << 44) - 2)).build().is_ok());
    for unix_ms in [(1 << 44) - 1, (1 << 48) - 1] {
        let error = F::on(&clock).not_before(of_last(unix_ms)).build().unwrap_err();
        assert!(matches!(error, BuildError::StartOutOfRange { .. }), "{error:?}");
    }
}

#[test]
fn not_before_and_start_at() {
    for_each_format!(starts_where_told());
}

#[test]
fn an_id_of_another_version_is_no_start() {
    let v4 = uuid::Uuid::from_u128(0x9191_08f7_52d1_4320_9bac_f847_db41_48a8);
    assert_eq!(V7Counter::on(SystemClock).not_before(v4).build().unwrap_err(), BuildError::StartFormat);
    // Version 7 of another variant.
    let other = uuid::Uuid::from_u128(0x017f_22e2_79b0_7cc3_d8c4_dc0c_0c07_398f);
    assert_eq!(V7Random::on(SystemClock).not_before(other).build().unwrap_err(), BuildError::StartFormat);
}

fn ends_of_time<F: Known>() {
    let clock = clock();
    let ids = build::<F>(&clock);
    let mut local = ids.local();
    let end = UnixMillis::new(1 << 44);
    let out_of_range = |unix_ms| IssueError::TimeOutOfRange { unix_ms, end };
    let mut last = None;
    for unix_ms in [0, 1, NOW_MS, (1 << 44) - 1].map(UnixMillis::new) {
        clock.set(unix_ms);
        let id = ids.next_id().unwrap();
        assert_eq!(ms::<F>(id) + NOW_MS, unix_ms.get());
        assert!(last < Some(id));
        last = Some(id);
    }
    for unix_ms in [1 << 44, 1 << 48, i64::MAX, -1, i64::MIN].map(UnixMillis::new) {
        clock.set(unix_ms);
        assert_eq!(ids.next_id(), Err(out_of_range(unix_ms)));
        assert_eq!(ids.try_next_id(), Err(out_of_range(unix_ms)));
        assert_eq!(local.next_id(), Err(out_of_range(unix_ms)));
        let error = ids.fill(&mut [F::of_number(0)]).unwrap_err();
        assert_eq!((error.filled, error.error), (0, out_of_range(unix_ms)));
    }
    clock.set(UnixMillis::new((1 << 44) - 1));
    assert!(last < ids.next_id().ok(), "nothing has been wrapped");

    // A given time has all 48 bits.
    let end = UnixMillis::new(1 << 48);
    for unix_ms in [0, (1 << 44) - 1, 1 << 44, (1 << 48) - 1].map(UnixMillis::new) {
        assert_eq!(ms::<F>(ids.at(unix_ms).unwrap()) + NOW_MS, unix_ms.get());
        assert_eq!(ms::<F>(ids.back_fill(unix_ms).unwrap().next_id().unwrap()) + NOW_MS, unix_ms.get());
    }
    for unix_ms in [1 << 48, i64::MAX, -1, i64::MIN].map(UnixMillis::new) {
        let error = IssueError::TimeOutOfRange { unix_ms, end };
        assert_eq!(ids.at(unix_ms), Err(error));
        assert_eq!(ids.back_fill(unix_ms).unwrap_err(), error);
        assert_eq!(RandomUlid::new(&clock, ThreadEntropy).at(unix_ms), Err(error));
    }
}

#[test]
fn times_that_ids_cannot_hold() {
    for_each_format!(ends_of_time());
}

/// The word's last millisecond and the one before, used up: ids end there, and none is wrapped.
fn last_ids<F: Known>() {
    let clock = ManualClock::new(UnixMillis::new((1 << 44) - 2));
    let ids = F::on(&clock).entropy(SeededEntropy::new(1)).build().unwrap();
    let mut last = ids.next_id().unwrap();
    let mut buffer = vec![F::of_number(0); WHOLE];
    let error = loop {
        let result = ids.fill(&mut buffer);
        let filled = result.map_or_else(|error| error.filled, |()| buffer.len());
        assert!(buffer[..filled].iter().all(|id| std::mem::replace(&mut last, *id) < *id));
        if let Err(error) = result {
            break error.error;
        }
    };
    let end = UnixMillis::new(1 << 44);
    assert_eq!(error, IssueError::TimeOutOfRange { unix_ms: end, end });
    assert_eq!(ms::<F>(last) + NOW_MS, (1 << 44) - 1);
    for _ in 0..100 {
        assert_eq!(ids.next_id(), Err(error));
        assert_eq!(ids.local().next_id(), Err(error));
    }
}

#[test]
fn the_last_ids_of_all() {
    last_ids::<V7Counter>();
    last_ids::<UlidMonotonic>();
}

fn in_the_middle<F: Known>() {
    let clock = clock();
    let ids = build::<F>(&clock);
    // `at` and a back-fill leave the generator as it is.
    let first = ids.next_id().unwrap();
    let future = UnixMillis::new(NOW_MS + 500_000);
    let drawn: Vec<F::Id> = (0..100).map(|_| ids.at(future).unwrap()).collect();
    assert_eq!(drawn.iter().map(|id| F::number(*id)).collect::<HashSet<_>>().len(), 100);
    let mut back_fill = ids.back_fill(future).unwrap();
    let ordered: Vec<F::Id> = (0..1_000).map(|_| back_fill.next_id().unwrap()).collect();
    assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(ordered.iter().chain(&drawn).all(|id| ms::<F>(*id) == 500_000));
    let next = ids.next_id().unwrap();
    assert!(first < next && ms::<F>(next) == 0);
}

#[test]
fn a_given_time_leaves_the_generator_as_it_is() {
    for_each_format!(in_the_middle());
}

fn sub_ms_steps<F: Known>() {
    let clock = clock();
    clock.advance(Duration::from_micros(900));
    let ids = build::<F>(&clock);
    let late = ids.next_id().unwrap();
    clock.step_back(Duration::from_micros(800));
    let early = ids.next_id().unwrap();
    assert!(late < early, "a step back within a millisecond");
    clock.advance(Duration::from_micros(850));
    assert!(early < ids.next_id().unwrap());
    assert_eq!(ids.stats().ahead, 0, "no id's millisecond is ahead");
    assert_eq!(Kind::ALL.len(), 5);
}

#[test]
fn steps_within_a_millisecond() {
    for_each_format!(sub_ms_steps());
}
