//! What goes to standard output and standard error, with colour where it is wanted.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use serde::{Serialize, Serializer};

use crate::failure::Failure;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// When to colour: `Auto` is on a terminal, unless `NO_COLOR` is set.
// The variants have no comments of their own: the help would show them, and with them an option takes half a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether the stream is to be coloured.
    fn on(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Self::Auto => AutoStream::choice(stream) != ColorChoice::Never,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// `text` in `style`; [`Output`] and [`Messages`] drop the codes where no colour is wanted.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// An id in JSON is a string, since it may pass 2^53.
pub(crate) fn id<I: Display, S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// As [`id`]; null if there is none.
#[expect(clippy::ref_option, reason = "serde calls it so")]
pub(crate) fn optional_id<I: Display, S: Serializer>(id: &Option<I>, serializer: S) -> Result<S::Ok, S::Error> {
    id.as_ref().map(ToString::to_string).serialize(serializer)
}

/// Text that is put together line by line.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    pub(crate) fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// A JSON document on a line of its own.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the program's own values have string keys and finite numbers") + "\n"
}

/// Standard output, buffered.
pub(crate) struct Output {
    stream: BufWriter<StdoutLock<'static>>,
    colored: bool,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        let stdout = io::stdout();
        Self { colored: color.on(&stdout), stream: BufWriter::new(stdout.lock()) }
    }

    /// Writes a text that may be styled.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let written = if self.colored {
            self.stream.write_all(text.as_bytes())
        } else {
            strip_str(text).try_for_each(|part| self.stream.write_all(part.as_bytes()))
        };
        written.map_err(|error| Failure::stdout(&error))
    }

    /// Writes a JSON document on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.stream.write_all(json_line(value).as_bytes()).map_err(|error| Failure::stdout(&error))
    }

    /// The stream itself, for many bytes without colour.
    pub(crate) fn into_raw(self) -> Result<StdoutLock<'static>, Failure> {
        self.stream.into_inner().map_err(|error| Failure::stdout(error.error()))
    }

    /// Hands what was written to whoever reads it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stream.flush().map_err(|error| Failure::stdout(&error))
    }
}

/// Standard error: one line for each message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    color: Color,
}

impl Messages {
    pub(crate) fn new(color: Color) -> Self {
        Self { color }
    }

    pub(crate) fn error(self, text: &str) {
        self.line(BAD, "error", text);
    }

    pub(crate) fn warning(self, text: &str) {
        self.line(WARN, "warning", text);
    }

    pub(crate) fn note(self, text: &str) {
        self.line(BOLD, "note", text);
    }

    fn line(self, style: Style, kind: &str, text: &str) {
        let mut stderr = io::stderr().lock();
        let label = if self.color.on(&stderr) { styled(style, kind) } else { kind.to_owned() };
        // Nobody is left to be told that standard error is gone.
        let _ = writeln!(stderr, "{label}: {text}");
    }
}
