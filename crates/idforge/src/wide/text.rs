//! Ids of 128 bits out of text, with errors that say which character is wrong, and where.

use ulid::Ulid;
use uuid::Uuid;

use crate::quote::quote;

const SIMPLE_LEN: usize = 32;
const HYPHENATED_LEN: usize = 36;
const HYPHENS: [usize; 4] = [8, 13, 18, 23];
/// Between a text that is too short for a UUID, and one that is too long for all its forms.
const UUID_LENS: std::ops::RangeInclusive<usize> = 30..=50;
const URN: &str = "urn:uuid:";
/// The most decimal digits of an id of 64 bits, and of one of 128.
const NARROW_DIGITS_MAX: usize = 20;
const WIDE_DIGITS_MAX: usize = 39;

/// What a text of 128 bits is by its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// With hyphens, and maybe in braces or after `urn:uuid:`: nothing but a UUID is written so.
    Uuid,
    /// 32 hex digits: the bits of either.
    Hex,
    /// 26 characters of Crockford's base 32: a ULID, or the bits of a UUID.
    Crockford,
    /// More decimal digits than 64 bits have: the bits of either.
    Decimal,
}

/// What a text is by its looks; none for texts of 64 bits, and for those that look like no id.
pub(crate) fn look(text: &str) -> Option<Look> {
    let has_prefix = text.starts_with('{') || strip_urn(text).is_some();
    if has_prefix || (UUID_LENS.contains(&text.len()) && text.contains('-')) {
        return Some(Look::Uuid);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.len() {
        SIMPLE_LEN => Some(Look::Hex),
        ulid::ULID_LEN => Some(Look::Crockford),
        len if is_number && len > NARROW_DIGITS_MAX && !text.starts_with('0') => Some(Look::Decimal),
        _ => None,
    }
}

impl Look {
    /// The bits of a text that looks so.
    pub(crate) fn read(self, text: &str) -> Result<u128, String> {
        match self {
            Self::Uuid | Self::Hex => read_uuid(text).map(|id| id.as_u128()),
            Self::Crockford => read_ulid(text).map(|id| id.0),
            Self::Decimal => text.parse().map_err(|_| {
                let digits = text.len();
                if digits > WIDE_DIGITS_MAX {
                    format!("{}: {digits} digits: expected at most {WIDE_DIGITS_MAX}", quote(text))
                } else {
                    format!("{}: number too large: expected at most {}", quote(text), u128::MAX)
                }
            }),
        }
    }
}

/// A UUID with hyphens, without, in braces or after `urn:uuid:` (in either case, as RFC 8141 has it).
#[inline]
pub(crate) fn read_uuid(text: &str) -> Result<Uuid, String> {
    let body = strip_urn(text).unwrap_or(text);
    match Uuid::try_parse(body) {
        // Braces after `urn:uuid:` are none of its forms, and neither is a lack of hyphens.
        Ok(id) if body.len() == text.len() || body.len() == HYPHENATED_LEN => Ok(id),
        _ => Err(why_no_uuid(text)),
    }
}

/// A ULID of 26 characters, in either case.
#[inline]
pub(crate) fn read_ulid(text: &str) -> Result<Ulid, String> {
    match Ulid::from_string(text) {
        // The crate takes a first character of more than three bits, and drops what is above.
        Ok(id) if text.starts_with(|c| c <= '7') => Ok(id),
        _ => Err(why_no_ulid(text)),
    }
}

fn strip_urn(text: &str) -> Option<&str> {
    let (urn, rest) = text.split_at_checked(URN.len())?;
    urn.eq_ignore_ascii_case(URN).then_some(rest)
}

#[cold]
fn why_no_uuid(text: &str) -> String {
    let body = strip_urn(text).unwrap_or(text);
    let in_braces = text.strip_prefix('{').map(|rest| rest.strip_suffix('}').unwrap_or(rest));
    let (body, is_wrapped) = (in_braces.unwrap_or(body), in_braces.is_some() || body.len() < text.len());
    let start = if in_braces.is_some() { 1 } else { text.len() - body.len() };
    let is_simple = body.len() == SIMPLE_LEN && !is_wrapped;
    for (position, found) in body.char_indices() {
        let expected = match (HYPHENS.contains(&position), body.len()) {
            (true, HYPHENATED_LEN) if found != '-' => "a hyphen",
            (true, HYPHENATED_LEN) => continue,
            _ if found.is_ascii_hexdigit() || (found == '-' && body.len() != HYPHENATED_LEN && !is_simple) => continue,
            _ => "a hex digit",
        };
        return format!("{}: {found:?} at byte {}: expected {expected}", quote(text), start + position);
    }
    if text.starts_with('{') && !text.ends_with('}') {
        return format!("{}: no end: expected a closing brace", quote(text));
    }
    let expected = if is_wrapped { "36 with hyphens" } else { "32 hex digits, or 36 with hyphens" };
    format!("{}: a UUID of {} characters: expected {expected}", quote(text), body.len())
}

#[cold]
fn why_no_ulid(text: &str) -> String {
    let is_crockford = |c: char| c.is_ascii_alphanumeric() && !matches!(c.to_ascii_uppercase(), 'I' | 'L' | 'O' | 'U');
    if let Some((position, found)) = text.char_indices().find(|(_, c)| !is_crockford(*c)) {
        return format!(
            "{}: {found:?} at byte {position}: expected 0 to 9 or A to Z without I, L, O and U",
            quote(text)
        );
    }
    if text.len() != ulid::ULID_LEN {
        return format!("{}: a ULID of {} characters: expected {}", quote(text), text.len(), ulid::ULID_LEN);
    }
    let first = &text[..1];
    format!(
        "{}: '{first}' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128",
        quote(text)
    )
}
