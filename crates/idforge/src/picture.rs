//! The 64 bits of an id drawn to scale: one cell for each bit, a bracket with its name for each field.

use anstyle::{AnsiColor, Style};
use idcore::{Layout, PlacedField};

use crate::output::{DIM, Page, styled};

/// What stands left of the cells.
pub(crate) const MARGIN: &str = "  ";
const CELLS: u32 = 64;

const COLORS: [AnsiColor; 6] =
    [AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Green, AnsiColor::Magenta, AnsiColor::Blue, AnsiColor::Red];

/// The colour of the field at `index`, the same in the picture and wherever the field is named.
pub(crate) fn field_style(index: usize) -> Style {
    COLORS[index % COLORS.len()].on_default()
}

/// Three rows: the number of each field's highest bit, the bits, the brackets. Without an id the bits are left out.
pub(crate) fn picture(page: &mut Page, layout: &Layout, raw: Option<u64>) {
    let unused = (CELLS - layout.bits()) as usize;
    let mut numbers = String::from(MARGIN) + &" ".repeat(unused);
    let mut bits = String::from(MARGIN) + &styled(DIM, &"0".repeat(unused));
    let mut brackets = String::from(MARGIN) + &styled(DIM, &"·".repeat(unused));
    for (index, field) in layout.fields().iter().enumerate() {
        let style = field_style(index);
        numbers += &number(field);
        bits += &styled(style, &raw.map_or_else(String::new, |raw| cells(field, raw)));
        brackets += &styled(style, &bracket(field));
    }
    page.line(&styled(DIM, numbers.trim_end()));
    if raw.is_some() {
        page.line(&bits);
    }
    page.line(&brackets);
}

/// The number of the field's highest bit above its first cell, if there is room for it.
fn number(field: &PlacedField) -> String {
    let width = field.bits() as usize;
    let text = (field.bits() + field.shift() - 1).to_string();
    if text.len() < width { format!("{text:width$}") } else { " ".repeat(width) }
}

fn cells(field: &PlacedField, raw: u64) -> String {
    format!("{:0width$b}", field.of(raw), width = field.bits() as usize)
}

/// `└─name─┘`, as wide as the field; as much of the name as fits.
fn bracket(field: &PlacedField) -> String {
    let width = field.bits() as usize;
    match width {
        1 => "╵".to_owned(),
        2 => "└┘".to_owned(),
        _ => {
            let inside = width - 2;
            let name: String = field.name().chars().take(inside).collect();
            format!("└{name:─^inside$}┘")
        }
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    fn plain(spec: &str, raw: Option<u64>) -> Vec<String> {
        let layout: Layout = spec.parse().expect("a layout");
        let mut page = Page::default();
        picture(&mut page, &layout, raw);
        strip_str(&page.into_text()).to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn bits_are_drawn_to_scale() {
        assert_eq!(
            plain("discord", Some(175_928_847_299_117_063)),
            [
                "  63                                        21   16   11",
                "  0000001001110001000001100101101011000001000000100000000000000111",
                "  └───────────────timestamp────────────────┘└wor┘└pro┘└─sequence─┘",
            ]
        );
    }

    #[test]
    fn every_layout_has_64_cells() {
        for spec in [
            "sonyflake",
            "javascript",
            "epoch=0,a:1,b:2,timestamp:3,c:1",
            "epoch=0,timestamp:62",
            "epoch=0,timestamp:1",
        ] {
            let lines = plain(spec, Some(0));
            assert!(lines[0].chars().count() <= 66, "{lines:#?}");
            assert_eq!([lines[1].chars().count(), lines[2].chars().count()], [66, 66], "{lines:#?}");
            assert_eq!(lines[1].trim_start(), "0".repeat(64));
        }
        assert_eq!(
            plain("epoch=0,a:1,b:2,timestamp:3,c:1", None)[1].trim_start(),
            format!("{}╵└┘└t┘╵", "·".repeat(57))
        );
    }

    #[test]
    fn the_bits_are_those_of_the_id() {
        let raw = 0x0123_4567_89AB_CDEF;
        for spec in ["twitter", "instagram", "sonyflake", "tsid", "epoch=0,node:3,timestamp:40,sequence:20"] {
            assert_eq!(plain(spec, Some(raw))[1].trim_start(), format!("{raw:064b}"), "{spec}");
        }
    }
}
