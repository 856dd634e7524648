//! How ids stand in the output: one a line, or in one JSON document. Neither is held in memory as a whole.

/// What stands around ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Lines,
    /// `{"ids":["1","2"]}`: strings, since ids may pass 2^53.
    Json,
}

impl Frame {
    pub(crate) fn begin(self) -> &'static str {
        match self {
            Self::Lines => "",
            Self::Json => r#"{"ids":["#,
        }
    }

    /// Puts one id at the end of `text`. In JSON a comma stands before each: the first one is dropped by [`Self::first`].
    #[inline]
    pub(crate) fn append(self, text: &mut Vec<u8>, id: impl FnOnce(&mut Vec<u8>)) {
        match self {
            Self::Lines => {
                id(text);
                text.push(b'\n');
            }
            Self::Json => {
                text.extend_from_slice(b",\"");
                id(text);
                text.push(b'"');
            }
        }
    }

    /// The text of the first ids of the document.
    pub(crate) fn first(self, text: &[u8]) -> &[u8] {
        match self {
            Self::Lines => text,
            Self::Json => text.strip_prefix(b",").unwrap_or(text),
        }
    }

    /// The end of the document; in JSON with the reason if there are fewer ids than were asked for.
    pub(crate) fn end(self, error: Option<&str>) -> String {
        match (self, error) {
            (Self::Lines, _) => String::new(),
            (Self::Json, None) => "]}\n".to_owned(),
            (Self::Json, Some(error)) => format!("],\"error\":{}}}\n", serde_json::Value::from(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(frame: Frame, ids: &[&str], error: Option<&str>) -> String {
        let mut text = Vec::new();
        for id in ids {
            frame.append(&mut text, |text| text.extend_from_slice(id.as_bytes()));
        }
        let ids = String::from_utf8(frame.first(&text).to_vec()).expect("ids are ASCII");
        format!("{}{ids}{}", frame.begin(), frame.end(error))
    }

    #[test]
    fn documents_are_whole() {
        assert_eq!(document(Frame::Lines, &[], None), "");
        assert_eq!(document(Frame::Lines, &["1", "2"], Some("ignored")), "1\n2\n");
        assert_eq!(document(Frame::Json, &[], None), "{\"ids\":[]}\n");
        assert_eq!(document(Frame::Json, &["1"], None), "{\"ids\":[\"1\"]}\n");
        assert_eq!(
            document(Frame::Json, &["1", "2"], Some("a \"b\"")),
            "{\"ids\":[\"1\",\"2\"],\"error\":\"a \\\"b\\\"\"}\n"
        );
    }
}
