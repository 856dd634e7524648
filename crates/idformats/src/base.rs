//! The base of a millisecond: what counters that are not seeded in the word begin from.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

use crate::state::Nonce;

/// 256 bits of entropy, drawn for one generator. All its bases hang on them.
pub(crate) struct Key([u8; 32]);

impl Key {
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The first 128 bits of the `ChaCha12` block at position `unix_ms` of the stream `nonce` under this key.
    pub(crate) fn base(&self, nonce: Nonce, unix_ms: u64) -> u128 {
        let mut stream = ChaCha12Rng::from_seed(self.0);
        stream.set_stream(nonce.get());
        stream.set_block_pos(unix_ms);
        let mut bytes = [0; 16];
        stream.fill_bytes(&mut bytes);
        u128::from_le_bytes(bytes)
    }

    /// As [`base`](Self::base), from the thread's memory when it was the last that this thread asked for.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn base_cached(&self, nonce: Nonce, unix_ms: u64) -> u128 {
        let head = self.head();
        LAST.with(|last| {
            let known = last.get();
            if known.unix_ms == unix_ms && known.nonce == nonce.get() && known.key_head == head {
                return known.base;
            }
            let base = self.base(nonce, unix_ms);
            last.set(Known { unix_ms, nonce: nonce.get(), key_head: head, base });
            base
        })
    }

    #[cfg(not(feature = "std"))]
    pub(crate) fn base_cached(&self, nonce: Nonce, unix_ms: u64) -> u128 {
        self.base(nonce, unix_ms)
    }

    /// Enough of the key, together with a nonce, to tell generators apart.
    #[cfg(feature = "std")]
    fn head(&self) -> u64 {
        u64::from_le_bytes(*self.0.first_chunk().expect("a key has 32 bytes"))
    }
}

#[cfg(feature = "std")]
#[derive(Clone, Copy)]
struct Known {
    unix_ms: u64,
    nonce: u64,
    key_head: u64,
    base: u128,
}

#[cfg(feature = "std")]
std::thread_local! {
    static LAST: core::cell::Cell<Known> =
        const { core::cell::Cell::new(Known { unix_ms: u64::MAX, nonce: 0, key_head: 0, base: 0 }) };
}
