//! Entropy that one number replays, and that can run dry.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use idformats::{Entropy, EntropyError};

use crate::Rng;

/// Bits of a seed: the same for the same seed. No entropy at all, but tests of what a generator does with it need no more.
#[derive(Debug)]
pub struct SeededEntropy {
    rng: Mutex<Rng>,
    /// Calls that are still answered.
    left: AtomicU64,
}

impl SeededEntropy {
    /// The bits of a seed, without end.
    pub const fn new(seed: u64) -> Self {
        Self { rng: Mutex::new(Rng::new(seed)), left: AtomicU64::new(u64::MAX) }
    }

    /// Fails after so many calls from now on.
    pub fn fail_after(&self, calls: u64) {
        // ORDERING: Relaxed, a number that publishes nothing.
        self.left.store(calls, Ordering::Relaxed);
    }

    /// Fails no more.
    pub fn mend(&self) {
        self.fail_after(u64::MAX);
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let one_less = |left: u64| if left == u64::MAX { Some(left) } else { left.checked_sub(1) };
        // ORDERING: Relaxed, see `fail_after`.
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
            return Err(EntropyError::new());
        }
        let mut rng = self.rng.lock().expect("nobody panics while numbers are drawn");
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&rng.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
