//! Ids as text.
//!
//! - What is printed is what a naive printer prints and is read back, in every form and case; texts sort like the ids.
//! - Reading is strict: every byte in every place of one text of each form is read as the oracle reads it, or is refused.
//! - `is_valid` says what `parse` says. No bytes make anything panic.
//! - An error says position, what is there and what was expected.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::Text;
use idformats::text::{
    ParseError, TypeId, UuidForm, base62, braced, crockford, hyphenated, is_valid_uuid, parse_uuid, simple, urn,
};
use idtest::{Rng, Seed, fuzz};
use proptest::prelude::*;
use ulid::Ulid;
use uuid::Uuid;

const NUMBER: u128 = 0x67e55044_10b1_426f_9247_bb680e5fe0c8;
const ID: Uuid = Uuid::from_u128(NUMBER);
/// [`NUMBER`] in every form, as the documentation of `text` shows it.
const TEXTS: [&str; 7] = [
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "67e5504410b1426f9247bb680e5fe0c8",
    "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
    "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
    "37WN84845H89QS4HXVD075ZR68",
    "3A30O3qtpTRBe7GtXy50u0",
    "user_37wn84845h89qs4hxvd075zr68",
];

fn error<T: std::fmt::Debug>(read: Result<T, ParseError>) -> String {
    read.unwrap_err().to_string()
}

#[test]
fn the_texts_of_the_documentation() {
    let [hyphenated, simple, urn, braced, crockford, base62, typeid] = TEXTS;
    assert_eq!(hyphenated::text(ID).as_str(), hyphenated);
    assert_eq!(simple::text(ID).as_str(), simple);
    assert_eq!(urn::text(ID).as_str(), urn);
    assert_eq!(braced::text(ID).as_str(), braced);
    assert_eq!(crockford::text(Ulid(NUMBER)).as_str(), crockford);
    assert_eq!(base62::text(NUMBER).as_str(), base62);
    assert_eq!(TypeId::new("user", ID).unwrap().text().as_str(), typeid);
}

#[test]
fn each_form_is_read_by_its_own_reader_alone() {
    let readers: [fn(&str) -> bool; 7] = [
        |text| hyphenated::parse(text) == Ok(ID),
        |text| simple::parse(text) == Ok(ID),
        |text| urn::parse(text) == Ok(ID),
        |text| braced::parse(text) == Ok(ID),
        |text| crockford::parse(text) == Ok(Ulid(NUMBER)),
        |text| base62::parse(text) == Ok(NUMBER),
        |text| TypeId::parse(text) == TypeId::new("user", ID),
    ];
    for (at, text) in TEXTS.iter().enumerate() {
        let read: Vec<usize> = (0..7).filter(|reader| readers[*reader](text)).collect();
        assert_eq!(read, [at], "{text}");
    }
    let forms = [UuidForm::Hyphenated, UuidForm::Simple, UuidForm::Urn, UuidForm::Braced];
    for (text, form) in TEXTS.iter().zip(forms) {
        assert_eq!(parse_uuid(text), Ok((ID, form)));
        assert_eq!(parse_uuid(text.to_uppercase()), Ok((ID, form)), "case does not matter");
    }
    assert!(TEXTS[4..].iter().all(|text| !is_valid_uuid(text)));
}

#[test]
fn every_byte_in_every_place_is_read_as_the_oracle_reads_it() {
    for text in TEXTS {
        for place in 0..text.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = text.as_bytes().to_vec();
                bytes[place] = byte;
                fuzz::formats_text_read(&bytes);
            }
        }
    }
}

