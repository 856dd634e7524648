//! Random bits are random.
//!
//! - Each random bit is set in half of the ids, and in the tail of an id as often as in the one before, equal or not. Guard
//!   bits, counters, and the upper bits of a sum are no random bits, and left out.
//! - Seeds of method 1 and 3 are uniform over their 19 and 7 bits; bases over all but their guard bit.
//! - 1,000 generators make 1,000 milliseconds of distinct bases; two in one thread do not mix theirs up.
//! - Steps of the random methods are positive and as spread as they should be; the monotonic ULID's are 1.
//!
//! A correct generator fails any of these less than once in 10^9 runs.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]
#![allow(clippy::cast_precision_loss, reason = "counts of far fewer than 2^52")]

use std::time::Duration;

use idcore::{ManualClock, SystemClock, UnixMillis};
use idformats::{RandomUlid, RandomUuid, ThreadEntropy, UlidMonotonic, UlidRandom, V7Counter, V7Random, V7SubMs};
use idtest::formats::{Known, split, unit_and_place};
use ulid::Ulid;
use uuid::Uuid;

/// Of these tests all together some 1,500 numbers are compared: 8 standard deviations are passed once in 10^12 runs.
const DEVIATIONS_MAX: f64 = 8.0;

const MS: Duration = Duration::from_millis(1);

fn clock() -> ManualClock {
    ManualClock::new(UnixMillis::new(1_800_000_000_000))
}

/// Each of the lowest `bits` is set in half of the numbers.
fn assert_half_are_set(what: &str, numbers: &[u128], bits: u32) {
    let count = numbers.len() as f64;
    for bit in 0..bits {
        let set = numbers.iter().filter(|number| **number >> bit & 1 == 1).count() as f64;
        let deviations = (set - count / 2.0).abs() / (count.sqrt() / 2.0);
        assert!(deviations < DEVIATIONS_MAX, "{what}: bit {bit} is set in {set} of {count}");
    }
}

/// Each of `buckets` values comes up equally often.
fn assert_uniform(what: &str, values: impl Iterator<Item = u128>, buckets: usize) {
    let mut counts = vec![0u32; buckets];
    values.for_each(|value| counts[usize::try_from(value).unwrap()] += 1);
    let expected = f64::from(counts.iter().sum::<u32>()) / buckets as f64;
    assert!(expected >= 20.0, "{what}: too few for the test");
    let chi_square: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    // Wilson and Hilferty's approximation, https://doi.org/10.1073/pnas.17.12.684.
    let freedom = (buckets - 1) as f64;
    let (ninth, [least, most]) = (2.0 / (9.0 * freedom), [-DEVIATIONS_MAX, DEVIATIONS_MAX]);
    let limit = |deviations: f64| freedom * (1.0 - ninth + deviations * ninth.sqrt()).max(0.0).powi(3);
    assert!(chi_square < limit(most), "{what}: chi-square {chi_square} of {buckets} values");
    assert!(chi_square > limit(least), "{what}: chi-square {chi_square} of {buckets} values, too even");
}

/// Ids of one format, a few of each millisecond, by all the ways there are.
fn sample<F: Known>() -> Vec<u128> {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let mut local = ids.local();
    let mut numbers = Vec::new();
    for _ in 0..1_000 {
        let mut buffer = [F::of_number(0); 8];
        ids.fill(&mut buffer).unwrap();
        numbers.extend(buffer.map(F::number));
        numbers.extend((0..4).map(|_| F::number(ids.next_id().unwrap())));
        numbers.extend((0..8).map(|_| F::number(local.next_id().unwrap())));
        clock.advance(MS);
    }
    numbers
}

