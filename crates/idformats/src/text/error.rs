//! What is wrong with a text: where, what is there, what was expected.

use core::fmt::{self, Write as _};
use core::str;

use super::typeid::PREFIX_LEN_MAX;

/// Text that is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Length { found: usize, expected: Form },
    Unexpected { position: usize, found: Found, expected: Expected },
    TooLarge,
    SuffixLength { position: usize, found: usize },
    PrefixLength { found: usize },
    OtherPrefix { position: usize, expected: &'static str },
}

/// What stands at a place: a character, or a byte that is part of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Char(char),
    Byte(u8),
    End,
}

/// A form of text, as errors about its length speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Hyphenated,
    Simple,
    Urn,
    Braced,
    AnyUuid,
    Ulid,
    LenientUlid,
    Base62,
}

/// What is allowed at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    HexDigit,
    Hyphen,
    UrnPrefix,
    OpeningBrace,
    ClosingBrace,
    Crockford,
    CrockfordLenient,
    CrockfordLower,
    FirstOf26,
    Base62,
    PrefixLetter,
    PrefixEdge,
    PrefixBeforeSeparator,
}

impl ParseError {
    /// A text of fixed length that has another.
    pub(super) const fn length(found: usize, expected: Form) -> Self {
        Self(Fault::Length { found, expected })
    }

    /// What stands at `position` is not what is expected there. Everything before it is ASCII.
    pub(super) fn unexpected(text: &[u8], position: usize, expected: Expected) -> Self {
        Self(Fault::Unexpected { position, found: Found::at(text, position), expected })
    }

    /// The number is 2^128 or more.
    pub(super) const fn too_large() -> Self {
        Self(Fault::TooLarge)
    }

    /// The suffix of a `TypeID`, which begins at `position`, is too long or too short.
    pub(super) const fn suffix_length(position: usize, found: usize) -> Self {
        Self(Fault::SuffixLength { position, found })
    }

    /// The prefix of a `TypeID` is too long.
    pub(super) const fn prefix_length(found: usize) -> Self {
        Self(Fault::PrefixLength { found })
    }

    /// A `TypeID` of another type, whose prefix differs at `position`.
    pub(super) const fn other_prefix(position: usize, expected: &'static str) -> Self {
        Self(Fault::OtherPrefix { position, expected })
    }

    /// Where the text is wrong, in bytes; none when its length or its value is.
    pub const fn position(&self) -> Option<usize> {
        match self.0 {
            Fault::Unexpected { position, .. }
            | Fault::SuffixLength { position, .. }
            | Fault::OtherPrefix { position, .. } => Some(position),
            Fault::PrefixLength { .. } => Some(PREFIX_LEN_MAX),
            Fault::Length { .. } | Fault::TooLarge => None,
        }
    }
}

impl Found {
    #[cold]
    fn at(text: &[u8], position: usize) -> Self {
        let rest = text.get(position..).unwrap_or_default();
        let Some(first) = rest.first() else { return Self::End };
        // A character is at most four bytes; what follows it may be anything.
        let valid = match str::from_utf8(&rest[..rest.len().min(4)]) {
            Ok(valid) => valid,
            Err(error) => str::from_utf8(&rest[..error.valid_up_to()]).expect("valid up to there"),
        };
        valid.chars().next().map_or(Self::Byte(*first), Self::Char)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(found) => write!(f, "{found:?}"),
            Self::Byte(found) => write!(f, "'\\x{found:02x}'"),
            Self::End => f.write_str("end of text"),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hyphenated => "36: hexadecimal digits as 8-4-4-4-12",
            Self::Simple => "32: hexadecimal digits alone",
            Self::Urn => "45: `urn:uuid:` and hexadecimal digits as 8-4-4-4-12",
            Self::Braced => "38: hexadecimal digits as {8-4-4-4-12}",
            Self::AnyUuid => {
                "36 (8-4-4-4-12 hexadecimal digits), 32 (digits alone), 38 (in braces) or 45 (`urn:uuid:`)"
            }
            Self::Ulid => "26 Crockford characters",
            Self::LenientUlid => "26 Crockford characters, hyphens aside",
            Self::Base62 => "22 base62 characters",
        })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HexDigit => "a hexadecimal digit",
            Self::Hyphen => "'-'",
            Self::UrnPrefix => "`urn:uuid:`",
            Self::OpeningBrace => "'{'",
            Self::ClosingBrace => "'}'",
            Self::Crockford => "a character of 0-9 and A-Z without I, L, O and U",
            Self::CrockfordLenient => "a character of 0-9 and A-Z without U, or '-'",
            Self::CrockfordLower => "a character of 0-9 and a-z without i, l, o and u",
            Self::FirstOf26 => "0 to 7, since 26 characters of 5 bits are two bits more than 128",
            Self::Base62 => "a character of 0-9, A-Z and a-z",
            Self::PrefixLetter => "a prefix of a-z and '_'",
            Self::PrefixEdge => "a prefix that begins and ends with a-z",
            Self::PrefixBeforeSeparator => "a prefix before '_'",
        })
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fault::Length { found: 0, expected } => write!(f, "empty text: expected {expected}"),
            Fault::Length { found, expected } => write!(f, "{found} bytes: expected {expected}"),
            Fault::Unexpected { position, found, expected } => {
                write!(f, "{found} at byte {position}: expected {expected}")
            }
            Fault::TooLarge => write!(f, "number too large: expected at most {}", u128::MAX),
            Fault::SuffixLength { position, found } => {
                write!(f, "{found} bytes from byte {position} on: expected a suffix of 26 characters")
            }
            Fault::PrefixLength { found } => {
                write!(f, "a prefix of {found} bytes: expected {PREFIX_LEN_MAX} at most")
            }
            Fault::OtherPrefix { position, expected } => {
                write!(f, "another prefix at byte {position}: expected ")?;
                if expected.is_empty() {
                    return f.write_str("none");
                }
                f.write_char('`')?;
                f.write_str(expected)?;
                f.write_char('`')
            }
        }
    }
}

impl core::error::Error for ParseError {}
