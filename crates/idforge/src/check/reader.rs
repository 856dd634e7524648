//! Reads a stream of ids of one format, and looks at each in passing.

use super::format::{Format, why_no_time};
use super::order::{KSorted, Ordered};
use super::parse::{NotAnId, parse_block};
use super::store::{IdStore, TooMany};
use crate::failure::Failure;
use crate::lines::{LinesError, Source};
use crate::progress::Progress;
use crate::quote::{grouped, quote};

/// How many ids are read between two looks at the progress.
const PROGRESS_EVERY: u64 = 1 << 20;

pub(crate) struct Reader<'a, F: Format> {
    pub(crate) format: &'a F,
    pub(crate) store: IdStore<F::Id>,
    pub(crate) ordered: Option<Ordered<F::Id>>,
    pub(crate) k_sorted: Option<KSorted<F::Id>>,
}

/// Why reading ends in the middle of a block.
enum Stop {
    Line(String),
    TooMany(TooMany),
}

impl From<NotAnId> for Stop {
    fn from(NotAnId(error): NotAnId) -> Self {
        Self::Line(error)
    }
}

impl<F: Format> Reader<'_, F> {
    /// Reads a block that is there already, and what comes after it.
    pub(crate) fn read_all(&mut self, first: &[u8], source: &mut Source, progress: &Progress) -> Result<(), Failure> {
        self.read(first, &source.name)?;
        let mut shown = 0;
        while let Some(block) = next_block(source, self.store.len())? {
            parse_block(block, self.format, |id| self.see(id)).map_err(|stop| self.failure(stop, &source.name))?;
            if self.store.len() - shown >= PROGRESS_EVERY {
                shown = self.store.len();
                progress.set(shown);
            }
        }
        Ok(())
    }

    fn read(&mut self, block: &[u8], source: &str) -> Result<(), Failure> {
        parse_block(block, self.format, |id| self.see(id)).map_err(|stop| self.failure(stop, source))
    }

    #[inline]
    fn see(&mut self, id: F::Id) -> Result<(), Stop> {
        if self.ordered.is_some() || self.k_sorted.is_some() || self.format.has_layout() {
            self.see_closely(id).map_err(Stop::Line)?;
        }
        self.store.push(id).map_err(Stop::TooMany)
    }

    fn see_closely(&mut self, id: F::Id) -> Result<(), String> {
        let line = self.store.len() + 1;
        if let Some(ordered) = &mut self.ordered {
            ordered.see(id, line);
        }
        let time = self.format.time(id)?;
        if let Some(sorted) = &mut self.k_sorted {
            sorted.see(id, time.ok_or_else(|| why_no_time::<F>(id))?, line);
        }
        Ok(())
    }

    fn failure(&self, stop: Stop, source: &str) -> Failure {
        match stop {
            Stop::Line(error) => wrong_line(source, self.store.len(), &error),
            Stop::TooMany(TooMany { len }) => {
                Failure::Trouble(format!("{source}: more than {} ids: expected fewer", grouped(len)))
            }
        }
    }
}

/// The next lines of the input, after so many others.
pub(crate) fn next_block(source: &mut Source, lines_before: u64) -> Result<Option<&[u8]>, Failure> {
    match source.lines.next_block() {
        Ok(block) => Ok(block),
        Err(LinesError::Io(error)) => Err(Failure::io(&source.name, &error)),
        Err(LinesError::LineTooLong { beginning, len_max }) => {
            let line = format!("{}: more than {len_max} bytes: expected an id", quote(beginning));
            Err(wrong_line(&source.name, lines_before, &line))
        }
    }
}

/// The error of the line after so many others.
fn wrong_line(source: &str, lines_before: u64, error: &str) -> Failure {
    Failure::Trouble(format!("{source}, line {}: {error}", lines_before + 1))
}
