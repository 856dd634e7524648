//! Ids out of lines, quickly: nothing is allocated for a line, and only what looks wrong is looked at closely.

use std::str;

use super::format::Format;
use crate::lines;
use crate::quote::quote;

/// So many digits are read eight at a time: with eight more, a number might not fit 64 bits.
const WORDS_END: usize = 16;

/// Calls `on_id` for each line of a block of whole lines.
///
/// # Errors
///
/// At the first line that is no id: what it is and what was expected; or the first error of `on_id`.
pub(crate) fn parse_block<F: Format, E: From<NotAnId>>(
    mut block: &[u8],
    format: &F,
    mut on_id: impl FnMut(F::Id) -> Result<(), E>,
) -> Result<(), E> {
    while !block.is_empty() {
        let (id, len) = if let Some(found) = format.quick(block) {
            found
        } else {
            let len = block.iter().position(|byte| *byte == b'\n').map_or(block.len(), |newline| newline + 1);
            (parse_line(lines::without_newline(&block[..len]), format)?, len)
        };
        on_id(id)?;
        block = &block[len..];
    }
    Ok(())
}

/// A line that is no id.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotAnId(pub(crate) String);

/// The number at the start of `block` and the length of its line; none for what needs a closer look.
#[inline]
pub(super) fn quick_decimal(block: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    let mut len = 0;
    while let Some(word) = block[len..].first_chunk().filter(|_| len < WORDS_END) {
        let Some(digits) = eight_digits(*word) else { break };
        value = value * 100_000_000 + digits;
        len += word.len();
    }
    for byte in &block[len..] {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            let is_number = *byte == b'\n' && len > 0 && (block[0] != b'0' || len == 1);
            return is_number.then_some((value, len + 1));
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
        len += 1;
    }
    None
}

/// The value of eight decimal digits, the most significant first; none if one of them is something else.
#[inline]
fn eight_digits(text: [u8; 8]) -> Option<u64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(text);
    // A byte is 0x30 to 0x39 if its upper half is 3, before and after 6 is added. (Nothing carries into the next byte when
    // the upper half was 3.)
    let upper = 0xF0 * ONES;
    let zeros = 0x30 * ONES;
    if word & upper != zeros || (word + 6 * ONES) & upper != zeros {
        return None;
    }
    // Neighbours are put together, three times over: digits to pairs, pairs to fours, fours to eight. The first of two is in
    // the lower bits.
    let digits = word ^ zeros;
    let pairs = (digits & 0x00FF_00FF_00FF_00FF) * 10 + ((digits >> 8) & 0x00FF_00FF_00FF_00FF);
    let fours = (pairs & 0x0000_FFFF_0000_FFFF) * 100 + ((pairs >> 16) & 0x0000_FFFF_0000_FFFF);
    Some((fours & 0xFFFF_FFFF) * 10_000 + (fours >> 32))
}

/// Reads a line in full. It may be in double quotes, as a line of JSON is: no encoding has them.
fn parse_line<F: Format>(line: &[u8], format: &F) -> Result<F::Id, NotAnId> {
    let Ok(text) = str::from_utf8(without_quotes(line)) else {
        let position = line.iter().position(|byte| !byte.is_ascii()).expect("what is no UTF-8 is no ASCII");
        return Err(NotAnId(format!(
            "{}: byte 0x{:02x} at byte {position}: expected an id",
            quote(line),
            line[position]
        )));
    };
    format.read(text).map_err(NotAnId)
}

