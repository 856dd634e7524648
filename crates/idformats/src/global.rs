//! Ids for those who want no object: one generator for the process.

use idcore::SystemClock;
use once_cell::race::OnceBox;
use std::boxed::Box;
use ulid::Ulid;
use uuid::Uuid;

use crate::entropy::{EntropyError, ThreadEntropy};
use crate::format::{Format as _, UlidMonotonic, V7Counter};
use crate::generator::{BuildError, Generator, IssueError};
use crate::unordered::RandomUuid;

type Shared<F> = Generator<F, SystemClock, ThreadEntropy>;

// Not a `OnceLock`: a fork while another thread is in its closure would leave the child waiting for ever.
static UUIDS: OnceBox<Shared<V7Counter>> = OnceBox::new();
static ULIDS: OnceBox<Shared<UlidMonotonic>> = OnceBox::new();

/// A UUID of version 7 by method 1, of the process's generator: strictly increasing over all threads, safe over forks.
///
/// # Errors
///
/// As for [`Generator::next_id`], with the system's clock and the policies by default.
///
/// # Examples
///
/// ```
/// let (one, two) = (idformats::uuidv7()?, idformats::uuidv7()?);
/// assert!(one < two);
/// # Ok::<(), idformats::IssueError>(())
/// ```
#[inline]
pub fn uuidv7() -> Result<Uuid, IssueError> {
    match UUIDS.get() {
        Some(ids) => ids.next_id(),
        None => UUIDS.get_or_try_init(|| build(V7Counter::generator().build()))?.next_id(),
    }
}

/// A UUID of version 4: 122 random bits.
///
/// # Errors
///
/// When the operating system gives no entropy.
#[inline]
pub fn uuidv4() -> Result<Uuid, EntropyError> {
    RandomUuid::new(ThreadEntropy).next_id()
}

/// A monotonic ULID of the process's generator: strictly increasing over all threads, safe over forks.
///
/// # Errors
///
/// As for [`Generator::next_id`], with the system's clock and the policies by default.
#[inline]
pub fn ulid() -> Result<Ulid, IssueError> {
    match ULIDS.get() {
        Some(ids) => ids.next_id(),
        None => ULIDS.get_or_try_init(|| build(UlidMonotonic::generator().build()))?.next_id(),
    }
}

#[cold]
fn build<F>(built: Result<Shared<F>, BuildError>) -> Result<Box<Shared<F>>, IssueError> {
    built.map(Box::new).map_err(|error| match error {
        BuildError::Entropy(error) => IssueError::Entropy(error),
        BuildError::Forked { depth } => IssueError::Forked { depth },
        BuildError::StartFormat | BuildError::StartOutOfRange { .. } => unreachable!("no start was asked for"),
    })
}
