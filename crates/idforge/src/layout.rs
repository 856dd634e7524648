//! `idforge layout`: what a layout gives, and when it ends.

use clap::Args;
use idcore::{Layout, UnixMillis, presets};
use serde::Serialize;

use crate::calendar;
use crate::failure::Failure;
use crate::layouts::NamedLayout;
use crate::legend::{legend, name_width, tick_length};
use crate::output::{BOLD, DIM, Output, Page, WARN, styled};
use crate::picture::{MARGIN, picture};
use crate::quote::grouped;

/// JavaScript's numbers, and those of JSON readers that follow it, are exact below this.
const JS_END: u64 = 1 << 53;
/// The first id that a signed 64-bit integer cannot hold.
const I64_END: u64 = 1 << 63;

const EXAMPLES: &str = "\
Examples:
  idforge layout
  idforge layout twitter
  idforge layout epoch=2026-01-01T00:00:00Z,timestamp:41,worker:10,sequence:12
  idforge layout epoch=0,tick=1s,timestamp:32,sequence:16

A layout is the name of a preset, or items between commas: epoch=TIME (RFC 3339, or milliseconds since 1970), \
tick=LENGTH (1 ms when left out), and fields as NAME:BITS, the most significant first: timestamp, sequence, and any \
other name for a part of the worker number.";

/// List the presets, or show what a layout gives: years, nodes, ids per second, ends
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowLayout {
    /// A preset or `epoch=TIME,tick=1ms,NAME:BITS,…`; without it, all presets
    #[arg(value_name = "LAYOUT")]
    layout: Option<NamedLayout>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ShowLayout {
    pub(crate) fn run(self, output: &mut Output) -> Result<(), Failure> {
        let presets: Vec<_> = presets::ALL.iter().map(NamedLayout::from).collect();
        match (&self.layout, self.json) {
            (Some(named), true) => output.json(&Properties::of(named))?,
            (Some(named), false) => output.text(&in_full(named, calendar::now()))?,
            (None, true) => {
                let layouts = presets.iter().map(Properties::of).collect();
                output.json(&AllProperties { layouts })?;
            }
            (None, false) => output.text(&table(&presets))?,
        }
        output.flush()
    }
}

#[derive(Serialize)]
struct AllProperties<'a> {
    layouts: Vec<Properties<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'a str>,
    spec: String,
    bits: u32,
    fields: Vec<FieldProperties<'a>>,
    epoch: Option<String>,
    epoch_unix_ms: i64,
    tick_ms: u32,
    end: Option<String>,
    end_unix_ms: i64,
    years: f64,
    nodes: u64,
    ids_per_tick: u64,
    ids_per_second: f64,
    passes2p53: Option<Passing>,
    passes_i64_max: Option<Passing>,
}

#[derive(Serialize)]
struct FieldProperties<'a> {
    name: &'a str,
    bits: u32,
    shift: u32,
    max: u64,
}

/// When ids pass a number.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Passing {
    at: Option<String>,
    unix_ms: i64,
    days_after_epoch: f64,
}

impl<'a> Properties<'a> {
    fn of(named: &'a NamedLayout) -> Self {
        let layout = &named.layout;
        let lifetime = layout.lifetime();
        let passing = |raw| {
            layout.passes(raw).map(|time| Passing {
                at: calendar::rfc3339(time),
                unix_ms: time.get(),
                days_after_epoch: calendar::days(time.saturating_since(lifetime.first)),
            })
        };
        let fields = layout.fields().iter().map(|field| FieldProperties {
            name: field.name(),
            bits: field.bits(),
            shift: field.shift(),
            max: field.max(),
        });
        Self {
            name: &named.name,
            about: named.about,
            spec: layout.to_string(),
            bits: layout.bits(),
            fields: fields.collect(),
            epoch: calendar::rfc3339(lifetime.first),
            epoch_unix_ms: lifetime.first.get(),
            tick_ms: layout.tick_ms(),
            end: calendar::rfc3339(lifetime.end),
            end_unix_ms: lifetime.end.get(),
            years: calendar::years(lifetime.end.saturating_since(lifetime.first)),
            nodes: layout.node_count(),
            ids_per_tick: layout.sequence_count(),
            ids_per_second: layout.ids_per_second(),
            passes2p53: passing(JS_END),
            passes_i64_max: passing(I64_END),
        }
    }
}

