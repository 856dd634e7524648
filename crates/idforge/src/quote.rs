//! Somebody's text in a message: the beginning of it, in quotes and escaped.

const CHARS_MAX: usize = 40;

/// `text` in backticks, cut after 40 characters; what is not UTF-8 or not printable is escaped.
pub(crate) fn quote(text: impl AsRef<[u8]>) -> String {
    let text = text.as_ref();
    let mut quoted = String::from("`");
    let mut shown = 0;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if shown == CHARS_MAX {
                return quoted + "…`";
            }
            // The quotes of a string literal stand for themselves here.
            if matches!(c, '"' | '\'') {
                quoted.push(c);
            } else {
                quoted.extend(c.escape_debug());
            }
            shown += 1;
        }
        for byte in chunk.invalid() {
            if shown == CHARS_MAX {
                return quoted + "…`";
            }
            quoted.extend(std::ascii::escape_default(*byte).map(char::from));
            shown += 1;
        }
    }
    quoted + "`"
}

/// `number` with its thousands apart: `4,096,000`.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let is_after_comma = |index: usize| index > 0 && (digits.len() - index) % 3 == 0;
    let with_commas = digits
        .chars()
        .enumerate()
        .flat_map(|(index, digit)| is_after_comma(index).then_some(',').into_iter().chain([digit]));
    with_commas.collect()
}

/// `1 id`, `2 ids`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_can_be_shown() {
        assert_eq!(quote("+5"), "`+5`");
        assert_eq!(quote("\"5\""), "`\"5\"`");
        assert_eq!(quote(b"a\0\n\xff"), "`a\\0\\n\\xff`");
        assert_eq!(quote("é".repeat(40)), format!("`{}`", "é".repeat(40)));
        assert_eq!(quote("é".repeat(41)), format!("`{}…`", "é".repeat(40)));
        assert_eq!(quote([0xff; 41]), format!("`{}…`", "\\xff".repeat(40)));
    }

    #[test]
    fn thousands_stand_apart() {
        let texts = [0u64, 12, 999, 1_000, 123_456, 4_096_000].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "123,456", "4,096,000"]);
        assert_eq!(counted(1, "id", "ids"), "1 id");
        assert_eq!(counted(2_000, "id", "ids"), "2,000 ids");
    }
}
