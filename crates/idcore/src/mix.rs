//! Bits that look random, of bits that do not.

/// The finalizer of `SplitMix64` (Steele, Lea, Flood 2014): every bit of the input changes every bit of the output.
#[inline]
pub(crate) const fn mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
