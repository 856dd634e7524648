//! Layouts: how the bits of an id are divided between time, node and sequence.

mod decode;
mod error;
mod field;
mod packing;
pub mod presets;
mod range;
#[cfg(feature = "spec")]
mod spec;
mod tag;

use core::fmt;

pub use self::decode::Decoded;
pub(crate) use self::error::FieldFault;
use self::error::LayoutFault;
pub use self::error::{FieldError, LayoutError, RangeError};
use self::field::Name;
pub use self::field::{Field, FieldKind, PlacedField};
pub(crate) use self::packing::Packing;
pub use self::range::IdRange;
#[cfg(feature = "spec")]
pub use self::spec::ParseLayoutError;
pub(crate) use self::tag::packing_of;
pub use self::tag::{Dyn, StaticLayout, Tag};
use crate::snippet::Snippet;
use crate::time::UnixMillis;

const FIELDS_MAX: usize = 8;
const TICK_MS_MAX: u32 = 3_600_000;

/// How the bits of an id are divided: an epoch, the length of a tick, and fields, most significant first.
///
/// A budget, not a fixed shape: any order and any widths of 1 to 64 bits in all, as long as the sequence is below the
/// timestamp (so that ids sort by time). Widths that sum to less than 64 leave the top bits zero.
///
/// # Examples
///
/// ```
/// use idcore::{Field, Layout, UnixMillis};
///
/// const ORDERS: Layout = match Layout::new(
///     UnixMillis::new(1_704_067_200_000), // 2024-01-01
///     1,
///     &[Field::timestamp(41), Field::node("region", 3), Field::node("worker", 7), Field::sequence(12)],
/// ) {
///     Ok(layout) => layout,
///     Err(error) => error.panic(), // at compile time
/// };
/// assert_eq!(ORDERS.bits(), 63);
/// assert_eq!(ORDERS.node_count(), 1_024);
/// assert_eq!(ORDERS.to_string(), "epoch=1704067200000,tick=1ms,timestamp:41,region:3,worker:7,sequence:12");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    fields: [PlacedField; FIELDS_MAX],
    field_count: u8,
    packing: Packing,
}

/// When a layout's ids begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The first time that has ids: the epoch.
    pub first: UnixMillis,
    /// The first time past the last id.
    pub end: UnixMillis,
    /// The number of ticks between the two that have ids.
    pub ticks: u64,
}

