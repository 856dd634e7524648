//! UUIDs and ULIDs.

use idcore::{Clock, SystemClock, TickerClock};
use idformats::{
    Builder, EntropyError, FillError, Format, Generator, IssueError, Local, RandomUlid, RandomUuid, ThreadEntropy,
};
use ulid::Ulid;
use uuid::Uuid;

use crate::{
    burst::{BATCH_IDS, Batch},
    failure::Failure,
    mint::{Hold, Mint, Source},
};

/// The name of the generator that a row is about.
pub(crate) const NAME: &str = "idformats";

/// The names of others, whose settings the name of a row says too.
pub(crate) const NAME_TICKER: &str = "idformats (ticker)";
pub(crate) const NAME_RANDOM: &str = "idformats (random steps)";
pub(crate) const NAME_SUB_MS: &str = "idformats (sub-ms)";
pub(crate) const NAME_HANDLES: &str = "idformats (handles)";

/// An id of 128 bits as a number that sorts as the id does.
pub(crate) trait Number: Copy {
    /// The lowest id.
    const LOWEST: Self;

    /// The number.
    fn number(self) -> u128;
}

impl Number for Uuid {
    const LOWEST: Self = Self::nil();

    #[inline]
    fn number(self) -> u128 {
        self.as_u128()
    }
}

impl Number for Ulid {
    const LOWEST: Self = Self::nil();

    #[inline]
    fn number(self) -> u128 {
        self.0
    }
}

/// This project's own type.
pub(crate) type Shared<F, C = SystemClock> = Generator<F, C, ThreadEntropy>;

/// A generator with the default policies that threads share.
pub(crate) struct Ours<F, C = SystemClock>(Shared<F, C>);

/// The same where each thread has a handle of its own.
pub(crate) struct Handles<F, C = SystemClock>(Shared<F, C>);

/// On the wall clock: `builder` is [`Format::generator`]'s.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn wall<F: Format>(builder: Builder<F, SystemClock, ThreadEntropy>) -> Result<Ours<F>, Failure> {
    build(NAME, builder)
}

/// On a clock that a thread advances, which ends with the generator.
///
/// # Errors
///
/// What the builder says, or the operating system that starts no thread.
pub(crate) fn ticker<F: Format>() -> Result<Ours<F, TickerClock>, Failure>
where
    TickerClock: idformats::ClockFor<F>,
{
    let clock = TickerClock::start().map_err(|error| Failure::refused(NAME_TICKER, &error))?;
    build(NAME_TICKER, F::generator_with(clock))
}

fn build<F: Format, C: Clock>(name: &str, builder: Builder<F, C, ThreadEntropy>) -> Result<Ours<F, C>, Failure> {
    builder.build().map(Ours).map_err(|error| Failure::refused(name, &error))
}

impl<F, C> Ours<F, C> {
    /// With a handle for each thread.
    pub(crate) fn into_handles(self) -> Handles<F, C> {
        Handles(self.0)
    }
}

impl<F: Format, C: Clock + Sync> Mint for Ours<F, C>
where
    F::Id: Number,
{
    type Id = u128;
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, IssueError> {
        self.0.next_id().map(Number::number)
    }
}

impl<F: Format, C: Clock + Sync> Source for Handles<F, C>
where
    F::Id: Number,
{
    type Id = u128;
    type Hold<'a>
        = Local<&'a Shared<F, C>>
    where
        Self: 'a;

    fn hold(&self) -> Local<&Shared<F, C>> {
        self.0.local()
    }
}

impl<F: Format, C: Clock> Hold for Local<&Shared<F, C>>
where
    F::Id: Number,
{
    type Id = u128;
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&mut self) -> Result<u128, IssueError> {
        self.next_id().map(Number::number)
    }
}

impl<F: Format> Batch for Ours<F>
where
    F::Id: Number,
{
    type Id = u128;
    type Buffer = Vec<F::Id>;
    type Error = FillError;

    fn buffer(&self) -> Vec<F::Id> {
        vec![F::Id::LOWEST; BATCH_IDS]
    }

    fn fill(&self, buffer: &mut Vec<F::Id>) -> Result<(), FillError> {
        self.0.fill(buffer)
    }

    fn ids(buffer: &Vec<F::Id>) -> impl Iterator<Item = u128> {
        buffer.iter().copied().map(Number::number)
    }
}

/// UUIDs of version 4.
pub(crate) struct V4(RandomUuid<ThreadEntropy>);

/// UUIDs of version 4.
pub(crate) fn v4() -> V4 {
    V4(RandomUuid::new(ThreadEntropy))
}

impl Mint for V4 {
    type Id = u128;
    type Error = EntropyError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, EntropyError> {
        self.0.next_id().map(Number::number)
    }
}

/// ULIDs without an order within a millisecond.
pub(crate) struct Unordered(RandomUlid<SystemClock, ThreadEntropy>);

/// ULIDs without an order within a millisecond, on the wall clock.
pub(crate) fn unordered_ulid() -> Unordered {
    Unordered(RandomUlid::new(SystemClock, ThreadEntropy))
}

impl Mint for Unordered {
    type Id = u128;
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u128, IssueError> {
        self.0.next_id().map(Number::number)
    }
}
