//! `idforge inspect`: what an id says.

mod candidates;
mod show;
mod show_wide;

use std::io::{self, IsTerminal};
use std::str;

use clap::Args;
use idcore::{DynSnowflake, UnixMillis, presets};
use serde::Serialize;
use ulid::Ulid;
use uuid::Uuid;

use self::candidates::{Candidates, candidates};
use crate::calendar;
use crate::decode::Decode;
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::format::FormatChoice;
use crate::layouts::NamedLayout;
use crate::lines::{self, LinesError, Source};
use crate::output::{Messages, Output, json_line};
use crate::quote::quote;
use crate::wide::{self, WideId, read_ulid, read_uuid};

const EXAMPLES: &str = "\
Examples:
  idforge inspect 175928847299117063 --layout discord
  idforge inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
  idforge inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV
  idforge gen snowflake -n 3 | idforge inspect --layout standard --json

Where a text may be of several formats or layouts all of them are listed, the likeliest first; --format and --layout say \
which it is.

Texts are read by their looks. UUIDs: with hyphens, in braces, after urn:uuid:, or 32 hex digits. ULIDs: 26 characters. \
Snowflakes: 0x and hex digits; decimal digits; 16 hex digits; 13 characters of Crockford's base 32; 11 of base 62. \
Digits alone that do not start with a zero are decimal (more than 20 are the bits of a UUID or a ULID): say --encoding \
where they are not.

Exit status: 0, or 2 when a text is no id (the others are still shown).";

/// Show what ids say: their format, bits, fields, time and other texts
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Inspect {
    /// The ids; without any, or for `-`, one a line from standard input
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    ids: Vec<String>,
    /// What they are
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FormatChoice,
    /// The layout to read snowflakes by: a preset or `epoch=TIME,tick=1ms,NAME:BITS,…`
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<NamedLayout>,
    /// The encoding that snowflakes are in
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    encoding: Reading,
    /// Print one line of JSON for each id
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub(crate) fn run(self, output: &mut Output, messages: Messages) -> Result<(), Failure> {
        let of_snowflakes = [("--layout", self.layout.is_some()), ("--encoding", self.encoding != Reading::Auto)];
        let format = self.format.settle(&of_snowflakes)?;
        let presets: Vec<_> = presets::ALL.iter().map(NamedLayout::from).collect();
        let mut inspector = Inspector {
            presets: &presets,
            format,
            args: &self,
            output,
            messages,
            now: calendar::now(),
            shown: 0,
            wrong: 0,
        };
        if self.ids.is_empty() {
            inspector.stdin()?;
        }
        for id in &self.ids {
            match id.as_str() {
                "-" => inspector.stdin()?,
                id => inspector.id(id.as_bytes(), None)?,
            }
        }
        let wrong = inspector.wrong;
        output.flush()?;
        if wrong > 0 { Err(Failure::Troubled) } else { Ok(()) }
    }
}

struct Inspector<'a> {
    presets: &'a [NamedLayout],
    format: FormatChoice,
    args: &'a Inspect,
    output: &'a mut Output,
    messages: Messages,
    now: UnixMillis,
    shown: u64,
    wrong: u64,
}

/// What stands for an id that more than one layout may have made.
#[derive(Serialize)]
struct Ambiguous<'a> {
    id: String,
    candidates: &'a [Decode<'a>],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    implausible: Vec<Implausible<'a>>,
}

/// What stands for 128 bits that more than one format may have made.
#[derive(Serialize)]
struct AmbiguousWide<'a> {
    id: String,
    candidates: &'a [WideId],
}

/// A reading whose time is later than tomorrow.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Implausible<'a> {
    layout: &'a str,
    created_at: Option<String>,
    unix_ms: i64,
}

/// What stands for a text that is no id, so that lines of output are those of the input.
#[derive(Serialize)]
struct Wrong<'a> {
    input: &'a str,
    error: &'a str,
}

