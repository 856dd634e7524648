//! Child processes: how they are started, shown and judged.

use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::term;

/// How a task ended that did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    /// Nothing was checked, and why: an optional tool is missing.
    Skipped(String),
}

/// A command line that knows how to print itself.
///
/// Standard input is empty unless [`Cmd::interactive`] was called, so nothing ever waits for a
/// person.
pub(crate) struct Cmd {
    command: Command,
    shown: String,
    dir: Option<PathBuf>,
}

impl Cmd {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(&program);
        command.stdin(Stdio::null());
        Self { command, shown: quoted(program.as_ref()), dir: None }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(&arg);
        self.shown.push(' ');
        self.shown.push_str(&quoted(arg.as_ref()));
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(self, args: impl IntoIterator<Item = A>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, &value);
        self.shown = format!("{name}={} {}", quoted(value.as_ref()), self.shown);
        self
    }

    pub(crate) fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self.dir = Some(dir.to_path_buf());
        self
    }

    /// Gives the child this process's standard input.
    pub(crate) fn interactive(mut self) -> Self {
        self.command.stdin(Stdio::inherit());
        self
    }

    /// Shows the command, runs it with its output passed through, and demands success.
    ///
    /// # Errors
    ///
    /// When it cannot be started or ends with another status than 0; the error names the command.
    pub(crate) fn run(mut self) -> Result<()> {
        self.announce();
        let status = self.command.status().with_context(|| self.cannot_start())?;
        if !status.success() {
            bail!("`{self}` ended with {status}");
        }
        Ok(())
    }

    /// Runs it silently and returns what it wrote, whatever its status.
    pub(crate) fn output(mut self) -> Result<Output> {
        self.command.output().with_context(|| self.cannot_start())
    }

    /// As [`Cmd::output`], with standard error passed through.
    pub(crate) fn output_of_stdout(mut self) -> Result<Output> {
        self.announce();
        self.command.stderr(Stdio::inherit());
        self.command.output().with_context(|| self.cannot_start())
    }

    /// Runs it silently, demands success and returns its standard output.
    pub(crate) fn stdout(self) -> Result<String> {
        let shown = self.to_string();
        let output = self.output()?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!("`{shown}` ended with {}: {}", output.status, stderr.trim());
        }
        String::from_utf8(output.stdout).with_context(|| format!("`{shown}` printed no UTF-8"))
    }

    /// Whether it can be started and succeeds: for asking whether a tool is there.
    pub(crate) fn works(mut self) -> bool {
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        self.command.status().is_ok_and(|status| status.success())
    }

    fn announce(&self) {
        term::line(&term::styled(term::DIM, &format!("$ {self}")));
    }

    fn cannot_start(&self) -> String {
        format!("cannot start `{self}`")
    }
}

/// As it would be typed in the folder it runs in: paths below that folder are shown relative to it.
impl Display for Cmd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.dir {
            Some(dir) => f.write_str(&self.shown.replace(&format!("{}/", dir.display()), "")),
            None => f.write_str(&self.shown),
        }
    }
}

/// `word` as it could be pasted into a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,%@^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_prints_as_it_could_be_typed() {
        let cmd = Cmd::new("cargo").args(["test", "-E", "test(a b)"]).env("RUSTFLAGS", "--cfg x");
        assert_eq!(cmd.to_string(), "RUSTFLAGS='--cfg x' cargo test -E 'test(a b)'");
        let below = Cmd::new("ls").arg("/top/of/a/b").dir(Path::new("/top/of"));
        assert_eq!(below.to_string(), "ls a/b");
        assert_eq!(quoted(OsStr::new("it's")), r"'it'\''s'");
        assert_eq!(quoted(OsStr::new("")), "''");
    }

    #[test]
    fn a_failure_names_the_command_and_its_status() {
        let error = Cmd::new("false").arg("x").run().unwrap_err();
        assert_eq!(error.to_string(), "`false x` ended with exit status: 1");
        let error = Cmd::new("no-such-program-here").run().unwrap_err();
        assert_eq!(error.to_string(), "cannot start `no-such-program-here`");
    }

    #[test]
    fn standard_input_is_empty() {
        assert_eq!(Cmd::new("cat").stdout().unwrap(), "");
    }

    #[test]
    fn a_missing_or_failing_tool_does_not_work() {
        assert!(Cmd::new("true").works());
        assert!(!Cmd::new("false").works());
        assert!(!Cmd::new("no-such-program-here").works());
    }
}
