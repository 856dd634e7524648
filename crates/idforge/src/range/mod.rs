//! `idforge range`: the lowest and the highest id of a range of time, for a `WHERE` clause.

mod snowflake;
mod span;
mod wide;

use std::fmt::Display;

use clap::{Args, Subcommand};
use idcore::UnixMillis;
use serde::Serialize;

use self::span::Span;
use crate::calendar;
use crate::failure::Failure;
use crate::output::{BOLD, Messages, Output, Page, styled};

const EXAMPLES: &str = "\
Examples:
  idforge range snowflake --from 2026-01-01 --to 2026-02-01
  idforge range snowflake --from 2026-01-01T12:00:00Z --for 1h --layout discord
  idforge range uuidv7 --from 2026-01-01 --for 1d
  idforge range ulid --from 1767225600000 --for 250ms --json

The range is half-open: the time --from is in it, the time --to is not. Both ids are in the range, as BETWEEN takes them.

Exit status: 0; 1 when no id has such a time; 2 for wrong usage.";

/// Print the lowest and the highest id of a range of time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Range {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    Snowflake(Box<snowflake::SnowflakeRange>),
    /// UUIDs of version 7
    Uuidv7(wide::WideRange),
    /// ULIDs
    Ulid(wide::WideRange),
}

impl Range {
    pub(crate) fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        match self.format {
            Format::Snowflake(range) => range.run(output, messages),
            Format::Uuidv7(range) => range.run_uuidv7(output),
            Format::Ulid(range) => range.run_ulid(output),
        }
    }
}

/// The two ids, as text.
struct Ends {
    lowest: String,
    highest: String,
}

impl Ends {
    fn new(lowest: &impl Display, highest: &impl Display) -> Self {
        Self { lowest: lowest.to_string(), highest: highest.to_string() }
    }
}

/// What was asked and what was found.
struct Found<'a> {
    format: &'static str,
    /// Of a snowflake.
    layout: Option<&'a str>,
    from: UnixMillis,
    to: UnixMillis,
    ends: Option<Ends>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    format: &'static str,
    layout: Option<&'a str>,
    from: Option<String>,
    to: Option<String>,
    from_unix_ms: i64,
    to_unix_ms: i64,
    lowest: Option<&'a str>,
    highest: Option<&'a str>,
}

impl Found<'_> {
    fn json(&self, output: &mut Output) -> Result<(), Failure> {
        output.json(&Report {
            format: self.format,
            layout: self.layout,
            from: calendar::rfc3339(self.from),
            to: calendar::rfc3339(self.to),
            from_unix_ms: self.from.get(),
            to_unix_ms: self.to.get(),
            lowest: self.ends.as_ref().map(|ends| ends.lowest.as_str()),
            highest: self.ends.as_ref().map(|ends| ends.highest.as_str()),
        })
    }

    /// For people: nothing if there are no such ids. `quote` stands around an id in SQL.
    fn text(&self, quote: &str) -> String {
        let Some(Ends { lowest, highest }) = &self.ends else { return String::new() };
        let mut page = Page::default();
        let name = self.layout.unwrap_or(self.format);
        let name_width = name.chars().count();
        let sql = format!("WHERE id BETWEEN {quote}{lowest}{quote} AND {quote}{highest}{quote}");
        page.line(&format!("{}  from {}", styled(BOLD, name), calendar::utc_short(self.from)));
        page.line(&format!("{:name_width$}  to   {}, not included", "", calendar::utc_short(self.to)));
        page.line("");
        page.line(&format!("lowest   {lowest}"));
        page.line(&format!("highest  {highest}"));
        page.line(&format!("sql      {}", styled(BOLD, &sql)));
        page.into_text()
    }

    /// Writes what was found; what was not, is a finding.
    fn write(
        &self,
        json: bool,
        text: &str,
        why_empty: impl FnOnce() -> String,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if json {
            self.json(output)?;
        } else {
            output.text(text)?;
        }
        output.flush()?;
        if self.ends.is_some() {
            return Ok(());
        }
        let (from, to) = (show(self.from), show(self.to));
        Err(Failure::Finding(format!(
            "no id of {} from {from} to {to}: {}",
            self.layout.unwrap_or(self.format),
            why_empty()
        )))
    }
}

/// The time as RFC 3339, or in milliseconds where the calendar ends.
fn show(time: UnixMillis) -> String {
    calendar::rfc3339(time).unwrap_or_else(|| format!("{time} ms"))
}
