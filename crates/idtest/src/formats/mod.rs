//! UUIDs of version 7 and ULIDs as plain numbers, taken apart by division, and what a generator of them must answer.

mod arbitrary;
mod entropy;
mod mirror;
mod oracle;
mod run;
mod scenario;

use idformats::{Builder, DefaultEntropy, Format, SubMsClock, UlidMonotonic, UlidRandom, V7Counter, V7Random, V7SubMs};
use ulid::Ulid;
use uuid::Uuid;

pub use self::arbitrary::FormatOp;
pub use self::entropy::SeededEntropy;
pub use self::oracle::{FormatCounts, FormatRefusal, FormatSettings};
pub use self::scenario::{FormatScenario, FormatSeen};

/// The formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// UUID version 7, method 1.
    V7Counter,
    /// UUID version 7, method 2.
    V7Random,
    /// UUID version 7, method 3.
    V7SubMs,
    /// ULID that grows by one.
    UlidMonotonic,
    /// ULID that grows by random steps.
    UlidRandom,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::V7Counter, Self::V7Random, Self::V7SubMs, Self::UlidMonotonic, Self::UlidRandom];

    /// Whether ids are UUIDs.
    pub const fn is_uuid(self) -> bool {
        matches!(self, Self::V7Counter | Self::V7Random | Self::V7SubMs)
    }

    /// Units of time in a millisecond, each with a counter of its own.
    pub const fn units_per_ms(self) -> u128 {
        if matches!(self, Self::V7SubMs) { 4_096 } else { 1 }
    }

    /// Ids of a unit.
    pub const fn places_per_unit(self) -> u128 {
        if matches!(self, Self::V7SubMs) { 256 } else { 1_048_576 }
    }

    /// The places where a unit may begin: the lower half, where the counter is to be seen; the first alone, where it is added to
    /// a random base.
    pub const fn seed_count(self) -> u128 {
        match self {
            Self::V7Counter | Self::V7SubMs => self.places_per_unit() / 2,
            Self::V7Random | Self::UlidMonotonic | Self::UlidRandom => 1,
        }
    }

    /// What one place more adds to the free bits, for formats with a base, and how much of that is random.
    pub const fn step(self) -> Option<Step> {
        match self {
            Self::V7Counter | Self::V7SubMs => None,
            Self::V7Random => Some(Step { of_place: 1 << 52, random: 1 << 52, base_count: 1 << 73 }),
            Self::UlidMonotonic => Some(Step { of_place: 1, random: 1, base_count: 1 << 79 }),
            Self::UlidRandom => Some(Step { of_place: 1 << 58, random: 1 << 58, base_count: 1 << 79 }),
        }
    }
}

/// Free bits that are `base + place × of_place + r`, with `r` below `random`.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What a place adds.
    pub of_place: u128,
    /// The number of values of the random part.
    pub random: u128,
    /// The number of values of the base.
    pub base_count: u128,
}

/// A format as tests see it: its name, and its ids as numbers.
pub trait Known: Format {
    /// Its name.
    const KIND: Kind;

    /// The settings of a generator with this clock: one that any format can be made of.
    fn on<C: SubMsClock>(clock: C) -> Builder<Self, C, DefaultEntropy>
    where
        Self: Sized;

    /// The id of a number.
    fn of_number(number: u128) -> Self::Id;

    /// The number of an id.
    fn number(id: Self::Id) -> u128;
}

macro_rules! known {
    ($($format:ident: $id:expr, $number:expr);* $(;)?) => {
        $(impl Known for $format {
            const KIND: Kind = Kind::$format;

            fn on<C: SubMsClock>(clock: C) -> Builder<Self, C, DefaultEntropy> {
                Self::generator_with(clock)
            }

            fn of_number(number: u128) -> Self::Id {
                $id(number)
            }

            fn number(id: Self::Id) -> u128 {
                $number(&id)
            }
        })*
    };
}

known! {
    V7Counter: Uuid::from_u128, Uuid::as_u128;
    V7Random: Uuid::from_u128, Uuid::as_u128;
    V7SubMs: Uuid::from_u128, Uuid::as_u128;
    UlidMonotonic: Ulid, |ulid: &Ulid| ulid.0;
    UlidRandom: Ulid, |ulid: &Ulid| ulid.0;
}

/// Calls a function of one format for each of them.
#[macro_export]
macro_rules! for_each_format {
    ($check:ident($($argument:expr),*)) => {
        $check::<::idformats::V7Counter>($($argument),*);
        $check::<::idformats::V7Random>($($argument),*);
        $check::<::idformats::V7SubMs>($($argument),*);
        $check::<::idformats::UlidMonotonic>($($argument),*);
        $check::<::idformats::UlidRandom>($($argument),*);
    };
}

/// An id taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeBits {
    /// The time.
    pub unix_ms: u128,
    /// What is neither time nor version nor variant: 74 bits of a UUID, 80 of a ULID.
    pub free: u128,
}

/// Takes a UUID of version 7 apart.
///
/// # Panics
///
/// When version or variant are others.
pub fn split_v7(number: u128) -> FreeBits {
    let digits = [(80, 1 << 48), (76, 16), (64, 4_096), (62, 4), (0, 1 << 62)];
    let [unix_ms, version, rand_a, variant, rand_b] =
        digits.map(|(below, count): (u32, u128)| number / 2u128.pow(below) % count);
    assert_eq!((version, variant), (7, 2), "version and variant of {number:032x}");
    FreeBits { unix_ms, free: rand_a * (1 << 62) + rand_b }
}

/// Takes a ULID apart.
pub const fn split_ulid(number: u128) -> FreeBits {
    FreeBits { unix_ms: number / (1 << 80), free: number % (1 << 80) }
}

/// The number of an id.
///
/// # Panics
///
/// When its parts are too large.
pub fn join(kind: Kind, FreeBits { unix_ms, free }: FreeBits) -> u128 {
    assert!(unix_ms < 1 << 48, "{unix_ms} ms");
    if kind.is_uuid() {
        assert!(free < 1 << 74, "free bits {free:#x}");
        let (rand_a, rand_b) = (free / (1 << 62), free % (1 << 62));
        (((unix_ms * 16 + 7) * 4_096 + rand_a) * 4 + 2) * (1 << 62) + rand_b
    } else {
        assert!(free < 1 << 80, "free bits {free:#x}");
        unix_ms * (1 << 80) + free
    }
}

/// Takes an id apart, after a look at its version and variant.
pub fn split(kind: Kind, number: u128) -> FreeBits {
    if kind.is_uuid() { split_v7(number) } else { split_ulid(number) }
}

/// The unit of time since 1970 and the place in it, of an id that shows its counter.
///
/// # Panics
///
/// When the format does not show it.
pub fn unit_and_place(kind: Kind, number: u128) -> (u128, u128) {
    assert!(kind.step().is_none(), "{kind:?} has no counter to be seen");
    let FreeBits { unix_ms, free } = split(kind, number);
    let counted = free / (1 << 54);
    (unix_ms * kind.units_per_ms() + counted / kind.places_per_unit(), counted % kind.places_per_unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_again() {
        for kind in Kind::ALL {
            let free = if kind.is_uuid() { (1 << 74) - 3 } else { (1 << 80) - 3 };
            for parts in [FreeBits { unix_ms: 0, free: 0 }, FreeBits { unix_ms: (1 << 48) - 1, free }] {
                assert_eq!(split(kind, join(kind, parts)), parts);
            }
        }
    }
}
