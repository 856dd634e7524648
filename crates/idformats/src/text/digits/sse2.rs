//! Sixteen digits in a vector of 128 bits, the first in its lowest byte.

#![allow(unsafe_code, reason = "the compiler's own vector code takes three times as long")]
#![allow(unused_unsafe, reason = "newer compilers know these instructions to be safe where they are there")]

use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_adds_epu8, _mm_and_si128, _mm_avg_epu8, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_madd_epi16,
    _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_packus_epi16, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16,
    _mm_set1_epi32, _mm_set1_epi64x, _mm_slli_epi16, _mm_slli_epi32, _mm_slli_epi64, _mm_srli_epi16, _mm_srli_epi32,
    _mm_srli_epi64, _mm_sub_epi8, _mm_subs_epu8, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};
use core::mem::transmute;

use super::super::ascii::{Ascii, Case};
use super::gap;

#[cfg(not(target_feature = "sse2"))]
compile_error!("SSE2 is part of x86-64");

#[inline]
pub(super) fn hex(bytes: [u8; 16], case: Case) -> [Ascii<8>; 4] {
    // SAFETY: SSE2 is there, see above; values that change their type are as long before as after, and all their bits mean
    // something; and what is said of each `Ascii` holds.
    unsafe {
        let bytes: __m128i = transmute(bytes);
        let upper = _mm_and_si128(_mm_srli_epi16(bytes, 4), all(0x0F));
        let lower = _mm_and_si128(bytes, all(0x0F));
        let chars = |digits: __m128i| {
            let letters = _mm_and_si128(_mm_cmpgt_epi8(digits, all(9)), all(gap(case)));
            let chars: [[u8; 8]; 2] = transmute(_mm_add_epi8(_mm_add_epi8(digits, all(b'0')), letters));
            // Of a digit of at most 15 comes '0' to '9', 'A' to 'F' or 'a' to 'f'.
            chars.map(|chars| Ascii::new_unchecked(chars))
        };
        let [first, second] = chars(_mm_unpacklo_epi8(upper, lower));
        let [third, fourth] = chars(_mm_unpackhi_epi8(upper, lower));
        [first, second, third, fourth]
    }
}

#[inline]
pub(super) fn unhex(digits: [u32; 8]) -> Option<[u8; 16]> {
    // SAFETY: as above.
    unsafe {
        let half = |chars: __m128i| {
            // At most 15 of a digit, and more of anything else; the smaller of both is meant.
            let of_letter = _mm_adds_epu8(_mm_sub_epi8(_mm_and_si128(chars, all(!0x20)), all(b'A')), all(10));
            let value = _mm_min_epu8(of_decimal(chars), of_letter);
            let byte = _mm_or_si128(_mm_slli_epi16(value, 4), _mm_srli_epi16(value, 8));
            (above(value, 15), _mm_and_si128(byte, _mm_set1_epi16(0xFF)))
        };
        let [first, last] = transmute::<[u32; 8], [__m128i; 2]>(digits);
        let (strange_first, first) = half(first);
        let (strange_last, last) = half(last);
        let strange = _mm_movemask_epi8(_mm_or_si128(strange_first, strange_last));
        (strange == 0).then_some(transmute::<__m128i, [u8; 16]>(_mm_packus_epi16(first, last)))
    }
}

