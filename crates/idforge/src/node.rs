//! The worker number that a person gives: as a whole, or by the layout's node fields.

use std::str::FromStr;

use idcore::Layout;

use crate::quote::quote;

/// A worker number in the making: which one it is depends on the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Whole(u64),
    Parts(Vec<(String, u64)>),
}

impl FromStr for Node {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !text.contains('=') {
            return number(text).map(Self::Whole).ok_or_else(|| {
                format!(
                    "{}: expected a worker number such as 17, or its parts such as datacenter=3,worker=17",
                    quote(text)
                )
            });
        }
        let mut position = 0;
        let mut parts = Vec::new();
        for item in text.split(',') {
            let part = item.split_once('=').and_then(|(name, value)| Some((name.to_owned(), number(value)?)));
            parts.push(
                part.ok_or_else(|| format!("{} at byte {position}: expected a part such as worker=17", quote(item)))?,
            );
            position += item.len() + 1;
        }
        Ok(Self::Parts(parts))
    }
}

impl Node {
    /// The worker number; an error when the layout has other fields or smaller ones.
    pub(crate) fn number(&self, layout: &Layout) -> Result<u64, String> {
        let number = match self {
            Self::Whole(number) => *number,
            Self::Parts(parts) => {
                let parts: Vec<_> = parts.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                layout.node_of(&parts).map_err(|error| format!("--node: {error}"))?
            }
        };
        // Asked for the error of a number that is too large.
        layout.node_parts(number).map(|_| number).map_err(|error| format!("--node: {error}"))
    }
}

/// Digits alone: no sign, no spaces.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use idcore::{StaticLayout, Twitter};

    use super::*;

    fn twitter(text: &str) -> Result<u64, String> {
        text.parse::<Node>()?.number(&Twitter::LAYOUT)
    }

    #[test]
    fn a_worker_number_is_whole_or_in_parts() {
        assert_eq!(twitter("0"), Ok(0));
        assert_eq!(twitter("1023"), Ok(1_023));
        assert_eq!(twitter("datacenter=3,worker=17"), Ok(3 * 32 + 17));
        assert_eq!(twitter("worker=17,datacenter=3"), Ok(3 * 32 + 17));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, error) in [
            ("", "``: expected a worker number such as 17, or its parts such as datacenter=3,worker=17"),
            ("-1", "`-1`: expected a worker number such as 17, or its parts such as datacenter=3,worker=17"),
            ("1024", "--node: node 1024: expected 0 to 1023 in this layout"),
            ("datacenter=3,worker", "`worker` at byte 13: expected a part such as worker=17"),
            ("datacenter=3,worker=+1", "`worker=+1` at byte 13: expected a part such as worker=17"),
            ("datacenter=3,worker=32", "--node: worker 32: expected 0 to 31 in this layout"),
            ("datacenter=3", "--node: no value for worker: expected one for each field"),
        ] {
            assert_eq!(twitter(text), Err(error.to_owned()), "{text}");
        }
    }
}
