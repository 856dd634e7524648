//! An id of 128 bits for people: its bits to scale, each part and what it means, its time, its other texts.

use idcore::UnixMillis;
use idformats::{UlidExt as _, UuidExt as _, UuidFields};

use super::show::note;
use crate::calendar;
use crate::output::{BOLD, DIM, Page, WARN, styled};
use crate::picture::{MARGIN, draw, field_style};
use crate::quote::grouped;
use crate::wide::{Part, WideId, parts};

/// The likeliest reading in full, the others in a line each.
pub(crate) fn readings(ids: &[WideId], now: UnixMillis) -> String {
    let mut page = Page::default();
    let (best, others) = ids.split_first().expect("there is always a reading");
    let or = if others.is_empty() { "" } else { ", or what is below" };
    page.line(&format!("{}  {}{or}", styled(BOLD, &best.text()), title(*best)));
    body(&mut page, *best, now);
    if !others.is_empty() {
        page.line("");
        page.line(&format!("{MARGIN}{}", styled(BOLD, "the same bits with --format")));
        for id in others {
            let choice = if matches!(id, WideId::Uuid(_)) { "uuid" } else { "ulid" };
            let time = id.time().map_or_else(String::new, |time| format!(", {}", calendar::utc(time)));
            page.line(&format!("{MARGIN}{choice:10}  {}", id.text()));
            page.line(&format!("{MARGIN}{:10}  {}", "", styled(DIM, &format!("{}{time}", title(*id)))));
        }
    }
    page.into_text()
}

fn title(id: WideId) -> String {
    let WideId::Uuid(id) = id else { return "ULID".to_owned() };
    match id.fields() {
        UuidFields::Nil => "nil UUID".to_owned(),
        UuidFields::Max => "max UUID".to_owned(),
        UuidFields::OtherVariant(_) => "UUID of another variant".to_owned(),
        fields => format!("UUID version {}", fields.version().expect("the RFC's variant has one")),
    }
}

/// What such ids are, and where that is written.
fn about(id: WideId) -> &'static str {
    let WideId::Uuid(id) = id else {
        return "Unix milliseconds and 80 random bits, which may have grown by one within a millisecond: ULID specification.";
    };
    match id.fields() {
        UuidFields::Nil => "No id: stands for none. RFC 9562 section 5.9.",
        UuidFields::Max => "No id: stands for one above all others. RFC 9562 section 5.10.",
        UuidFields::V1(_) => {
            "Gregorian time, its lowest bits first, so that ids do not sort by it; and the node that made it. RFC 9562 \
             section 5.1."
        }
        UuidFields::V2(_) => {
            "DCE Security: a version 1 with the number of a user or a group in place of the lowest bits of its time. RFC \
             9562 section 5.2."
        }
        UuidFields::V3(_) => {
            "The MD5 hash of a namespace and a name: the same name gives the same id. It tells no time. RFC 9562 section 5.3."
        }
        UuidFields::V4(_) => "122 random bits: they tell nothing. RFC 9562 section 5.4.",
        UuidFields::V5(_) => {
            "The SHA-1 hash of a namespace and a name: the same name gives the same id. It tells no time. RFC 9562 section \
             5.5."
        }
        UuidFields::V6(_) => {
            "A version 1 whose time has its highest bits first, so that ids sort by it. RFC 9562 section 5.6."
        }
        UuidFields::V7(_) => {
            "Unix milliseconds and 74 bits of which the id does not say how many are random, a counter or a part of a \
             millisecond. RFC 9562 section 5.7."
        }
        UuidFields::V8(_) => {
            "What its 122 bits mean only its maker knows; it may tell a time, but not which way. RFC 9562 section 5.8."
        }
        UuidFields::OtherVersion(_) => "RFC 9562 section 4.2 reserves this version for later: no known maker sets it.",
        _ => "Not of RFC 9562 (section 4.1): no UUID that a program of today makes, or other bits altogether.",
    }
}

fn body(page: &mut Page, id: WideId, now: UnixMillis) {
    let parts = parts(id);
    let name_width = parts.iter().map(|part| part.name.len()).max().unwrap_or(0).max("crockford".len());
    let fields: Vec<_> = parts.iter().map(|part| (Some(part.name), part.bits)).collect();
    page.line("");
    draw(page, &fields, Some(id.bits()));
    page.line("");
    legend(page, &parts, name_width);
    page.line("");
    note(page, about(id));
    page.line("");
    for (label, value) in facts(id, now) {
        page.line(&format!("{MARGIN}{label:name_width$}  {value}"));
    }
}

fn legend(page: &mut Page, parts: &[Part], name_width: usize) {
    let value_width = parts.iter().map(|part| part.value.len()).max().unwrap_or(0);
    for (index, Part { name, bits, value, meaning }) in parts.iter().enumerate() {
        let name = styled(field_style(index), &format!("{name:name_width$}"));
        let meaning = if meaning.is_empty() { String::new() } else { format!("  {}", styled(DIM, meaning)) };
        page.line(&format!("{MARGIN}{name}  {bits:>3} bits  {value:>value_width$}{meaning}"));
    }
}

fn facts(id: WideId, now: UnixMillis) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(time) = id.exact_time() {
        let coarse = if is_coarse(id) { " or up to 7 min 10 s later" } else { "" };
        facts.push(("made", format!("{}{coarse}", styled(BOLD, &calendar::utc_exact(time)))));
        facts.extend(calendar::local(time.millis()).map(|local| ("local", local)));
        if let Some(age) = calendar::age(time.millis(), now) {
            let is_future = time.millis() > now;
            facts.push(("age", if is_future { styled(WARN, &format!("{age}: not made yet")) } else { age }));
        }
    }
    facts.extend(ticks(id).map(|ticks| ("timestamp", format!("{} × 100 ns since 1582-10-15", grouped(ticks)))));
    match id {
        WideId::Uuid(id) => facts.push(("crockford", id.to_ulid_of_same_bits().to_string())),
        WideId::Ulid(id) => facts.push(("uuid", format!("{} (the same bits)", id.to_uuid_of_same_bits()))),
    }
    facts.push(("hex", format!("{:032x}", id.bits())));
    facts.push(("decimal", id.bits().to_string()));
    facts
}

/// Whether the time's lowest bits are missing.
fn is_coarse(id: WideId) -> bool {
    matches!(id, WideId::Uuid(id) if matches!(id.fields(), UuidFields::V2(_)))
}

fn ticks(id: WideId) -> Option<u64> {
    let WideId::Uuid(id) = id else { return None };
    match id.fields() {
        UuidFields::V1(fields) | UuidFields::V6(fields) => Some(fields.ticks),
        UuidFields::V2(fields) => Some(fields.ticks),
        _ => None,
    }
}
