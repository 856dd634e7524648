//! Digits as text. The bytes become a `str` without a look at each of them, which would take longer than making them: they
//! are of a type that is ASCII alone.

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

/// Bytes below 128.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    /// # Safety
    ///
    /// Each byte is below 128.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) const unsafe fn new_unchecked(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

impl Ascii<2> {
    /// The first two of 26 Crockford digits, which stand for eight bits.
    #[inline]
    pub(super) const fn top_of_26(bits: u8, case: Case) -> Self {
        match case {
            Case::Lower => TOPS_LOWER[bits as usize],
            Case::Upper => TOPS_UPPER[bits as usize],
        }
    }
}

static TOPS_UPPER: [Ascii<2>; 256] = tops(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ");
static TOPS_LOWER: [Ascii<2>; 256] = tops(b"0123456789abcdefghjkmnpqrstvwxyz");

const fn tops(alphabet: &[u8; 32]) -> [Ascii<2>; 256] {
    assert!(alphabet.is_ascii(), "what `Ascii` asks for");
    let mut tops = [Ascii([0; 2]); 256];
    let mut bits = 0;
    while bits < 256 {
        tops[bits] = Ascii([alphabet[bits >> 5], alphabet[bits & 31]]);
        bits += 1;
    }
    tops
}

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Ascii<8> {
    /// Without the top bit of each byte.
    #[inline]
    pub(super) const fn of_word(word: u64) -> Self {
        Self((word & 0x7F7F_7F7F_7F7F_7F7F).to_le_bytes())
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Ascii<16> {
    /// Both after each other.
    #[inline]
    pub(super) fn pair(first: Ascii<8>, second: Ascii<8>) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&first.0);
        bytes[8..].copy_from_slice(&second.0);
        Self(bytes)
    }
}

#[cfg(test)]
impl<const N: usize> Ascii<N> {
    pub(super) const fn bytes(&self) -> &[u8; N] {
        &self.0
    }
}

/// The 32 hexadecimal digits of an id.
#[inline]
pub(super) fn hex(id: Uuid, case: Case) -> [Ascii<8>; 4] {
    digits::hex(id.into_bytes(), case)
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
    let (first, middle, last) = digits::crockford(number, case);
    buffer[..2].copy_from_slice(&first.0);
    buffer[2..10].copy_from_slice(&middle.0);
    buffer[10..].copy_from_slice(&last.0);
    // SAFETY: 2, 8 and 16 bytes are all of the buffer, and each is ASCII.
    unsafe { str::from_utf8_unchecked(buffer) }
}
