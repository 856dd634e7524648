//! `idforge range`: the lowest and the highest id of a range of time, for a `WHERE` clause.

use std::time::Duration;

use clap::{Args, Subcommand};
use idcore::{IdRange, RangeError, UnixMillis};
use serde::Serialize;

use crate::calendar;
use crate::failure::Failure;
use crate::layouts::NamedLayout;
use crate::node::Node;
use crate::output::{BOLD, Messages, Output, Page, styled};

const EXAMPLES: &str = "\
Examples:
  idforge range snowflake --from 2026-01-01 --to 2026-02-01
  idforge range snowflake --from 2026-01-01T12:00:00Z --for 1h --layout discord
  idforge range snowflake --from 1767225600000 --for 250ms --json

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
    Snowflake(SnowflakeRange),
}

/// Ids of 64 bits that begin with their time
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct SnowflakeRange {
    /// The first time in the range: RFC 3339, a date (midnight UTC), or milliseconds since 1970
    #[arg(long, value_name = "TIME", value_parser = calendar::parse_time, allow_negative_numbers = true)]
    from: UnixMillis,
    /// The first time after the range
    #[arg(long, value_name = "TIME", value_parser = calendar::parse_time, allow_negative_numbers = true)]
    #[arg(required_unless_present = "length")]
    to: Option<UnixMillis>,
    /// The length of the range, instead of its end: 250ms, 1h, 7d
    #[arg(long = "for", id = "length", value_name = "LENGTH", value_parser = calendar::parse_duration)]
    #[arg(conflicts_with = "to")]
    length: Option<Duration>,
    /// A preset or `epoch=TIME,tick=1ms,NAME:BITS,…`
    #[arg(long, value_name = "LAYOUT", default_value = "standard")]
    layout: NamedLayout,
    /// The worker, for layouts with a node field above the time: 17 or region=3,worker=17
    #[arg(long, value_name = "NODE")]
    node: Option<Node>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    format: &'static str,
    layout: &'a str,
    from: Option<String>,
    to: Option<String>,
    from_unix_ms: i64,
    to_unix_ms: i64,
    lowest: Option<String>,
    highest: Option<String>,
}

impl Range {
    pub(crate) fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        match self.format {
            Format::Snowflake(range) => range.run(output, messages),
        }
    }
}

impl SnowflakeRange {
    fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        let to = self.end()?;
        let ids = self.ids(to, messages)?;
        if self.json {
            output.json(&self.report(to, ids))?;
        } else if let Some(ids) = ids {
            output.text(&self.text(to, ids))?;
        }
        output.flush()?;
        if ids.is_none() { Err(Failure::Finding(self.why_empty(to))) } else { Ok(()) }
    }

    fn end(&self) -> Result<UnixMillis, Failure> {
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

    fn ids(&self, to: UnixMillis, messages: Messages) -> Result<Option<IdRange>, Failure> {
        let layout = &self.layout.layout;
        let found = match &self.node {
            None => layout.range(self.from, to),
            Some(node) => {
                let node = node.number(layout).map_err(Failure::Trouble)?;
                let narrowed = layout.range_of_node(node, self.from, to);
                if narrowed.is_ok() && narrowed == layout.range(self.from, to) {
                    messages.note("--node does not narrow the range: the node's bits are below the time");
                }
                narrowed
            }
        };
        found.map_err(|error| {
            Failure::Trouble(match error {
                RangeError::Reversed { from, to } => {
                    format!("--to {}: expected a time that is not before --from {}", show(to), show(from))
                }
                RangeError::NodeNeeded => format!("no --node: {} has a node field above the time", self.layout.name),
                error => error.to_string(),
            })
        })
    }

    fn report(&self, to: UnixMillis, ids: Option<IdRange>) -> Report<'_> {
        Report {
            format: "snowflake",
            layout: &self.layout.name,
            from: calendar::rfc3339(self.from),
            to: calendar::rfc3339(to),
            from_unix_ms: self.from.get(),
            to_unix_ms: to.get(),
            lowest: ids.map(|ids| ids.lowest.to_string()),
            highest: ids.map(|ids| ids.highest.to_string()),
        }
    }

    fn text(&self, to: UnixMillis, ids: IdRange) -> String {
        let IdRange { lowest, highest } = ids;
        let mut page = Page::default();
        let name_width = self.layout.name.chars().count();
        page.line(&format!("{}  from {}", styled(BOLD, &self.layout.name), calendar::utc_short(self.from)));
        page.line(&format!("{:name_width$}  to   {}, not included", "", calendar::utc_short(to)));
        page.line("");
        page.line(&format!("lowest   {lowest}"));
        page.line(&format!("highest  {highest}"));
        page.line(&format!("sql      {}", styled(BOLD, &format!("WHERE id BETWEEN {lowest} AND {highest}"))));
        if i64::try_from(highest).is_err() {
            page.line("         a signed BIGINT column holds ids above 9223372036854775807 as negative numbers");
        }
        page.into_text()
    }

    fn why_empty(&self, to: UnixMillis) -> String {
        let lifetime = self.layout.layout.lifetime();
        format!(
            "no id of {} from {} to {}: its ids begin at {} and end at {}, one tick every {} ms",
            self.layout.name,
            show(self.from),
            show(to),
            show(lifetime.first),
            show(lifetime.end),
            self.layout.layout.tick_ms()
        )
    }
}

fn show(time: UnixMillis) -> String {
    calendar::rfc3339(time).unwrap_or_else(|| format!("{time} ms"))
}
