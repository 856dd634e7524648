//! Ids of 64 bits as text, in each of the encodings that a person may choose.

use clap::ValueEnum;
use idcore::{DynSnowflake, ParseIdError};

use crate::quote::quote;

const HEX_LEN: usize = 16;
const CROCKFORD_LEN: usize = 13;
const BASE62_LEN: usize = 11;

/// How an id is written: decimal digits, 16 hexadecimal digits in lower case, 13 characters of Crockford's base 32, or 11
/// of 0-9, A-Z and a-z.
// The variants have no comments of their own: the help would show them, and with them an option takes half a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    #[default]
    Dec,
    Hex,
    Crockford,
    Base62,
}

/// How an id is read: in one encoding, or in the one that its looks suggest. Hexadecimal digits may stand after `0x`, and
/// are any number of them then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reading {
    #[default]
    Auto,
    Dec,
    Hex,
    Crockford,
    Base62,
}

impl Encoding {
    /// Puts the id at the end of `text`.
    pub(crate) fn append(self, id: DynSnowflake, text: &mut Vec<u8>) {
        match self {
            Self::Dec => text.extend_from_slice(id.encode_decimal(&mut [0; 20]).as_bytes()),
            Self::Hex => append_hex(id.get(), text),
            Self::Crockford => text.extend_from_slice(id.encode_crockford(&mut [0; 13]).as_bytes()),
            Self::Base62 => text.extend_from_slice(id.encode_base62(&mut [0; 11]).as_bytes()),
        }
    }

    /// The id as text.
    pub(crate) fn text(self, id: DynSnowflake) -> String {
        let mut text = Vec::new();
        self.append(id, &mut text);
        String::from_utf8(text).expect("ids are ASCII")
    }

    /// Reads an id in this encoding; the error names the text, the position and what was expected.
    pub(crate) fn read(self, text: &str) -> Result<u64, String> {
        if text.strip_prefix('-').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(format!("{}: a negative number: expected 0 to {}", quote(text), u64::MAX));
        }
        let of = |read: Result<DynSnowflake, ParseIdError>| {
            read.map(DynSnowflake::get).map_err(|error| format!("{}: {error}", quote(text)))
        };
        match self {
            Self::Dec => of(DynSnowflake::from_decimal(text)),
            Self::Hex => read_hex(text),
            Self::Crockford => of(DynSnowflake::from_crockford(text)),
            Self::Base62 => of(DynSnowflake::from_base62(text)),
        }
    }
}

impl Reading {
    /// Reads an id; the error names the text, the position and what was expected.
    pub(crate) fn read(self, text: &str) -> Result<u64, String> {
        let encoding = match self {
            Self::Auto => guess(text).ok_or_else(|| {
                format!(
                    "{}: {} bytes: expected decimal digits, 16 hex digits (any number after 0x), 13 Crockford characters, \
                     11 base62 characters, a UUID, or a ULID of 26 characters",
                    quote(text),
                    text.len()
                )
            })?,
            Self::Dec => Encoding::Dec,
            Self::Hex => Encoding::Hex,
            Self::Crockford => Encoding::Crockford,
            Self::Base62 => Encoding::Base62,
        };
        encoding.read(text)
    }
}

/// The encoding that a text is in by its looks. What is written in decimal digits is decimal, whatever its length, unless
/// it starts with a zero, which no decimal id does.
fn guess(text: &str) -> Option<Encoding> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if strip_hex_prefix(text).is_some() {
        return Some(Encoding::Hex);
    }
    if text.starts_with(['-', '+']) || (is_number && !text.starts_with('0')) {
        return Some(Encoding::Dec);
    }
    match text.len() {
        HEX_LEN if text.bytes().all(|byte| byte.is_ascii_hexdigit()) => Some(Encoding::Hex),
        CROCKFORD_LEN => Some(Encoding::Crockford),
        BASE62_LEN => Some(Encoding::Base62),
        // Most of a number: the error is to say which character is wrong.
        _ if text.starts_with(|c: char| c.is_ascii_digit()) => Some(Encoding::Dec),
        _ => None,
    }
}

