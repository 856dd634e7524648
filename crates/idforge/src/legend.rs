//! The table beneath the picture of an id: each field's name, width, value and meaning.

use idcore::{FieldKind, Layout, PlacedField};

use crate::calendar;
use crate::output::{DIM, Page, styled};
use crate::picture::{MARGIN, field_style};
use crate::quote::grouped;

/// What fits on a line of a narrow terminal.
const COLUMNS: usize = 80;

/// The width of the first column: the longest name, or more if what follows needs it.
pub(crate) fn name_width(layout: &Layout, at_least: usize) -> usize {
    layout.fields().iter().map(|field| field.name().len()).max().unwrap_or(0).max(at_least)
}

/// A line for each field; without an id there are no values.
pub(crate) fn legend(page: &mut Page, layout: &Layout, raw: Option<u64>, name_width: usize) {
    let value = |field: &PlacedField| raw.map(|raw| field.of(raw).to_string());
    let value_width = layout.fields().iter().filter_map(value).map(|value| value.len()).max().unwrap_or(0);
    for (index, field) in layout.fields().iter().enumerate() {
        let name = format!("{:name_width$}", field.name());
        let bits = format!("{} {}", field.bits(), if field.bits() == 1 { "bit " } else { "bits" });
        let value = value(field).map_or_else(String::new, |value| format!("  {value:>value_width$}"));
        let room = COLUMNS.saturating_sub(MARGIN.len() + name.len() + 2 + 7 + value.len() + 2);
        let meaning = match field.kind() {
            FieldKind::Timestamp => ticks_since_epoch(layout, room),
            FieldKind::Node | FieldKind::Sequence => {
                format!("{}0 to {}", if raw.is_some() { "of " } else { "" }, grouped(field.max()))
            }
        };
        let name = styled(field_style(index), &name);
        page.line(&format!("{MARGIN}{name}  {bits:>7}{value}  {}", styled(DIM, &meaning)));
    }
}

/// What a timestamp counts, and from when; in fewer words where there is less room.
fn ticks_since_epoch(layout: &Layout, room: usize) -> String {
    let (ticks, epoch) = (ticks(layout.tick_ms()), layout.epoch());
    let in_full = format!("{ticks} since {}", calendar::utc_short(epoch));
    if in_full.len() <= room {
        return in_full;
    }
    let to_the_day = format!("{ticks} since {}", calendar::date(epoch));
    if to_the_day.len() <= room { to_the_day } else { ticks }
}

/// The length of a tick: `ms`, `10 ms`, `s`, `2 s`.
pub(crate) fn tick_length(tick_ms: u32) -> String {
    match tick_ms {
        1 => "ms".to_owned(),
        1_000 => "s".to_owned(),
        _ if tick_ms % 1_000 == 0 => format!("{} s", grouped(tick_ms / 1_000)),
        _ => format!("{} ms", grouped(tick_ms)),
    }
}

/// What a timestamp counts.
fn ticks(tick_ms: u32) -> String {
    let length = tick_length(tick_ms);
    if matches!(tick_ms, 1 | 1_000) { length } else { format!("ticks of {length}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_epoch_is_as_exact_as_there_is_room_for() {
        let layout = "epoch=2016-09-20T01:02:03Z,tick=10ms,timestamp:29".parse().expect("a layout");
        let texts = [80, 44, 43, 33, 32, 0].map(|room| ticks_since_epoch(&layout, room));
        let (in_full, to_the_day) = ("ticks of 10 ms since 2016-09-20 01:02:03 UTC", "ticks of 10 ms since 2016-09-20");
        assert_eq!(texts, [in_full, in_full, to_the_day, to_the_day, to_the_day, "ticks of 10 ms"]);
    }

    #[test]
    fn ticks_have_the_largest_whole_unit() {
        assert_eq!(
            [1, 10, 1_000, 2_000, 1_500, 3_600_000].map(tick_length),
            ["ms", "10 ms", "s", "2 s", "1,500 ms", "3,600 s"]
        );
        assert_eq!([1, 10, 1_000].map(ticks), ["ms", "ticks of 10 ms", "s"]);
    }
}
