//! Ids as text: decimal, 13 Crockford characters, 11 base62 characters. The fixed-width forms sort like the number.
//!
//! Reading is strict: exactly what writing gives is accepted, so that a text and its number stand for each other.

use core::fmt;
use core::ops::Deref;
use core::str;

const DECIMAL_LEN_MAX: usize = 20;
const CROCKFORD_LEN: usize = 13;
const BASE62_LEN: usize = 11;
/// The first number of nine digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// Crockford's base 32: the digits, and the letters without I, L, O and U. <https://www.crockford.com/base32.html>
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Digits, upper case, lower case: the order of ASCII, so that texts of one width sort like their numbers.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// "00" to "99".
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut at: u8 = 0;
    while at < 100 {
        pairs[at as usize] = [b'0' + at / 10, b'0' + at % 10];
        at += 1;
    }
    pairs
};

const INVALID: u8 = u8::MAX;
const CROCKFORD_VALUES: [u8; 256] = values_of(CROCKFORD);
const BASE62_VALUES: [u8; 256] = values_of(BASE62);

/// An id's text, held in place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Text<N> {
    const LEN_FITS: () = assert!(N <= u8::MAX as usize, "a length is a byte");

    /// The text that `encode` writes to the start of the buffer and gives back, as the `encode_…` calls of ids do.
    ///
    /// # Panics
    ///
    /// When it gives back what does not begin at the start of the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::{DynSnowflake, Text};
    ///
    /// let id: DynSnowflake = "1541815603606036480".parse()?;
    /// let text: Text<20> = Text::encoded(|buffer| id.encode_decimal(buffer));
    /// assert_eq!(text.as_str(), "1541815603606036480");
    /// # Ok::<(), idcore::ParseIdError>(())
    /// ```
    #[inline]
    pub fn encoded(encode: impl FnOnce(&mut [u8; N]) -> &str) -> Self {
        let () = Self::LEN_FITS;
        let mut bytes = [0; N];
        let start = bytes.as_ptr();
        let text = encode(&mut bytes);
        assert_eq!(text.as_ptr(), start, "the text is not at the start of the buffer");
        let len = text.len();
        // Texts are compared byte for byte.
        bytes[len..].fill(0);
        Self { bytes, len: u8::try_from(len).expect("not longer than the buffer") }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        ascii(&self.bytes[..usize::from(self.len)])
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<str> for Text<N> {
    fn as_ref(&self) -> &str {
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
        self.as_str().fmt(f)
    }
}

/// Text that is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIdError(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Empty { form: &'static str },
    Length { found: usize, form: &'static str },
    Character { position: usize, found: char, expected: &'static str },
    LeadingZero,
    TooLarge { max: u64 },
}

impl ParseIdError {
    pub(super) const fn too_large(max: u64) -> Self {
        Self(Fault::TooLarge { max })
    }

    /// Where the text is wrong, in bytes; none when its length or its value is.
    pub const fn position(&self) -> Option<usize> {
        match self.0 {
            Fault::Character { position, .. } => Some(position),
            Fault::LeadingZero => Some(0),
            Fault::Empty { .. } | Fault::Length { .. } | Fault::TooLarge { .. } => None,
        }
    }
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fault::Empty { form } => write!(f, "empty text: expected {form}"),
            Fault::Length { found: 1, form } => write!(f, "1 byte: expected {form}"),
            Fault::Length { found, form } => write!(f, "{found} bytes: expected {form}"),
            Fault::Character { position, found, expected } => {
                write!(f, "{found:?} at byte {position}: expected {expected}")
            }
            Fault::LeadingZero => write!(f, "'0' at byte 0: expected no leading zeros"),
            Fault::TooLarge { max } => write!(f, "number too large: expected at most {max}"),
        }
    }
}

impl core::error::Error for ParseIdError {}

/// Decimal digits, 1 to 20 of them: eight at a time from the end, of which no pair waits for another, then what is left.
pub(super) fn encode_decimal(value: u64, buffer: &mut [u8; DECIMAL_LEN_MAX]) -> &str {
    let len = value.checked_ilog10().map_or(1, |log| log as usize + 1);
    let mut rest = value;
    let mut left = &mut buffer[..len];
    while rest >= EIGHT_DIGITS {
        let (before, eight) = left.split_at_mut(left.len() - 8);
        let (high, low) = (rest % EIGHT_DIGITS / 10_000, rest % 10_000);
        for (pair, digits) in eight.chunks_exact_mut(2).zip([high / 100, high % 100, low / 100, low % 100]) {
            pair.copy_from_slice(&PAIRS[usize::from(digit(digits))]);
        }
        left = before;
        rest /= EIGHT_DIGITS;
    }
    let mut pairs = left.rchunks_exact_mut(2);
    for pair in &mut pairs {
        pair.copy_from_slice(&PAIRS[usize::from(digit(rest % 100))]);
        rest /= 100;
    }
    if let [first] = pairs.into_remainder() {
        *first = b'0' + digit(rest);
    }
    ascii(&buffer[..len])
}

pub(super) fn encode_crockford(value: u64, buffer: &mut [u8; CROCKFORD_LEN]) -> &str {
    for (place, byte) in buffer.iter_mut().rev().enumerate() {
        *byte = CROCKFORD[usize::from(digit((value >> (5 * place)) & 0x1F))];
    }
    ascii(buffer)
}

