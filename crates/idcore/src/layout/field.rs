//! The fields of a layout: what is asked for, and where it was placed.

use core::fmt;
use core::str;

/// What the bits of a field hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Ticks since the layout's epoch.
    Timestamp,
    /// A part of the worker number; a layout may have several, which are read together, most significant first.
    Node,
    /// The place of the id within its tick.
    Sequence,
}

/// A field that a layout is made of: a kind, a name and a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field<'a> {
    pub(super) kind: FieldKind,
    pub(super) name: &'a str,
    pub(super) bits: u32,
}

impl<'a> Field<'a> {
    /// The timestamp: ticks since the epoch.
    pub const fn timestamp(bits: u32) -> Self {
        Self { kind: FieldKind::Timestamp, name: "timestamp", bits }
    }

    /// The sequence within a tick.
    pub const fn sequence(bits: u32) -> Self {
        Self { kind: FieldKind::Sequence, name: "sequence", bits }
    }

    /// A named part of the worker number: 1 to 15 of `a-z`, `0-9`, `_` and `-`, starting with a letter.
    pub const fn node(name: &'a str, bits: u32) -> Self {
        Self { kind: FieldKind::Node, name, bits }
    }
}

/// A field in its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlacedField {
    name: Name,
    kind: FieldKind,
    bits: u8,
    shift: u8,
}

impl PlacedField {
    pub(super) const UNUSED: Self = Self { name: Name::EMPTY, kind: FieldKind::Node, bits: 0, shift: 0 };

    pub(super) const fn new(name: Name, kind: FieldKind, bits: u32, shift: u32) -> Self {
        assert!(bits >= 1 && bits + shift <= 64, "the layout checked the widths");
        #[expect(clippy::cast_possible_truncation, reason = "both are at most 64")]
        Self { name, kind, bits: bits as u8, shift: shift as u8 }
    }

    /// The name: `timestamp`, `sequence`, or the name of the part of the worker number.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// What the bits hold.
    pub const fn kind(&self) -> FieldKind {
        self.kind
    }

    /// The width in bits, 1 to 64.
    pub const fn bits(&self) -> u32 {
        self.bits as u32
    }

    /// The number of bits below the field.
    pub const fn shift(&self) -> u32 {
        self.shift as u32
    }

    /// The largest value that fits.
    pub const fn max(&self) -> u64 {
        u64::MAX >> (64 - self.bits as u32)
    }

    /// The field's value in an id.
    pub const fn of(&self, raw: u64) -> u64 {
        (raw >> self.shift) & self.max()
    }

    /// `value` in the field's place. The caller has compared it with [`max`](Self::max).
    pub(crate) const fn place(&self, value: u64) -> u64 {
        assert!(value <= self.max(), "a value is compared with the field's width before it is placed");
        value << self.shift
    }

    pub(super) const fn inline_name(&self) -> Name {
        self.name
    }
}

impl fmt::Debug for PlacedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}<<{}", self.name.as_str(), self.bits, self.shift)
    }
}

/// A field's name, held in place so that a layout is a plain value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    bytes: [u8; Self::LEN_MAX],
    len: u8,
}

impl Name {
    pub(crate) const LEN_MAX: usize = 15;
    pub(super) const EMPTY: Self = Self { bytes: [0; Self::LEN_MAX], len: 0 };

    /// The name, unless it is empty, too long, or has a character that is not allowed.
    pub(super) const fn new(text: &str) -> Option<Self> {
        let text = text.as_bytes();
        if text.is_empty() || text.len() > Self::LEN_MAX || !text[0].is_ascii_lowercase() {
            return None;
        }
        let mut bytes = [0; Self::LEN_MAX];
        let mut at = 0;
        while at < text.len() {
            if !matches!(text[at], b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') {
                return None;
            }
            bytes[at] = text[at];
            at += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most LEN_MAX")]
        Some(Self { bytes, len: text.len() as u8 })
    }

    /// Whether the name belongs to the timestamp or the sequence.
    pub(super) const fn is_reserved(&self) -> bool {
        const TIMESTAMP: Name = Name::new("timestamp").expect("a valid name");
        const SEQUENCE: Name = Name::new("sequence").expect("a valid name");
        self.equals(&TIMESTAMP) || self.equals(&SEQUENCE)
    }

    pub(super) const fn equals(&self, other: &Self) -> bool {
        if self.len != other.len {
            return false;
        }
        let mut at = 0;
        while at < self.len as usize {
            if self.bytes[at] != other.bytes[at] {
                return false;
            }
            at += 1;
        }
        true
    }

    pub(crate) fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.len)]).expect("a name is ASCII")
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
