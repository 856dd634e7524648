//! Where unpredictable bits come from.

#[cfg(feature = "std")]
mod pool;

use core::fmt;

#[cfg(feature = "std")]
pub use self::pool::ThreadEntropy;

/// A source of bits that nobody can predict, as RFC 9562 section 6.9 asks for.
///
/// Implement it for a source of your own, such as a hardware generator where there is no operating system. It must be
/// cryptographically secure, give different bits to all threads, and different bits to a forked child than to its parent:
/// generators rely on that.
pub trait Entropy {
    /// Fills the buffer.
    ///
    /// # Errors
    ///
    /// When the source gives nothing; what the buffer then holds is not to be used.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError>;

    /// Sixty-four bits.
    ///
    /// # Errors
    ///
    /// As for [`fill`](Self::fill).
    #[inline]
    fn next_u64(&self) -> Result<u64, EntropyError> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A hundred and twenty-eight bits.
    ///
    /// # Errors
    ///
    /// As for [`fill`](Self::fill).
    #[inline]
    fn next_u128(&self) -> Result<u128, EntropyError> {
        let mut bytes = [0; 16];
        self.fill(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }
}

impl<E: Entropy + ?Sized> Entropy for &E {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        (**self).fill(bytes)
    }

    #[inline]
    fn next_u64(&self) -> Result<u64, EntropyError> {
        (**self).next_u64()
    }

    #[inline]
    fn next_u128(&self) -> Result<u128, EntropyError> {
        (**self).next_u128()
    }
}

#[cfg(feature = "std")]
impl<E: Entropy + ?Sized> Entropy for std::sync::Arc<E> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        (**self).fill(bytes)
    }

    #[inline]
    fn next_u64(&self) -> Result<u64, EntropyError> {
        (**self).next_u64()
    }

    #[inline]
    fn next_u128(&self) -> Result<u128, EntropyError> {
        (**self).next_u128()
    }
}

/// A source of entropy gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntropyError {
    /// The operating system's number, or 0. As wide as what `next_u64` returns, so that both come back in registers.
    os_error: i64,
}

impl EntropyError {
    /// An error of a source that is not the operating system's.
    pub const fn new() -> Self {
        Self { os_error: 0 }
    }

    #[cfg(feature = "std")]
    #[cold]
    fn of_system(os_error: Option<i32>) -> Self {
        Self { os_error: os_error.map_or(0, i64::from) }
    }

    /// The operating system's error number, where it gave one.
    pub fn raw_os_error(&self) -> Option<i32> {
        i32::try_from(self.os_error).ok().filter(|number| *number != 0)
    }
}

impl Default for EntropyError {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.raw_os_error() {
            Some(number) => write!(f, "no random bytes from the operating system: error {number}"),
            None => write!(f, "no random bytes from the source of entropy"),
        }
    }
}

impl core::error::Error for EntropyError {}
