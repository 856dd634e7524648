//! Faults of texts and codecs that users of other libraries have reported, each as a test that this one does not have it.
//!
//! A name is repository, number and fault. Those of generators are in `known_faults.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idformats::text::{TypeId, base62, compact, crockford, hyphenated, is_valid_uuid, parse_uuid};
use idformats::typed_id;
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use uuid::Uuid;

typed_id! {
    struct UserId("user");
}

/// An id as 16 numbers in serde.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Compact<T: Copy + Into<Uuid> + From<Uuid>>(#[serde(with = "compact")] T);

const ID: Uuid = Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);

fn cbor<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

// uuid-rs/uuid #885, #886: a pair of braces alone made the reader panic.
#[test]
fn uuid_885_886_short_texts_of_braces_hyphens_and_urn_are_errors() {
    const CHARS: &[char] = &['{', '}', 'u', 'r', 'n', ':', '-', '0'];
    let mut texts = vec![String::new()];
    let mut seen = 0;
    for _ in 0..=3 {
        for text in &texts {
            assert!(!is_valid_uuid(text), "{text}");
            assert!(!hyphenated::is_valid(text) && !crockford::is_valid(text) && !TypeId::is_valid(text), "{text}");
            seen += 1;
        }
        texts = texts.iter().flat_map(|text| CHARS.iter().map(move |c| format!("{text}{c}"))).collect();
    }
    assert_eq!(seen, 1 + 8 + 64 + 512);
}

// uuid-rs/uuid #60, PR #81: an index out of bounds where a character of several bytes stands among the digits.
#[test]
fn uuid_60_81_characters_of_several_bytes_are_errors_at_every_place() {
    let text = hyphenated::text(ID);
    for strange in ["é", "€", "🦀"] {
        for place in 0..=text.len() {
            let inserted = format!("{}{strange}{}", &text[..place], &text[place..]);
            assert!(!is_valid_uuid(&inserted), "{inserted}");
            if place + strange.len() <= text.len() {
                let replaced = format!("{}{strange}{}", &text[..place], &text[place + strange.len()..]);
                let error = parse_uuid(&replaced).unwrap_err();
                assert_eq!(error.position(), Some(place), "{replaced}: {error}");
            }
        }
    }
    assert!(!is_valid_uuid("urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c"));
}

// uuid-rs/uuid #893: the compact form took 32 bytes in CBOR, where the byte string takes 17.
#[test]
fn uuid_893_cbor_has_17_bytes() {
    let id = UserId::from_uuid(ID);
    let bytes = cbor(&id);
    assert_eq!(bytes.len(), 17);
    assert_eq!(bytes, cbor(&ID), "as a UUID has it");
    assert_eq!(ciborium::from_reader::<UserId, _>(bytes.as_slice()).unwrap(), id);
}

// uuid-rs/uuid #329, LiosK/uuid7-rs #3: a length before the 16 bytes in formats that need none.
#[test]
fn uuid_329_uuid7_3_compact_is_16_bytes() {
    let bytes = postcard::to_allocvec(&Compact(UserId::from_uuid(ID))).unwrap();
    assert_eq!(bytes, ID.as_bytes());
    assert_eq!(postcard::from_bytes::<Compact<UserId>>(&bytes).unwrap(), Compact(UserId::from_uuid(ID)));
    assert_eq!(postcard::to_allocvec(&Compact(ID)).unwrap(), bytes, "of a UUID too");
    assert_eq!(postcard::to_allocvec(&UserId::from_uuid(ID)).unwrap().len(), 17, "else with its length, as a UUID");
}

// medo64/Medo.Uuid7 #6: a GUID's bytes in memory taken for the order of the text.
#[test]
fn medo_uuid7_6_guid_bytes_are_named_for_their_order() {
    let id = hyphenated::parse("00112233-4455-6677-8899-aabbccddeeff").unwrap();
    let guid = [0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF];
    assert_eq!(id.to_bytes_le(), guid);
    assert_eq!(hyphenated::text(Uuid::from_bytes_le(guid)).as_str(), "00112233-4455-6677-8899-aabbccddeeff");
    assert_eq!(hyphenated::text(Uuid::from_bytes(guid)).as_str(), "33221100-5544-7766-8899-aabbccddeeff");
}