pub(super) fn encode_base62(value: u64, buffer: &mut [u8; BASE62_LEN]) -> &str {
    let mut rest = value;
    for byte in buffer.iter_mut().rev() {
        *byte = BASE62[usize::from(digit(rest % 62))];
        rest /= 62;
    }
    ascii(buffer)
}

/// Reads decimal digits: no sign, no spaces, no leading zeros, at most 2^64 - 1.
pub(super) fn parse_decimal(text: &str) -> Result<u64, ParseIdError> {
    let bytes = text.as_bytes();
    let is_long = bytes.len() > DECIMAL_LEN_MAX;
    let leads_with_zero = bytes.len() > 1 && bytes[0] == b'0';
    if bytes.is_empty() || is_long || leads_with_zero {
        return Err(decimal_fault(text));
    }
    decimal(bytes).ok_or_else(|| decimal_fault(text))
}

/// The number of up to 20 digits; none when it is 2^64 or more, or one of them is no digit.
fn decimal(bytes: &[u8]) -> Option<u64> {
    let mut value = 0;
    let mut eights = bytes.chunks_exact(8);
    for eight in &mut eights {
        // At most sixteen digits come of this.
        value = value * EIGHT_DIGITS + eight_digits(*eight.first_chunk()?)?;
    }
    eights.remainder().iter().try_fold(value, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// The number of eight digits, which are worked on together: as pairs, as pairs of pairs, and as both halves.
const fn eight_digits(bytes: [u8; 8]) -> Option<u64> {
    const ZEROS: u64 = u64::from_le_bytes(*b"00000000");
    let chars = u64::from_le_bytes(bytes);
    // Both have the upper half of '0' if the byte is a digit: six more than '9' has not.
    let six_more = chars.wrapping_add(0x0606_0606_0606_0606);
    if ((chars ^ ZEROS) | (six_more ^ ZEROS)) & 0xF0F0_F0F0_F0F0_F0F0 != 0 {
        return None;
    }
    let digits = chars & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some((fours & 0xFFFF) * 10_000 + (fours >> 32))
}

/// What is wrong with a text that is no number.
#[cold]
fn decimal_fault(text: &str) -> ParseIdError {
    if text.is_empty() {
        return ParseIdError(Fault::Empty { form: "1 to 20 decimal digits" });
    }
    if let Some(position) = text.bytes().position(|byte| !byte.is_ascii_digit()) {
        return unexpected(text, position, "a decimal digit");
    }
    if text.len() > 1 && text.starts_with('0') {
        return ParseIdError(Fault::LeadingZero);
    }
    ParseIdError::too_large(u64::MAX)
}

/// Reads 13 characters of Crockford's base 32, upper case and without its aliases; the first holds four bits.
pub(super) fn parse_crockford(text: &str) -> Result<u64, ParseIdError> {
    const EXPECTED: &str = "a character of 0-9 and A-Z without I, L, O and U";
    const FIRST: &str = "0 to F, since 13 characters of 5 bits are one bit more than 64";
    check_len(text, CROCKFORD_LEN, "13 Crockford characters")?;
    let mut value = 0;
    for (position, byte) in text.bytes().enumerate() {
        let digit = CROCKFORD_VALUES[usize::from(byte)];
        if digit == INVALID {
            return Err(unexpected(text, position, EXPECTED));
        }
        if position == 0 && digit > 0xF {
            return Err(unexpected(text, position, FIRST));
        }
        value = (value << 5) | u64::from(digit);
    }
    Ok(value)
}

/// Reads 11 base62 characters.
pub(super) fn parse_base62(text: &str) -> Result<u64, ParseIdError> {
    const EXPECTED: &str = "a character of 0-9, A-Z and a-z";
    check_len(text, BASE62_LEN, "11 base62 characters")?;
    if let Some(position) = text.bytes().position(|byte| BASE62_VALUES[usize::from(byte)] == INVALID) {
        return Err(unexpected(text, position, EXPECTED));
    }
    text.bytes()
        .map(|byte| u64::from(BASE62_VALUES[usize::from(byte)]))
        .try_fold(0u64, |value, digit| value.checked_mul(62)?.checked_add(digit))
        .ok_or(ParseIdError::too_large(u64::MAX))
}

fn check_len(text: &str, len: usize, form: &'static str) -> Result<(), ParseIdError> {
    if text.is_empty() {
        return Err(ParseIdError(Fault::Empty { form }));
    }
    if text.len() != len {
        return Err(ParseIdError(Fault::Length { found: text.len(), form }));
    }
    Ok(())
}

/// The error for the byte at `position`, the first that is wrong.
#[cold]
fn unexpected(text: &str, position: usize, expected: &'static str) -> ParseIdError {
    // Every byte before it was ASCII, so a character starts here.
    let found = text[position..].chars().next().expect("the position is within the text");
    ParseIdError(Fault::Character { position, found, expected })
}

#[expect(clippy::cast_possible_truncation, reason = "a remainder of at most 100, or five bits")]
const fn digit(value: u64) -> u8 {
    value as u8
}

fn ascii(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("digits and letters are ASCII")
}

const fn values_of(alphabet: &[u8]) -> [u8; 256] {
    let mut values = [INVALID; 256];
    let mut at = 0;
    while at < alphabet.len() {
        #[expect(clippy::cast_possible_truncation, reason = "an alphabet has at most 62 characters")]
        {
            values[alphabet[at] as usize] = at as u8;
        }
        at += 1;
    }
    values
}
