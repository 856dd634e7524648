//! Numbers as a fixed number of characters of base 62, and back. Exactly one text for each number.

use core::fmt;
use core::ops::Deref;

use crate::error::MaskError;

/// Digits, upper case, lower case: the order of ASCII, so that texts sort like their numbers.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Characters whose value fits 64 bits, and the number of their values.
const CHUNK_LEN: usize = 10;
const CHUNK_VALUES: u128 = 62_u128.pow(10);

/// A text held in place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const N: usize>([u8; N]);

impl<const N: usize> Text<N> {
    /// The text of a number below 62^`N`.
    pub(crate) fn new(value: u128) -> Self {
        let mut bytes = [0; N];
        let mut rest = value;
        // Divisions of 128 bits are slow: one for ten characters.
        for chunk in bytes.rchunks_mut(CHUNK_LEN) {
            let mut part = u64::try_from(rest % CHUNK_VALUES).expect("62^10 is below 2^64");
            rest /= CHUNK_VALUES;
            for byte in chunk.iter_mut().rev() {
                *byte = ALPHABET[usize::try_from(part % 62).expect("a remainder of 62")];
                part /= 62;
            }
        }
        Self(bytes)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).expect("all characters are ASCII")
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// The number of a text of exactly `N` characters.
pub(crate) fn parse<const N: usize>(text: &str) -> Result<u128, MaskError> {
    if text.len() != N {
        return Err(MaskError::Length { found: text.len(), expected: N });
    }
    let mut value = 0_u128;
    for (position, byte) in text.bytes().enumerate() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            found => return Err(MaskError::Character { position, found }),
        };
        let next = value.checked_mul(62).and_then(|value| value.checked_add(u128::from(digit)));
        value = next.ok_or(MaskError::TextTooLarge)?;
    }
    Ok(value)
}
