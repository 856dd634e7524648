//! How many ids, by how many threads, and how they are printed: the same for every format.

use std::io::{self, IsTerminal, Write};

use clap::Args;

use super::frame::Frame;
use super::pool::{self, Job, PoolError, Source};
use crate::clock::ClockKind;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::quote::counted;

/// The most ids that a thread takes at a time: enough that nothing but the format limits the whole.
const BATCH_LEN_MAX: u64 = 8_192;
/// The most ids in the batches of all threads together: 10 MiB or so of text.
const BATCHES_LEN_MAX: u64 = 262_144;
/// A batch takes at most this share of a second, so that slow formats print what they have.
const BATCHES_PER_SECOND: u64 = 50;

#[derive(Debug, Args)]
pub(super) struct Amount {
    /// How many
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    count: u64,
    /// Threads that share the work
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print one JSON document, {"ids":["…",…]}
    #[arg(long)]
    json: bool,
}

/// What the threads take their ids from.
#[derive(Debug, Args)]
pub(super) struct Sharing {
    /// Where the time comes from
    #[arg(long, value_enum, default_value_t, value_name = "CLOCK")]
    pub(super) clock: ClockKind,
    /// Each thread takes blocks of ids through a handle of its own
    #[arg(long)]
    pub(super) handles: bool,
}

impl Amount {
    pub(super) fn frame(&self) -> Frame {
        if self.json { Frame::Json } else { Frame::Lines }
    }

    /// The number of ids that a thread takes at a time, where so many can be had in a second.
    pub(super) fn batch_len(&self, ids_per_second: f64) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and is positive")]
        let per_second = ids_per_second as u64;
        let len_max = BATCH_LEN_MAX.min(BATCHES_LEN_MAX / u64::from(self.threads));
        let len = (per_second / BATCHES_PER_SECOND).clamp(1, len_max);
        usize::try_from(len).expect("a batch is small")
    }

    /// Writes that many ids, of which so many can be had in a second; `reason` says why there are no more.
    pub(super) fn write<S: Source>(
        &self,
        source: &S,
        ids_per_second: f64,
        output: Output,
        reason: impl FnOnce(S::Error) -> String,
    ) -> Result<(), Failure> {
        let mut stdout = output.into_raw()?;
        let progress = self.progress(ids_per_second);
        let frame = self.frame();
        let job = Job { count: self.count, threads: usize::from(self.threads), frame };
        let mut written = 0;
        let done = stdout.write_all(frame.begin().as_bytes()).map_err(PoolError::Write).and_then(|()| {
            pool::run(source, job, &mut stdout, |count| {
                written += count as u64;
                progress.set(written);
            })
        });
        progress.finish();
        let failure = done.err().map(|error| self.failure(written, error, reason));
        if !matches!(failure, Some(Failure::ClosedPipe)) {
            let end = frame.end(failure.as_ref().and_then(Failure::message));
            let ended = stdout.write_all(end.as_bytes()).and_then(|()| stdout.flush());
            ended.map_err(|error| Failure::stdout(&error))?;
        }
        failure.map_or(Ok(()), Err)
    }

    /// Shown for what takes more than a second, to a person who is not shown the ids.
    fn progress(&self, ids_per_second: f64) -> Progress {
        #[expect(clippy::cast_precision_loss, reason = "a rough comparison")]
        let is_long = self.count as f64 > ids_per_second;
        if is_long && !io::stdout().is_terminal() { Progress::of(self.count, "ids") } else { Progress::hidden() }
    }

    fn failure<E>(&self, written: u64, error: PoolError<E>, reason: impl FnOnce(E) -> String) -> Failure {
        match error {
            PoolError::Write(error) => Failure::stdout(&error),
            PoolError::Spawn(error) => Failure::io(format_args!("--threads {}", self.threads), &error),
            PoolError::Source(error) => Failure::Finding(format!(
                "{}; {} made of {}",
                reason(error),
                counted(written, "id", "ids"),
                counted(self.count, "id", "ids")
            )),
        }
    }
}
