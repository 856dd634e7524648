//! Layouts as text, read the slow way, but for epochs that are dates.

use crate::plan::{Part, Plan, PlanField};

/// What must come of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecVerdict {
    /// It is this layout.
    Layout(Plan),
    /// It is none.
    Refused,
    /// It has an epoch that is not a number, or it is a name: the oracle does not know dates and presets.
    NotKnown,
}

/// Reads `epoch=MILLIS,tick=LENGTH,NAME:BITS,…`.
pub fn read_spec(text: &str) -> SpecVerdict {
    if !text.chars().any(|c| "=:,".contains(c)) {
        return SpecVerdict::NotKnown;
    }
    let items: Vec<&str> = text.split(',').collect();
    let epochs: Vec<&str> = items.iter().filter_map(|item| item.strip_prefix("epoch=")).collect();
    let ticks: Vec<&str> = items.iter().filter_map(|item| item.strip_prefix("tick=")).collect();
    let is_field = |item: &&&str| !item.starts_with("epoch=") && !item.starts_with("tick=");
    let fields: Option<Vec<PlanField>> = items.iter().filter(is_field).map(|item| read_field(item)).collect();
    let tick_ms = match ticks[..] {
        [] => Some(1),
        [one] => read_tick(one),
        _ => None,
    };
    let (Some(fields), Some(tick_ms), [epoch]) = (fields, tick_ms, &epochs[..]) else {
        return SpecVerdict::Refused;
    };
    if !is_sound(tick_ms, &fields) {
        return SpecVerdict::Refused;
    }
    let Ok(epoch_ms) = epoch.parse::<i64>() else { return SpecVerdict::NotKnown };
    if epoch.starts_with('+') {
        return SpecVerdict::NotKnown;
    }
    let timestamp_bits = fields.iter().find(|field| field.part == Part::Timestamp).map_or(0, |field| field.bits);
    let length_ms = (0..timestamp_bits).fold(i128::from(tick_ms), |length, _| length * 2);
    if i128::from(epoch_ms) + length_ms > i128::from(i64::MAX) {
        return SpecVerdict::Refused;
    }
    SpecVerdict::Layout(Plan { epoch_ms, tick_ms: u32::try_from(tick_ms).expect("up to an hour"), fields })
}

fn read_number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.chars().all(|c| "0123456789".contains(c)) {
        return None;
    }
    text.parse().ok()
}

fn read_tick(text: &str) -> Option<u64> {
    match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(millis), _) => read_number(millis),
        (None, Some(seconds)) => read_number(seconds)?.checked_mul(1_000),
        (None, None) => None,
    }
}

fn read_field(item: &str) -> Option<PlanField> {
    let colon = item.find(':')?;
    let (name, bits) = (&item[..colon], u32::try_from(read_number(&item[colon + 1..])?).ok()?);
    let part = match name {
        "timestamp" => Part::Timestamp,
        "sequence" => Part::Sequence,
        _ => Part::Node,
    };
    Some(PlanField { name: name.to_owned(), part, bits })
}

fn is_sound(tick_ms: u64, fields: &[PlanField]) -> bool {
    let place = |part| fields.iter().position(|field| field.part == part);
    let name_is_sound = |name: &str| {
        (1..=15).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
    };
    let names_differ = fields.iter().enumerate().all(|(i, a)| fields[..i].iter().all(|b| a.name != b.name));
    let widths_are_sound = fields.iter().all(|field| (1..=64).contains(&field.bits));
    let sequence_bits = place(Part::Sequence).map_or(0, |at| fields[at].bits);
    (1..=3_600_000).contains(&tick_ms)
        && (1..=8).contains(&fields.len())
        && widths_are_sound
        && fields.iter().map(|field| field.bits).sum::<u32>() <= 64
        && fields.iter().all(|field| name_is_sound(&field.name))
        && names_differ
        && place(Part::Timestamp).is_some()
        && place(Part::Sequence).is_none_or(|sequence| Some(sequence) > place(Part::Timestamp))
        && sequence_bits <= 62
}