#[test]
fn every_length_is_read_as_the_oracle_reads_it() {
    for text in TEXTS {
        let bytes = text.as_bytes();
        for len in 0..bytes.len() {
            fuzz::formats_text_read(&bytes[..len]);
            fuzz::formats_text_read(&bytes[len..]);
            fuzz::formats_text_read(&[&bytes[..len], b"0", &bytes[len..]].concat());
            fuzz::formats_text_read(&[&bytes[..len], "é".as_bytes(), &bytes[len..]].concat());
            // As long as the text, with a character over each pair of its bytes.
            if len + 2 <= bytes.len() {
                fuzz::formats_text_read(&[&bytes[..len], "é".as_bytes(), &bytes[len + 2..]].concat());
            }
        }
    }
    fuzz::formats_text_read(&vec![b'0'; 1 << 20]);
    fuzz::formats_text_read(&vec![b'a'; 1 << 20]);
    fuzz::formats_text_read(&vec![0xFF; 1 << 20]);
}

#[test]
fn random_bytes_pass_the_fuzz_body() {
    let mut rng = Seed::of_this_run().rng();
    for _ in 0..3_000 {
        fuzz::formats_text(&nearly_a_text(&mut rng));
    }
}

/// A text of an id, with up to two of its bytes changed.
fn nearly_a_text(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = rng.pick(&TEXTS).as_bytes().to_vec();
    for _ in 0..rng.below(3) {
        let at = usize::try_from(rng.below(bytes.len() as u64)).unwrap();
        bytes[at] = rng.pick(b"0Ff GgZz9a-_{}:8iLoU\\\xC3\xA9\xFF");
    }
    bytes
}

#[test]
fn uuid_errors_name_position_found_and_expected() {
    let digits = "expected 36: hexadecimal digits as 8-4-4-4-12";
    assert_eq!(error(hyphenated::parse("")), format!("empty text: {digits}"));
    assert_eq!(error(hyphenated::parse(TEXTS[1])), format!("32 bytes: {digits}"));
    let of = |place: usize, c: &str| {
        let mut text = TEXTS[0].to_owned();
        text.replace_range(place..place + c.len(), c);
        error(hyphenated::parse(text))
    };
    assert_eq!(of(0, "g"), "'g' at byte 0: expected a hexadecimal digit");
    assert_eq!(of(8, "0"), "'0' at byte 8: expected '-'");
    assert_eq!(of(23, "_"), "'_' at byte 23: expected '-'");
    assert_eq!(of(9, "-"), "'-' at byte 9: expected a hexadecimal digit");
    assert_eq!(of(35, "\n"), "'\\n' at byte 35: expected a hexadecimal digit");
    assert_eq!(of(34, "é"), "'é' at byte 34: expected a hexadecimal digit");
    assert_eq!(of(32, "🦀"), "'🦀' at byte 32: expected a hexadecimal digit");
    // The first of several mistakes.
    assert_eq!(of(7, "xyz"), "'x' at byte 7: expected a hexadecimal digit");
    let mut bytes = TEXTS[0].as_bytes().to_vec();
    bytes[35] = 0xFF;
    assert_eq!(error(hyphenated::parse(&bytes)), "'\\xff' at byte 35: expected a hexadecimal digit");

    assert_eq!(
        error(simple::parse("67e5504410b1426f9247bb680e5fe0c-")),
        "'-' at byte 31: expected a hexadecimal digit"
    );
    assert_eq!(error(urn::parse(TEXTS[0])), "36 bytes: expected 45: `urn:uuid:` and hexadecimal digits as 8-4-4-4-12");
    let urn_of = |prefix: &str| error(urn::parse(format!("{prefix}{}", TEXTS[0])));
    assert_eq!(urn_of("urn:uuid;"), "';' at byte 8: expected `urn:uuid:`");
    assert_eq!(urn_of("u\u{17f}n:uid:"), "'\u{17f}' at byte 1: expected `urn:uuid:`");
    assert_eq!(error(urn::parse(TEXTS[2].replace('f', "g"))), "'g' at byte 26: expected a hexadecimal digit");
    assert_eq!(error(braced::parse(TEXTS[0])), "36 bytes: expected 38: hexadecimal digits as {8-4-4-4-12}");
    assert_eq!(error(braced::parse(TEXTS[3].replace('{', "("))), "'(' at byte 0: expected '{'");
    assert_eq!(error(braced::parse(TEXTS[3].replace('}', "{"))), "'{' at byte 37: expected '}'");
    assert_eq!(error(braced::parse(TEXTS[3].replace('f', "g"))), "'g' at byte 18: expected a hexadecimal digit");
    let any = "expected 36 (8-4-4-4-12 hexadecimal digits), 32 (digits alone), 38 (in braces) or 45 (`urn:uuid:`)";
    assert_eq!(error(parse_uuid("")), format!("empty text: {any}"));
    assert_eq!(error(parse_uuid("{}")), format!("2 bytes: {any}"));
}

