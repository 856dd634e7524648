//! Both ways of working on digits, where there are both, against one digit after the other, written here anew.
//!
//! The portable way runs in no other test on x86-64.

use std::string::String;
use std::vec::Vec;

use proptest::prelude::*;

use super::{Case, portable};

const HEX: &[u8] = b"0123456789abcdef";
const CROCKFORD: &[u8] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn value(alphabet: &[u8], c: u8) -> Option<u128> {
    alphabet.iter().position(|a| *a == c.to_ascii_lowercase()).map(|at| at as u128)
}

fn number(alphabet: &[u8], digits: &[u8]) -> Option<u128> {
    let base = alphabet.len() as u128;
    digits.iter().try_fold(0u128, |number, c| number.checked_mul(base)?.checked_add(value(alphabet, *c)?))
}

fn text(alphabet: &[u8], mut number: u128, width: usize, case: Case) -> Vec<u8> {
    let mut reversed = Vec::new();
    for _ in 0..width {
        reversed.push(alphabet[usize::try_from(number % alphabet.len() as u128).expect("a digit")]);
        number /= alphabet.len() as u128;
    }
    reversed.reverse();
    if case == Case::Upper { reversed.to_ascii_uppercase() } else { reversed }
}

fn forty(number: u128) -> [u64; 4] {
    [120, 80, 40, 0].map(|shift| u64::try_from((number >> shift) % (1 << 40)).expect("40 bits"))
}

fn writes(number: u128) {
    for case in [Case::Lower, Case::Upper] {
        let expected = text(HEX, number, 32, case);
        for digits in [portable::hex(number.to_be_bytes(), case), super::hex(number.to_be_bytes(), case)] {
            assert_eq!(digits.map(|eight| *eight.bytes()).as_flattened(), expected, "{number:x}");
        }
        let expected = text(CROCKFORD, number, 26, case);
        let (top, middle, last) = super::crockford(number, case);
        assert_eq!([&top.bytes()[..], middle.bytes(), last.bytes()].concat(), expected, "{number:x}");
        let [_, words @ ..] = forty(number);
        let (middle, last) = portable::crockford(words, case);
        assert_eq!([&middle.bytes()[..], last.bytes()].concat(), expected[2..], "{number:x}");
    }
}

fn reads_hex(digits: [u8; 32]) {
    let expected = number(HEX, &digits).map(u128::to_be_bytes);
    let fours = core::array::from_fn(|at| super::four(&digits, 4 * at));
    assert_eq!(portable::unhex(fours), expected, "{}", digits.escape_ascii());
    assert_eq!(super::unhex(fours), expected, "{}", digits.escape_ascii());
}

fn reads_crockford(digits: [u8; 26]) {
    let expected = number(CROCKFORD, &digits);
    assert_eq!(super::uncrockford(&digits), expected, "{}", digits.escape_ascii());
    if digits[0] <= b'7' {
        let padded = [&b"000000"[..], &digits].concat();
        let eights = core::array::from_fn(|at| padded[8 * at..][..8].try_into().expect("eight"));
        let words = portable::uncrockford(eights);
        assert_eq!(words, expected.map(forty), "{}", digits.escape_ascii());
    }
}

#[test]
fn every_byte_in_every_place_is_read_as_one_after_the_other_reads_it() {
    let hex = *b"67e5504410b1426f9247bb680e5fe0c8";
    for place in 0..hex.len() {
        for byte in 0..=u8::MAX {
            let mut digits = hex;
            digits[place] = byte;
            reads_hex(digits);
        }
    }
    let crockford = *b"01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for place in 0..crockford.len() {
        for byte in 0..=u8::MAX {
            let mut digits = crockford;
            digits[place] = byte;
            reads_crockford(digits);
        }
    }
}

#[test]
fn every_digit_in_every_place_is_written() {
    for bit in 0..128 {
        for number in [1 << bit, !(1 << bit), u128::MAX >> bit, u128::MAX << bit] {
            writes(number);
        }
    }
    for digit in 0..32u128 {
        writes((0..26).fold(0, |number, _| (number << 5) | digit));
        writes((0..32).fold(0, |number, _| (number << 4) | (digit & 15)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_number_is_written(number: u128) {
        writes(number);
    }

    #[test]
    fn any_digits_are_read(hex in "[0-9a-fA-F]{32}", crockford in "[0-9a-tv-zA-TV-Z]{26}") {
        let bytes = |text: String| text.into_bytes();
        reads_hex(bytes(hex).try_into().expect("32 bytes"));
        reads_crockford(bytes(crockford).try_into().expect("26 bytes"));
    }

    #[test]
    fn any_bytes_are_read(hex: [u8; 32], crockford in proptest::collection::vec(any::<u8>(), 26)) {
        reads_hex(hex);
        reads_crockford(crockford.try_into().expect("26 bytes"));
    }
}
