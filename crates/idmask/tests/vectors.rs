//! Known values: those of UUIDv47, and of SipHash by another implementation.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::fs;
use std::path::Path;

use idmask::{Key, Mode, UlidTime, V47};
use serde_json::Value;
use siphasher::sip::SipHasher24;

fn number(text: &str) -> u128 {
    u128::from_str_radix(&text.replace('-', ""), 16).unwrap()
}

#[test]
fn uuidv47_as_published() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/uuidv47.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    assert!(vectors.len() > 10, "{}", vectors.len());
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let mask = V47::new(&Key::parse(text("key")).unwrap()).unwrap();
        let word = |name: &str| u64::from_str_radix(text(name), 16).unwrap();
        let of_pair = V47::new(&Key::from_u64_pair(word("k0"), word("k1")).unwrap()).unwrap();
        let (inside, outside) = (number(text("uuidv7")).to_be_bytes(), number(text("facade")).to_be_bytes());
        assert_eq!(mask.mask(inside), Ok(outside), "{vector}");
        assert_eq!(of_pair.mask(inside), Ok(outside), "{vector}");
        assert_eq!(mask.unmask(outside), Ok(inside), "{vector}");
    }
}

#[test]
fn ten_bytes_are_hashed_as_another_implementation_does() {
    let key: [u8; 16] = core::array::from_fn(|at| u8::try_from(at * 7 + 3).unwrap());
    let mask = V47::new(&Key::from_bytes(&key).unwrap()).unwrap();
    for n in 0..1_000_u128 {
        let bits = n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let id = ((bits & !(0xf << 76) & !(0b11 << 62)) | (7 << 76) | (0b10 << 62)).to_be_bytes();
        let mut message: [u8; 10] = *id[6..].first_chunk().unwrap();
        message[0] &= 0x0f;
        message[2] &= 0x3f;
        let hash = SipHasher24::new_with_key(&key).hash(&message);
        let flipped = u128::from_be_bytes(id) ^ (u128::from(hash) << 80);
        let expected = (flipped & !(0xf << 76)) | (4 << 76);
        assert_eq!(mask.mask(id), Ok(expected.to_be_bytes()));
    }
}

#[test]
fn a_ulid_keeps_its_random_bits() {
    let mask = UlidTime::derive(&Key::parse("000102030405060708090a0b0c0d0e0f").unwrap(), "t").unwrap();
    let id = 0x0156_3e3a_b5d3_d676_4c61_efb9_9302_bd5b_u128;
    let public = mask.mask(id);
    assert_eq!(public << 48, id << 48);
    assert_ne!(public >> 80, id >> 80);
}
