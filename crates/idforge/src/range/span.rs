//! The range of time that is asked for.

use std::time::Duration;

use clap::Args;
use idcore::{RangeError, UnixMillis};

use super::show;
use crate::calendar;
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(super) struct Span {
    /// The first time in the range: RFC 3339, a date (midnight UTC), or milliseconds since 1970
    #[arg(long, value_name = "TIME", value_parser = calendar::parse_time, allow_negative_numbers = true)]
    pub(super) from: UnixMillis,
    /// The first time after the range
    #[arg(long, value_name = "TIME", value_parser = calendar::parse_time, allow_negative_numbers = true)]
    #[arg(required_unless_present = "length")]
    to: Option<UnixMillis>,
    /// The length of the range, instead of its end: 250ms, 1h, 7d
    #[arg(long = "for", id = "length", value_name = "LENGTH", value_parser = calendar::parse_duration)]
    #[arg(conflicts_with = "to")]
    length: Option<Duration>,
}

impl Span {
    /// The first time after the range.
    pub(super) fn end(&self) -> Result<UnixMillis, Failure> {
        if let Some(to) = self.to {
            return Ok(to);
        }
        let length = self.length.expect("clap asks for --to or --for");
        // Rounded up, as the edges of the range are.
        let ms = length.as_nanos().div_ceil(1_000_000);
        let end = i128::from(self.from.get()) + i128::try_from(ms).unwrap_or(i128::MAX / 2);
        i64::try_from(end)
            .map(UnixMillis::new)
            .map_err(|_| Failure::Trouble(format!("--for {length:?}: expected an end within 2^63 ms of 1970")))
    }
}

/// What is wrong with a range, in terms of the command line.
pub(super) fn wrong(error: &RangeError) -> Failure {
    Failure::Trouble(match error {
        RangeError::Reversed { from, to } => {
            format!("--to {}: expected a time that is not before --from {}", show(*to), show(*from))
        }
        error => error.to_string(),
    })
}