#[inline]
pub(super) fn crockford([high, middle, low]: [u64; 3], case: Case) -> (Ascii<8>, Ascii<16>) {
    let [high, middle, low] = [high, middle, low].map(|number| i64::from_ne_bytes(number.to_ne_bytes()));
    // SAFETY: as above.
    unsafe {
        let chars = |x: __m128i| {
            // 40 bits part into 20 and 20, each into 10 and 10, each into 5 and 5, the upper ones first.
            let upper = _mm_and_si128(_mm_srli_epi64(x, 20), _mm_set1_epi64x(0xF_FFFF));
            let x = _mm_or_si128(upper, _mm_and_si128(_mm_slli_epi64(x, 32), _mm_set1_epi64x(0xF_FFFF << 32)));
            let kept = _mm_set1_epi32(0x3FF << 16);
            let x = _mm_or_si128(_mm_srli_epi32(x, 10), _mm_and_si128(_mm_slli_epi32(x, 16), kept));
            let kept = _mm_set1_epi16(0x1F << 8);
            let digit = _mm_or_si128(_mm_srli_epi16(x, 5), _mm_and_si128(_mm_slli_epi16(x, 8), kept));
            let letter = _mm_and_si128(_mm_cmpgt_epi8(digit, all(9)), all(gap(case)));
            // I, L, O and U are left out: one for digits from 18 on, two from 20, three from 22, and four from 27. The first
            // three are half of what is above 17, rounded up. What a comparison finds true is -1.
            let half = _mm_avg_epu8(_mm_subs_epu8(digit, all(17)), all(0));
            let left_out = _mm_sub_epi8(_mm_min_epu8(half, all(3)), _mm_cmpgt_epi8(digit, all(26)));
            _mm_add_epi8(_mm_add_epi8(_mm_add_epi8(digit, all(b'0')), letter), left_out)
        };
        let [first, _] = transmute::<__m128i, [[u8; 8]; 2]>(chars(_mm_set_epi64x(0, high)));
        let last = transmute::<__m128i, [u8; 16]>(chars(_mm_set_epi64x(low, middle)));
        // Of a digit of at most 31 comes '0' to '9', 'A' to 'Z' or 'a' to 'z'.
        (Ascii::new_unchecked(first), Ascii::new_unchecked(last))
    }
}

#[inline]
pub(super) fn uncrockford(digits: [[u8; 8]; 4]) -> Option<[u64; 4]> {
    let [top, high, middle, low] = digits.map(i64::from_le_bytes);
    // SAFETY: as above.
    unsafe {
        let half = |chars: __m128i| {
            let place = _mm_sub_epi8(_mm_and_si128(chars, all(!0x20)), all(b'A'));
            let after = |c: u8| _mm_cmpgt_epi8(place, all(c - b'A'));
            let is = |c: u8| _mm_cmpeq_epi8(place, all(c - b'A'));
            let left_out = _mm_add_epi8(_mm_add_epi8(after(b'I'), after(b'L')), _mm_add_epi8(after(b'O'), after(b'U')));
            let none = _mm_or_si128(_mm_or_si128(is(b'I'), is(b'L')), _mm_or_si128(is(b'O'), is(b'U')));
            // At most 31 of a digit, and more of anything else; the smaller of both is meant.
            let of_letter = _mm_add_epi8(_mm_adds_epu8(place, all(10)), left_out);
            let value = _mm_min_epu8(of_decimal(chars), of_letter);
            // Two digits are 10 bits, four are 20, and eight are 40.
            let x = _mm_or_si128(_mm_slli_epi16(value, 5), _mm_srli_epi16(value, 8));
            let x = _mm_madd_epi16(_mm_and_si128(x, _mm_set1_epi16(0x3FF)), _mm_set1_epi32(1 << 16 | 1 << 10));
            let words = transmute::<__m128i, [u64; 2]>(x).map(|x| (x & 0xF_FFFF) << 20 | x >> 32);
            (_mm_or_si128(none, above(value, 31)), words)
        };
        let (strange_first, [top, high]) = half(_mm_set_epi64x(high, top));
        let (strange_last, [middle, low]) = half(_mm_set_epi64x(low, middle));
        let strange = _mm_movemask_epi8(_mm_or_si128(strange_first, strange_last));
        (strange == 0).then_some([top, high, middle, low])
    }
}

/// 0 to 9 of a decimal digit, 32 and more of anything else.
#[inline]
fn of_decimal(chars: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe {
        // '0' to '9' become 246 to 255, the largest there are; and only of those are 224 or more left when 22 are taken away.
        let moved = _mm_subs_epu8(_mm_add_epi8(chars, all(u8::MAX - b'9')), all(22));
        _mm_sub_epi8(moved, all(224))
    }
}

/// The top bit set in each byte that is above the limit, which is below 128.
#[inline]
fn above(bytes: __m128i, limit: u8) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_adds_epu8(bytes, all(127 - limit)) }
}

/// The byte sixteen times.
#[inline]
fn all(byte: u8) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_set1_epi8(i8::from_ne_bytes([byte])) }
}