impl Layout {
    /// The layout with these fields, most significant first, that counts ticks of `tick_ms` from `epoch`.
    ///
    /// # Errors
    ///
    /// Says which field or sum is wrong and what was expected: a tick that is not 1 to 3,600,000 ms, no field or more than
    /// eight, a width that is not 1 to 64 or a sum over 64, a name that is malformed or given twice, no timestamp, a sequence
    /// above the timestamp, or a timestamp that ends more than 2^63 ms after 1970.
    pub const fn new(epoch: UnixMillis, tick_ms: u32, fields: &[Field<'_>]) -> Result<Self, LayoutError> {
        if tick_ms == 0 || tick_ms > TICK_MS_MAX {
            return Err(LayoutError(LayoutFault::TickMs { tick_ms }));
        }
        let placed = match place(fields) {
            Ok(placed) => placed,
            Err(fault) => return Err(LayoutError(fault)),
        };
        match pack(epoch, tick_ms, &placed, fields.len()) {
            #[expect(clippy::cast_possible_truncation, reason = "at most FIELDS_MAX")]
            Ok(packing) => Ok(Self { fields: placed, field_count: fields.len() as u8, packing }),
            Err(fault) => Err(LayoutError(fault)),
        }
    }

    /// The time that ticks are counted from.
    pub const fn epoch(&self) -> UnixMillis {
        self.packing.epoch
    }

    /// The length of a tick in milliseconds.
    pub const fn tick_ms(&self) -> u32 {
        self.packing.tick_ms
    }

    /// The fields in their places, most significant first.
    pub fn fields(&self) -> &[PlacedField] {
        &self.fields[..usize::from(self.field_count)]
    }

    /// The width of an id in bits, 1 to 64.
    pub const fn bits(&self) -> u32 {
        self.fields[0].bits() + self.fields[0].shift()
    }

    /// The width of the timestamp in bits.
    pub const fn timestamp_bits(&self) -> u32 {
        self.packing.timestamp_bits as u32
    }

    /// The width of all node fields together in bits.
    pub const fn node_bits(&self) -> u32 {
        self.bits() - self.timestamp_bits() - self.sequence_bits()
    }

    /// The width of the sequence in bits; 0 when there is none, for one id in a tick.
    pub const fn sequence_bits(&self) -> u32 {
        self.packing.sequence_bits()
    }

    /// The number of worker numbers: a power of two, 1 without node fields.
    pub const fn node_count(&self) -> u64 {
        1 << self.node_bits()
    }

    /// The number of ids in a tick.
    pub const fn sequence_count(&self) -> u64 {
        self.packing.sequence_count()
    }

    /// The largest number that is an id of this layout.
    pub const fn id_max(&self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The most ids that one worker number gives in a second.
    #[expect(clippy::cast_precision_loss, reason = "a power of two is exact")]
    pub fn ids_per_second(&self) -> f64 {
        self.sequence_count() as f64 * 1_000.0 / f64::from(self.tick_ms())
    }

    /// When this layout's ids begin and end.
    ///
    /// A generator holds tick and sequence in 63 bits together, and a layout that needs all of them ends one tick early; one
    /// that needs more ends where they are used up.
    pub const fn lifetime(&self) -> Lifetime {
        let ticks = self.packing.tick_count();
        Lifetime { first: self.epoch(), end: self.packing.time_of_tick(ticks), ticks }
    }

    /// When ids reach `raw`, if they do: for example `1 << 53`, past which a JavaScript number is not exact.
    ///
    /// With a node field above the timestamp this is the time for node 0; other nodes may be past `raw` from the start.
    pub const fn passes(&self, raw: u64) -> Option<UnixMillis> {
        let tick = raw.div_ceil(1 << self.packing.timestamp_shift);
        if tick < self.packing.tick_count() { Some(self.packing.time_of_tick(tick)) } else { None }
    }

    pub(crate) const fn packing(&self) -> Packing {
        self.packing
    }
}

/// The layout as text that [`str::parse`] reads back (feature `spec`), with the epoch in Unix milliseconds.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch={},tick={}ms", self.epoch(), self.tick_ms())?;
        self.fields().iter().try_for_each(|field| write!(f, ",{}:{}", field.name(), field.bits()))
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}

/// Checks each field and the sum of the widths, and gives each field its shift.
const fn place(fields: &[Field<'_>]) -> Result<[PlacedField; FIELDS_MAX], LayoutFault> {
    if fields.is_empty() || fields.len() > FIELDS_MAX {
        return Err(LayoutFault::FieldCount { count: fields.len() });
    }
    let mut total_bits = 0;
    let mut index = 0;
    while index < fields.len() {
        let bits = fields[index].bits;
        if bits == 0 || bits > 64 {
            return Err(LayoutFault::FieldBits { index, bits });
        }
        total_bits += bits;
        index += 1;
    }
    if total_bits > 64 {
        return Err(LayoutFault::TotalBits { bits: total_bits });
    }
    let mut placed = [PlacedField::UNUSED; FIELDS_MAX];
    let mut shift = total_bits;
    let mut index = 0;
    while index < fields.len() {
        let field = &fields[index];
        let Some(name) = Name::new(field.name) else {
            return Err(LayoutFault::FieldName { index, name: Snippet::new(field.name) });
        };
        if matches!(field.kind, FieldKind::Node) && name.is_reserved() {
            return Err(LayoutFault::FieldName { index, name: Snippet::new(field.name) });
        }
        let mut first = 0;
        while first < index {
            if placed[first].inline_name().equals(&name) {
                return Err(LayoutFault::FieldTwice { index, first, name });
            }
            first += 1;
        }
        shift -= field.bits;
        placed[index] = PlacedField::new(name, field.kind, field.bits, shift);
        index += 1;
    }
    Ok(placed)
}

/// Derives the shifts, and checks what the state word asks of them.
const fn pack(
    epoch: UnixMillis,
    tick_ms: u32,
    fields: &[PlacedField; FIELDS_MAX],
    field_count: usize,
) -> Result<Packing, LayoutFault> {
    let mut timestamp = None;
    let mut sequence = None;
    let mut index = 0;
    while index < field_count {
        match fields[index].kind() {
            FieldKind::Timestamp => timestamp = Some(fields[index]),
            FieldKind::Sequence => sequence = Some(fields[index]),
            FieldKind::Node => {}
        }
        index += 1;
    }
    let Some(timestamp) = timestamp else {
        return Err(LayoutFault::TimestampMissing);
    };
    let (sequence_bits, sequence_shift) = match sequence {
        Some(field) if field.shift() > timestamp.shift() => return Err(LayoutFault::SequenceAboveTimestamp),
        Some(field) => (field.bits(), field.shift()),
        None => (0, 0),
    };
    let bits = timestamp.bits();
    let end_ms = epoch.get() as i128 + (tick_ms as i128) * (1i128 << bits);
    if end_ms > i64::MAX as i128 {
        return Err(LayoutFault::TimePastMillis { bits });
    }
    // One tick needs two of the word's: its own, and the one after it that the word reaches when it is used up.
    if sequence_bits > 62 {
        return Err(LayoutFault::SequenceLeavesNoTick { bits: sequence_bits });
    }
    #[expect(clippy::cast_possible_truncation, reason = "all are at most 64")]
    let packing = Packing {
        epoch,
        tick_ms,
        timestamp_shift: timestamp.shift() as u8,
        timestamp_bits: bits as u8,
        sequence_shift: sequence_shift as u8,
        sequence_bits: sequence_bits as u8,
    };
    Ok(packing)
}
