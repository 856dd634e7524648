//! Every mode: the way there and back, one public id for each id, nothing that neighbours share, types apart.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::BTreeSet;

use idmask::{Int, Key, MaskError, Mode, Strong, Token, UlidTime, V47};
use proptest::prelude::*;

fn key() -> Key {
    Key::parse("000102030405060708090a0b0c0d0e0f").unwrap()
}

/// A UUID of a version, of any other bits.
fn uuid(bits: u128, version: u128) -> [u8; 16] {
    let cleared = bits & !(0xf << 76) & !(0b11 << 62);
    (cleared | (version << 76) | (0b10 << 62)).to_be_bytes()
}

proptest! {
    #[test]
    fn uuids_come_back(bits: u128) {
        let id = uuid(bits, 7);
        let (v47, strong) = (V47::derive(&key(), "t").unwrap(), Strong::derive(&key(), "t").unwrap());
        let public = v47.mask(id).unwrap();
        prop_assert_eq!(public[6] >> 4, 4);
        prop_assert_eq!(public[8] >> 6, 0b10);
        prop_assert_eq!(v47.unmask(public), Ok(id));
        let public = strong.mask(id).unwrap();
        prop_assert_eq!(public[6] >> 4, 4);
        prop_assert_eq!(public[8] >> 6, 0b10);
        prop_assert_eq!(strong.unmask(public), Ok(id));
    }

    #[test]
    fn integers_come_back(id in 0..=i64::MAX) {
        let mask = Int::derive(&key(), "t").unwrap();
        let public = mask.mask_i64(id).unwrap();
        prop_assert!(public >= 0);
        prop_assert_eq!(mask.unmask_i64(public), Ok(id));
        let text = mask.mask_text(id.unsigned_abs()).unwrap();
        prop_assert_eq!(mask.unmask_text(&text), Ok(id.unsigned_abs()));
    }

    #[test]
    fn tokens_and_ulids_come_back(id: u64, ulid: u128) {
        let tokens = Token::derive(&key(), "t").unwrap();
        prop_assert_eq!(tokens.unmask(&tokens.mask(id)), Ok(id));
        let ulids = UlidTime::derive(&key(), "t").unwrap();
        prop_assert_eq!(ulids.unmask(ulids.mask(ulid)), ulid);
    }

    #[test]
    fn any_text_is_refused_or_of_one_id(text in ".{0,30}") {
        let (ints, tokens) = (Int::derive(&key(), "t").unwrap(), Token::derive(&key(), "t").unwrap());
        if let Ok(id) = ints.unmask_text(&text) {
            let again = ints.mask_text(id).unwrap();
            prop_assert_eq!(again.as_str(), text.as_str());
        }
        prop_assert!(tokens.unmask(&text).is_err());
    }

    #[test]
    fn a_batch_is_what_one_by_one_is(bits in proptest::collection::vec(any::<u128>(), 0..40)) {
        let mask = V47::new(&key()).unwrap();
        let ids: Vec<_> = bits.into_iter().map(|bits| uuid(bits, 7)).collect();
        let expected: Vec<_> = ids.iter().map(|id| mask.mask(*id).unwrap()).collect();
        let mut batch = ids.clone();
        mask.mask_batch(&mut batch).unwrap();
        prop_assert_eq!(&batch, &expected);
        mask.unmask_batch(&mut batch).unwrap();
        prop_assert_eq!(batch, ids);
    }
}

#[test]
fn integers_at_the_edges_come_back_and_larger_ones_are_refused() {
    let mask = Int::derive(&key(), "t").unwrap();
    for id in (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]).chain([i64::MAX.unsigned_abs()]) {
        if i64::try_from(id).is_ok() {
            assert_eq!(mask.unmask(mask.mask(id).unwrap()), Ok(id));
        } else {
            assert_eq!(mask.mask(id), Err(MaskError::IntegerTooLarge { found: id }));
            assert_eq!(mask.unmask(id), Err(MaskError::IntegerTooLarge { found: id }));
        }
    }
    assert_eq!(mask.mask_i64(-1), Err(MaskError::IntegerNegative { found: -1 }));
}

