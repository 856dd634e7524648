//! Which process a generator's bases belong to.

use super::State;
use crate::sync::{AtomicU64, Ordering};

const GENERATION_BITS: u32 = 12;
const NONCE_BITS: u32 = u64::BITS - GENERATION_BITS;

/// What bases are derived from, besides key and time: `{ generation:12, nonce:52 }`. The generation is the number of forks
/// between the first process and this one, the nonce is random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nonce(u64);

impl Nonce {
    /// That of ids which are based on nothing.
    pub(crate) const NONE: Self = Self(0);

    /// A nonce of random bits; none from generation 2^12 on.
    pub(crate) fn new(generation: u64, random: u64) -> Option<Self> {
        (generation >> GENERATION_BITS == 0).then_some(Self((generation << NONCE_BITS) | (random >> GENERATION_BITS)))
    }

    pub(crate) const fn generation(self) -> u64 {
        self.0 >> NONCE_BITS
    }

    pub(crate) const fn get(self) -> u64 {
        self.0
    }
}

/// The present nonce of a generator.
#[derive(Debug)]
pub(crate) struct Lineage(AtomicU64);

impl Lineage {
    pub(crate) fn new(nonce: Nonce) -> Self {
        Self(AtomicU64::new(nonce.0))
    }

    #[inline]
    pub(crate) fn load(&self) -> Nonce {
        // ORDERING: Acquire pairs with the Release of `renew`: whoever sees the new nonce takes from the word as it was moved
        // before. Model: `renewal_keeps_order`, though loom lets no access overtake another, and so cannot show it.
        Nonce(self.0.load(Ordering::Acquire))
    }

    /// Renews the nonce for the generation of `nonce`, and skips to the next millisecond first; no when another thread has.
    pub(crate) fn renew(&self, state: &State, nonce: Nonce) -> bool {
        // The word before the nonce: while the nonce is the old one, no slot of the word has been taken under the new one, and
        // all threads that find it so skip to the same millisecond.
        let word = state.load();
        let seen = self.load();
        if seen.generation() == nonce.generation() {
            return false;
        }
        state.skip_ms(word);
        // ORDERING: Release, see `load`. A failure needs nothing: the caller loads again.
        self.0.compare_exchange(seen.0, nonce.0, Ordering::Release, Ordering::Relaxed).is_ok()
    }
}
