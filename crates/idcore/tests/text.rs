//! Ids as text.
//!
//! - What is printed is read back, in all three forms, and is what a naive printer prints.
//! - Fixed-width texts and big-endian bytes sort like the numbers.
//! - Reading is strict: no sign, no spaces, no leading zeros, no overflow, no lower case or alias in Crockford, ASCII only,
//!   exact lengths; and a layout's width is kept.
//! - An error says position, what is there and what was expected.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{DynSnowflake, JavaScript, ParseIdError, Snowflake, Sonyflake, StaticLayout, Twitter};
use idtest::{Rng, Seed, fuzz, text};
use proptest::prelude::*;

type Reader = fn(&str) -> Result<DynSnowflake, ParseIdError>;

const FORMS: [(&str, Reader); 4] = [
    ("decimal", DynSnowflake::from_decimal),
    ("FromStr", str::parse),
    ("crockford", DynSnowflake::from_crockford),
    ("base62", DynSnowflake::from_base62),
];

fn id(raw: u64) -> DynSnowflake {
    DynSnowflake::new(raw).unwrap()
}

fn error_of(form: &str, text: &str) -> String {
    let (_, read) = FORMS.iter().find(|(name, _)| *name == form).unwrap();
    match read(text) {
        Ok(id) => panic!("{text:?} was read as {id}"),
        Err(error) => error.to_string(),
    }
}

