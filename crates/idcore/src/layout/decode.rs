//! From an id to its fields, and back.

use super::Layout;
use super::error::{FieldError, FieldFault};
use super::field::{FieldKind, PlacedField};
use crate::snippet::Snippet;
use crate::time::UnixMillis;

/// An id taken apart by its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    layout: Layout,
    raw: u64,
}

impl Decoded {
    /// The id.
    pub const fn raw(&self) -> u64 {
        self.raw
    }

    /// The layout that it was taken apart by.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The timestamp as it stands in the id: ticks since the layout's epoch.
    pub fn tick(&self) -> u64 {
        (self.raw >> self.layout.packing.timestamp_shift) & (u64::MAX >> (64 - self.layout.timestamp_bits()))
    }

    /// The start of the tick in which the id was made.
    pub fn time(&self) -> UnixMillis {
        self.layout.packing.time_of_tick(self.tick())
    }

    /// The worker number: the node fields read together, most significant first; 0 when there are none.
    pub fn node(&self) -> u64 {
        self.layout.node_fields().fold(0, |node, field| (node << field.bits()) | field.of(self.raw))
    }

    /// The place of the id within its tick; 0 when the layout has no sequence.
    pub fn sequence(&self) -> u64 {
        (self.raw >> self.layout.packing.sequence_shift) & ((1 << self.layout.sequence_bits()) - 1)
    }

    /// The value of the field with this name.
    pub fn field(&self, name: &str) -> Option<u64> {
        self.fields().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// Names and values of all fields, most significant first.
    pub fn fields(&self) -> impl Iterator<Item = (&str, u64)> {
        self.layout.fields().iter().map(|field| (field.name(), field.of(self.raw)))
    }
}

impl Layout {
    /// Takes an id apart.
    ///
    /// # Errors
    ///
    /// When `raw` has bits above the layout's: it is not an id of this layout.
    pub const fn decode(&self, raw: u64) -> Result<Decoded, FieldError> {
        match self.check_raw(raw) {
            Ok(()) => Ok(Decoded { layout: *self, raw }),
            Err(error) => Err(error),
        }
    }

    /// The id with this time (rounded down to its tick), worker number and sequence.
    ///
    /// It need not be one that a generator has made or will make.
    ///
    /// # Errors
    ///
    /// When the time is outside the layout's, or a number does not fit its field.
    pub fn compose(&self, time: UnixMillis, node: u64, sequence: u64) -> Result<u64, FieldError> {
        let node_bits = self.place_node(node)?;
        let tick =
            self.packing.tick_of(time).ok_or(FieldError(FieldFault::BeforeEpoch { time, epoch: self.epoch() }))?;
        let tick_max = u64::MAX >> (64 - self.timestamp_bits());
        if tick > tick_max {
            let end = UnixMillis::new(self.packing.time_of_tick(tick_max).get() + i64::from(self.tick_ms()));
            return Err(FieldError(FieldFault::PastEnd { time, end }));
        }
        let sequence_max = self.sequence_count() - 1;
        if sequence > sequence_max {
            return Err(FieldError(FieldFault::SequenceTooLarge { value: sequence, max: sequence_max }));
        }
        Ok((tick << self.packing.timestamp_shift) | (sequence << self.packing.sequence_shift) | node_bits)
    }

    /// The id with these values, by the names of the fields, in any order; the timestamp is in ticks.
    ///
    /// # Errors
    ///
    /// When a value does not fit its field, a name is not one of the layout's or is given twice, or a field has no value.
    pub fn compose_fields(&self, values: &[(&str, u64)]) -> Result<u64, FieldError> {
        self.place_by_name(values, |_| true)
    }

    /// The worker number with these parts, by the names of the node fields, in any order.
    ///
    /// # Errors
    ///
    /// As for [`compose_fields`](Self::compose_fields).
    pub fn node_of(&self, values: &[(&str, u64)]) -> Result<u64, FieldError> {
        let raw = self.place_by_name(values, |field| field.kind() == FieldKind::Node)?;
        Ok(Decoded { layout: *self, raw }.node())
    }

    /// The parts of a worker number, most significant first.
    ///
    /// # Errors
    ///
    /// When the number is not below [`node_count`](Self::node_count).
    pub fn node_parts(&self, node: u64) -> Result<impl Iterator<Item = (&str, u64)>, FieldError> {
        let raw = self.place_node(node)?;
        Ok(self.node_fields().map(move |field| (field.name(), field.of(raw))))
    }

    /// The bits of a worker number in their places.
    pub(crate) fn place_node(&self, node: u64) -> Result<u64, FieldError> {
        let max = self.node_count() - 1;
        if node > max {
            return Err(FieldError(FieldFault::TooLarge { name: None, value: node, max }));
        }
        let mut below_bits = self.node_bits();
        Ok(self.node_fields().fold(0, |raw, field| {
            below_bits -= field.bits();
            raw | field.place((node >> below_bits) & field.max())
        }))
    }

    pub(crate) const fn check_raw(&self, raw: u64) -> Result<(), FieldError> {
        let max = self.id_max();
        if raw > max { Err(FieldError(FieldFault::RawTooLarge { raw, max })) } else { Ok(()) }
    }

    pub(super) fn node_fields(&self) -> impl Iterator<Item = &PlacedField> {
        self.fields().iter().filter(|field| field.kind() == FieldKind::Node)
    }

    fn place_by_name(&self, values: &[(&str, u64)], wanted: impl Fn(&PlacedField) -> bool) -> Result<u64, FieldError> {
        let is_wanted = |name: &str| self.fields().iter().any(|field| field.name() == name && wanted(field));
        if let Some((name, _)) = values.iter().find(|(name, _)| !is_wanted(name)) {
            return Err(FieldError(FieldFault::Unknown { name: Snippet::new(name) }));
        }
        self.fields().iter().filter(|field| wanted(field)).try_fold(0, |raw, field| {
            let mut given = values.iter().filter(|(name, _)| *name == field.name());
            let name = field.inline_name();
            let (_, value) = given.next().ok_or(FieldError(FieldFault::Missing { name }))?;
            if given.next().is_some() {
                return Err(FieldError(FieldFault::Twice { name }));
            }
            Ok(raw | place(field, *value)?)
        })
    }
}

fn place(field: &PlacedField, value: u64) -> Result<u64, FieldError> {
    let max = field.max();
    if value > max {
        return Err(FieldError(FieldFault::TooLarge { name: Some(field.inline_name()), value, max }));
    }
    Ok(field.place(value))
}