fn table(presets: &[NamedLayout]) -> String {
    let row = |[name, bits, epoch, end, nodes, ids]: [&str; 6]| {
        format!("{name:10}  {bits:12}  {epoch:10}  {end:10}  {nodes:>7}  {ids}")
    };
    let mut page = Page::default();
    page.line(&styled(BOLD, &row(["NAME", "BITS", "EPOCH", "END", "NODES", "IDS PER NODE"])));
    for named in presets {
        let layout = &named.layout;
        let lifetime = layout.lifetime();
        let bits: Vec<_> = layout.fields().iter().map(|field| field.bits().to_string()).collect();
        page.line(&row([
            &named.name,
            &bits.join("+"),
            &calendar::date(lifetime.first),
            &calendar::date(lifetime.end),
            &grouped(layout.node_count()),
            &ids_per_tick(layout),
        ]));
    }
    page.line(&styled(DIM, "`idforge layout NAME` shows one of them in full."));
    page.into_text()
}

fn in_full(named: &NamedLayout, now: UnixMillis) -> String {
    let layout = &named.layout;
    let mut page = Page::default();
    let about = named.about.map_or_else(String::new, |about| format!("  {about}"));
    page.line(&format!("{}{about}", styled(BOLD, &named.name)));
    page.line("");
    picture(&mut page, layout, None);
    page.line("");
    legend(&mut page, layout, None, name_width(layout, 0));
    page.line("");
    for (label, value) in facts(layout, now) {
        page.line(&format!("{MARGIN}{label:6}  {value}"));
    }
    page.line("");
    page.line(&format!("{MARGIN}{}", styled(DIM, &layout.to_string())));
    page.into_text()
}

fn facts(layout: &Layout, now: UnixMillis) -> Vec<(&'static str, String)> {
    let lifetime = layout.lifetime();
    let years = calendar::years(lifetime.end.saturating_since(lifetime.first));
    let end = format!("{}, {years:.1} years after the epoch", calendar::utc_short(lifetime.end));
    let end = if lifetime.end <= now { styled(WARN, &format!("{end}: over")) } else { end };
    let nodes = match layout.node_count() {
        1 => "one, no worker number".to_owned(),
        count => grouped(count),
    };
    let and_node = if layout.node_count() > 1 { " and node" } else { "" };
    let per_second = grouped_rounded(layout.ids_per_second());
    let mut facts = vec![
        ("epoch", calendar::utc_short(lifetime.first)),
        ("end", end),
        ("nodes", nodes),
        ("ids", format!("{}{and_node}, {per_second} per s", ids_per_tick(layout))),
    ];
    let passed = |time: UnixMillis| {
        let days = calendar::days(time.saturating_since(lifetime.first));
        format!("passed after {days:.1} days ({})", calendar::date(time))
    };
    facts.push(match layout.passes(JS_END) {
        Some(time) => ("limits", format!("2^53 {}: JSON needs strings", passed(time))),
        None => ("limits", "2^53 is never passed: ids are exact as JavaScript numbers".to_owned()),
    });
    facts.push(match layout.passes(I64_END) {
        Some(time) => ("", styled(WARN, &format!("i64::MAX {}: negative as i64", passed(time)))),
        None => ("", "i64::MAX is never passed".to_owned()),
    });
    facts
}

/// `4,096 per ms`, `256 per 10 ms`, `1 per 2 s`.
fn ids_per_tick(layout: &Layout) -> String {
    format!("{} per {}", grouped(layout.sequence_count()), tick_length(layout.tick_ms()))
}

/// Whole numbers from 10 on, tenths and hundredths below.
fn grouped_rounded(number: f64) -> String {
    if number >= 10.0 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 2^62 * 1000, and positive"
        )]
        let whole = number.round() as u128;
        return grouped(whole);
    }
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    fn shown(spec: &str) -> String {
        let named = spec.parse().expect("a layout");
        strip_str(&in_full(&named, UnixMillis::new(1_767_225_600_000))).to_string()
    }

    #[test]
    fn no_line_is_wider_than_80_columns() {
        let presets: Vec<_> = presets::ALL.iter().map(NamedLayout::from).collect();
        let texts = presets.iter().map(|named| shown(&named.name)).chain([strip_str(&table(&presets)).to_string()]);
        for line in texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn rates_below_one_are_not_zero() {
        assert_eq!(grouped_rounded(4_096_000.0), "4,096,000");
        assert_eq!(grouped_rounded(0.5), "0.5");
        assert_eq!(grouped_rounded(1.0), "1");
        assert_eq!(grouped_rounded(1.0 / 3_600.0), "0.0003");
    }

    #[test]
    fn a_layout_that_is_over_says_so() {
        let text = shown("epoch=0,tick=1s,timestamp:29,sequence:10");
        assert!(text.contains("1987-01-05 18:48:32 UTC, 17.0 years after the epoch: over"), "{text}");
    }
}