// dylanhart/ulid-rs #59, PR #101: 8ZZ… was read as 0ZZ…
#[test]
fn ulid_rs_59_101_a_text_past_128_bits_is_no_other_id() {
    assert!(!crockford::is_valid("80000000000000000000000000"));
    assert!(!crockford::is_valid("8ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
    assert!(crockford::parse_lenient("8ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_err());
    assert!(!TypeId::is_valid("user_8zzzzzzzzzzzzzzzzzzzzzzzzz"));
}

// oklog/ulid #9, ahawker/ulid #468, wvlet/airframe #4073, colinhacks/zod PR #6095: the same elsewhere.
#[test]
fn ulid_9_468_4073_6095_the_first_character_is_0_to_7() {
    for first in '\0'..='\u{17f}' {
        let rest = if first.is_ascii() { 25 } else { 24 };
        let text = format!("{first}{}", "Z".repeat(rest));
        assert_eq!(crockford::is_valid(&text), ('0'..='7').contains(&first), "{text:?}");
    }
}

// f4b6a3/ulid-creator #32, f4b6a3/tsid-creator #31: a character past the table of values was an index out of bounds.
#[test]
fn ulid_creator_32_tsid_creator_31_not_ascii_is_an_error() {
    let error = crockford::parse("01ARZ3NDEKTSV4RRFFQ69G5F\u{c0}").unwrap_err();
    assert_eq!(error.position(), Some(24));
    for byte in 0x80..=u8::MAX {
        for place in 0..26 {
            let mut bytes = *b"01ARZ3NDEKTSV4RRFFQ69G5FAV";
            bytes[place] = byte;
            assert_eq!(crockford::parse(bytes).unwrap_err().position(), Some(place));
        }
    }
}

// ulid/javascript PR #133: `isValid` said otherwise than `decode`.
#[test]
fn ulid_javascript_133_is_valid_says_what_parse_says() {
    let texts = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "8ZZ", ""];
    for text in texts {
        for place in 0..text.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                assert_eq!(crockford::is_valid(&bytes), crockford::parse(&bytes).is_ok());
            }
        }
    }
}

// ulid-rs #69, pksunkara/pgx_ulid #27: no form in bytes that goes there and back.
#[test]
fn ulid_rs_69_pgx_ulid_27_sixteen_bytes_go_there_and_back() {
    let id = crockford::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap();
    let bytes: [u8; 16] = id.into();
    assert_eq!((bytes, Ulid::from(bytes)), (id.0.to_be_bytes(), id));
    assert_eq!(crockford::text(Ulid::from(bytes)).as_str(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

// segmentio/ksuid #74, svix/rust-ksuid #8: characters and lengths that are none were read, and the largest and one as nothing.
#[test]
fn ksuid_74_8_strange_characters_lengths_and_overflow_are_errors() {
    assert!(!base62::is_valid(format!("0{}", "?".repeat(21))));
    assert!(!base62::is_valid("0".repeat(21)) && !base62::is_valid("0".repeat(23)));
    assert!(!base62::is_valid("0".repeat(26)) && !base62::is_valid("0".repeat(28)));
    assert!(base62::is_valid("7n42DGM5Tflk9n8mt7Fhc7"));
    assert!(!base62::is_valid("7n42DGM5Tflk9n8mt7Fhc8"));
    assert!(!base62::is_valid("zzzzzzzzzzzzzzzzzzzzzz"));
    assert!(!crockford::is_valid(format!("0{}", "?".repeat(25))));
    assert!(!crockford::is_valid("0".repeat(25)) && !crockford::is_valid("0".repeat(27)));
}

// The Rust crate type-safe-id, found by running it: a prefix of which byte 63 is within a character made it panic.
#[test]
fn type_safe_id_a_character_over_byte_63_of_the_prefix_is_an_error() {
    for start in 55..70 {
        let text = format!("{}é{}_01h455vb4pex5vsknk084sn02q", "a".repeat(start), "a".repeat(8));
        assert_eq!(TypeId::parse(&text).unwrap_err().position(), Some(start));
        assert!(TypeId::new(&text, ID).is_err());
    }
}
