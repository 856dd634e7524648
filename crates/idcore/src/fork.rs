//! Whether this process is a fork of the one that made a thing.
//!
//! A forked child has a copy of a generator's state, and would hand out the ids that its parent hands out. Detection is one
//! load of a counter that `pthread_atfork` raises in the child. Without `std`, and on systems without `fork`, nothing is
//! detected; a raw `clone`, `vfork` and a restored VM snapshot call no handler and are not detected either.

/// Tells whether this process is a fork of the one that made the guard.
///
/// It is taken when a thing is made, and never renewed: in a child, and in the child's children, the answer stays. To ask is one
/// load of a counter that `pthread_atfork` raises in the child. Without `std`, and on systems without `fork`, nothing is detected;
/// a raw `clone`, `vfork` and a restored snapshot of a virtual machine call no handler and are not detected either.
///
/// # Examples
///
/// ```
/// let guard = idcore::ForkGuard::new();
/// assert!(!guard.is_forked());
/// ```
#[derive(Clone, Debug)]
pub struct ForkGuard {
    #[cfg(feature = "std")]
    guard: forkguard::Guard,
}

impl ForkGuard {
    /// A guard of this process.
    #[expect(clippy::new_without_default, reason = "no guard is like another")]
    pub fn new() -> Self {
        Self {
            #[cfg(feature = "std")]
            guard: forkguard::new(),
        }
    }

    /// Whether the process is a child, or a grandchild, of the one that made the guard.
    #[inline]
    pub fn is_forked(&self) -> bool {
        #[cfg(feature = "std")]
        {
            // A copy, since asking renews the guard that is asked.
            self.guard.clone().detected_fork()
        }
        #[cfg(not(feature = "std"))]
        {
            false
        }
    }
}
