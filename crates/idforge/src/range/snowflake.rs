//! `idforge range snowflake`.

use clap::Args;
use idcore::{IdRange, RangeError, UnixMillis};

use super::{Ends, Found, Span, show, span};
use crate::failure::Failure;
use crate::layouts::NamedLayout;
use crate::node::Node;
use crate::output::{Messages, Output};

/// Ids of 64 bits that begin with their time
#[derive(Debug, Args)]
#[command(after_help = super::EXAMPLES)]
pub(super) struct SnowflakeRange {
    #[command(flatten)]
    span: Span,
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

impl SnowflakeRange {
    pub(super) fn run(&self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        let (from, to) = (self.span.from, self.span.end()?);
        let ids = self.ids(to, messages)?;
        let ends = ids.map(|IdRange { lowest, highest }| Ends::new(&lowest, &highest));
        let found = Found { format: "snowflake", layout: Some(&self.layout.name), from, to, ends };
        let mut text = found.text("");
        if ids.is_some_and(|ids| i64::try_from(ids.highest).is_err()) {
            text += "         a signed BIGINT column holds ids above 9223372036854775807 as negative numbers\n";
        }
        found.write(self.json, &text, || self.why_empty(), output)
    }

    fn ids(&self, to: UnixMillis, messages: Messages) -> Result<Option<IdRange>, Failure> {
        let layout = &self.layout.layout;
        let found = match &self.node {
            None => layout.range(self.span.from, to),
            Some(node) => {
                let node = node.number(layout).map_err(Failure::Trouble)?;
                let narrowed = layout.range_of_node(node, self.span.from, to);
                if narrowed.is_ok() && narrowed == layout.range(self.span.from, to) {
                    messages.note("--node does not narrow the range: the node's bits are below the time");
                }
                narrowed
            }
        };
        found.map_err(|error| match error {
            RangeError::NodeNeeded => {
                Failure::Trouble(format!("no --node: {} has a node field above the time", self.layout.name))
            }
            error => span::wrong(&error),
        })
    }

    fn why_empty(&self) -> String {
        let lifetime = self.layout.layout.lifetime();
        format!(
            "its ids begin at {} and end at {}, one tick every {} ms",
            show(lifetime.first),
            show(lifetime.end),
            self.layout.layout.tick_ms()
        )
    }
}
