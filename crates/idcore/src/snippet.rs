//! A short copy of somebody's text, for errors that have no allocator.

use core::fmt::{self, Write};
use core::str;

/// The beginning of a text, shown in quotes and escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Snippet {
    bytes: [u8; Self::LEN_MAX],
    len: u8,
    cut: bool,
}

impl Snippet {
    const LEN_MAX: usize = 30;

    pub(crate) const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let mut len = if text.len() < Self::LEN_MAX { text.len() } else { Self::LEN_MAX };
        // Not in the middle of a character: its continuation bytes start with the bits 10.
        while len < text.len() && text[len] & 0xC0 == 0x80 {
            len -= 1;
        }
        let mut bytes = [0; Self::LEN_MAX];
        let mut at = 0;
        while at < len {
            bytes[at] = text[at];
            at += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most LEN_MAX")]
        Self { bytes, len: len as u8, cut: len < text.len() }
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("cut between characters");
        f.write_char('`')?;
        text.chars().try_for_each(|c| write!(f, "{}", c.escape_debug()))?;
        f.write_str(if self.cut { "…`" } else { "`" })
    }
}

impl fmt::Debug for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::ToString;

    use super::*;

    #[test]
    fn is_cut_between_characters_and_escaped() {
        assert_eq!(Snippet::new("a\n\"").to_string(), "`a\\n\\\"`");
        assert_eq!(Snippet::new(&"é".repeat(15)).to_string(), format!("`{}`", "é".repeat(15)));
        assert_eq!(Snippet::new(&format!("x{}", "é".repeat(15))).to_string(), format!("`x{}…`", "é".repeat(14)));
        assert_eq!(Snippet::new("").to_string(), "``");
    }
}
