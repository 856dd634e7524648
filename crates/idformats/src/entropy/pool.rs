//! A pool of random bytes for each thread.

use std::cell::RefCell;
use std::thread_local;

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use idcore::ForkGuard;

use super::{Entropy, EntropyError};

const KEY_LEN: usize = 32;

/// Bytes of a refill that are given out. The key of the next one comes before them, and together they are four times the four
/// blocks that `ChaCha12` makes at once: nothing is made in vain.
const POOL_LEN: usize = 4 * 256 - KEY_LEN;

/// Entropy of the operating system, stretched by `ChaCha12` in a pool of each thread's own.
///
/// - A thread's key comes from the operating system. Each refill of a kilobyte replaces it by its own first bytes, and bytes
///   that were given out are erased: whoever reads the memory later learns nothing about ids made before.
/// - A forked child draws a new key: to find out costs one load for each use. A raw `clone` and a restored snapshot of a
///   virtual machine are not noticed.
/// - One system call for each thread and each fork, none for an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadEntropy;

struct Pool {
    key: [u8; KEY_LEN],
    bytes: [u8; POOL_LEN],
    /// The first byte that was not given out.
    next: usize,
    /// Taken when the key was drawn; none before that.
    guard: Option<ForkGuard>,
}

thread_local! {
    // Nothing to drop and nothing to build: the quickest kind, and usable until the thread's very end.
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::EMPTY) };
}

impl Entropy for ThreadEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        POOL.with(|pool| match pool.try_borrow_mut() {
            Ok(mut pool) => pool.fill(bytes),
            // A signal handler has interrupted this very thread in here.
            Err(_) => from_system(bytes),
        })
    }

    #[inline]
    fn next_u64(&self) -> Result<u64, EntropyError> {
        POOL.with(|pool| match pool.try_borrow_mut() {
            Ok(mut pool) => pool.next_array().map(u64::from_le_bytes),
            Err(_) => array_from_system().map(u64::from_le_bytes),
        })
    }

    #[inline]
    fn next_u128(&self) -> Result<u128, EntropyError> {
        POOL.with(|pool| match pool.try_borrow_mut() {
            Ok(mut pool) => pool.next_array().map(u128::from_le_bytes),
            Err(_) => array_from_system().map(u128::from_le_bytes),
        })
    }
}

impl Pool {
    const EMPTY: Self = Self { key: [0; KEY_LEN], bytes: [0; POOL_LEN], next: POOL_LEN, guard: None };

    #[inline]
    fn next_array<const N: usize>(&mut self) -> Result<[u8; N], EntropyError> {
        if self.is_stale() || self.next > POOL_LEN - N {
            self.refill()?;
        }
        let bytes = self.bytes[self.next..].first_chunk_mut().expect("so many bytes are left");
        self.next += N;
        Ok(core::mem::replace(bytes, [0; N]))
    }

    /// Fills from the pool what it holds, and from the stream what is more than a pool.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if self.is_stale() {
            self.refill()?;
        }
        if bytes.len() > POOL_LEN - self.next {
            if bytes.len() >= POOL_LEN {
                stretch(&mut self.key, bytes);
                return Ok(());
            }
            self.refill()?;
        }
        let taken = &mut self.bytes[self.next..self.next + bytes.len()];
        bytes.copy_from_slice(taken);
        taken.fill(0);
        self.next += bytes.len();
        Ok(())
    }

    /// Whether the key is a parent process's, or none.
    #[inline]
    fn is_stale(&self) -> bool {
        self.guard.as_ref().is_none_or(ForkGuard::is_forked)
    }

    #[cold]
    fn refill(&mut self) -> Result<(), EntropyError> {
        if self.is_stale() {
            // Before the key is drawn: a fork in between is noticed at the next use.
            let guard = ForkGuard::new();
            from_system(&mut self.key)?;
            self.guard = Some(guard);
        }
        stretch(&mut self.key, &mut self.bytes);
        self.next = 0;
        Ok(())
    }
}

/// Fills the buffer from the key, and replaces the key first.
fn stretch(key: &mut [u8; KEY_LEN], bytes: &mut [u8]) {
    let mut stream = ChaCha12Rng::from_seed(*key);
    stream.fill_bytes(key);
    stream.fill_bytes(bytes);
}

fn from_system(bytes: &mut [u8]) -> Result<(), EntropyError> {
    getrandom::fill(bytes).map_err(|error| EntropyError::of_system(error.raw_os_error()))
}

#[cold]
fn array_from_system<const N: usize>() -> Result<[u8; N], EntropyError> {
    let mut bytes = [0; N];
    from_system(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_were_given_out_are_erased() {
        let mut pool = Pool::EMPTY;
        let mut bytes = [0; 100];
        pool.fill(&mut bytes).expect("there is entropy");
        pool.next_array::<8>().expect("there is entropy");
        pool.next_array::<16>().expect("there is entropy");
        assert_ne!(bytes, [0; 100]);
        assert_eq!(pool.next, 124);
        assert_eq!(pool.bytes[..124], [0; 124]);
        assert_ne!(pool.bytes[124..], [0; POOL_LEN - 124]);
    }

    #[test]
    fn every_refill_replaces_the_key() {
        let mut pool = Pool::EMPTY;
        let mut keys = std::vec::Vec::new();
        for len in [900, 900, 24, 2_000, 3_000] {
            pool.fill(&mut std::vec![0; len]).expect("there is entropy");
            keys.push(pool.key);
        }
        // The third had its bytes left over.
        assert_eq!(keys[1], keys[2]);
        keys.dedup();
        assert_eq!(keys.len(), 4);
        assert!(!pool.bytes.windows(KEY_LEN).any(|window| keys.iter().any(|key| window == key)), "no key is given out");
    }
}
