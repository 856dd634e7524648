//! `rusty_ulid`: the next id after another, which a caller has to keep and lock, and ids without an order.

use std::{
    convert::Infallible,
    sync::{Mutex, PoisonError},
};

use ::rusty_ulid::Ulid;

use crate::mint::Mint;

/// The name of the monotonic call.
pub(crate) const NAME_MONOTONIC: &str = "rusty_ulid (next_monotonic, Mutex)";
/// The name of the call for single ids.
pub(crate) const NAME_UNORDERED: &str = "rusty_ulid (generate)";

/// The last id, which threads share.
pub(crate) struct Monotonic(Mutex<Ulid>);

impl Default for Monotonic {
    fn default() -> Self {
        Self(Mutex::new(Ulid::from(0_u128)))
    }
}

impl Mint for Monotonic {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Ulid::next_monotonic(*last);
        Ok((*last).into())
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
        Ok(Ulid::generate().into())
    }
}
