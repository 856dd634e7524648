//! `idforge range uuidv7` and `idforge range ulid`.

use std::fmt::Display;

use clap::Args;
use idcore::{RangeError, UnixMillis};
use idformats::{IdRange, UlidExt as _, UuidExt as _};
use ulid::Ulid;
use uuid::Uuid;

use super::{Ends, Found, Span, show, span};
use crate::failure::Failure;
use crate::output::Output;

/// The first time that 48 bits of milliseconds do not hold.
const END: UnixMillis = UnixMillis::new(1 << 48);

#[derive(Debug, Args)]
#[command(after_help = super::EXAMPLES)]
pub(super) struct WideRange {
    #[command(flatten)]
    span: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WideRange {
    pub(super) fn run_uuidv7(&self, output: &mut Output) -> Result<(), Failure> {
        self.run("uuidv7", Uuid::v7_range, output)
    }

    pub(super) fn run_ulid(&self, output: &mut Output) -> Result<(), Failure> {
        self.run("ulid", Ulid::range, output)
    }

    fn run<I: Display>(
        &self,
        format: &'static str,
        range: impl FnOnce(UnixMillis, UnixMillis) -> Result<Option<IdRange<I>>, RangeError>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let (from, to) = (self.span.from, self.span.end()?);
        let ids = range(from, to).map_err(|error| span::wrong(&error))?;
        let ends = ids.map(|IdRange { lowest, highest }| Ends::new(&lowest, &highest));
        let found = Found { format, layout: None, from, to, ends };
        let why_empty = || {
            let first = show(UnixMillis::new(0));
            format!("its ids begin at {first} and end at {}, one time every ms", show(END))
        };
        found.write(self.json, &found.text("'"), why_empty, output)
    }
}