impl Inspector<'_> {
    /// Shows the ids of standard input, each as soon as it comes.
    fn stdin(&mut self) -> Result<(), Failure> {
        if io::stdin().is_terminal() {
            self.messages.note("reading ids from the terminal, one a line, until Ctrl-D");
        }
        let mut source = Source::stdin();
        let mut line = 0;
        loop {
            match source.lines.next_block() {
                Ok(Some(block)) => {
                    for text in lines::split(block) {
                        line += 1;
                        let text = text.trim_ascii();
                        if !text.is_empty() {
                            self.id(text, Some(line))?;
                        }
                    }
                    self.output.flush()?;
                }
                Ok(None) => return Ok(()),
                Err(LinesError::Io(error)) => return Err(Failure::io(&source.name, &error)),
                Err(LinesError::LineTooLong { beginning, len_max }) => {
                    self.output.flush()?;
                    return Err(Failure::Trouble(format!(
                        "line {}: {}: more than {len_max} bytes: expected an id",
                        line + 1,
                        quote(beginning)
                    )));
                }
            }
        }
    }

    fn id(&mut self, text: &[u8], line: Option<u64>) -> Result<(), Failure> {
        match self.describe(text) {
            Ok(description) => {
                let gap = if self.shown > 0 && !self.args.json { "\n" } else { "" };
                self.shown += 1;
                self.output.text(gap)?;
                self.output.text(&description)
            }
            Err(error) => {
                self.wrong += 1;
                let error = line.map_or_else(|| error.clone(), |line| format!("line {line}: {error}"));
                // The message is to stand where the id would.
                if self.args.json {
                    self.output.json(&Wrong { input: &String::from_utf8_lossy(text), error: &error })?;
                }
                self.output.flush()?;
                self.messages.error(&error);
                Ok(())
            }
        }
    }

    /// The id as JSON or for people.
    fn describe(&self, text: &[u8]) -> Result<String, String> {
        let text = str::from_utf8(text)
            .map_err(|error| format!("{}: no UTF-8 at byte {}: expected an id", quote(text), error.valid_up_to()))?;
        let look = wide::look(text);
        let ids = match (self.format, look) {
            (FormatChoice::Auto, None) | (FormatChoice::Snowflake, _) => {
                let raw = self.args.encoding.read(text)?;
                return self.snowflake(DynSnowflake::new(raw).expect("any number is an id of some layout"));
            }
            (FormatChoice::Auto, Some(look)) => wide::candidates(look, look.read(text)?, self.now),
            (FormatChoice::Uuid, look) => {
                let bits = look.map_or_else(|| read_uuid(text).map(|id| id.as_u128()), |look| look.read(text))?;
                vec![WideId::Uuid(Uuid::from_u128(bits))]
            }
            (FormatChoice::Ulid, look) => {
                let bits = look.map_or_else(|| read_ulid(text).map(|id| id.0), |look| look.read(text))?;
                vec![WideId::Ulid(Ulid(bits))]
            }
        };
        Ok(match ids.as_slice() {
            ids if !self.args.json => show_wide::readings(ids, self.now),
            [only] => json_line(only),
            ids => json_line(&AmbiguousWide { id: ids[0].text(), candidates: ids }),
        })
    }

    /// A snowflake; an error when it does not fit the layout.
    fn snowflake(&self, id: DynSnowflake) -> Result<String, String> {
        if let Some(named) = &self.args.layout {
            let decode = Decode::new(named, id.get()).map_err(|error| error.to_string())?;
            return Ok(if self.args.json { json_line(&decode) } else { show::reading(&decode, self.now) });
        }
        let found = candidates(self.presets, id.get(), self.now);
        if !self.args.json {
            return Ok(show::readings(id, &found, self.now));
        }
        match found.plausible.as_slice() {
            [only] => Ok(json_line(only)),
            _ => Ok(json_line(&ambiguous(id, &found))),
        }
    }
}

fn ambiguous<'a>(id: DynSnowflake, found: &'a Candidates) -> Ambiguous<'a> {
    let implausible = found.implausible.iter().map(|decode| Implausible {
        layout: &decode.named.name,
        created_at: calendar::rfc3339(decode.time()),
        unix_ms: decode.time().get(),
    });
    Ambiguous { id: id.to_string(), candidates: &found.plausible, implausible: implausible.collect() }
}
