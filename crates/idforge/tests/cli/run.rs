//! Runs the binary.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            status: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// The output of a run that was fine and said nothing on standard error.
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{self:#?}");
        self.stdout
    }

    /// The output of a run that was fine, as JSON.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.fine()).expect("one JSON document")
    }

    /// The message of a run that ended with `status` and one error.
    pub(crate) fn error(&self, status: i32) -> &str {
        assert_eq!(self.status, status, "{self:#?}");
        let message = self.stderr.strip_prefix("error: ").unwrap_or_else(|| panic!("{self:#?}"));
        message.trim_end()
    }
}

/// The command without what the surroundings may change.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_idforge"));
    command.args(args).env("TZ", "UTC").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs with no input.
pub(crate) fn idforge(args: &[&str]) -> Run {
    Run::of(command(args).output().expect("the binary runs"))
}

/// Runs with `input` on standard input.
pub(crate) fn idforge_with(args: &[&str], input: impl Into<Vec<u8>>) -> Run {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the binary runs");
    feed(&mut child, input);
    Run::of(child.wait_with_output().expect("the binary ends"))
}

/// Writes `input` to the child in a thread of its own; a child that does not read it all is fine.
pub(crate) fn feed(child: &mut Child, input: impl Into<Vec<u8>>) {
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.into();
    thread::spawn(move || stdin.write_all(&input));
}

/// One id a line.
pub(crate) fn lines<T: ToString>(ids: impl IntoIterator<Item = T>) -> String {
    ids.into_iter().map(|id| id.to_string() + "\n").collect()
}
