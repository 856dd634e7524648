//! The prefix of a `TypeID`: 0 to 63 characters of a-z and `_`, of which the first and the last are letters.

use super::super::error::{Expected, ParseError};

/// How long a prefix may be.
pub const PREFIX_LEN_MAX: usize = 63;

/// Whether this may be the prefix of a `TypeID`; the empty one may.
pub const fn is_prefix(prefix: &str) -> bool {
    let bytes = prefix.as_bytes();
    if bytes.len() > PREFIX_LEN_MAX {
        return false;
    }
    let mut at = 0;
    while at < bytes.len() {
        let is_edge = at == 0 || at == bytes.len() - 1;
        if !bytes[at].is_ascii_lowercase() && (is_edge || bytes[at] != b'_') {
            return false;
        }
        at += 1;
    }
    true
}

/// Looks at a prefix, which begins its text.
pub(super) fn check(prefix: &[u8]) -> Result<(), ParseError> {
    if let Some(position) = prefix.iter().position(|byte| !byte.is_ascii_lowercase() && *byte != b'_') {
        return Err(ParseError::unexpected(prefix, position, Expected::PrefixLetter));
    }
    if prefix.len() > PREFIX_LEN_MAX {
        return Err(ParseError::prefix_length(prefix.len()));
    }
    match prefix {
        [b'_', ..] => Err(ParseError::unexpected(prefix, 0, Expected::PrefixEdge)),
        [.., b'_'] => Err(ParseError::unexpected(prefix, prefix.len() - 1, Expected::PrefixEdge)),
        _ => Ok(()),
    }
}

/// Looks at a prefix while compiling.
///
/// # Panics
///
/// When it is none.
#[doc(hidden)]
pub const fn checked(prefix: &'static str) -> &'static str {
    assert!(
        is_prefix(prefix),
        "the prefix of a typed id has 0 to 63 characters of a-z and _, and begins and ends with a-z"
    );
    prefix
}
