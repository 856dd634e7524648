//! Faults that users of other generators have reported, each as a test that this one does not have it.
//!
//! A name is repository, number and fault. Reports that are about texts, codecs or databases are for a reader of texts. Those
//! about forks are in `tests/fork` with every generator; here with the process's own. Some stand for several of one kind, with
//! all their numbers.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::env;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use idcore::{Clock, ManualClock, SystemClock, UnixMillis, UnixTime};
use idformats::{
    Format as _, IssueError, RandomUlid, RandomUuid, ThreadEntropy, UlidMonotonic, UlidRandom, V7Counter, V7Random,
    V7SubMs, uuidv4, uuidv7,
};
use idtest::formats::{Known, SeededEntropy, split, unit_and_place};
use idtest::{calendar, for_each_format};
use ulid::Ulid;
use uuid::Uuid;

const NOW_MS: i64 = 1_800_000_000_000;
const WHOLE: usize = 1 << 20;
const HOUR: Duration = Duration::from_secs(3_600);

fn clock() -> ManualClock {
    ManualClock::new(UnixMillis::new(NOW_MS))
}

/// The time of an id in milliseconds after the clock's start.
fn ms<F: Known>(id: F::Id) -> i64 {
    i64::try_from(split(F::KIND, F::number(id)).unix_ms).unwrap() - NOW_MS
}

fn distinct<T: Ord>(mut ids: Vec<T>) -> usize {
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}

// uuid-rs/uuid #869, PR #907: the counter's top bits were lost, and ids sorted back within a millisecond.
#[test]
fn uuid_869_907_no_bit_of_the_counter_is_lost() {
    let clock = clock();
    let ids = V7Counter::on(&clock).build().unwrap();
    let mut all = vec![Uuid::nil(); WHOLE / 2];
    ids.fill(&mut all).unwrap();
    let places = all.iter().map(|id| unit_and_place(V7Counter::KIND, id.as_u128()).1);
    let first = unit_and_place(V7Counter::KIND, all[0].as_u128()).1;
    assert!(places.eq(first..first + WHOLE as u128 / 2), "over every edge of its two fields");
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));

    let ids = V7SubMs::on(&clock).build().unwrap();
    clock.advance(Duration::from_micros(100));
    let early = ids.next_id().unwrap();
    clock.advance(Duration::from_micros(800));
    assert!(early < ids.next_id().unwrap(), "0.1 ms before 0.9 ms");
}

// uuid-rs/uuid #871: a counter of no width left the tail what it was before.
#[test]
fn uuid_871_the_tail_is_random_right_after_the_counter() {
    let clock = clock();
    let by_counter = V7Counter::on(&clock).build().unwrap();
    let by_fraction = V7SubMs::on(&clock).build().unwrap();
    let tail = |id: Uuid| id.as_u128() % (1 << 54);
    let tails = (0..1_000).flat_map(|_| [by_counter.next_id(), by_fraction.next_id()].map(|id| tail(id.unwrap())));
    let tails: Vec<u128> = tails.collect();
    let [some, all] = [tails.iter().fold(0, |bits, tail| bits | tail), tails.iter().fold(!0, |bits, tail| bits & tail)];
    assert_eq!((some, all), ((1 << 54) - 1, 0), "every bit of 54 is set in some and clear in others");
}

// uuid-rs/uuid #868: seconds were multiplied and wrapped, or panicked. denoland/std PR #7284, oven-sh/bun PR #34021: times from
// 2^48 ms on were cut off.
#[test]
fn uuid_868_std_7284_bun_34021_times_past_the_end_are_errors() {
    for_each_format!(past_the_end());
}

fn past_the_end<F: Known>() {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    for late in [1 << 48, (1 << 48) + 1, i64::MAX / 1_000, i64::MAX] {
        let unix_ms = UnixMillis::new(late);
        let error = IssueError::TimeOutOfRange { unix_ms, end: UnixMillis::new(1 << 48) };
        assert_eq!(ids.at(unix_ms), Err(error));
        assert_eq!(error.to_string(), format!("time {late} ms is out of range: expected 0 to 281474976710655 ms"));
        clock.set(unix_ms);
        assert!(matches!(ids.next_id(), Err(IssueError::TimeOutOfRange { .. })));
        assert!(RandomUlid::new(&clock, ThreadEntropy).next_id().is_err());
    }
}

// uuid-rs/uuid #773 and #717, util-linux #3127: ids of one millisecond were in no order.
#[test]
fn uuid_773_717_util_linux_3127_a_million_in_order() {
    let mut last = uuidv7().unwrap();
    for _ in 0..1_000_000 {
        let id = uuidv7().unwrap();
        assert!(last < id);
        last = id;
    }
}

/// A clock that needs nothing of the system.
struct Uptime(std::cell::Cell<i64>);

impl Clock for Uptime {
    fn now(&self) -> UnixTime {
        self.0.set(self.0.get() + 1);
        UnixTime::new(UnixMillis::new(self.0.get()), 0)
    }

