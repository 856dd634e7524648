//! Entropy that one number replays, and that can run dry.

use std::sync::{Mutex, MutexGuard};

use idformats::{Entropy, EntropyError};

use crate::Rng;

/// Bits of a seed: the same for the same seed. No entropy at all, but tests of what a generator does with it need no more.
#[derive(Debug)]
pub struct SeededEntropy {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    rng: Rng,
    /// Calls that are still answered; none: all.
    left: Option<u64>,
}

impl SeededEntropy {
    /// The bits of a seed, without end.
    pub const fn new(seed: u64) -> Self {
        Self { inner: Mutex::new(Inner { rng: Rng::new(seed), left: None }) }
    }

    /// Fails after so many calls from now on.
    pub fn fail_after(&self, calls: u64) {
        self.lock().left = Some(calls);
    }

    /// Fails no more.
    pub fn mend(&self) {
        self.lock().left = None;
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("nobody panics while numbers are drawn")
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let mut inner = self.lock();
        if let Some(left) = inner.left {
            inner.left = Some(left.checked_sub(1).ok_or(EntropyError::new())?);
        }
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&inner.rng.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