#[test]
fn crockford_errors_name_position_found_and_expected() {
    let letter = "expected a character of 0-9 and A-Z without I, L, O and U";
    let first = "expected 0 to 7, since 26 characters of 5 bits are two bits more than 128";
    assert_eq!(error(crockford::parse("")), "empty text: expected 26 Crockford characters");
    assert_eq!(error(crockford::parse("0".repeat(25))), "25 bytes: expected 26 Crockford characters");
    assert_eq!(error(crockford::parse("0".repeat(27))), "27 bytes: expected 26 Crockford characters");
    for c in "89AZaz".chars() {
        assert_eq!(
            error(crockford::parse(format!("{c}ZZZZZZZZZZZZZZZZZZZZZZZZZ"))),
            format!("{c:?} at byte 0: {first}")
        );
    }
    assert_eq!(error(crockford::parse("8ZZZZZZZZZZZZZZZZZZZZZZZZ!")), format!("'8' at byte 0: {first}"));
    assert_eq!(error(crockford::parse("!ZZZZZZZZZZZZZZZZZZZZZZZZZ")), format!("'!' at byte 0: {letter}"));
    for alias in "IiLlOoUu".chars() {
        let text = format!("01ARZ3NDEKTSV4RRFFQ69G5FA{alias}");
        assert_eq!(error(crockford::parse(text)), format!("{alias:?} at byte 25: {letter}"));
    }
    let lenient = "expected a character of 0-9 and A-Z without U, or '-'";
    assert_eq!(error(crockford::parse_lenient("0u")), format!("'u' at byte 1: {lenient}"));
    assert_eq!(error(crockford::parse_lenient("-8")), format!("'8' at byte 1: {first}"));
    let length = "expected 26 Crockford characters, hyphens aside";
    assert_eq!(error(crockford::parse_lenient("---")), format!("empty text: {length}"));
    assert_eq!(error(crockford::parse_lenient("-0".repeat(27))), format!("27 bytes: {length}"));
}

#[test]
fn base62_errors_name_position_found_and_expected() {
    assert_eq!(error(base62::parse("")), "empty text: expected 22 base62 characters");
    assert_eq!(error(base62::parse("0")), "1 bytes: expected 22 base62 characters");
    let letter = "expected a character of 0-9, A-Z and a-z";
    assert_eq!(error(base62::parse("000000000000000000000-")), format!("'-' at byte 21: {letter}"));
    assert_eq!(error(base62::parse("00000000000000000000é")), format!("'é' at byte 20: {letter}"));
    let too_large = "number too large: expected at most 340282366920938463463374607431768211455";
    assert_eq!(error(base62::parse("7n42DGM5Tflk9n8mt7Fhc8")), too_large);
    assert_eq!(error(base62::parse("80000000000000000000000")), "23 bytes: expected 22 base62 characters");
    assert_eq!(error(base62::parse("8000000000000000000000")), too_large);
    assert_eq!(base62::parse("7n42DGM5Tflk9n8mt7Fhc7"), Ok(u128::MAX));
    assert_eq!(base62::parse("8000000000000000000000").unwrap_err().position(), None);
}