    fn sleep(&self, _: Duration) {}
}

// uuid-rs/uuid #689, jedisct1/rust-uuidv7 #2: no clock, and a panic, where there is no operating system. That it builds there:
// `cargo xtask nostd`.
#[test]
fn uuid_689_rust_uuidv7_2_a_clock_and_entropy_of_ones_own() {
    let ids = V7Counter::generator_with(Uptime(NOW_MS.into())).entropy(SeededEntropy::new(1)).build().unwrap();
    assert_eq!([(); 3].map(|()| ms::<V7Counter>(ids.next_id().unwrap())), [1, 2, 3]);
    let of_random = RandomUlid::new(Uptime(NOW_MS.into()), SeededEntropy::new(1));
    assert_eq!(ms::<UlidRandom>(of_random.next_id().unwrap()), 1);
}

// uuid-rs/uuid #730: threads raced for the first use.
#[test]
fn uuid_730_first_ids_of_threads_are_distinct() {
    let start = &Barrier::new(32);
    let ids: Vec<Uuid> = thread::scope(|scope| {
        let take = || {
            start.wait();
            [uuidv7().unwrap(), uuidv4().unwrap()]
        };
        let threads: Vec<_> = (0..32).map(|_| scope.spawn(take)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(distinct(ids), 64);
}

// uuid-rs/uuid #680, PR #909: the conversion of times panicked. gofrs/uuid #195: the last time was read as one of 2121.
#[test]
fn uuid_680_909_gofrs_195_the_first_and_the_last_time() {
    let ids = V7Counter::generator().build().unwrap();
    let seconds_of = |unix_ms: i64| ids.at(UnixMillis::new(unix_ms)).unwrap().get_timestamp().unwrap().to_unix();
    assert_eq!(seconds_of(0), (0, 0));
    // 10889-08-02T05:31:50.655Z.
    assert_eq!(seconds_of((1 << 48) - 1), (281_474_976_710, 655_000_000));
    let of_9999 = calendar::unix_millis("9999-12-31T23:59:59.999Z");
    assert_eq!(seconds_of(of_9999), (253_402_300_799, 999_000_000));
    for_each_format!(round_trips());
}

fn round_trips<F: Known>() {
    let ids = F::on(SystemClock).build().unwrap();
    for unix_ms in [0, 1, NOW_MS, (1 << 44) - 1, 1 << 44, (1 << 48) - 1] {
        assert_eq!(ms::<F>(ids.at(UnixMillis::new(unix_ms)).unwrap()) + NOW_MS, unix_ms);
    }
}

// aminalaee/uuid-utils #42, util-linux #3009: a forked child made its parent's ids.
#[cfg(unix)]
#[test]
fn uuid_utils_42_util_linux_3009_forks_make_ids_of_their_own() {
    let halves = |id: Uuid| [id.as_u64_pair().0, id.as_u64_pair().1];
    let take =
        || (0..64).flat_map(|_| [uuidv7(), uuidv4().map_err(Into::into)].map(Result::unwrap)).collect::<Vec<_>>();
    let mut all = take();
    for _ in 0..100 {
        let child = idtest::process::fork(|| take().into_iter().flat_map(halves).collect());
        all.extend(take());
        all.extend(child.join().chunks_exact(2).map(|pair| Uuid::from_u64_pair(pair[0], pair[1])));
    }
    assert_eq!(distinct(all), 128 * 201);
}

// gofrs/uuid PR #253: one id in 4,096 sorted back.
#[test]
fn gofrs_253_ids_of_a_clock_that_stands_still() {
    for_each_format!(stands_still());
}

fn stands_still<F: Known>() {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let all: Vec<F::Id> = (0..10_000).map(|_| ids.next_id().unwrap()).collect();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
}

// google/uuid #148, PR #150: a batch was in no order.
#[test]
fn google_148_150_a_batch_is_sorted_as_text() {
    let mut ids = vec![Uuid::nil(); 10_000];
    V7Random::generator().build().unwrap().fill(&mut ids).unwrap();
    assert!(ids.iter().map(Uuid::to_string).is_sorted_by(|one, other| one < other));
    let mut ids = vec![Ulid(0); 10_000];
    UlidMonotonic::generator().build().unwrap().fill(&mut ids).unwrap();
    assert!(ids.iter().map(Ulid::to_string).is_sorted_by(|one, other| one < other));
}

// python/cpython #138862: after a step back every id was a millisecond further.
#[test]
fn cpython_138862_times_do_not_run_away_after_a_step_back() {
    for_each_format!(does_not_run_away());
}

fn does_not_run_away<F: Known>() {
    let clock = clock();
    let mut ids = F::on(&clock).build().unwrap();
    ids.next_id().unwrap();
    clock.step_back(Duration::from_secs(9));
    assert!((0..1_000).all(|_| ms::<F>(ids.next_id().unwrap()) == 0));
    clock.step_back(HOUR);
    assert!(matches!(ids.next_id(), Err(IssueError::ClockBehind { .. })));
    ids.reset().unwrap();
    let times: HashSet<i64> = (0..1_000).map(|_| ms::<F>(ids.next_id().unwrap())).collect();
    assert_eq!(times, HashSet::from([-3_609_000]), "1,000 ids within a millisecond");
}

// ramsey/uuid #518, symfony/symfony #52338: collisions. `IDCORE_LONG=1`: of ten million.
#[test]
fn ramsey_518_symfony_52338_a_million_of_several_generators() {
    let per_generator = if env::var_os("IDCORE_LONG").is_some() { 1_000_000 } else { 100_000 };
    let mut all = Vec::new();
    for _ in 0..10 {
        // All in the same milliseconds.
        let clock = clock();
        let ids = V7Counter::on(&clock).build().unwrap();
        let mut buffer = vec![Uuid::nil(); per_generator];
        ids.fill(&mut buffer).unwrap();
        all.extend(buffer);
    }
    assert_eq!(distinct(all), 10 * per_generator);
}

// uuidjs/uuid #764, f4b6a3/uuid-creator #107: a time that was given was not the id's.
#[test]
fn uuidjs_764_uuid_creator_107_a_given_time_is_the_ids() {
    for_each_format!(given_time());
}

fn given_time<F: Known>() {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let is_given = |after_ms: i64| {
        let time = UnixMillis::new(NOW_MS + after_ms);
        ms::<F>(ids.at(time).unwrap()) == after_ms
            && ms::<F>(ids.back_fill(time).unwrap().next_id().unwrap()) == after_ms
    };
    assert!([-1, 0, 1, 86_400_000].into_iter().all(is_given), "before the first id");
    ids.next_id().unwrap();
    assert!([-1, 0, 1, -86_400_000].into_iter().all(is_given), "and after it");
    assert_eq!(ms::<F>(ids.next_id().unwrap()), 0);
}

// daegalus/dart-uuid #47: a wrong variant.
#[test]
fn dart_uuid_47_version_and_variant() {
    let v7: [_; 3] = [
        filled(|ids| V7Counter::generator().build().unwrap().fill(ids).unwrap()),
        filled(|ids| V7Random::generator().build().unwrap().fill(ids).unwrap()),
        filled(|ids| V7SubMs::generator().build().unwrap().fill(ids).unwrap()),
    ];
    let v4 = filled(|ids| RandomUuid::new(ThreadEntropy).fill(ids).unwrap());
    for (version, id) in v7.concat().into_iter().map(|id| (7, id)).chain(v4.into_iter().map(|id| (4, id))) {
        let bytes = id.as_bytes();
        assert_eq!((bytes[6] >> 4, bytes[8] >> 6), (version, 0b10), "{id}");
    }
}

fn filled(fill: impl FnOnce(&mut [Uuid])) -> Vec<Uuid> {
    let mut ids = vec![Uuid::nil(); 250_000];
    fill(&mut ids);
    ids
}

// fboulnois/pg_uuidv7 #41: the clock went back by a millisecond, and so did the ids.
#[test]
fn pg_uuidv7_41_a_millisecond_back() {
    for_each_format!(a_millisecond_back());
}

fn a_millisecond_back<F: Known>() {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let before = ids.next_id().unwrap();
    clock.step_back(Duration::from_millis(1));
    assert!(before < ids.next_id().unwrap());
}

// ulid-workers #8: the random bits came to their end and rolled into the time.
#[test]
fn ulid_workers_8_random_bits_do_not_roll_into_the_time() {
    for_each_format!(stays_in_its_millisecond());
}

fn stays_in_its_millisecond<F: Known>() {
    // Half of a counter is there for sure, from whatever base.
    for seed in 0..3 {
        let clock = clock();
        let ids = F::on(&clock).entropy(SeededEntropy::new(seed)).build().unwrap();
        let mut all = vec![F::of_number(0); usize::try_from(F::KIND.places_per_unit()).unwrap() / 2 + 1];
        ids.fill(&mut all).unwrap();
        assert!(all.iter().all(|id| ms::<F>(*id) == 0));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

// dylanhart/ulid-rs #71, redis-om-dotnet #526: at the end of a millisecond's ids there were no more, for good.
#[test]
fn ulid_rs_71_redis_om_dotnet_526_ids_go_on_after_the_end_of_a_millisecond() {
    let clock = clock();
    // No more than one millisecond ahead: then a wait, and on.
    let ids = UlidMonotonic::on(&clock).ahead_max(Duration::from_millis(1)).build().unwrap();
    let mut last = Ulid(0);
    let mut buffer = vec![Ulid(0); WHOLE + 7];
    for _ in 0..3 {
        ids.fill(&mut buffer).unwrap();
        assert!(buffer.iter().all(|id| std::mem::replace(&mut last, *id) < *id));
    }
    assert!(last < ids.next_id().unwrap());
    assert_eq!((ms::<UlidMonotonic>(last), clock.sleeps()), (3, 2));
}
