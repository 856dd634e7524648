//! The bits of an id drawn to scale: one cell for each bit, a bracket with its name for each field.

use anstyle::{AnsiColor, Style};
use idcore::Layout;

use crate::output::{DIM, Page, styled};

/// What stands left of the cells.
pub(crate) const MARGIN: &str = "  ";
/// The cells of a line: an id of 128 bits has two.
const CELLS: u32 = 64;

const COLORS: [AnsiColor; 6] =
    [AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Green, AnsiColor::Magenta, AnsiColor::Blue, AnsiColor::Red];

/// The colour of the field at `index`, the same in the picture and wherever the field is named.
pub(crate) fn field_style(index: usize) -> Style {
    COLORS[index % COLORS.len()].on_default()
}

/// The picture of a layout's 64 bits. Without an id the bits are left out.
pub(crate) fn picture(page: &mut Page, layout: &Layout, raw: Option<u64>) {
    let unused = CELLS - layout.bits();
    let fields = layout.fields().iter().map(|field| (Some(field.name()), field.bits()));
    let fields: Vec<_> = [(None, unused)].into_iter().chain(fields).collect();
    draw(page, &fields, raw.map(u128::from));
}

/// Three rows for each 64 bits: the number of each field's highest bit, the bits, the brackets. Fields are names and widths,
/// the most significant first; those without a name are not used.
pub(crate) fn draw(page: &mut Page, fields: &[(Option<&str>, u32)], raw: Option<u128>) {
    let mut left: u32 = fields.iter().map(|(_, bits)| bits).sum();
    let (mut rows, mut index) = (Rows::default(), 0);
    for (name, bits) in fields {
        let style = if name.is_some() { field_style(index) } else { DIM };
        index += usize::from(name.is_some());
        let mut of_field = *bits;
        while of_field > 0 {
            // A field may go on in the next row.
            let bits = of_field.min(CELLS - rows.cells);
            of_field -= bits;
            left -= bits;
            rows.push(*name, style, bits, left, raw);
            if rows.cells == CELLS {
                std::mem::take(&mut rows).print(page, raw.is_some());
            }
        }
    }
}

#[derive(Default)]
struct Rows {
    cells: u32,
    numbers: String,
    bits: String,
    brackets: String,
}

impl Rows {
    /// Adds a field, or a part of one, with so many bits below it.
    fn push(&mut self, name: Option<&str>, style: Style, bits: u32, below: u32, raw: Option<u128>) {
        let width = bits as usize;
        self.cells += bits;
        self.numbers += &number(name.map(|_| bits + below - 1), width);
        let value = raw.map(|raw| (raw >> below) & (u128::MAX >> (u128::BITS - bits)));
        self.bits += &styled(style, &value.map_or_else(String::new, |value| format!("{value:0width$b}")));
        self.brackets += &styled(style, &name.map_or_else(|| "·".repeat(width), |name| bracket(name, width)));
    }

    fn print(self, page: &mut Page, has_bits: bool) {
        page.line(&styled(DIM, &format!("{MARGIN}{}", self.numbers.trim_end())));
        if has_bits {
            page.line(&format!("{MARGIN}{}", self.bits));
        }
        page.line(&format!("{MARGIN}{}", self.brackets));
    }
}

/// The number of the field's highest bit above its first cell, if there is room for it.
fn number(highest: Option<u32>, width: usize) -> String {
    let text = highest.map_or_else(String::new, |highest| highest.to_string());
    if text.len() < width { format!("{text:width$}") } else { " ".repeat(width) }
}

/// `└─name─┘`, as wide as the field; as much of the name as fits.
fn bracket(name: &str, width: usize) -> String {
    match width {
        1 => "╵".to_owned(),
        2 => "└┘".to_owned(),
        _ => {
            let inside = width - 2;
            let name: String = name.chars().take(inside).collect();
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
