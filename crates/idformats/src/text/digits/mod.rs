//! Digits of base 16 and base 32 from bits and back, 16 at a time: all are worked on at once, and none decides a branch.
//!
//! On x86-64 with its SSE2, which every such processor has; elsewhere in words of 64 bits.

#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "x86_64"))]
use self::portable as chosen;
#[cfg(target_arch = "x86_64")]
use self::sse2 as chosen;
use super::ascii::{Ascii, Case};

/// The 32 hexadecimal digits of 16 bytes.
#[inline]
pub(super) fn hex(bytes: [u8; 16], case: Case) -> [Ascii<8>; 4] {
    chosen::hex(bytes, case)
}

/// Four characters of a text, the first in the lowest byte.
#[inline]
pub(super) const fn four<const N: usize>(text: &[u8; N], at: usize) -> u32 {
    u32::from_le_bytes([text[at], text[at + 1], text[at + 2], text[at + 3]])
}

/// The 16 bytes whose hexadecimal digits, of either case, these are, four by [`four`]; none when one of them is no digit.
#[inline]
pub(super) fn unhex(digits: [u32; 8]) -> Option<[u8; 16]> {
    chosen::unhex(digits)
}

/// The 26 Crockford digits of a number: two of the top eight bits, eight, and 16.
#[inline]
pub(super) fn crockford(number: u128, case: Case) -> (Ascii<2>, Ascii<8>, Ascii<16>) {
    let words = [low_word(number >> 80), low_word(number >> 40), low_word(number)];
    let (middle, last) = chosen::crockford(words, case);
    (Ascii::top_of_26(number.to_be_bytes()[0], case), middle, last)
}

/// The number whose 26 Crockford digits these are, of either case and without aliases. None when one of them is no digit, or the
/// first is more than 7.
#[inline]
pub(super) fn uncrockford(digits: &[u8; 26]) -> Option<u128> {
    // Six zeros before them make four times eight.
    let mut first = *b"00000000";
    first[6..].copy_from_slice(&digits[..2]);
    let eight = |at: usize| *digits[at..].first_chunk().expect("within 26 digits");
    let [top, words @ ..] = chosen::uncrockford([first, eight(2), eight(10), eight(18)])?;
    if digits[0] > b'7' {
        return None;
    }
    Some(words.iter().fold(u128::from(top), |number, word| (number << 40) | u128::from(*word)))
}

#[expect(clippy::cast_possible_truncation, reason = "the low word is what is asked for")]
#[inline]
const fn low_word(number: u128) -> u64 {
    number as u64
}

/// How far the letters are from the digits of ten and more, counted on from '0'.
const fn gap(case: Case) -> u8 {
    match case {
        Case::Lower => b'a' - b'0' - 10,
        Case::Upper => b'A' - b'0' - 10,
    }
}