#[test]
fn typeid_errors_name_position_found_and_expected() {
    let of = |text: &str| error(TypeId::parse(text));
    let suffix = "01h455vb4pex5vsknk084sn02q";
    assert_eq!(of(""), "0 bytes from byte 0 on: expected a suffix of 26 characters");
    assert_eq!(of("user_"), "0 bytes from byte 5 on: expected a suffix of 26 characters");
    assert_eq!(of(&format!("user_{suffix}0")), "27 bytes from byte 5 on: expected a suffix of 26 characters");
    assert_eq!(of(&format!("_{suffix}")), "'_' at byte 0: expected a prefix before '_'");
    assert_eq!(of(&format!("uSer_{suffix}")), "'S' at byte 1: expected a prefix of a-z and '_'");
    assert_eq!(of(&format!("usér_{suffix}")), "'é' at byte 2: expected a prefix of a-z and '_'");
    assert_eq!(of(&format!("_user_{suffix}")), "'_' at byte 0: expected a prefix that begins and ends with a-z");
    assert_eq!(of(&format!("user__{suffix}")), "'_' at byte 4: expected a prefix that begins and ends with a-z");
    let long = "a".repeat(64);
    assert_eq!(of(&format!("{long}_{suffix}")), "a prefix of 64 bytes: expected 63 at most");
    assert_eq!(TypeId::new(&long, ID).unwrap_err().position(), Some(63));
    let letter = "expected a character of 0-9 and a-z without i, l, o and u";
    assert_eq!(of(&format!("user_{}", suffix.to_uppercase())), format!("'H' at byte 7: {letter}"));
    assert_eq!(of("user_01h455vb4pex5vsknk084sn02é"), "27 bytes from byte 5 on: expected a suffix of 26 characters");
    assert_eq!(of("user_01h455vb4pex5vsknk084sn0é"), format!("'é' at byte 29: {letter}"));
    let first = "expected 0 to 7, since 26 characters of 5 bits are two bits more than 128";
    assert_eq!(of("user_81h455vb4pex5vsknk084sn02q"), format!("'8' at byte 5: {first}"));
    assert_eq!(
        error(TypeId::new("", ID).map(|_| ()).and(TypeId::new("A", ID))),
        "'A' at byte 0: expected a prefix of a-z and '_'"
    );
}

#[test]
fn texts_in_place_are_their_texts() {
    let text = hyphenated::text_upper(ID);
    assert_eq!(format!("{text} {text:?} {text:>38}").to_lowercase(), format!("{0} \"{0}\"   {0}", TEXTS[0]));
    assert!(hyphenated::text(Uuid::nil()) < hyphenated::text(Uuid::max()));
    // What a longer text leaves behind in the buffer is no part of the value.
    let dirty: Text<4> = Text::encoded(|buffer| {
        *buffer = *b"1234";
        std::str::from_utf8(&buffer[..2]).unwrap()
    });
    let clean: Text<4> = Text::encoded(|buffer| {
        buffer[..2].copy_from_slice(b"12");
        std::str::from_utf8(&buffer[..2]).unwrap()
    });
    assert_eq!((dirty, dirty.as_str()), (clean, "12"));
    let elsewhere = std::panic::catch_unwind(|| Text::<4>::encoded(|_| "else"));
    assert!(elsewhere.is_err(), "a text that is not in the buffer");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_pass_the_fuzz_body(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        fuzz::formats_text(&bytes);
    }

    #[test]
    fn any_text_passes_the_fuzz_body(
        text in "\\PC{0,46}|[0-9a-fA-F-]{36}|[0-9a-fA-F]{32}|[0-9A-TV-Za-tv-z]{26}|[0-9A-Za-z]{22}|[a-z_]{0,65}_[0-9a-z]{26}",
    ) {
        fuzz::formats_text(text.as_bytes());
    }

    #[test]
    fn any_number_passes_the_fuzz_body(a: u128, b: u128, rest: [u8; 8]) {
        fuzz::formats_text(&[&a.to_le_bytes()[..], &b.to_le_bytes(), &rest].concat());
    }
}
