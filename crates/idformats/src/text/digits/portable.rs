//! Eight digits in a word of 64 bits, the first in its lowest byte.

use super::super::ascii::{Ascii, Case};
use super::gap;

#[inline]
pub(super) fn hex(bytes: [u8; 16], case: Case) -> [Ascii<8>; 4] {
    let four = |at: usize| u64::from(u32::from_le_bytes(*bytes[at..].first_chunk().expect("within 16 bytes")));
    [four(0), four(4), four(8), four(12)].map(|x| {
        // Four bytes go apart to every other byte, and each parts into its halves, the upper one first.
        let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
        let x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
        let digit = (x >> 4 | x << 8) & all(0x0F);
        let letter = at_least(digit, 10);
        Ascii::of_word(digit + all(b'0') + letter * u64::from(gap(case)))
    })
}

#[inline]
pub(super) fn unhex(digits: [u32; 8]) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let mut strange = 0;
    for (four, pair) in bytes.chunks_exact_mut(4).zip(digits.chunks_exact(2)) {
        let chars = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        strange |= chars & all(0x80);
        let chars = chars & all(0x7F);
        let folded = chars | all(0x20);
        let decimal = at_least(chars, b'0') & !at_least(chars, b'9' + 1);
        let letter = at_least(folded, b'a') & !at_least(folded, b'f' + 1);
        strange |= (decimal | letter) ^ all(1);
        let value = (chars & all(0x0F)) + letter * 9;
        // The halves come together, and the bytes.
        let x = (value << 4 | value >> 8) & 0x00FF_00FF_00FF_00FF;
        let x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
        four.copy_from_slice(&(x | x >> 16).to_le_bytes()[..4]);
    }
    (strange == 0).then_some(bytes)
}

#[inline]
pub(super) fn crockford(numbers: [u64; 3], case: Case) -> (Ascii<8>, Ascii<16>) {
    let [high, middle, low] = numbers.map(|x| {
        // 40 bits part into 20 and 20, each into 10 and 10, each into 5 and 5, the upper ones first.
        let x = (x >> 20 & 0xF_FFFF) | (x & 0xF_FFFF) << 32;
        let x = (x >> 10 & 0x0000_03FF_0000_03FF) | (x & 0x0000_03FF_0000_03FF) << 16;
        let digit = (x >> 5 & 0x001F_001F_001F_001F) | (x & 0x001F_001F_001F_001F) << 8;
        let letter = at_least(digit, 10) * u64::from(gap(case));
        // I, L, O and U are left out.
        let skipped = at_least(digit, 18) + at_least(digit, 20) + at_least(digit, 22) + at_least(digit, 27);
        Ascii::of_word(digit + all(b'0') + letter + skipped)
    });
    (high, Ascii::pair(middle, low))
}

#[inline]
pub(super) fn uncrockford(digits: [[u8; 8]; 4]) -> Option<[u64; 4]> {
    let mut strange = 0;
    let numbers = digits.map(|eight| {
        let chars = u64::from_le_bytes(eight);
        strange |= chars & all(0x80);
        let chars = chars & all(0x7F);
        let folded = chars | all(0x20);
        let decimal = at_least(chars, b'0') & !at_least(chars, b'9' + 1);
        let letter = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
        let after = |c: u8| at_least(folded, c + 1);
        let is = |c: u8| at_least(folded, c) & !after(c);
        strange |= ((decimal | letter) ^ all(1)) | is(b'i') | is(b'l') | is(b'o') | is(b'u');
        let of_decimal = chars & all(0x0F);
        // 'a' & 0x1F is 1: a letter's place in the English alphabet.
        let of_letter = (folded & all(0x1F)) + all(9) - after(b'i') - after(b'l') - after(b'o') - after(b'u');
        let value = (of_decimal & (decimal * 0xFF)) | (of_letter & (letter * 0xFF));
        let x = (value & 0x001F_001F_001F_001F) << 5 | (value >> 8 & 0x001F_001F_001F_001F);
        let x = (x & 0x0000_03FF_0000_03FF) << 10 | (x >> 16 & 0x0000_03FF_0000_03FF);
        (x & 0xF_FFFF) << 20 | (x >> 32 & 0xF_FFFF)
    });
    (strange == 0).then_some(numbers)
}

/// The byte eight times.
const fn all(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// 1 in each byte that is not below the limit. Bytes are at most 127, and the limit at most 128.
const fn at_least(bytes: u64, limit: u8) -> u64 {
    (bytes + all(0x80 - limit)) >> 7 & all(1)
}
