//! The ulid crate: a monotonic generator, which a caller has to lock, and ids without an order within a millisecond.

use std::{
    convert::Infallible,
    sync::{Mutex, PoisonError},
};

use ::ulid::{Generator, Overflow, Ulid};

use crate::mint::Mint;

/// The name of the monotonic generator.
pub(crate) const NAME_MONOTONIC: &str = "ulid (Generator, Mutex)";
/// The name of the call for single ids.
pub(crate) const NAME_UNORDERED: &str = "ulid (generate)";

/// A monotonic generator that threads share.
#[derive(Default)]
pub(crate) struct Monotonic(Mutex<Generator>);

impl Mint for Monotonic {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        let mut generator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = generator.generate().unwrap_or_else(Overflow::commit_overflow_increment);
        Ok(next.0)
    }
}

/// Ids without an order within a millisecond.
pub(crate) struct Unordered;

impl Mint for Unordered {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        Ok(Ulid::generate().0)
    }
}
