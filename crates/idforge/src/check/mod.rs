//! `idforge check`: whether ids are unique, and whether they are in order.

mod duplicates;
mod order;
mod parse;
mod report;
mod store;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use self::order::{KSorted, Ordered};
use self::parse::{NotAnId, parse_block};
use self::report::Report;
use self::store::{IdStore, Ids, TooMany};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::layouts::NamedLayout;
use crate::lines::{LinesError, Source};
use crate::output::{Messages, Output};
use crate::progress::Progress;
use crate::quote::{grouped, quote};

/// How many ids are read between two looks at the progress.
const PROGRESS_EVERY: u64 = 1 << 20;

const EXAMPLES: &str = "\
Examples:
  idforge gen snowflake -n 10000000 --threads 8 --node 17 | idforge check
  idforge check ids.txt --ordered
  idforge check --k-sorted 1000 --layout twitter < ids.txt

One id a line, in quotes or not. Lines are counted from 1. Takes 8 bytes of memory for each id, and up to 64 MiB.

Exit status: 0; 1 when something was found; 2 for wrong usage or a line that is no id.";

/// Check that ids are unique, and that they are in order
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The file; without it, or for `-`, standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The encoding they are in
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    encoding: Encoding,
    /// Also check that no id is below the one before
    #[arg(long)]
    ordered: bool,
    /// Also check that no id comes after one that was made more than MS later
    #[arg(long, value_name = "MS", requires = "layout")]
    k_sorted: Option<u64>,
    /// The layout, to tell times by (an id with more bits is refused): a preset or `epoch=TIME,tick=1ms,NAME:BITS,…`
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<NamedLayout>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        let file = self.file.as_deref().filter(|path| *path != Path::new("-"));
        if file.is_none() && io::stdin().is_terminal() {
            messages.note("reading ids from the terminal, one a line, until Ctrl-D");
        }
        let source = file.map_or_else(|| Ok(Source::stdin()), Source::file)?;
        // What writes into a pipe may show its own progress on the same terminal.
        let progress = if file.is_some() { Progress::counter("ids read") } else { Progress::hidden() };
        let mut reader = Reader {
            store: IdStore::new(),
            ordered: self.ordered.then(Ordered::default),
            k_sorted: self.k_sorted.zip(self.layout.as_ref()).map(|(k_ms, named)| KSorted::new(named.layout, k_ms)),
            named: self.layout.as_ref(),
        };
        let read = reader.read_all(source, self.encoding, &progress);
        progress.finish();
        read?;
        let Reader { store, ordered, k_sorted, .. } = reader;
        let ids = store.finish();
        let report = Report {
            count: ids.len,
            lowest: ids.lowest(),
            highest: ids.highest(),
            duplicates: find_duplicates(&ids),
            ordered,
            k_sorted,
            layout: self.layout.as_ref(),
        };
        let shown = if self.json { output.json(&report) } else { output.text(&report.text()) };
        let shown = shown.and_then(|()| output.flush());
        match shown {
            // The status tells what was found, though nobody reads the report.
            Ok(()) | Err(Failure::ClosedPipe) if report.has_findings() => Err(Failure::Found),
            shown => shown,
        }
    }
}

fn find_duplicates(ids: &Ids) -> duplicates::Duplicates {
    let progress = if ids.is_increasing { Progress::hidden() } else { Progress::percent("looking for duplicates") };
    let found = duplicates::find(ids, |percent| progress.set(percent));
    progress.finish();
    found
}

struct Reader<'a> {
    store: IdStore,
    ordered: Option<Ordered>,
    k_sorted: Option<KSorted>,
    named: Option<&'a NamedLayout>,
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

impl Reader<'_> {
    fn read_all(&mut self, mut source: Source, encoding: Encoding, progress: &Progress) -> Result<(), Failure> {
        let mut shown = 0;
        loop {
            let block = match source.lines.next_block() {
                Ok(Some(block)) => block,
                Ok(None) => return Ok(()),
                Err(LinesError::Io(error)) => return Err(Failure::io(&source.name, &error)),
                Err(LinesError::LineTooLong { beginning, len_max }) => {
                    let line = format!("{}: more than {len_max} bytes: expected an id", quote(beginning));
                    return Err(self.wrong_line(&source.name, &line));
                }
            };
            parse_block(block, encoding, |id| self.see(id)).map_err(|stop| match stop {
                Stop::Line(error) => self.wrong_line(&source.name, &error),
                Stop::TooMany(TooMany { len }) => {
                    Failure::Trouble(format!("{}: more than {} ids: expected fewer", source.name, grouped(len)))
                }
            })?;
            if self.store.len() - shown >= PROGRESS_EVERY {
                shown = self.store.len();
                progress.set(shown);
            }
        }
    }

    #[inline]
    fn see(&mut self, id: u64) -> Result<(), Stop> {
        if self.ordered.is_some() || self.named.is_some() {
            self.see_closely(id)?;
        }
        self.store.push(id).map_err(Stop::TooMany)
    }

    fn see_closely(&mut self, id: u64) -> Result<(), Stop> {
        let line = self.store.len() + 1;
        if let Some(ordered) = &mut self.ordered {
            ordered.see(id, line);
        }
        if let Some(sorted) = &mut self.k_sorted {
            return sorted.see(id, line).map_err(|error| Stop::Line(error.to_string()));
        }
        match self.named {
            Some(named) if id > named.layout.id_max() => {
                Err(Stop::Line(format!("id {id}: expected at most {} in this layout", named.layout.id_max())))
            }
            _ => Ok(()),
        }
    }

    /// The error for the line after those that are stored.
    fn wrong_line(&self, source: &str, error: &str) -> Failure {
        Failure::Trouble(format!("{source}, line {}: {error}", self.store.len() + 1))
    }
}
