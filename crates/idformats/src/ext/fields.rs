//! The fields of every version of UUID.

use idcore::{UnixMillis, UnixTime};
use uuid::{Uuid, Variant};

use super::gregorian::{DceFields, GregorianFields};
use super::unix_millis;

/// What the 128 bits of a UUID are, by its variant and version (RFC 9562 sections 4.1 and 4.2).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum UuidFields {
    /// All bits are zero (section 5.9).
    Nil,
    /// All bits are one (section 5.10).
    Max,
    /// Gregorian time with its lowest bits first, and a node (section 5.1).
    V1(GregorianFields),
    /// DCE Security: a local number in place of the time's lowest bits (section 5.2).
    V2(DceFields),
    /// The MD5 hash of a name (section 5.3).
    V3(FreeFields),
    /// Random bits (section 5.4).
    V4(FreeFields),
    /// The SHA-1 hash of a name (section 5.5).
    V5(FreeFields),
    /// Gregorian time with its highest bits first, and a node (section 5.6).
    V6(GregorianFields),
    /// Unix milliseconds and bits that the generator chose (section 5.7).
    V7(V7Fields),
    /// Bits of the maker's own meaning (section 5.8).
    V8(FreeFields),
    /// The variant of RFC 9562, of a version that it does not define: 0, or 9 to 15.
    OtherVersion(u8),
    /// Another variant: what it means is for others to say.
    OtherVariant(Variant),
}

impl UuidFields {
    pub(super) fn of(id: &Uuid) -> Self {
        let bytes = id.as_bytes();
        if id.is_nil() {
            return Self::Nil;
        }
        if id.is_max() {
            return Self::Max;
        }
        match id.get_variant() {
            Variant::RFC4122 => {}
            other => return Self::OtherVariant(other),
        }
        match bytes[6] >> 4 {
            1 => Self::V1(GregorianFields::of_v1(id)),
            2 => Self::V2(DceFields::of(id)),
            3 => Self::V3(FreeFields::of(id)),
            4 => Self::V4(FreeFields::of(id)),
            5 => Self::V5(FreeFields::of(id)),
            6 => Self::V6(GregorianFields::of_v6(id)),
            7 => Self::V7(V7Fields::of(id)),
            8 => Self::V8(FreeFields::of(id)),
            version => Self::OtherVersion(version),
        }
    }

    /// The version, where the RFC's variant has one: none for nil, max and other variants.
    pub const fn version(&self) -> Option<u8> {
        Some(match self {
            Self::Nil | Self::Max | Self::OtherVariant(_) => return None,
            Self::V1(_) => 1,
            Self::V2(_) => 2,
            Self::V3(_) => 3,
            Self::V4(_) => 4,
            Self::V5(_) => 5,
            Self::V6(_) => 6,
            Self::V7(_) => 7,
            Self::V8(_) => 8,
            Self::OtherVersion(version) => *version,
        })
    }

    /// As [`UuidExt::exact_time`](super::UuidExt::exact_time).
    pub fn exact_time(&self) -> Option<UnixTime> {
        match self {
            Self::V1(fields) | Self::V6(fields) => Some(fields.time()),
            Self::V2(fields) => Some(fields.time()),
            Self::V7(fields) => Some(fields.time().into()),
            _ => None,
        }
    }
}

/// The fields of a version 7: `{ unix_ms:48, version:4, rand_a:12, variant:2, rand_b:62 }`.
///
/// Whether `rand_a` and `rand_b` are random, count, or hold a part of a millisecond, the id does not say (RFC 9562 section 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V7Fields {
    /// Milliseconds since 1970, below 2^48.
    pub unix_ms: u64,
    /// The 12 bits after the version.
    pub rand_a: u16,
    /// The 62 bits after the variant.
    pub rand_b: u64,
}

impl V7Fields {
    fn of(id: &Uuid) -> Self {
        let FreeFields { a, b, c } = FreeFields::of(id);
        Self { unix_ms: a, rand_a: b, rand_b: c }
    }

    /// The time, 1970 to the year 10889.
    pub fn time(&self) -> UnixMillis {
        unix_millis(self.unix_ms)
    }
}

/// The 122 bits beside version and variant: `{ a:48, version:4, b:12, variant:2, c:62 }`.
///
/// The RFC calls them `random_a`, `_b`, `_c` in version 4, `custom_a`, `_b`, `_c` in 8, and `md5_high`, `_mid`, `_low` in 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeFields {
    /// The 48 bits before the version.
    pub a: u64,
    /// The 12 bits after the version.
    pub b: u16,
    /// The 62 bits after the variant.
    pub c: u64,
}

impl FreeFields {
    fn of(id: &Uuid) -> Self {
        let (high, low) = id.as_u64_pair();
        let [.., b6, b7] = high.to_be_bytes();
        Self { a: high >> 16, b: u16::from_be_bytes([b6 & 0x0F, b7]), c: low & (u64::MAX >> 2) }
    }

    /// All 122 bits, `a` the highest.
    pub const fn bits(&self) -> u128 {
        ((self.a as u128) << 74) | ((self.b as u128) << 62) | self.c as u128
    }
}