fn fresh_bits<F: Known>(bits: u32) {
    let what = format!("{:?}", F::KIND);
    let mask = (1 << bits) - 1;
    let tails: Vec<u128> = sample::<F>().iter().map(|number| split(F::KIND, *number).free & mask).collect();
    assert_half_are_set(&what, &tails, bits);
    let changes: Vec<u128> = tails.windows(2).map(|pair| pair[0] ^ pair[1]).collect();
    assert_half_are_set(&format!("{what}, from one to the next"), &changes, bits);
    let shifted: Vec<u128> = tails.iter().map(|tail| tail ^ (tail >> 1)).collect();
    assert_half_are_set(&format!("{what}, from bit to bit"), &shifted, bits - 1);
    // Nor are they cut out of each other's bytes.
    let is_shifted =
        |one: u128, other: u128| (1..=2).any(|bytes| one >> (8 * bytes) == other % (1 << (bits - 8 * bytes)));
    assert!(!tails.windows(2).any(|pair| is_shifted(pair[0], pair[1]) || is_shifted(pair[1], pair[0])), "{what}");
    let top_two = |pair: &[u128]| (pair[0] >> (bits - 4)) * 16 + (pair[1] >> (bits - 4));
    assert_uniform(&format!("{what}, pairs of tails"), tails.windows(2).map(top_two), 256);
}

#[test]
fn fresh_bits_of_every_id() {
    fresh_bits::<V7Counter>(54);
    fresh_bits::<V7SubMs>(54);
    // Of a sum the bits below the step are as random as what is added.
    fresh_bits::<V7Random>(52);
    fresh_bits::<UlidRandom>(58);
}

#[test]
fn bits_of_ids_without_an_order() {
    const COUNT: usize = 20_000;
    let mut uuids = vec![Uuid::nil(); COUNT];
    RandomUuid::new(ThreadEntropy).fill(&mut uuids).unwrap();
    uuids.extend((0..COUNT).map(|_| RandomUuid::new(ThreadEntropy).next_id().unwrap()));
    // The bits without version and variant.
    let free = |uuid: &Uuid| {
        let number = uuid.as_u128();
        assert_eq!((number >> 76 & 0xF, number >> 62 & 3), (4, 2), "version and variant of {uuid}");
        (number >> 80 << 74) | ((number >> 64 & 0xFFF) << 62) | (number & ((1 << 62) - 1))
    };
    assert_half_are_set("version 4", &uuids.iter().map(free).collect::<Vec<_>>(), 122);
    let random = RandomUlid::new(clock(), ThreadEntropy);
    let mut of_random = vec![Ulid(0); COUNT];
    random.fill(&mut of_random).unwrap();
    assert_half_are_set("random ULID", &of_random.iter().map(|ulid| ulid.0).collect::<Vec<_>>(), 80);
    let (of_v7, of_ulid) = (V7Counter::on(SystemClock).build().unwrap(), UlidRandom::on(SystemClock).build().unwrap());
    let then = UnixMillis::new(1_000);
    let at: Vec<u128> = (0..COUNT).map(|_| split(V7Counter::KIND, of_v7.at(then).unwrap().as_u128()).free).collect();
    assert_half_are_set("UUID of a given time", &at, 74);
    let at: Vec<u128> = (0..COUNT).map(|_| of_ulid.at(then).unwrap().0).collect();
    assert_half_are_set("ULID of a given time", &at, 80);
}

/// The places where milliseconds begin.
fn seeds<F: Known>() -> Vec<u128> {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let next = || {
        let id = ids.next_id().unwrap();
        ids.next_id().unwrap();
        clock.advance(MS);
        unit_and_place(F::KIND, F::number(id)).1
    };
    (0..20_000).map(|_| next()).collect()
}

#[test]
fn seeds_are_uniform_below_the_guard_bit() {
    let of_method_1 = seeds::<V7Counter>();
    assert_half_are_set("seeds of method 1", &of_method_1, 19);
    assert_uniform("seeds of method 1", of_method_1.iter().map(|seed| seed >> 11), 256);
    assert!(of_method_1.iter().all(|seed| *seed < 1 << 19));
    let of_method_3 = seeds::<V7SubMs>();
    assert_uniform("seeds of method 3", of_method_3.iter().copied(), 128);
}

/// The first free bits of milliseconds.
fn firsts<F: Known>(clock: &ManualClock, count: usize) -> Vec<u128> {
    let ids = F::on(clock).build().unwrap();
    let first = |_| {
        let id = ids.next_id().unwrap();
        clock.advance(MS);
        split(F::KIND, F::number(id)).free
    };
    (0..count).map(first).collect()
}

