//! Ids as numbers, of 64 and of 128 bits: how they lie in memory, and what time they tell.

use std::fmt;

use crate::window::{Bits, Sorted, Window};

/// An id as a number. Its milliseconds are above everything else.
pub(crate) trait Id: Copy + Ord + fmt::Debug + Into<u128> + Send + Sync + 'static {
    /// Words of memory that it takes.
    const WORDS: usize;
    /// The greatest one.
    const MAX: Self;
    /// What finds those that are there twice.
    type Window: Window<Self>;

    /// Writes it to [`WORDS`](Self::WORDS) words.
    fn store(self, words: &mut [u64]);

    /// Reads it from there.
    fn load(words: &[u64]) -> Self;

    /// Its time in milliseconds, since whatever epoch.
    fn ms(self) -> u64;
}

/// Bits below the milliseconds of all layouts of 64 bits that are measured here: 41/10/12 and 41/0/22.
pub(crate) const TIME_SHIFT: u32 = 22;

/// Bits below the milliseconds of UUIDs of version 7 and ULIDs. Where there is no time, as in version 4, they are some bits.
const TIME_SHIFT_128: u32 = 80;

impl Id for u64 {
    const WORDS: usize = 1;
    const MAX: Self = Self::MAX;
    type Window = Bits;

    #[expect(clippy::inline_always, reason = "inside the timed region")]
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }

    fn load(words: &[u64]) -> Self {
        words[0]
    }

    fn ms(self) -> u64 {
        self >> TIME_SHIFT
    }
}

impl Id for u128 {
    const WORDS: usize = 2;
    const MAX: Self = Self::MAX;
    type Window = Sorted;

    #[expect(clippy::inline_always, reason = "inside the timed region")]
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "each half is a word")]
    fn store(self, words: &mut [u64]) {
        words[0] = self as u64;
        words[1] = (self >> 64) as u64;
    }

    fn load(words: &[u64]) -> Self {
        Self::from(words[0]) | (Self::from(words[1]) << 64)
    }

    fn ms(self) -> u64 {
        u64::try_from(self >> TIME_SHIFT_128).expect("48 bits are left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_from_memory_and_tell_their_time() {
        for id in [0, 1, (5 << TIME_SHIFT) + 3, u64::MAX] {
            let mut words = [7; 1];
            id.store(&mut words);
            assert_eq!(u64::load(&words), id);
        }
        for id in [0, 1, u128::from(u64::MAX) + 1, (5 << 80) + 3, u128::MAX] {
            let mut words = [7; 2];
            id.store(&mut words);
            assert_eq!(u128::load(&words), id);
        }
        assert_eq!(((5 << 22) + 3_u64).ms(), 5);
        assert_eq!(((5 << 80) + 3_u128).ms(), 5);
        assert_eq!(u128::MAX.ms(), (1 << 48) - 1);
    }
}
