//! Sources of 128-bit ids: one generator that all threads share or have handles on, or nothing but random bits.

use idcore::Clock;
use idformats::{
    BuildError, ClockFor, EntropyError, FillError, Format, Generator, IssueError, Local, RandomUlid, RandomUuid,
    ThreadEntropy,
};
use ulid::Ulid;
use uuid::Uuid;

use super::amount::Amount;
use super::frame::Frame;
use super::pool::{Interrupted, Source, Stop};
use crate::failure::Failure;
use crate::output::Output;

/// No format limits a second's ids; about so many are made and printed in one.
const IDS_PER_SECOND: f64 = 5e6;

/// A type of ids, as its crate prints it.
pub(super) trait WideId: Copy {
    /// Stands in a buffer where no id is yet.
    const ZERO: Self;

    /// Puts the id at the end of `text`.
    fn append(self, text: &mut Vec<u8>);
}

impl WideId for Uuid {
    const ZERO: Self = Self::nil();

    fn append(self, text: &mut Vec<u8>) {
        text.extend_from_slice(self.hyphenated().encode_lower(&mut Self::encode_buffer()).as_bytes());
    }
}

impl WideId for Ulid {
    const ZERO: Self = Self::nil();

    fn append(self, text: &mut Vec<u8>) {
        text.extend_from_slice(self.array_to_str(&mut [0; ulid::ULID_LEN]).as_bytes());
    }
}

/// Writes ids of one generator with this clock.
pub(super) fn write_shared<F, C>(amount: &Amount, clock: C, handles: bool, output: Output) -> Result<(), Failure>
where
    F: Format,
    F::Id: WideId,
    C: ClockFor<F> + Sync,
{
    let generator =
        F::generator_with(clock).build().map_err(|error: BuildError| Failure::Trouble(error.to_string()))?;
    let ids = Shared { generator, handles };
    write(amount, ids, output, |error| error.to_string())
}

/// Writes ids that share nothing.
pub(super) fn write_random<R: Random>(amount: &Amount, random: R, output: Output) -> Result<(), Failure> {
    write(amount, Unshared(random), output, |error| error.to_string())
}

fn write<I: Ids>(
    amount: &Amount,
    ids: I,
    output: Output,
    reason: impl FnOnce(I::Error) -> String,
) -> Result<(), Failure> {
    let source = WideSource { ids, frame: amount.frame(), batch_len: amount.batch_len(IDS_PER_SECOND) };
    amount.write(&source, IDS_PER_SECOND, output, reason)
}

/// Where a buffer of ids is filled from.
trait Ids: Sync {
    type Id: WideId;
    type Error: Send;
    type Thread<'a>
    where
        Self: 'a;

    fn thread(&self) -> Self::Thread<'_>;

    /// Fills the buffer; on an error, says how many are filled.
    fn fill(&self, thread: &mut Self::Thread<'_>, ids: &mut [Self::Id]) -> Result<(), (usize, Self::Error)>;
}

struct WideSource<I> {
    ids: I,
    frame: Frame,
    batch_len: usize,
}

impl<I: Ids> Source for WideSource<I> {
    type Error = I::Error;
    type Thread<'a>
        = I::Thread<'a>
    where
        Self: 'a;

    fn batch_len(&self) -> usize {
        self.batch_len
    }

    fn thread(&self) -> Self::Thread<'_> {
        self.ids.thread()
    }

    fn append(
        &self,
        thread: &mut Self::Thread<'_>,
        count: usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Interrupted<Self::Error>> {
        let mut ids = vec![I::Id::ZERO; count];
        let filled = self.ids.fill(thread, &mut ids);
        let made = filled.as_ref().map_or_else(|(made, _)| *made, |()| count);
        for id in &ids[..made] {
            self.frame.append(text, |text| id.append(text));
        }
        filled.map_err(|(made, error)| Interrupted { made, stop: Stop::Failed(error) })
    }
}

struct Shared<F, C> {
    generator: Generator<F, C, ThreadEntropy>,
    /// Whether each thread has a handle on the generator, and takes its ids one by one.
    handles: bool,
}

impl<F: Format, C: Clock + Sync> Ids for Shared<F, C>
where
    F::Id: WideId,
{
    type Id = F::Id;
    type Error = IssueError;
    type Thread<'a>
        = Option<Local<&'a Generator<F, C, ThreadEntropy>>>
    where
        Self: 'a;

    fn thread(&self) -> Self::Thread<'_> {
        self.handles.then(|| self.generator.local())
    }

    fn fill(&self, handle: &mut Self::Thread<'_>, ids: &mut [F::Id]) -> Result<(), (usize, IssueError)> {
        let Some(handle) = handle else {
            return self.generator.fill(ids).map_err(|FillError { filled, error, .. }| (filled, error));
        };
        ids.iter_mut().enumerate().try_for_each(|(made, id)| {
            *id = handle.next_id().map_err(|error| (made, error))?;
            Ok(())
        })
    }
}

/// Ids that a thread makes without a look at those of others.
pub(super) trait Random: Sync {
    type Id: WideId;
    type Error: Send + ToString;

    /// Fills the buffer; on an error, says how many are filled.
    fn fill(&self, ids: &mut [Self::Id]) -> Result<(), (usize, Self::Error)>;
}

impl Random for RandomUuid<ThreadEntropy> {
    type Id = Uuid;
    type Error = EntropyError;

    fn fill(&self, ids: &mut [Uuid]) -> Result<(), (usize, EntropyError)> {
        self.fill(ids).map_err(|error| (0, error))
    }
}

impl<C: Clock + Sync> Random for RandomUlid<C, ThreadEntropy> {
    type Id = Ulid;
    type Error = IssueError;

    fn fill(&self, ids: &mut [Ulid]) -> Result<(), (usize, IssueError)> {
        self.fill(ids).map_err(|FillError { filled, error, .. }| (filled, error))
    }
}

struct Unshared<R>(R);

impl<R: Random> Ids for Unshared<R> {
    type Id = R::Id;
    type Error = R::Error;
    type Thread<'a>
        = ()
    where
        Self: 'a;

    fn thread(&self) {}

    fn fill(&self, (): &mut (), ids: &mut [R::Id]) -> Result<(), (usize, R::Error)> {
        self.0.fill(ids)
    }
}
