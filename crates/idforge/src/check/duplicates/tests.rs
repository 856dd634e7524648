//! Duplicates are found as a hash map finds them, whatever the order and the values, and however small the table is.

use std::collections::HashMap;
use std::hash::Hash;

use ulid::Ulid;
use uuid::Uuid;

use super::super::store::IdStore;
use super::*;

/// One pass over a map of first lines.
fn oracle<I: Id + Hash>(ids: &[I]) -> Duplicates<I> {
    let mut first_lines = HashMap::new();
    let mut found = Duplicates { count: 0, first: Vec::new() };
    for (id, line) in ids.iter().zip(1..) {
        let first_line = *first_lines.entry(*id).or_insert(line);
        if first_line != line {
            found.count += 1;
            if found.first.len() < EXAMPLES_MAX {
                found.first.push(Duplicate { id: *id, line, first_line });
            }
        }
    }
    found
}

/// Tables of 32 entries, chunks of 8 ids.
fn check(ids: &[u64], what: &str) -> u32 {
    check_in_tables(ids, 32, 8, what)
}

/// As they are, and as wide ids of the same order that differ in both halves.
fn check_in_tables(ids: &[u64], entries_max: usize, chunk_len: usize, what: &str) -> u32 {
    let wide = |id: u64| match id {
        u64::MAX => u128::MAX,
        id => (u128::from(id >> 32) << 96) | u128::from(id & 0xFFFF_FFFF),
    };
    let uuids: Vec<_> = ids.iter().map(|id| Uuid::from_u128(wide(*id))).collect();
    let as_ulids: Vec<_> = ids.iter().map(|id| Ulid(wide(*id))).collect();
    let passes = check_all(ids, entries_max, chunk_len, what);
    assert_eq!(check_all(&uuids, entries_max, chunk_len, what), passes, "{what}");
    assert_eq!(check_all(&as_ulids, entries_max, chunk_len, what), passes, "{what}");
    passes
}

fn check_all<I: Id + Hash>(ids: &[I], entries_max: usize, chunk_len: usize, what: &str) -> u32 {
    let mut store = IdStore::with_chunk_len(chunk_len);
    for id in ids {
        store.push(*id).expect("there is room");
    }
    let (mut passes, mut last_percent) = (0, 0);
    let found = find_in_tables(&store.finish(), entries_max, |percent| {
        passes += 1;
        assert!(percent >= last_percent && percent <= 100, "{what}");
        last_percent = percent;
    });
    assert_eq!(found, oracle(ids), "{what}");
    assert!(passes == 0 || last_percent == 100, "{what}: every id is in one pass");
    passes
}

/// A small generator of its own: the sequence is the same in every run.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

#[test]
fn random_ids() {
    for seed in 0..20 {
        let len = usize::try_from(seed * 69).expect("small");
        check(&numbers(seed).take(len).collect::<Vec<_>>(), &format!("distinct, seed {seed}"));
        for modulus in [1, 2, 10, 100, 1_000] {
            let few: Vec<_> = numbers(seed).take(len).map(|number| number % modulus).collect();
            check(&few, &format!("modulo {modulus}, seed {seed}"));
        }
    }
}

/// Sorting mixes equal ids in tables of more than a few entries.
#[test]
fn many_repeats_in_larger_tables() {
    for modulus in [5, 50, 3_000] {
        let ids: Vec<_> = numbers(modulus).take(20_000).map(|number| number % modulus).collect();
        check_in_tables(&ids, 1_024, 64, &format!("modulo {modulus}"));
    }
}

#[test]
fn increasing_ids_need_no_pass() {
    assert_eq!(check(&(0..1_000).collect::<Vec<_>>(), "increasing"), 0);
    assert_eq!(check(&[], "nothing"), 0);
    assert_eq!(check(&[u64::MAX], "one"), 0);
}

#[test]
fn equal_ids_in_any_number() {
    for id in [0, 5, u64::MAX] {
        assert!(check(&vec![id; 1_000], "all equal") <= 2);
    }
    let mut halves = vec![7; 500];
    halves.extend((0..500).rev());
    check(&halves, "half equal, half falling");
    let alternating: Vec<_> = (0..1_000).map(|index| if index % 2 == 0 { 0 } else { u64::MAX }).collect();
    check(&alternating, "two values, the lowest and the highest");
}

#[test]
fn the_highest_wide_ids_end_it() {
    let ids = [u128::MAX, 0, u128::MAX - 1, u128::MAX, 1, 0];
    assert!(check_all(&ids.map(Uuid::from_u128), 32, 8, "the ends") <= 2);
    assert!(check_all(&ids.map(Ulid), 32, 8, "the ends") <= 2);
}

#[test]
fn values_that_the_sample_does_not_tell() {
    // Every sampled place holds a value far away from all others, which lie close together.
    let mut ids: Vec<u64> = (0..2_000).rev().collect();
    for index in (0..ids.len()).step_by(8) {
        ids[index] = u64::MAX - index as u64;
    }
    check(&ids, "crowded away from the sample");
    // A repeated id that is folded first and then cut off with the upper half of its range.
    let mut folded = vec![u64::MAX - 1; 100];
    folded.extend((0..1_000).rev());
    folded.push(u64::MAX - 1);
    check(&folded, "folded, then cut off");
}

#[test]
fn a_pass_takes_half_a_table_at_least() {
    for seed in 0..5 {
        let ids: Vec<_> = numbers(seed).take(3_200).collect();
        let passes = check(&ids, "random");
        assert!(passes <= 2 * 3_200 / 16, "{passes} passes of at least 16 ids");
    }
}

#[test]
fn a_line_that_is_doubled_anywhere_is_named() {
    for place in [0, 1, 7, 8, 31, 32, 500, 998, 999] {
        let mut ids: Vec<u64> = (0..1_000).map(|index| index * 10).collect();
        ids.insert(place + 1, ids[place]);
        check(&ids, &format!("line {place} doubled at once"));
        ids.push(ids[place]);
        check(&ids, &format!("line {place} doubled at the end"));
    }
}
