//! ferroid's shared monotonic ULIDs: behind a mutex, on its ticker clock. (Its lock-free one needs atomics of 128 bits.)

use std::marker::PhantomData;

use ::ferroid::{
    generator::{Error, LockMonoUlidGenerator},
    id::ULID,
    rand::ThreadRandom,
    time::MonotonicClock,
};

use super::ferroid::{Backoff, Sleep, Spin, Yield};
use crate::{
    mint::Mint,
    rounds::{Contender, Measuring},
};

/// The crate's own type.
pub(crate) type Generator = LockMonoUlidGenerator<ULID, MonotonicClock<1>, ThreadRandom>;

/// A generator and what its callers do to wait.
pub(crate) struct FerroidUlid<B> {
    generator: Generator,
    backoff: PhantomData<B>,
}

/// With one setting of the three.
pub(crate) fn monotonic<B: Backoff>() -> FerroidUlid<B> {
    let generator = LockMonoUlidGenerator::new(MonotonicClock::default(), ThreadRandom);
    FerroidUlid { generator, backoff: PhantomData }
}

/// With each setting.
pub(crate) fn each<'a, W: Measuring<'a, Id = u128>>(way: &W) -> Vec<Contender<'a, W::Figure>> {
    vec![
        way.contender(Spin::NAME, monotonic::<Spin>()),
        way.contender(Yield::NAME, monotonic::<Yield>()),
        way.contender(Sleep::NAME, monotonic::<Sleep>()),
    ]
}

impl<B: Backoff> Mint for FerroidUlid<B> {
    type Id = u128;
    type Error = Error;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, Error> {
        let wait = |ms| B::wait(u64::try_from(ms).unwrap_or(u64::MAX));
        self.generator.try_next_id(wait).map(|id| id.to_raw())
    }
}