fn strip_hex_prefix(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn append_hex(id: u64, text: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let nibbles = id.to_be_bytes().into_iter().flat_map(|byte| [byte >> 4, byte & 0xF]);
    text.extend(nibbles.map(|nibble| DIGITS[usize::from(nibble)]));
}

fn read_hex(text: &str) -> Result<u64, String> {
    let digits = strip_hex_prefix(text).unwrap_or(text);
    let start = text.len() - digits.len();
    if let Some((position, found)) = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        return Err(format!("{}: {found:?} at byte {}: expected a hex digit", quote(text), start + position));
    }
    let is_len_right = if start > 0 { (1..=HEX_LEN).contains(&digits.len()) } else { digits.len() == HEX_LEN };
    if !is_len_right {
        let expected = if start > 0 { "1 to 16 after 0x" } else { "16, or any number of them after 0x" };
        return Err(format!("{}: {} hex digits: expected {expected}", quote(text), digits.len()));
    }
    Ok(u64::from_str_radix(digits, 16).expect("at most 16 hex digits are a u64"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODINGS: [(Encoding, Reading); 4] = [
        (Encoding::Dec, Reading::Dec),
        (Encoding::Hex, Reading::Hex),
        (Encoding::Crockford, Reading::Crockford),
        (Encoding::Base62, Reading::Base62),
    ];

    fn written(encoding: Encoding, id: u64) -> String {
        encoding.text(id.try_into().expect("any number is an id"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        for id in [0, 1, 1 << 53, 175_928_847_299_117_063, 1 << 63, u64::MAX] {
            for (encoding, reading) in ENCODINGS {
                assert_eq!(reading.read(&written(encoding, id)), Ok(id), "{encoding:?}");
            }
        }
    }

    #[test]
    fn looks_tell_encodings_apart() {
        let id = 496_830_748_901_259_172;
        for (encoding, _) in ENCODINGS {
            assert_eq!(Reading::Auto.read(&written(encoding, id)), Ok(id), "{encoding:?}");
        }
        assert_eq!(Reading::Auto.read("0x1F"), Ok(31));
        assert_eq!(Reading::Auto.read("0X1f"), Ok(31));
        // Digits alone are decimal, of whatever length.
        assert_eq!(Reading::Auto.read("1234567890123456"), Ok(1_234_567_890_123_456));
        assert_eq!(Reading::Auto.read("1234567890123"), Ok(1_234_567_890_123));
        // A decimal id has no leading zero, hex and Crockford have.
        assert_eq!(Reading::Auto.read("0000000000000010"), Ok(16));
        assert_eq!(Reading::Auto.read("0000000000010"), Ok(32));
        assert_eq!(Reading::Auto.read("00000000010"), Ok(62));
    }

    #[test]
    fn errors_say_what_is_wrong_where() {
        let errors = [
            ("", "``: empty text: expected 1 to 20 decimal digits"),
            (
                "abc",
                "`abc`: 3 bytes: expected decimal digits, 16 hex digits (any number after 0x), 13 Crockford characters, 11 base62 characters, a UUID, or a ULID of 26 characters",
            ),
            ("+5", "`+5`: '+' at byte 0: expected a decimal digit"),
            ("-5", "`-5`: a negative number: expected 0 to 18446744073709551615"),
            ("12a4", "`12a4`: 'a' at byte 2: expected a decimal digit"),
            ("007", "`007`: '0' at byte 0: expected no leading zeros"),
            ("18446744073709551616", "`18446744073709551616`: number too large: expected at most 18446744073709551615"),
            (
                "G000000000001",
                "`G000000000001`: 'G' at byte 0: expected 0 to F, since 13 characters of 5 bits are one bit more than 64",
            ),
            ("0xfg", "`0xfg`: 'g' at byte 3: expected a hex digit"),
            ("0x", "`0x`: 0 hex digits: expected 1 to 16 after 0x"),
            ("0x10000000000000000", "`0x10000000000000000`: 17 hex digits: expected 1 to 16 after 0x"),
        ];
        for (text, error) in errors {
            assert_eq!(Reading::Auto.read(text), Err(error.to_owned()));
        }
        assert_eq!(
            Reading::Hex.read("ff"),
            Err("`ff`: 2 hex digits: expected 16, or any number of them after 0x".to_owned())
        );
        assert!(Reading::Hex.read("ééééééé1").is_err());
    }
}