#[test]
fn ten_thousand_neighbours_have_nothing_in_common_but_in_v47() {
    // A counter of 20 bits right after the time: twelve before the variant, eight after it.
    let neighbours =
        || (0..10_000_u128).map(|n| uuid((0x018f_2d9f_9a2a << 80) | ((n >> 8) << 64) | ((n & 0xff) << 54), 7));
    let strong = Strong::derive(&key(), "t").unwrap();
    let prefixes: BTreeSet<_> = neighbours().map(|id| strong.mask(id).unwrap()[..6].to_vec()).collect();
    assert_eq!(prefixes.len(), 10_000);
    let v47 = V47::derive(&key(), "t").unwrap();
    // The counter's bits are there for all to see.
    let tails: Vec<_> = neighbours().map(|id| v47.mask(id).unwrap()[9..].to_vec()).collect();
    assert!(neighbours().zip(tails).all(|(id, tail)| id[9..] == tail));
}

#[test]
fn each_bit_of_an_id_changes_half_of_a_strong_public_id() {
    let strong = Strong::derive(&key(), "t").unwrap();
    let id = u128::from_be_bytes(uuid(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, 7));
    let public = u128::from_be_bytes(strong.mask(id.to_be_bytes()).unwrap());
    for bit in (0..128).filter(|bit| !(76..80).contains(bit) && !(62..64).contains(bit)) {
        let other = u128::from_be_bytes(strong.mask((id ^ (1 << bit)).to_be_bytes()).unwrap());
        let changed = (public ^ other).count_ones();
        assert!((30..=92).contains(&changed), "bit {bit} changes {changed} of 122");
    }
}

#[test]
fn types_modes_and_the_complement_of_a_key_have_nothing_to_do_with_each_other() {
    let complement = Key::from_bytes(&key().expose().iter().map(|byte| !byte).collect::<Vec<_>>()).unwrap();
    let of = |key: &Key, entity: &str| Int::derive(key, entity).unwrap().mask(154_822).unwrap();
    let all = [of(&key(), "order"), of(&key(), "invoice"), of(&key(), ""), of(&complement, "order")];
    assert_eq!(BTreeSet::from(all).len(), all.len());
    let id = uuid(0x018f_2d9f_9a2a << 80, 7);
    let [v47, raw] = [V47::derive(&key(), "").unwrap(), V47::new(&key()).unwrap()].map(|mask| mask.mask(id).unwrap());
    assert_ne!(v47, raw);
}

#[test]
fn a_changed_token_is_refused() {
    let tokens = Token::derive(&key(), "ticket").unwrap();
    let token = tokens.mask(154_822);
    for position in 0..token.len() {
        for other in ['0', '9', 'A', 'Z', 'a', 'z', '_', 'é'] {
            let changed: String =
                token.chars().enumerate().map(|(at, found)| if at == position { other } else { found }).collect();
            assert!(changed == *token || tokens.unmask(&changed).is_err(), "{changed}");
        }
    }
}

#[test]
fn what_is_not_of_the_version_is_refused() {
    let mask = V47::new(&key()).unwrap();
    for version in (0..16).filter(|version| *version != 7) {
        let found = u8::try_from(version).unwrap();
        assert_eq!(mask.mask(uuid(5, version)), Err(MaskError::Version { found, expected: 7 }));
    }
    assert_eq!(mask.mask([0; 16]), Err(MaskError::Version { found: 0, expected: 7 }), "nil");
    assert_eq!(mask.mask([0xff; 16]), Err(MaskError::Version { found: 15, expected: 7 }), "max");
    let mut batch = [uuid(1, 7), uuid(2, 4)];
    assert_eq!(mask.mask_batch(&mut batch).unwrap_err().index, 1);
    assert_eq!(batch, [uuid(1, 7), uuid(2, 4)], "none is changed");
}