/// Numbers at which digits and widths change.
fn edges() -> Vec<u64> {
    let mut edges = vec![0, 1, u64::MAX];
    for base in [2u64, 10, 32, 62] {
        let mut power = 1u64;
        while let Some(next) = power.checked_mul(base) {
            edges.extend([next - 1, next, next + 1]);
            power = next;
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[test]
fn edges_are_printed_as_a_naive_printer_prints_them_and_read_back() {
    for raw in edges() {
        let id = id(raw);
        assert_eq!(id.to_string(), text::decimal(raw));
        assert_eq!(id.decimal().as_str(), text::decimal(raw));
        assert_eq!(id.crockford().as_str(), text::crockford(raw));
        assert_eq!(id.base62().as_str(), text::base62(raw));
        assert_eq!(DynSnowflake::from_decimal(&id.decimal()), Ok(id));
        assert_eq!(DynSnowflake::from_crockford(&id.crockford()), Ok(id));
        assert_eq!(DynSnowflake::from_base62(&id.base62()), Ok(id));
        assert_eq!(DynSnowflake::from_be_bytes(id.to_be_bytes()), Ok(id));
        assert_eq!(id.to_be_bytes(), raw.to_be_bytes());
    }
}

#[test]
fn texts_of_the_edges_sort_like_the_numbers() {
    let edges = edges();
    assert!(edges.len() > 200);
    for pair in edges.windows(2) {
        let (low, high) = (id(pair[0]), id(pair[1]));
        assert!(low < high);
        assert!(low.crockford().as_str() < high.crockford().as_str(), "{pair:?}");
        assert!(low.base62().as_str() < high.base62().as_str(), "{pair:?}");
        assert!(low.crockford() < high.crockford() && low.base62() < high.base62(), "{pair:?}");
        assert!(low.to_be_bytes() < high.to_be_bytes(), "{pair:?}");
    }
}

#[test]
fn texts_have_their_widths_and_honour_padding() {
    assert_eq!(id(0).crockford().as_str(), "0000000000000");
    assert_eq!(id(0).base62().as_str(), "00000000000");
    assert_eq!(id(0).decimal().as_str(), "0");
    assert_eq!(id(u64::MAX).crockford().as_str(), "FZZZZZZZZZZZZ");
    assert_eq!(id(u64::MAX).base62().as_str(), "LygHa16AHYF");
    assert_eq!(id(u64::MAX).decimal().as_str(), "18446744073709551615");
    assert_eq!(format!("{:>6}|{:<6}|{:06}", id(42), id(42), id(42)), "    42|42    |000042");
    assert_eq!(format!("{:>15}", id(42).crockford()), "  000000000001A");
    assert_eq!(format!("{:?} {:?}", id(42), id(42).crockford()), "Snowflake(42) \"000000000001A\"");
    assert_eq!(id(42).encode_decimal(&mut [b'x'; 20]), "42");
    assert_eq!(id(42).encode_crockford(&mut [b'x'; 13]), "000000000001A");
    assert_eq!(id(42).encode_base62(&mut [b'x'; 11]), "0000000000g");
}

#[test]
fn decimal_errors_name_position_found_and_expected() {
    for form in ["decimal", "FromStr"] {
        assert_eq!(error_of(form, ""), "empty text: expected 1 to 20 decimal digits");
        assert_eq!(error_of(form, "+5"), "'+' at byte 0: expected a decimal digit");
        assert_eq!(error_of(form, "-5"), "'-' at byte 0: expected a decimal digit");
        assert_eq!(error_of(form, " 5"), "' ' at byte 0: expected a decimal digit");
        assert_eq!(error_of(form, "5 "), "' ' at byte 1: expected a decimal digit");
        assert_eq!(error_of(form, "5\n"), "'\\n' at byte 1: expected a decimal digit");
        assert_eq!(error_of(form, "1_000"), "'_' at byte 1: expected a decimal digit");
        assert_eq!(error_of(form, "0x1F"), "'x' at byte 1: expected a decimal digit");
        assert_eq!(error_of(form, "12e3"), "'e' at byte 2: expected a decimal digit");
        assert_eq!(error_of(form, "12é"), "'é' at byte 2: expected a decimal digit");
        // Digits, but not of ASCII.
        assert_eq!(error_of(form, "1٣"), "'٣' at byte 1: expected a decimal digit");
        assert_eq!(error_of(form, "05"), "'0' at byte 0: expected no leading zeros");
        assert_eq!(error_of(form, "00"), "'0' at byte 0: expected no leading zeros");
        let too_large = "number too large: expected at most 18446744073709551615";
        assert_eq!(error_of(form, "18446744073709551616"), too_large);
        assert_eq!(error_of(form, "99999999999999999999"), too_large);
        assert_eq!(error_of(form, "100000000000000000000"), too_large);
        assert_eq!(error_of(form, &"9".repeat(10_000)), too_large);
    }
}

#[test]
fn crockford_errors_name_position_found_and_expected() {
    let first = "expected 0 to F, since 13 characters of 5 bits are one bit more than 64";
    let letter = "expected a character of 0-9 and A-Z without I, L, O and U";
    assert_eq!(error_of("crockford", ""), "empty text: expected 13 Crockford characters");
    assert_eq!(error_of("crockford", "0"), "1 byte: expected 13 Crockford characters");
    assert_eq!(error_of("crockford", "000000000001"), "12 bytes: expected 13 Crockford characters");
    assert_eq!(error_of("crockford", "00000000000001"), "14 bytes: expected 13 Crockford characters");
    assert_eq!(error_of("crockford", "G000000000001"), format!("'G' at byte 0: {first}"));
    assert_eq!(error_of("crockford", "ZZZZZZZZZZZZZ"), format!("'Z' at byte 0: {first}"));
    assert_eq!(error_of("crockford", "000000000001a"), format!("'a' at byte 12: {letter}"));
    assert_eq!(error_of("crockford", "+000000000001"), format!("'+' at byte 0: {letter}"));
    assert_eq!(error_of("crockford", "00000 0000001"), format!("' ' at byte 5: {letter}"));
    assert_eq!(error_of("crockford", "0000-00000001"), format!("'-' at byte 4: {letter}"));
    assert_eq!(error_of("crockford", "00000000000é"), format!("'é' at byte 11: {letter}"));
    for alias in ['I', 'L', 'O', 'U', 'i', 'l', 'o', 'u'] {
        let text = format!("000000{alias}000000");
        assert_eq!(error_of("crockford", &text), format!("'{alias}' at byte 6: {letter}"));
    }
}

#[test]
fn base62_errors_name_position_found_and_expected() {
    let letter = "expected a character of 0-9, A-Z and a-z";
    assert_eq!(error_of("base62", ""), "empty text: expected 11 base62 characters");
    assert_eq!(error_of("base62", "0"), "1 byte: expected 11 base62 characters");
    assert_eq!(error_of("base62", "000000000000"), "12 bytes: expected 11 base62 characters");
    assert_eq!(error_of("base62", "0000_000000"), format!("'_' at byte 4: {letter}"));
    assert_eq!(error_of("base62", "000000000é"), format!("'é' at byte 9: {letter}"));
    let too_large = "number too large: expected at most 18446744073709551615";
    assert_eq!(error_of("base62", "LygHa16AHYG"), too_large);
    assert_eq!(error_of("base62", "zzzzzzzzzzz"), too_large);
}

#[test]
fn errors_give_the_position_as_a_number_too() {
    let position = |read: Result<DynSnowflake, ParseIdError>| read.unwrap_err().position();
    assert_eq!(position(DynSnowflake::from_decimal("12x4")), Some(2));
    assert_eq!(position(DynSnowflake::from_decimal("012")), Some(0));
    assert_eq!(position(DynSnowflake::from_decimal("")), None);
    assert_eq!(position(DynSnowflake::from_decimal("18446744073709551616")), None);
    assert_eq!(position(DynSnowflake::from_crockford("0000000000000000")), None);
    assert_eq!(position(DynSnowflake::from_crockford("H000000000000")), Some(0));
    assert_eq!(position(DynSnowflake::from_base62("0000000000!")), Some(10));
}

#[test]
fn every_first_crockford_character_above_f_is_refused() {
    for first in text::CROCKFORD.chars() {
        let text = format!("{first}ZZZZZZZZZZZZ");
        let read = DynSnowflake::from_crockford(&text);
        assert_eq!(read.is_ok(), first <= 'F', "{text}");
    }
}

#[test]
fn every_character_in_every_place_is_read_as_the_oracle_reads_it() {
    let decimals = [(3, "123"), (8, "12345678"), (20, "12345678901234567890")];
    for (width, base) in [(13, "0000000000000"), (11, "00000000000")].into_iter().chain(decimals) {
        for place in 0..width {
            for c in (0..=0x17Fu32).filter_map(char::from_u32) {
                let text: String =
                    base.chars().enumerate().map(|(at, zero)| if at == place { c } else { zero }).collect();
                let read = |reader: Reader| reader(&text).ok().map(DynSnowflake::get);
                assert_eq!(read(DynSnowflake::from_decimal), text::read_decimal(&text), "{text:?}");
                assert_eq!(read(DynSnowflake::from_crockford), text::read_crockford(&text), "{text:?}");
                assert_eq!(read(DynSnowflake::from_base62), text::read_base62(&text), "{text:?}");
            }
        }
    }
}

#[test]
fn non_ascii_of_every_length_is_an_error_and_no_panic() {
    for filler in ["é", "€", "🦀", "\u{301}", "\0"] {
        for count in 1..=26 {
            for prefix in ["", "0", "00"] {
                let text = format!("{prefix}{}", filler.repeat(count));
                for (form, read) in FORMS {
                    let error = read(&text).expect_err(form);
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

#[test]
fn a_layouts_width_is_kept() {
    fn check<L: StaticLayout>() {
        let max = L::LAYOUT.id_max();
        let largest = Snowflake::<L>::new(max).unwrap();
        assert_eq!(Snowflake::<L>::from_decimal(&text::decimal(max)), Ok(largest));
        assert_eq!(Snowflake::<L>::from_crockford(&text::crockford(max)), Ok(largest));
        assert_eq!(Snowflake::<L>::from_base62(&text::base62(max)), Ok(largest));
        let expected = format!("number too large: expected at most {max}");
        for error in [
            Snowflake::<L>::from_decimal(&text::decimal(max + 1)),
            Snowflake::<L>::from_crockford(&text::crockford(max + 1)),
            Snowflake::<L>::from_base62(&text::base62(max + 1)),
            text::decimal(max + 1).parse(),
        ] {
            assert_eq!(error.unwrap_err().to_string(), expected);
        }
        let by_number = format!("id {}: expected at most {max} in this layout", max + 1);
        assert_eq!(Snowflake::<L>::new(max + 1).unwrap_err().to_string(), by_number);
        assert_eq!(Snowflake::<L>::try_from(max + 1).unwrap_err().to_string(), by_number);
        assert_eq!(Snowflake::<L>::from_be_bytes((max + 1).to_be_bytes()).unwrap_err().to_string(), by_number);
        assert_eq!(Snowflake::<L>::try_from(-1i64).unwrap_err().to_string(), format!("id -1: expected 0 to {max}"));
    }
    check::<Twitter>();
    check::<Sonyflake>();
    check::<JavaScript>();
}

#[test]
fn signed_numbers_are_the_same_numbers_below_2_to_63() {
    for raw in edges() {
        let signed = i64::try_from(id(raw));
        if raw < 1 << 63 {
            assert_eq!(signed.map(i128::from), Ok(i128::from(raw)));
            assert_eq!(DynSnowflake::try_from(signed.unwrap()), Ok(id(raw)));
        } else {
            assert!(signed.is_err(), "{raw} as i64");
        }
        assert_eq!(u64::from(id(raw)), raw);
        assert_eq!(DynSnowflake::try_from(raw), Ok(id(raw)));
    }
    for negative in [-1, i64::MIN] {
        let error = DynSnowflake::try_from(negative).unwrap_err();
        assert_eq!(error.to_string(), format!("id {negative}: expected 0 to 18446744073709551615"));
    }
}

#[test]
fn random_bytes_pass_the_fuzz_body() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    for _ in 0..3_000 {
        fuzz::id_text(&nearly_a_text(&mut rng));
    }
}

/// A text of an id, with up to two of its bytes changed.
fn nearly_a_text(rng: &mut Rng) -> Vec<u8> {
    let raw = rng.any_width();
    let text = match rng.below(4) {
        0 => text::crockford(raw),
        1 => text::base62(raw),
        2 => format!("\"{}\"", text::decimal(raw)),
        _ => text::decimal(raw),
    };
    let mut bytes = text.into_bytes();
    for _ in 0..rng.below(3) {
        let at = usize::try_from(rng.below(bytes.len() as u64)).unwrap();
        bytes[at] = rng.pick(b"0Ff GZz9a-+.e\"\\\xC3\xA9I");
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_as_the_oracle_reads_it(text in "\\PC{0,15}|[0-9]{1,22}|[0-9A-HJKMNP-TV-Z]{13}|[0-9A-Za-z]{11}") {
        prop_assert_eq!(DynSnowflake::from_decimal(&text).ok().map(DynSnowflake::get), text::read_decimal(&text));
        prop_assert_eq!(DynSnowflake::from_crockford(&text).ok().map(DynSnowflake::get), text::read_crockford(&text));
        prop_assert_eq!(DynSnowflake::from_base62(&text).ok().map(DynSnowflake::get), text::read_base62(&text));
    }

    #[test]
    fn two_numbers_sort_like_their_texts(a: u64, b: u64) {
        let (x, y) = (id(a), id(b));
        prop_assert_eq!(x.crockford().as_str().cmp(y.crockford().as_str()), a.cmp(&b));
        prop_assert_eq!(x.base62().as_str().cmp(y.base62().as_str()), a.cmp(&b));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
    }
}
