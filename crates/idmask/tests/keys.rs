//! Keys: what is read, what is refused, what is shown of them, and how they are replaced.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idmask::{Int, Key, KeyError, MaskError, Mode, Ring, TokenRing, V47};

const HEX: &str = "efcdab89674523011032547698badcfe";
const OTHER: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

#[test]
fn hex_and_base64_of_one_key_are_one_key() {
    let key = Key::parse(HEX).unwrap();
    for text in [format!("{HEX}\n"), format!("{HEX}\r\n"), HEX.to_uppercase(), "782riWdFIwEQMlR2mLrc/g==".to_owned()] {
        assert_eq!(Key::parse(&text).unwrap().expose(), key.expose(), "{text}");
    }
    assert_eq!(Key::parse(OTHER).unwrap().expose().len(), 32);
}

#[test]
fn what_is_no_key_is_refused_and_not_repeated() {
    for (text, error) in [
        (String::new(), KeyError::TextLength { found: 0 }),
        (HEX[1..].to_owned(), KeyError::TextLength { found: 31 }),
        (format!("{HEX}\n\n"), KeyError::TextLength { found: 33 }),
        (format!(" {HEX}"), KeyError::TextLength { found: 33 }),
        (HEX.replace('e', "g"), KeyError::NotHex),
        ("782riWdFIwEQMlR2mLrc/g=".to_owned() + "!", KeyError::NotBase64),
        ("a".repeat(10_240), KeyError::TextLength { found: 10_240 }),
        ("00".repeat(16), KeyError::Constant),
        ("ff".repeat(32), KeyError::Constant),
    ] {
        let found = Key::parse(&text).unwrap_err();
        assert_eq!(found, error);
        assert!(!found.to_string().contains("cdab"), "{found}");
    }
    for len in [0, 1, 15, 17, 31, 33] {
        assert_eq!(Key::from_bytes(&vec![7; len]).unwrap_err(), KeyError::ByteLength { found: len });
    }
    assert_eq!(Key::from_u64_pair(0, 0).unwrap_err(), KeyError::Constant);
}

#[test]
fn debug_shows_the_id_alone() {
    let key = Key::parse(HEX).unwrap();
    assert_eq!(format!("{key:?}"), format!("Key({})", key.id()));
    assert_eq!(key.id().to_string().len(), 8);
}

#[test]
fn a_raw_mask_takes_sixteen_bytes_and_a_type_at_most_255() {
    assert_eq!(V47::new(&Key::parse(OTHER).unwrap()).err(), Some(KeyError::NotRaw));
    let key = Key::parse(HEX).unwrap();
    assert!(Int::derive(&key, &"t".repeat(255)).is_ok());
    assert_eq!(Int::derive(&key, &"t".repeat(256)).err(), Some(KeyError::TypeLength { found: 256 }));
}

#[test]
fn tokens_of_earlier_keys_are_read_after_a_rotation() {
    let (old, new) = (Key::parse(HEX).unwrap(), Key::parse(OTHER).unwrap());
    let before = TokenRing::derive(&Ring::new(old.clone()), "ticket").unwrap();
    let after = TokenRing::derive(&Ring::new(new.clone()).with_earlier(old.clone()).unwrap(), "ticket").unwrap();
    assert_eq!(after.unmask(&before.mask(154_822)), Ok((154_822, old.id())));
    assert_eq!(after.unmask(&after.mask(154_822)), Ok((154_822, new.id())));
    assert_eq!(before.unmask(&after.mask(154_822)), Err(MaskError::Forged));
    assert_eq!(Ring::new(old.clone()).with_earlier(old).err(), Some(KeyError::Twice));
}

#[test]
fn candidates_are_what_the_caller_finds_plausible() {
    let (old, new) = (Key::parse(HEX).unwrap(), Key::parse(OTHER).unwrap());
    let ring = Ring::new(new).with_earlier(old.clone()).unwrap();
    let public = Int::derive(&old, "order").unwrap().mask(154_822).unwrap();
    let below = |bound: u64| move |id: u64| id < bound;
    let found = ring.candidates::<Int>("order", public, below(1_000_000)).unwrap();
    assert_eq!(found.iter().map(|one| (one.key, one.plain)).collect::<Vec<_>>(), [(old.id(), 154_822)]);
    assert_eq!(ring.candidates::<Int>("order", public, below(u64::MAX)).unwrap().len(), 2);
}
