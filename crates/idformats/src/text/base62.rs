//! 128-bit ids as 22 characters of 0-9, A-Z and a-z: `02p5oQZoHTv0zeY5yG21K3`.
//!
//! The characters count in the order of ASCII, so that texts sort like the numbers.

use core::str;

use idcore::Text;

use super::error::{Expected, Form, ParseError};

/// How many bytes the text has: 62^22 is a little more than 2^130.
pub const LEN: usize = 22;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// How many characters are worked on as a number of 64 bits.
const CHUNK_LEN: usize = 10;
/// 62^10, the largest power of 62 below 2^64.
const CHUNK: u64 = 62u64.pow(10);

const INVALID: u8 = u8::MAX;
const VALUES: [u8; 256] = {
    let mut values = [INVALID; 256];
    let mut digit: u8 = 0;
    while digit < 62 {
        values[ALPHABET[digit as usize] as usize] = digit;
        digit += 1;
    }
    values
};

/// Writes the text of a number into `buffer`: [`Uuid::as_u128`](uuid::Uuid::as_u128), or what a [`Ulid`](ulid::Ulid) holds.
///
/// # Examples
///
/// ```
/// use idformats::text::base62;
///
/// let mut buffer = [0; base62::LEN];
/// assert_eq!(base62::encode(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f, &mut buffer), "02p5oQZoHTv0zeY5yG21K3");
/// ```
pub fn encode(number: u128, buffer: &mut [u8; LEN]) -> &str {
    let (high, low) = (number / u128::from(CHUNK), number % u128::from(CHUNK));
    let (top, middle) = (high / u128::from(CHUNK), high % u128::from(CHUNK));
    let mut chunks = buffer.rchunks_exact_mut(CHUNK_LEN);
    for (chunk, value) in (&mut chunks).zip([low, middle]) {
        digits(u64::try_from(value).expect("a remainder of 62^10"), chunk);
    }
    digits(u64::try_from(top).expect("2^128 is below 62^22"), chunks.into_remainder());
    str::from_utf8(buffer).expect("digits and letters are ASCII")
}

/// The text of a number, held in place.
pub fn text(number: u128) -> Text<LEN> {
    Text::encoded(|buffer| encode(number, buffer))
}

/// Reads what [`encode`] writes, and nothing else: 22 characters, at most 2^128 - 1.
///
/// # Errors
///
/// Names the position, what is there and what was expected.
///
/// # Examples
///
/// ```
/// use idformats::text::base62;
/// use uuid::Uuid;
///
/// let id = Uuid::from_u128(base62::parse("02p5oQZoHTv0zeY5yG21K3")?);
/// assert_eq!(id.to_string(), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
/// let error = base62::parse("zzzzzzzzzzzzzzzzzzzzzz").unwrap_err();
/// assert_eq!(error.to_string(), "number too large: expected at most 340282366920938463463374607431768211455");
/// # Ok::<(), idformats::text::ParseError>(())
/// ```
pub fn parse(text: impl AsRef<[u8]>) -> Result<u128, ParseError> {
    let text = text.as_ref();
    if text.len() != LEN {
        return Err(ParseError::length(text.len(), Form::Base62));
    }
    if let Some(position) = text.iter().position(|byte| VALUES[usize::from(*byte)] == INVALID) {
        return Err(ParseError::unexpected(text, position, Expected::Base62));
    }
    let mut number: u128 = 0;
    let (top, chunks) = text.split_at(LEN % CHUNK_LEN);
    for chunk in core::iter::once(top).chain(chunks.chunks_exact(CHUNK_LEN)) {
        let value = chunk.iter().fold(0, |value, byte| value * 62 + u64::from(VALUES[usize::from(*byte)]));
        // Before the first chunk the number is zero, so that multiplying it does no harm.
        let shifted = number.checked_mul(u128::from(CHUNK));
        number = shifted.and_then(|shifted| shifted.checked_add(u128::from(value))).ok_or(ParseError::too_large())?;
    }
    Ok(number)
}

/// Whether [`parse`] reads the text.
pub fn is_valid(text: impl AsRef<[u8]>) -> bool {
    parse(text).is_ok()
}

/// The last digits of a number, as many as there is room for.
fn digits(mut value: u64, chunk: &mut [u8]) {
    for byte in chunk.iter_mut().rev() {
        *byte = ALPHABET[usize::try_from(value % 62).expect("a digit")];
        value /= 62;
    }
}