#[test]
fn bases_are_uniform_below_the_guard_bit() {
    let bases = firsts::<UlidMonotonic>(&clock(), 20_000);
    assert_half_are_set("bases of ULID", &bases, 79);
    assert!(bases.iter().all(|base| base >> 79 == 0));
    let changes: Vec<u128> = bases.windows(2).map(|pair| pair[0] ^ pair[1]).collect();
    assert_half_are_set("bases of ULID, from one to the next", &changes, 79);
    // A random number of 52 or 58 bits on top hides nothing of the bits above it.
    let bases = firsts::<V7Random>(&clock(), 20_000);
    assert_half_are_set("bases of method 2", &bases, 73);
    let bases = firsts::<UlidRandom>(&clock(), 20_000);
    assert_half_are_set("bases of ULID with random steps", &bases, 79);
}

#[test]
fn a_thousand_generators_have_distinct_bases() {
    let mut all: Vec<u128> = (0..1_000).flat_map(|_| firsts::<UlidMonotonic>(&clock(), 1_000)).collect();
    // Of 2^79 bases two in a million are equal once in 10^12 runs.
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 1_000_000);
    for mut all in [
        (0..100).flat_map(|_| firsts::<V7Counter>(&clock(), 100)).collect::<Vec<_>>(),
        (0..100).flat_map(|_| firsts::<V7Random>(&clock(), 100)).collect(),
        (0..100).flat_map(|_| firsts::<V7SubMs>(&clock(), 100)).collect(),
        (0..100).flat_map(|_| firsts::<UlidRandom>(&clock(), 100)).collect(),
    ] {
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 10_000);
    }
}

#[test]
fn generators_of_one_thread_keep_their_own_bases() {
    let clock = clock();
    let generators = [(); 3].map(|()| UlidMonotonic::on(&clock).build().unwrap());
    for _ in 0..200 {
        let mut last = generators.each_ref().map(|ids| ids.next_id().unwrap().0);
        assert!(last[0] != last[1] && last[1] != last[2] && last[2] != last[0]);
        for _ in 0..5 {
            for (ids, last) in generators.iter().zip(&mut last) {
                *last += 1;
                assert_eq!(ids.next_id().unwrap().0, *last, "each has its own base, and grows by one");
            }
        }
        clock.advance(MS);
    }
}

/// What one id of a millisecond has more than the one before.
fn steps<F: Known>() -> Vec<u128> {
    let clock = clock();
    let ids = F::on(&clock).build().unwrap();
    let free: Vec<u128> = (0..20_000).map(|_| split(F::KIND, F::number(ids.next_id().unwrap())).free).collect();
    free.windows(2).map(|pair| pair[1].checked_sub(pair[0]).expect("an order")).collect()
}

/// Steps `2^bits + r2 - r1`: of 1 to `2^(bits+1) - 1`, and as even as the sum of two dice.
fn steps_are_spread<F: Known>(bits: u32) {
    let what = format!("steps of {:?}", F::KIND);
    let steps = steps::<F>();
    assert!(steps.iter().all(|step| (1..2 << bits).contains(step)), "{what}");
    // Neighbours share a random number.
    let independent = || steps.iter().step_by(2).copied();
    assert_half_are_set(&what, &independent().collect::<Vec<_>>(), bits);
    let above = independent().filter(|step| step >> bits == 1).count() as f64;
    let of_all = independent().count() as f64;
    assert!(
        (above - of_all / 2.0).abs() < DEVIATIONS_MAX * of_all.sqrt() / 2.0,
        "{what}: {above} of {of_all} are large"
    );
    // An eighth of them is in the outer quarter of their range, on each side.
    let outer = independent().filter(|step| *step < 1 << (bits - 1) || *step >= 3 << (bits - 1)).count() as f64;
    let deviation = (of_all * 0.25 * 0.75).sqrt();
    assert!((outer - of_all / 4.0).abs() < DEVIATIONS_MAX * deviation, "{what}: {outer} of {of_all} are far out");
    let mut few = steps[..2_000].to_vec();
    few.sort_unstable();
    few.dedup();
    assert_eq!(few.len(), 2_000, "{what}: two of 2^52 are equal");
}

#[test]
fn steps_of_the_random_methods_cannot_be_guessed() {
    steps_are_spread::<V7Random>(52);
    steps_are_spread::<UlidRandom>(58);
}

#[test]
fn steps_of_a_monotonic_ulid_are_one() {
    assert!(steps::<UlidMonotonic>().iter().all(|step| *step == 1));
}
