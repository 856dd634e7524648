//! What is wrong with an id, a text, a type or a key. No error tells a key's bytes.

use core::fmt;

/// Why an id was not masked, or not unmasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaskError {
    /// A UUID of another version: masking takes version 7 and gives version 4.
    Version {
        /// The version that was found, 0 to 15.
        found: u8,
        /// The version that was expected.
        expected: u8,
    },
    /// A UUID of another variant than RFC 9562's.
    Variant {
        /// The first two bits of byte 8.
        found: u8,
    },
    /// An integer that needs more than 63 bits.
    IntegerTooLarge {
        /// The integer.
        found: u64,
    },
    /// A negative integer.
    IntegerNegative {
        /// The integer.
        found: i64,
    },
    /// A token that no key of its type has made, or that was changed.
    Forged,
    /// A text of another length.
    Length {
        /// The length in bytes.
        found: usize,
        /// The length that was expected.
        expected: usize,
    },
    /// A character that is not of the text's alphabet.
    Character {
        /// Where, in bytes.
        position: usize,
        /// The byte that is there.
        found: u8,
    },
    /// A text that is greater than any that masking gives.
    TextTooLarge,
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Version { found, expected } => write!(f, "uuid version {found}: expected version {expected}"),
            Self::Variant { found } => write!(f, "uuid variant bits {found:02b}: expected 10, the variant of rfc 9562"),
            Self::IntegerTooLarge { found } => write!(f, "integer {found}: expected at most {}", i64::MAX),
            Self::IntegerNegative { found } => write!(f, "integer {found}: expected 0 or more"),
            Self::Forged => write!(f, "token is not of this type and these keys, or was changed"),
            Self::Length { found, expected } => write!(f, "text of {found} bytes: expected {expected} characters"),
            Self::Character { position, found } => {
                write!(f, "'{}' at byte {position}: expected a digit or a letter", found.escape_ascii())
            }
            Self::TextTooLarge => write!(f, "text is greater than any public id"),
        }
    }
}

impl core::error::Error for MaskError {}

/// Why ids of a batch were not masked: the first that is wrong. None of the batch was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// The place of the id in the batch.
    pub index: usize,
    /// What is wrong with it.
    pub error: MaskError,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "id {} of the batch: {}", self.index, self.error)
    }
}

impl core::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Why there is no key, or no mask of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// Not 16 or 32 bytes.
    ByteLength {
        /// How many there are.
        found: usize,
    },
    /// A text of another length than keys have.
    TextLength {
        /// The length in bytes, without a newline at the end.
        found: usize,
    },
    /// A text of 32 or 64 characters that are not all hex digits.
    NotHex,
    /// A text of 24 or 44 characters that are not padded base64.
    NotBase64,
    /// All bytes are alike.
    Constant,
    /// A type of more bytes than its length byte counts.
    TypeLength {
        /// How many there are.
        found: usize,
    },
    /// A key of 16 bytes was expected, which is used as it is.
    NotRaw,
    /// The operating system gave no random bytes.
    Entropy,
    /// The key is in the ring already.
    Twice,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByteLength { found } => write!(f, "key of {found} bytes: expected 16 or 32"),
            Self::TextLength { found } => {
                write!(f, "key of {found} characters: expected 32 or 64 hex digits, or 24 or 44 characters of base64")
            }
            Self::NotHex => write!(f, "key has a character that is not a hex digit"),
            Self::NotBase64 => write!(f, "key is not padded base64"),
            Self::Constant => write!(f, "key repeats one byte: expected random bytes"),
            Self::TypeLength { found } => write!(f, "type of {found} bytes: expected at most 255"),
            Self::NotRaw => write!(f, "key of 32 bytes without a type: expected 16 bytes, which are used as they are"),
            Self::Entropy => write!(f, "no random bytes from the operating system"),
            Self::Twice => write!(f, "key is in the ring twice"),
        }
    }
}

impl core::error::Error for KeyError {}
