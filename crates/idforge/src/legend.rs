//! The table beneath the picture of an id: each field's name, width, value and meaning.

use idcore::{FieldKind, Layout};

use crate::calendar;
use crate::output::{DIM, Page, styled};
use crate::picture::{MARGIN, field_style};
use crate::quote::grouped;

/// The width of the first column: the longest name, or more if what follows needs it.
pub(crate) fn name_width(layout: &Layout, at_least: usize) -> usize {
    layout.fields().iter().map(|field| field.name().len()).max().unwrap_or(0).max(at_least)
}

/// A line for each field; without an id there are no values.
pub(crate) fn legend(page: &mut Page, layout: &Layout, raw: Option<u64>, name_width: usize) {
    let value = |field: &idcore::PlacedField| raw.map(|raw| field.of(raw).to_string());
    let value_width = layout.fields().iter().filter_map(value).map(|value| value.len()).max().unwrap_or(0);
    for (index, field) in layout.fields().iter().enumerate() {
        let name = styled(field_style(index), &format!("{:name_width$}", field.name()));
        let bits = format!("{} {}", field.bits(), if field.bits() == 1 { "bit " } else { "bits" });
        let value = value(field).map_or_else(String::new, |value| format!("  {value:>value_width$}"));
        let meaning = match field.kind() {
            FieldKind::Timestamp => {
                format!("{} since {}", ticks(layout.tick_ms()), calendar::utc_short(layout.epoch()))
            }
            FieldKind::Node | FieldKind::Sequence => {
                format!("{}0 to {}", if raw.is_some() { "of " } else { "" }, grouped(field.max()))
            }
        };
        page.line(&format!("{MARGIN}{name}  {bits:>7}{value}  {}", styled(DIM, &meaning)));
    }
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
    fn ticks_have_the_largest_whole_unit() {
        assert_eq!(
            [1, 10, 1_000, 2_000, 1_500, 3_600_000].map(tick_length),
            ["ms", "10 ms", "s", "2 s", "1,500 ms", "3,600 s"]
        );
        assert_eq!([1, 10, 1_000].map(ticks), ["ms", "ticks of 10 ms", "s"]);
    }
}
