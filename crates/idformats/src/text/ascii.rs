//! Digits as text. The bytes become a `str` without a look at each of them, which would take longer than making them.
//!
//! No proof about the digits is needed for that: [`Ascii`] clears the top bit of every byte, which digits do not have anyway.

#![allow(unsafe_code, reason = "`str::from_utf8` takes two to three times as long as writing the text")]

use core::str;

use uuid::Uuid;

use super::{crockford, digits, hyphenated};

/// The case of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
}

/// Bytes whose top bits are clear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    #[inline]
    pub(super) fn new(bytes: [u8; N]) -> Self {
        Self(bytes.map(|byte| byte & 0x7F))
    }
}

/// The 32 hexadecimal digits of an id.
#[inline]
pub(super) fn hex(id: Uuid, case: Case) -> [Ascii<8>; 4] {
    digits::hex(id.into_bytes(), case).map(Ascii::new)
}

/// Writes digits as 8-4-4-4-12 between two texts that with them fill the buffer.
#[inline]
pub(super) fn hyphenated<'b, const N: usize>(
    digits: [Ascii<8>; 4],
    before: &'static str,
    after: &'static str,
    buffer: &'b mut [u8; N],
) -> &'b str {
    let (start, end) = (before.len(), before.len() + hyphenated::LEN);
    assert_eq!(N, end + after.len(), "the buffer is as long as the text");
    buffer[..start].copy_from_slice(before.as_bytes());
    buffer[end..].copy_from_slice(after.as_bytes());
    let form: &mut [u8; hyphenated::LEN] = buffer[start..].first_chunk_mut().expect("the length was compared");
    let [first, second, third, fourth] = digits;
    form[..8].copy_from_slice(&first.0);
    form[8] = b'-';
    form[9..13].copy_from_slice(&second.0[..4]);
    form[13] = b'-';
    form[14..18].copy_from_slice(&second.0[4..]);
    form[18] = b'-';
    form[19..23].copy_from_slice(&third.0[..4]);
    form[23] = b'-';
    form[24..28].copy_from_slice(&third.0[4..]);
    form[28..].copy_from_slice(&fourth.0);
    // SAFETY: the lines above write every byte: two whole texts and, between them, ASCII.
    unsafe { str::from_utf8_unchecked(buffer) }
}

/// Writes digits one after the other.
#[inline]
pub(super) fn joined(digits: [Ascii<8>; 4], buffer: &mut [u8; 32]) -> &str {
    for (eight, digits) in buffer.chunks_exact_mut(8).zip(digits) {
        eight.copy_from_slice(&digits.0);
    }
    // SAFETY: four times eight bytes are all of the buffer, and each is ASCII.
    unsafe { str::from_utf8_unchecked(buffer) }
}

/// Writes a number as 26 Crockford characters.
#[inline]
pub(super) fn crockford(number: u128, case: Case, buffer: &mut [u8; crockford::LEN]) -> &str {
    let [first, last] = digits::crockford(number, case).map(Ascii::new);
    // The six that are too many are overwritten.
    buffer[..16].copy_from_slice(&first.0);
    buffer[10..].copy_from_slice(&last.0);
    // SAFETY: bytes 0 to 15 and 10 to 25 are all of the buffer, and each is ASCII.
    unsafe { str::from_utf8_unchecked(buffer) }
}
