//! The 16 bytes of a UUID of version 7 or 4 as two words, and the check of its version and variant.

use crate::error::MaskError;

/// `{ time:48, version:4, rand_a:12 }` and `{ variant:2, rand_b:62 }`.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) high: u64,
    pub(crate) low: u64,
}

pub(crate) const RAND_A: u64 = 0xfff;
pub(crate) const RAND_B: u64 = (1 << 62) - 1;
const VERSION_SHIFT: u32 = 12;
const VERSION: u64 = 0xf << VERSION_SHIFT;
const VARIANT: u64 = 0b10 << 62;

impl Words {
    #[cfg(target_arch = "x86_64")]
    pub(crate) const ZERO: Self = Self { high: 0, low: 0 };

    #[inline]
    pub(crate) fn of(bytes: [u8; 16]) -> Self {
        let id = u128::from_be_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        Self { high: (id >> 64) as u64, low: id as u64 }
    }

    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 16] {
        ((u128::from(self.high) << 64) | u128::from(self.low)).to_be_bytes()
    }

    /// The same with another version.
    #[inline]
    pub(crate) const fn with_version(self, version: u64) -> Self {
        Self { high: (self.high & !VERSION) | (version << VERSION_SHIFT), low: self.low }
    }

    /// The time combined by exclusive or with the low 48 bits of a hash.
    #[inline]
    pub(crate) const fn with_time_flipped(self, hash: u64) -> Self {
        Self { high: self.high ^ (hash << 16), low: self.low }
    }

    /// Whether it is of the variant of RFC 9562 and of this version: the quick answer.
    #[inline]
    pub(crate) const fn is_version(self, version: u64) -> bool {
        self.high & VERSION == version << VERSION_SHIFT && self.low & !RAND_B == VARIANT
    }

    /// The same with the reason; nil and max have versions 0 and 15.
    #[inline]
    pub(crate) fn check(self, version: u64) -> Result<Self, MaskError> {
        if self.is_version(version) { Ok(self) } else { Err(self.reason(version)) }
    }

    #[cold]
    fn reason(self, expected: u64) -> MaskError {
        let small = |bits: u64| u8::try_from(bits).expect("four bits at most");
        let found = (self.high & VERSION) >> VERSION_SHIFT;
        if found == expected {
            MaskError::Variant { found: small(self.low >> 62) }
        } else {
            MaskError::Version { found: small(found), expected: small(expected) }
        }
    }

    /// The 122 bits that are neither version nor variant: `{ time:48, rand_a:12, rand_b:62 }`.
    pub(crate) fn free_bits(self) -> u128 {
        let time_and_rand_a = ((self.high >> 16) << VERSION_SHIFT) | (self.high & RAND_A);
        (u128::from(time_and_rand_a) << 62) | u128::from(self.low & RAND_B)
    }

    /// The UUID of those bits and a version.
    pub(crate) fn of_free_bits(bits: u128, version: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "60 bits are left, and 62 are kept")]
        let (top, low) = ((bits >> 62) as u64, (bits as u64) & RAND_B);
        let high = ((top >> VERSION_SHIFT) << 16) | (version << VERSION_SHIFT) | (top & RAND_A);
        Self { high, low: VARIANT | low }
    }
}
