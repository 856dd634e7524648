//! `idforge check`: whether ids are unique, and whether they are in order.

mod duplicates;
mod format;
mod order;
mod parse;
mod reader;
mod report;
mod store;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::str;

use clap::Args;

use self::format::{Format, Id, Snowflakes, Ulids, Uuids};
use self::order::{KSorted, Ordered};
use self::reader::{Reader, next_block};
use self::report::Report;
use self::store::{IdStore, Ids};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::format::FormatChoice;
use crate::layouts::NamedLayout;
use crate::lines::{self, Source};
use crate::output::{Messages, Output};
use crate::progress::Progress;
use crate::wide::{Look, look};

const EXAMPLES: &str = "\
Examples:
  idforge gen snowflake -n 10000000 --threads 8 --node 17 | idforge check
  idforge gen uuidv7 -n 10000000 | idforge check --ordered
  idforge check ids.txt --ordered
  idforge check --k-sorted 1000 --layout twitter < ids.txt

One id a line, in quotes or not. Lines are counted from 1. The first one says whether they are snowflakes, UUIDs or \
ULIDs, unless --format does. Takes 8 bytes of memory for each snowflake, 16 for each UUID or ULID, and up to 64 MiB.

Exit status: 0; 1 when something was found; 2 for wrong usage or a line that is no id.";

/// Check that ids are unique, and that they are in order
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The file; without it, or for `-`, standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// What they are
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FormatChoice,
    /// The encoding that snowflakes are in, if not decimal
    #[arg(long, value_enum, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Also check that no id is below the one before
    #[arg(long)]
    ordered: bool,
    /// Also check that no id comes after one that was made more than MS later
    #[arg(long, value_name = "MS")]
    k_sorted: Option<u64>,
    /// The layout of snowflakes, to tell times by (an id with more bits is refused): a preset or
    /// `epoch=TIME,tick=1ms,NAME:BITS,…`
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<NamedLayout>,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        let file = self.file();
        if file.is_none() && io::stdin().is_terminal() {
            messages.note("reading ids from the terminal, one a line, until Ctrl-D");
        }
        let mut source = file.map_or_else(|| Ok(Source::stdin()), Source::file)?;
        // The one copy of a block there is: what reads on has to know the format.
        let first = next_block(&mut source, 0)?.map_or_else(Vec::new, <[u8]>::to_vec);
        match self.format(&first)? {
            FormatChoice::Uuid => self.check(&Uuids, &first, source, output),
            FormatChoice::Ulid => self.check(&Ulids, &first, source, output),
            FormatChoice::Snowflake | FormatChoice::Auto => {
                let (encoding, named) = (self.encoding.unwrap_or_default(), self.layout.clone());
                if named.is_none() && self.k_sorted.is_some() {
                    let error = "--k-sorted: no --layout: expected one, since snowflakes tell their time by it alone";
                    return Err(Failure::Trouble(error.to_owned()));
                }
                self.check(&Snowflakes { encoding, named }, &first, source, output)
            }
        }
    }

    fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// The format that was asked for, or that the first line is of.
    fn format(&self, first: &[u8]) -> Result<FormatChoice, Failure> {
        let of_snowflakes = [("--layout", self.layout.is_some()), ("--encoding", self.encoding.is_some())];
        let choice = self.format.settle(&of_snowflakes)?;
        let line = lines::split(first).next().map(parse::without_quotes);
        let looks = line.and_then(|line| str::from_utf8(line).ok()).and_then(look);
        Ok(match (choice, looks) {
            (FormatChoice::Auto, Some(Look::Uuid | Look::Hex)) => FormatChoice::Uuid,
            (FormatChoice::Auto, Some(Look::Crockford)) => FormatChoice::Ulid,
            (FormatChoice::Auto, Some(Look::Decimal) | None) => FormatChoice::Snowflake,
            (choice, _) => choice,
        })
    }

    fn check<F: Format>(
        &self,
        format: &F,
        first: &[u8],
        mut source: Source,
        output: &mut Output,
    ) -> Result<(), Failure> {
        // What writes into a pipe may show its own progress on the same terminal.
        let progress = if self.file().is_some() { Progress::counter("ids read") } else { Progress::hidden() };
        let (ordered, k_sorted) = (self.ordered.then(Ordered::new), self.k_sorted.map(KSorted::new));
        let mut reader = Reader { format, store: IdStore::new(), ordered, k_sorted };
        let read = reader.read_all(first, &mut source, &progress);
        progress.finish();
        read?;
        let Reader { store, ordered, k_sorted, .. } = reader;
        let ids = store.finish();
        let report = Report {
            format,
            count: ids.len,
            lowest: ids.lowest(),
            highest: ids.highest(),
            duplicates: find_duplicates(&ids),
            ordered,
            k_sorted,
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

fn find_duplicates<I: Id>(ids: &Ids<I>) -> duplicates::Duplicates<I> {
    let progress = if ids.is_increasing { Progress::hidden() } else { Progress::percent("looking for duplicates") };
    let found = duplicates::find(ids, |percent| progress.set(percent));
    progress.finish();
    found
}