/// What is in double quotes, or the line as it is.
pub(super) fn without_quotes(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::super::format::{Snowflakes, Ulids, Uuids};
    use super::*;
    use crate::encoding::Encoding;

    fn parsed_as<F: Format>(block: &[u8], format: &F) -> Result<Vec<F::Id>, NotAnId> {
        let mut ids = Vec::new();
        parse_block(block, format, |id| {
            ids.push(id);
            Ok(())
        })
        .map(|()| ids)
    }

    fn parsed(block: &[u8], encoding: Encoding) -> Result<Vec<u64>, NotAnId> {
        parsed_as(block, &Snowflakes { encoding, named: None })
    }

    #[test]
    fn lines_of_128_bits_in_every_form() {
        let id: uuid::Uuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse().expect("a UUID");
        let (hyphenated, simple) = (id.to_string(), id.simple().to_string());
        let forms = [&hyphenated, &simple, &format!("{{{hyphenated}}}"), &format!("urn:uuid:{hyphenated}")];
        let forms = forms.map(|form| [form.clone(), form.to_uppercase(), format!("\"{form}\"")]);
        let ulid = "01FWHE4YDGFK1SHH6W1G60EECF".to_owned();
        for newline in ["\n", "\r\n"] {
            let block = forms.concat().join(newline);
            assert_eq!(parsed_as(block.as_bytes(), &Uuids), Ok(vec![id; 12]));
            assert_eq!(parsed_as((block + newline).as_bytes(), &Uuids), Ok(vec![id; 12]));
            let block = [ulid.clone(), ulid.to_lowercase(), format!("\"{ulid}\"")].join(newline);
            let id = ulid::Ulid(id.as_u128());
            assert_eq!(parsed_as(block.as_bytes(), &Ulids), Ok(vec![id; 3]));
            assert_eq!(parsed_as((block + newline).as_bytes(), &Ulids), Ok(vec![id; 3]));
        }
    }

    #[test]
    fn the_quick_look_takes_no_more_than_the_close_one() {
        let (hyphens, crockford) = ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "01FWHE4YDGFK1SHH6W1G60EECF");
        for byte in 0..=u8::MAX {
            for place in 0..hyphens.len() {
                let mut line = format!("{hyphens}\n").into_bytes();
                line[place] = byte;
                let close = str::from_utf8(&line[..hyphens.len()]).ok().and_then(|text| Uuids.read(text).ok());
                assert_eq!(Uuids.quick(&line).map(|(id, _)| id), close, "{place} {byte}");
            }
            for place in 0..crockford.len() {
                let mut line = format!("{crockford}\n").into_bytes();
                line[place] = byte;
                let close = str::from_utf8(&line[..crockford.len()]).ok().and_then(|text| Ulids.read(text).ok());
                assert_eq!(Ulids.quick(&line).map(|(id, _)| id), close, "{place} {byte}");
            }
        }
    }

    #[test]
    fn decimal_lines_of_any_length() {
        let ids = [0, 9, 10, 1 << 53, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, u64::MAX];
        let lines: Vec<_> = ids.iter().map(ToString::to_string).collect();
        for newline in ["\n", "\r\n"] {
            let block = lines.join(newline);
            assert_eq!(parsed(block.as_bytes(), Encoding::Dec), Ok(ids.to_vec()));
            assert_eq!(parsed((block + newline).as_bytes(), Encoding::Dec), Ok(ids.to_vec()));
        }
        let quoted = format!("\"{}\"", lines.join("\"\n\""));
        assert_eq!(parsed(quoted.as_bytes(), Encoding::Dec), Ok(ids.to_vec()));
    }

    #[test]
    fn eight_digits_are_read_at_once() {
        for number in [0, 1, 12_345_678, 87_654_321, 99_999_999, 10_000_000] {
            let text = format!("{number:08}");
            assert_eq!(eight_digits(text.as_bytes().try_into().expect("eight digits")), Some(number));
        }
        // Every other byte in every place.
        for place in 0..8 {
            for byte in (0..=u8::MAX).filter(|byte| !byte.is_ascii_digit()) {
                let mut text = *b"99999999";
                text[place] = byte;
                assert_eq!(eight_digits(text), None, "{text:?}");
            }
        }
    }

    #[test]
    fn other_encodings() {
        for encoding in [Encoding::Hex, Encoding::Crockford, Encoding::Base62] {
            let ids = [0, 1, u64::MAX];
            let block: String =
                ids.iter().map(|id| encoding.text((*id).try_into().expect("any number")) + "\n").collect();
            assert_eq!(parsed(block.as_bytes(), encoding), Ok(ids.to_vec()));
        }
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for (line, error) in [
            ("", "``: empty text: expected 1 to 20 decimal digits"),
            ("007", "`007`: '0' at byte 0: expected no leading zeros"),
            ("00", "`00`: '0' at byte 0: expected no leading zeros"),
            ("+5", "`+5`: '+' at byte 0: expected a decimal digit"),
            ("5 ", "`5 `: ' ' at byte 1: expected a decimal digit"),
            ("\"5", "`\"5`: '\"' at byte 0: expected a decimal digit"),
            ("-5", "`-5`: a negative number: expected 0 to 18446744073709551615"),
            ("18446744073709551616", "`18446744073709551616`: number too large: expected at most 18446744073709551615"),
            (
                "99999999999999999999999999",
                "`99999999999999999999999999`: number too large: expected at most 18446744073709551615",
            ),
        ] {
            for end in ["\n", "\n1\n"] {
                let block = format!("1\n{line}{end}");
                assert_eq!(parsed(block.as_bytes(), Encoding::Dec), Err(NotAnId(error.to_owned())));
            }
        }
        let bytes = parsed(b"12\xff3\n", Encoding::Dec);
        assert_eq!(bytes, Err(NotAnId("`12\\xff3`: byte 0xff at byte 2: expected an id".to_owned())));
        let nul = parsed(b"12\0\n", Encoding::Dec);
        assert_eq!(nul, Err(NotAnId("`12\\0`: '\\0' at byte 2: expected a decimal digit".to_owned())));
    }
}
