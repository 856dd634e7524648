//! ferroid's shared atomic generator, on its ticker clock, with its state padded to cache lines.
//!
//! A caller must say what to do when there is no id or another thread won the race. Three usual
//! answers are measured; the best one for a row stands for the crate in that row.

use std::{convert::Infallible, hint, marker::PhantomData, thread, time::Duration};

use ::ferroid::{
    define_snowflake_id,
    generator::AtomicSnowflakeGenerator,
    id::{SnowflakeId, SnowflakeTwitterId},
    time::{MonotonicClock, TWITTER_EPOCH},
};

use crate::{
    mint::Mint,
    rounds::{Contender, Measuring},
};

define_snowflake_id!(
    /// The wide layout: 41 bits of time, 22 of sequence.
    WideId, u64,
    reserved: 1,
    timestamp: 41,
    machine_id: 0,
    sequence: 22
);

type Atomic<I> = AtomicSnowflakeGenerator<I, MonotonicClock<1>>;

/// The crate's own type on the Twitter layout.
pub(crate) type TwitterGenerator = Atomic<SnowflakeTwitterId>;

/// What a caller does when it is told to wait for some milliseconds, or to try again at once (0).
///
/// A type and no value, so that the choice costs nothing for each id.
pub(crate) trait Backoff: Send + Sync + 'static {
    /// The name of the crate with this setting.
    const NAME: &'static str;

    /// Does it.
    fn wait(ms: u64);
}

/// Spins.
pub(crate) struct Spin;

impl Backoff for Spin {
    const NAME: &'static str = "ferroid (spin)";

    #[inline]
    fn wait(_ms: u64) {
        hint::spin_loop();
    }
}

/// Gives the rest of its time slice away.
pub(crate) struct Yield;

impl Backoff for Yield {
    const NAME: &'static str = "ferroid (yield)";

    #[inline]
    fn wait(_ms: u64) {
        thread::yield_now();
    }
}

/// Spins after a lost race, sleeps as long as it is told otherwise.
pub(crate) struct Sleep;

impl Backoff for Sleep {
    const NAME: &'static str = "ferroid (sleep)";

    #[inline]
    fn wait(ms: u64) {
        match ms {
            0 => hint::spin_loop(),
            ms => thread::sleep(Duration::from_millis(ms)),
        }
    }
}

/// A generator and what its callers do to wait.
pub(crate) struct Ferroid<I: SnowflakeId<Ty = u64>, B> {
    generator: Atomic<I>,
    backoff: PhantomData<B>,
}

impl<I: SnowflakeId<Ty = u64>, B: Backoff> Ferroid<I, B> {
    fn new(machine: u64) -> Self {
        let clock = MonotonicClock::with_epoch(TWITTER_EPOCH);
        Self { generator: AtomicSnowflakeGenerator::new(machine, clock), backoff: PhantomData }
    }
}

/// On the Twitter layout, with one setting of the three.
pub(crate) fn twitter<B: Backoff>() -> Ferroid<SnowflakeTwitterId, B> {
    Ferroid::new(1)
}

/// On the Twitter layout, with each setting.
pub(crate) fn each_twitter<'a, W: Measuring<'a, Id = u64>>(way: &W) -> Vec<Contender<'a, W::Figure>> {
    each::<SnowflakeTwitterId, W>(way, 1)
}

/// On the wide layout, with each setting.
pub(crate) fn each_wide<'a, W: Measuring<'a, Id = u64>>(way: &W) -> Vec<Contender<'a, W::Figure>> {
    each::<WideId, W>(way, 0)
}

fn each<'a, I, W>(way: &W, machine: u64) -> Vec<Contender<'a, W::Figure>>
where
    I: SnowflakeId<Ty = u64> + Send + Sync + 'static,
    W: Measuring<'a, Id = u64>,
{
    vec![
        way.contender(Spin::NAME, Ferroid::<I, Spin>::new(machine)),
        way.contender(Yield::NAME, Ferroid::<I, Yield>::new(machine)),
        way.contender(Sleep::NAME, Ferroid::<I, Sleep>::new(machine)),
    ]
}

impl<I: SnowflakeId<Ty = u64> + Sync, B: Backoff> Mint for Ferroid<I, B> {
    type Id = u64;
    type Error = Infallible;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u64, Infallible> {
        Ok(self.generator.next_id(B::wait).to_raw())
    }
}
