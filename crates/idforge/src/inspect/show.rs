//! An id for people: its bits to scale, each field and what it means, its time, its other texts.

use idcore::{DynSnowflake, UnixMillis};

use super::candidates::{Candidates, RANKING};
use crate::calendar;
use crate::decode::Decode;
use crate::encoding::Encoding;
use crate::legend::{legend, name_width};
use crate::output::{BOLD, DIM, Page, WARN, styled};
use crate::picture::{MARGIN, picture};

/// One reading in full.
pub(crate) fn reading(decode: &Decode, now: UnixMillis) -> String {
    let mut page = Page::default();
    page.line(&format!("{}  {}", styled(BOLD, &decode.decoded.raw().to_string()), decode.named.name));
    body(&mut page, decode, now);
    page.into_text()
}

/// The likeliest reading in full, the others in a line each.
pub(crate) fn readings(id: DynSnowflake, found: &Candidates, now: UnixMillis) -> String {
    let mut page = Page::default();
    let id = styled(BOLD, &id.to_string());
    if let Some((best, others)) = found.plausible.split_first() {
        page.line(&match others.len() {
            0 => format!("{id}  {}", best.named.name),
            1 => format!("{id}  {}, or the other layout below", best.named.name),
            count => format!("{id}  {}, or one of {count} other layouts below", best.named.name),
        });
        body(&mut page, best, now);
        if !others.is_empty() {
            page.line("");
            page.line(&format!("{MARGIN}{}", styled(BOLD, "with --layout")));
            for decode in others {
                page.line(&row(decode));
            }
            note(&mut page, RANKING);
        }
    } else if found.implausible.is_empty() {
        page.line(&format!("{id}  has too many bits for every preset"));
    } else {
        page.line(&format!("{id}  has a likely time in no preset"));
    }
    if !found.implausible.is_empty() {
        let names =
            found.implausible.iter().map(|decode| format!("{} ({})", decode.named.name, calendar::date(decode.time())));
        note(&mut page, &format!("left out, since later than tomorrow: {}", names.collect::<Vec<_>>().join(", ")));
    }
    page.into_text()
}

fn body(page: &mut Page, decode: &Decode, now: UnixMillis) {
    let (layout, raw) = (&decode.named.layout, decode.decoded.raw());
    let name_width = name_width(layout, "crockford".len());
    page.line("");
    picture(page, layout, Some(raw));
    page.line("");
    legend(page, layout, Some(raw), name_width);
    page.line("");
    for (label, value) in facts(decode, now) {
        page.line(&format!("{MARGIN}{label:name_width$}  {value}"));
    }
}

fn facts(decode: &Decode, now: UnixMillis) -> Vec<(&'static str, String)> {
    let time = decode.time();
    let mut facts = vec![("made", styled(BOLD, &calendar::utc(time)))];
    if let Some(local) = calendar::local(time) {
        facts.push(("local", local));
    }
    if let Some(age) = calendar::age(time, now) {
        let is_future = time > now;
        facts.push(("age", if is_future { styled(WARN, &format!("{age}: not made yet")) } else { age }));
    }
    let id = DynSnowflake::new(decode.decoded.raw()).expect("any number is an id of some layout");
    facts.push(("hex", Encoding::Hex.text(id)));
    facts.push(("crockford", Encoding::Crockford.text(id)));
    facts.push(("base62", Encoding::Base62.text(id)));
    facts
}

/// A reading in one line: layout, time, and every field but the timestamp.
fn row(decode: &Decode) -> String {
    let fields = decode.decoded.fields().filter(|(name, _)| *name != "timestamp");
    let fields: Vec<_> = fields.map(|(name, value)| format!("{name} {value}")).collect();
    let time = calendar::utc(decode.time());
    let time = time.strip_suffix(" UTC").unwrap_or(&time);
    format!("{MARGIN}{:10}  {time:23}  {}", decode.named.name, styled(DIM, &fields.join("  ")))
}

/// Dim text, broken into lines of at most 78 characters.
pub(super) fn note(page: &mut Page, text: &str) {
    const WIDTH: usize = 78 - MARGIN.len();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            page.line(&format!("{MARGIN}{}", styled(DIM, &line)));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    page.line(&format!("{MARGIN}{}", styled(DIM, &line)));
}
