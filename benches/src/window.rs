//! The ids of one millisecond of all threads: whether one is there twice.

use crate::id::TIME_SHIFT;

/// Takes the ids of a window, of any threads, and then says what was there twice.
pub(crate) trait Window<I>: Default {
    /// A further id of the window.
    fn insert(&mut self, id: I);

    /// An id that was there twice, if there is one. The next window begins.
    fn end(&mut self) -> Option<I>;
}

/// One bit for each value that ids of 64 bits can have in a millisecond.
pub(crate) struct Bits {
    words: Vec<u64>,
    touched: Option<(usize, usize)>,
    twice: Option<u64>,
}

impl Default for Bits {
    fn default() -> Self {
        Self { words: vec![0; 1 << (TIME_SHIFT - 6)], touched: None, twice: None }
    }
}

impl Window<u64> for Bits {
    fn insert(&mut self, id: u64) {
        let low = id & ((1 << TIME_SHIFT) - 1);
        let word = usize::try_from(low >> 6).expect("a window has 2^16 words");
        let bit = 1 << (low & 63);
        let (first, last) = self.touched.unwrap_or((word, word));
        self.touched = Some((first.min(word), last.max(word)));
        if self.words[word] & bit != 0 {
            self.twice.get_or_insert(id);
        }
        self.words[word] |= bit;
    }

    fn end(&mut self) -> Option<u64> {
        if let Some((first, last)) = self.touched.take() {
            self.words[first..=last].fill(0);
        }
        self.twice.take()
    }
}

/// The ids themselves, for those whose values are far too many.
#[derive(Default)]
pub(crate) struct Sorted(Vec<u128>);

impl Window<u128> for Sorted {
    fn insert(&mut self, id: u128) {
        self.0.push(id);
    }

    #[expect(clippy::stable_sort_primitive, reason = "it merges what is sorted already, and each thread's ids are")]
    fn end(&mut self) -> Option<u128> {
        self.0.sort();
        let twice = self.0.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        self.0.clear();
        twice
    }
}
