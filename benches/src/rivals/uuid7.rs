//! The uuid7 crate's generator for the process: behind a mutex, safe over forks.

use std::convert::Infallible;

use crate::mint::Mint;

/// The name of the crate.
pub(crate) const NAME: &str = "uuid7";

/// The generator.
pub(crate) struct Uuid7;

impl Mint for Uuid7 {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        Ok(u128::from_be_bytes(*::uuid7::uuid7().as_bytes()))
    }
}
