//! The uuid crate, with its fast source of random bits: version 7 by one generator behind a mutex, version 4 without any.

use std::convert::Infallible;

use ::uuid::Uuid;

use crate::mint::Mint;

/// The name of its version 7.
pub(crate) const NAME_V7: &str = "uuid (now_v7)";
/// The name of its version 4.
pub(crate) const NAME_V4: &str = "uuid (new_v4)";

/// Version 7, method 1, of the process's generator.
pub(crate) struct NowV7;

impl Mint for NowV7 {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        Ok(Uuid::now_v7().as_u128())
    }
}

/// Version 4.
pub(crate) struct NewV4;

impl Mint for NewV4 {
    type Id = u128;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Infallible> {
        Ok(Uuid::new_v4().as_u128())
    }
}
