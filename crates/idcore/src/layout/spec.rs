//! Layouts as text: `epoch=2016-09-20T00:00:00Z,tick=1s,timestamp:29,worker:21,sequence:13`, or a preset's name.

use core::fmt;
use core::str::FromStr;

use super::error::LayoutError;
use super::presets;
use super::{FIELDS_MAX, Field, Layout};
use crate::snippet::Snippet;
use crate::time::UnixMillis;

/// Text that is not a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLayoutError(Fault);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Name { name: Snippet },
    Item { position: usize, found: Snippet, expected: &'static str },
    EpochMissing,
    Twice { position: usize, key: &'static str },
    TooManyFields { position: usize },
    Layout(LayoutError),
}

impl fmt::Display for ParseLayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fault::Name { name } => {
                write!(f, "no layout named {name}: expected one of ")?;
                for (index, preset) in presets::ALL.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, preset.name)?;
                }
                write!(f, ", or `epoch=…,tick=…,timestamp:BITS,…`")
            }
            Fault::Item { position, found, expected } => {
                write!(f, "{found} at byte {position} of the layout: expected {expected}")
            }
            Fault::EpochMissing => {
                write!(f, "no epoch in the layout: expected epoch=TIME, for example epoch=2024-01-01T00:00:00Z")
            }
            Fault::Twice { position, key } => write!(f, "second {key} at byte {position} of the layout: expected one"),
            Fault::TooManyFields { position } => {
                write!(f, "ninth field at byte {position} of the layout: expected at most {FIELDS_MAX}")
            }
            Fault::Layout(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseLayoutError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0 {
            Fault::Layout(error) => Some(error),
            _ => None,
        }
    }
}

/// Reads a layout: the name of a preset, or items separated by commas and without spaces.
///
/// `epoch=` takes a time with its offset, exact to the millisecond (`2016-09-20T00:00:00Z`), or milliseconds since 1970;
/// there is no default, since the epoch decides when the ids end. `tick=` takes `1ms`, `10ms`, `1s`, …; it is 1 ms when left
/// out. Every other item is a field, `NAME:BITS`, most significant first: `timestamp`, `sequence`, and any other name for a
/// part of the worker number.
///
/// # Examples
///
/// ```
/// use idcore::Layout;
///
/// let layout: Layout = "epoch=2016-09-20T00:00:00Z,tick=1s,timestamp:29,worker:21,sequence:13".parse()?;
/// assert_eq!(layout.to_string(), "epoch=1474329600000,tick=1000ms,timestamp:29,worker:21,sequence:13");
/// assert_eq!("twitter".parse::<Layout>()?.sequence_count(), 4_096);
/// # Ok::<(), idcore::ParseLayoutError>(())
/// ```
impl FromStr for Layout {
    type Err = ParseLayoutError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !text.contains(['=', ':', ',']) {
            return presets::by_name(text)
                .map(|preset| preset.layout)
                .ok_or(ParseLayoutError(Fault::Name { name: Snippet::new(text) }));
        }
        parse_items(text).map_err(ParseLayoutError)
    }
}

fn parse_items(text: &str) -> Result<Layout, Fault> {
    let mut epoch = None;
    let mut tick_ms = None;
    let mut fields = [Field::timestamp(0); FIELDS_MAX];
    let mut field_count = 0;
    let mut position = 0;
    for item in text.split(',') {
        if let Some(time) = item.strip_prefix("epoch=") {
            let value = parse_epoch(time).ok_or(Fault::Item {
                position: position + "epoch=".len(),
                found: Snippet::new(time),
                expected: "a time such as 2024-01-01T00:00:00Z, exact to the millisecond, or milliseconds since 1970",
            })?;
            set_once(&mut epoch, value, position, "epoch")?;
        } else if let Some(length) = item.strip_prefix("tick=") {
            let value = parse_tick(length).ok_or(Fault::Item {
                position: position + "tick=".len(),
                found: Snippet::new(length),
                expected: "a tick such as 1ms, 10ms or 1s",
            })?;
            set_once(&mut tick_ms, value, position, "tick")?;
        } else {
            let field = parse_field(item, position)?;
            *fields.get_mut(field_count).ok_or(Fault::TooManyFields { position })? = field;
            field_count += 1;
        }
        position += item.len() + ",".len();
    }
    let epoch = epoch.ok_or(Fault::EpochMissing)?;
    Layout::new(epoch, tick_ms.unwrap_or(1), &fields[..field_count]).map_err(Fault::Layout)
}

fn set_once<T>(slot: &mut Option<T>, value: T, position: usize, key: &'static str) -> Result<(), Fault> {
    if slot.replace(value).is_some() {
        return Err(Fault::Twice { position, key });
    }
    Ok(())
}

fn parse_epoch(text: &str) -> Option<UnixMillis> {
    if is_digits(text.strip_prefix('-').unwrap_or(text)) {
        return text.parse().ok().map(UnixMillis::new);
    }
    let time: jiff::Timestamp = text.parse().ok()?;
    let millis = time.as_millisecond();
    (jiff::Timestamp::from_millisecond(millis).ok()? == time).then_some(UnixMillis::new(millis))
}

fn parse_tick(text: &str) -> Option<u32> {
    let (digits, unit_ms) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => (text.strip_suffix('s')?, 1_000),
    };
    u32::try_from(parse_digits(digits)?.checked_mul(unit_ms)?).ok()
}

fn parse_field(item: &str, position: usize) -> Result<Field<'_>, Fault> {
    let expected = "NAME:BITS, epoch=TIME or tick=LENGTH";
    let (name, bits) = item.split_once(':').ok_or(Fault::Item { position, found: Snippet::new(item), expected })?;
    let bits = parse_digits(bits).and_then(|bits| u32::try_from(bits).ok()).ok_or(Fault::Item {
        position: position + name.len() + 1,
        found: Snippet::new(bits),
        expected: "a number of bits, 1 to 64",
    })?;
    Ok(match name {
        "timestamp" => Field::timestamp(bits),
        "sequence" => Field::sequence(bits),
        _ => Field::node(name, bits),
    })
}

/// A number in decimal digits alone: no sign, no spaces.
fn parse_digits(text: &str) -> Option<u64> {
    if is_digits(text) { text.parse().ok() } else { None }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
