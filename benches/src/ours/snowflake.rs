//! Snowflake ids.

use idcore::{
    Clock, Field, Generator, IssueError, Layout, Local, MonotonicClock, Snowflake, StaticLayout, SystemClock,
    TickerClock, UnixMillis, presets::Twitter,
};

use crate::{
    burst::{BATCH_IDS, Batch},
    failure::Failure,
    mint::{Hold, Mint, Source},
};

/// The epoch of all layouts measured here, Twitter's: 2010-11-04T01:42:54.657Z.
pub(crate) const EPOCH_UNIX_MS: i64 = 1_288_834_974_657;

/// The name of the wall clock generator.
pub(crate) const NAME: &str = "idcore";

/// The names of others, whose settings the name of a row says too.
pub(crate) const NAME_TICKER: &str = "idcore (ticker)";
pub(crate) const NAME_MONOTONIC: &str = "idcore (monotonic)";
pub(crate) const NAME_HANDLES: &str = "idcore (handles)";
pub(crate) const NAME_TICKER_HANDLES: &str = "idcore (ticker, handles)";

/// The wide layout: 41 bits of time, 22 of sequence, no node.
pub(crate) struct Wide;

impl StaticLayout for Wide {
    const LAYOUT: Layout =
        match Layout::new(UnixMillis::new(EPOCH_UNIX_MS), 1, &[Field::timestamp(41), Field::sequence(22)]) {
            Ok(layout) => layout,
            Err(_) => panic!("41 and 22 bits fit 63"),
        };
}

/// This project's own type on the Twitter layout.
pub(crate) type TwitterGenerator = Generator<Twitter, SystemClock>;

/// A generator with the default policies that threads share.
pub(crate) struct Ours<L: StaticLayout, C = SystemClock>(Generator<L, C>);

/// The same where each thread has a handle of its own.
pub(crate) struct Handles<L: StaticLayout, C = SystemClock>(Generator<L, C>);

/// On the Twitter layout and the wall clock.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn twitter() -> Result<Ours<Twitter>, Failure> {
    build(NAME, 1, SystemClock)
}

/// On the wide layout and the wall clock.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn wide() -> Result<Ours<Wide>, Failure> {
    build(NAME, 0, SystemClock)
}

/// On the wide layout and a clock that a thread advances, which ends with the generator.
///
/// # Errors
///
/// What the builder says, or the operating system that starts no thread.
pub(crate) fn wide_ticker() -> Result<Ours<Wide, TickerClock>, Failure> {
    let clock = TickerClock::start().map_err(|error| Failure::refused(NAME_TICKER, &error))?;
    build(NAME_TICKER, 0, clock)
}

/// On the wide layout and the clock that never goes back.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn wide_monotonic() -> Result<Ours<Wide, MonotonicClock>, Failure> {
    build(NAME_MONOTONIC, 0, MonotonicClock::new())
}

/// Several generators of a layout live in a group of rows, only one of which runs at a time and no two of which are held
/// against each other: so they are not registered, which is no affair of an id's.
fn build<L: StaticLayout, C: Clock>(name: &str, node: u64, clock: C) -> Result<Ours<L, C>, Failure> {
    let built = L::generator_with(clock).node(node).unregistered().build();
    built.map(Ours).map_err(|error| Failure::refused(name, &error))
}

impl<L: StaticLayout, C> Ours<L, C> {
    /// With a handle for each thread.
    pub(crate) fn into_handles(self) -> Handles<L, C> {
        Handles(self.0)
    }
}

impl<L: StaticLayout, C: Clock + Sync> Mint for Ours<L, C> {
    type Id = u64;
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u64, IssueError> {
        self.0.next_id().map(Snowflake::get)
    }
}

impl<L: StaticLayout, C: Clock + Sync> Source for Handles<L, C> {
    type Id = u64;
    type Hold<'a>
        = Local<&'a Generator<L, C>>
    where
        Self: 'a;

    fn hold(&self) -> Local<&Generator<L, C>> {
        self.0.local()
    }
}

impl<L: StaticLayout, C: Clock> Hold for Local<&Generator<L, C>> {
    type Id = u64;
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&mut self) -> Result<u64, IssueError> {
        self.next_id().map(Snowflake::get)
    }
}

impl<L: StaticLayout> Batch for Ours<L> {
    type Id = u64;
    type Buffer = Vec<Snowflake<L>>;
    type Error = idcore::FillError;

    fn buffer(&self) -> Vec<Snowflake<L>> {
        let id = Snowflake::new(L::LAYOUT.id_max()).expect("the highest id of a layout is one");
        vec![id; BATCH_IDS]
    }

    fn fill(&self, buffer: &mut Vec<Snowflake<L>>) -> Result<(), idcore::FillError> {
        self.0.fill(buffer)
    }

    fn ids(buffer: &Vec<Snowflake<L>>) -> impl Iterator<Item = u64> {
        buffer.iter().map(|id| id.get())
    }
}
