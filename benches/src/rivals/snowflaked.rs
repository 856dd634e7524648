//! snowflaked's shared generator: fixed at 42/10/12, wall clock, spins when a tick is used up.

use std::{
    convert::Infallible,
    time::{Duration, UNIX_EPOCH},
};

use ::snowflaked::Builder;
pub(crate) use ::snowflaked::sync::Generator;

use crate::{mint::Mint, ours::snowflake::EPOCH_UNIX_MS};

/// The name of the crate.
pub(crate) const NAME: &str = "snowflaked";

/// The generator.
pub(crate) struct Snowflaked(Generator);

/// On its one layout, which is Twitter's but for the topmost bit.
pub(crate) fn twitter() -> Snowflaked {
    let epoch = UNIX_EPOCH + Duration::from_millis(EPOCH_UNIX_MS.unsigned_abs());
    Snowflaked(Builder::new().instance(1).epoch(epoch).build())
}

impl Mint for Snowflaked {
    type Id = u64;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u64, Infallible> {
        Ok(self.0.generate())
    }
}
