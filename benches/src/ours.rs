//! This project's generators, as a user would build them.

use idcore::{
    Field, Generator, IssueError, Layout, Snowflake, StaticLayout, SystemClock, UnixMillis, presets::Twitter,
};

use crate::{
    burst::{BATCH_IDS, Batch},
    failure::Failure,
    harness::Mint,
};

/// The epoch of all layouts measured here, Twitter's: 2010-11-04T01:42:54.657Z.
pub(crate) const EPOCH_UNIX_MS: i64 = 1_288_834_974_657;

/// The name of the wall clock generator.
pub(crate) const NAME: &str = "idcore";

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

/// A generator on the wall clock with the default policies.
pub(crate) struct Ours<L: StaticLayout>(Generator<L, SystemClock>);

/// On the Twitter layout.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn twitter() -> Result<Ours<Twitter>, Failure> {
    build(1)
}

/// On the wide layout.
///
/// # Errors
///
/// What the builder says.
pub(crate) fn wide() -> Result<Ours<Wide>, Failure> {
    build(0)
}

fn build<L: StaticLayout>(node: u64) -> Result<Ours<L>, Failure> {
    L::generator().node(node).build().map(Ours).map_err(|error| Failure::refused(NAME, &error))
}

impl<L: StaticLayout + Send + Sync> Mint for Ours<L> {
    type Error = IssueError;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u64, IssueError> {
        self.0.next_id().map(Snowflake::get)
    }
}

impl<L: StaticLayout> Batch for Ours<L> {
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
