//! SipHash-2-4 (Aumasson, Bernstein 2012) of messages whose length is known when compiling.
//!
//! The state after the key is kept, so that a hash costs its rounds alone. Additions, rotations and exclusive ors only: the
//! time does not depend on key or message.

use zeroize::{Zeroize, Zeroizing};

use crate::error::KeyError;
use crate::key::{Key, RAW_LEN};

/// The key's state, on which messages are absorbed.
#[derive(Clone)]
pub(crate) struct Sip {
    state: [u64; 4],
}

impl Drop for Sip {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl Sip {
    /// Of a key as SipHash reads it: two words, little-endian.
    pub(crate) fn new(key: &[u8; 16]) -> Self {
        let (low, high) = key.split_at(8);
        let word = |half: &[u8]| u64::from_le_bytes(*half.first_chunk().expect("half of sixteen bytes"));
        let (k0, k1) = (word(low), word(high));
        Self {
            state: [
                k0 ^ 0x736f_6d65_7073_6575,
                k1 ^ 0x646f_7261_6e64_6f6d,
                k0 ^ 0x6c79_6765_6e65_7261,
                k1 ^ 0x7465_6462_7974_6573,
            ],
        }
    }

    /// Of the subkey of a format and a type.
    pub(crate) fn derive(key: &Key, format: &str, entity: &str) -> Result<Self, KeyError> {
        let mut subkey = Zeroizing::new([0; RAW_LEN]);
        key.derive(format, entity, &mut *subkey)?;
        Ok(Self::new(&subkey))
    }

    /// The hash of one message: its blocks, the last of which has the length in its top byte.
    #[inline]
    pub(crate) fn hash<const N: usize>(&self, blocks: [u64; N]) -> u64 {
        let mut state = self.state;
        for block in blocks {
            state[3] ^= block;
            rounds(&mut state, 2);
            state[0] ^= block;
        }
        state[2] ^= 0xff;
        rounds(&mut state, 4);
        let [v0, v1, v2, v3] = state;
        v0 ^ v1 ^ v2 ^ v3
    }

    /// For those who go on from it several times at once.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn keyed_state(&self) -> [u64; 4] {
        self.state
    }
}

#[inline]
fn rounds([v0, v1, v2, v3]: &mut [u64; 4], count: usize) {
    for _ in 0..count {
        *v0 = v0.wrapping_add(*v1);
        *v2 = v2.wrapping_add(*v3);
        *v1 = v1.rotate_left(13) ^ *v0;
        *v3 = v3.rotate_left(16) ^ *v2;
        *v0 = v0.rotate_left(32);
        *v2 = v2.wrapping_add(*v1);
        *v0 = v0.wrapping_add(*v3);
        *v1 = v1.rotate_left(17) ^ *v2;
        *v3 = v3.rotate_left(21) ^ *v0;
        *v2 = v2.rotate_left(32);
    }
}
