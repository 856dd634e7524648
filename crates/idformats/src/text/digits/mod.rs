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
use super::ascii::Case;

/// The 32 hexadecimal digits of 16 bytes.
#[inline]
pub(super) fn hex(bytes: [u8; 16], case: Case) -> [[u8; 8]; 4] {
    chosen::hex(bytes, case)
}

/// The 16 bytes whose hexadecimal digits, of either case, these are; none when one of them is no digit.
#[inline]
pub(super) fn unhex(digits: [[u8; 4]; 8]) -> Option<[u8; 16]> {
    chosen::unhex(digits)
}

/// The 26 Crockford digits of a number: the first ten, and whatever comes after them in six more; then the last 16.
#[inline]
pub(super) fn crockford(number: u128, case: Case) -> [[u8; 16]; 2] {
    let forty = |shift: u32| low_word(number >> shift) & ((1 << 40) - 1);
    chosen::crockford([forty(120), forty(80), forty(40), forty(0)], case)
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
