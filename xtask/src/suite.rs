//! One test binary: built by cargo, then run test by test with a limit on the time.
//!
//! Building and running are apart so that code that does not compile is never taken for a test
//! that fails, and a run that hangs is ended without leaving processes behind.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::cmd::Cmd;

/// How often a running test is looked at.
const POLL: Duration = Duration::from_millis(10);

/// Which binary to build, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suite {
    pub(crate) package: String,
    /// The name of a file in the package's `tests`, or `lib` for its unit tests.
    pub(crate) name: String,
}

impl Suite {
    pub(crate) fn new(package: &str, name: &str) -> Self {
        Self { package: package.to_owned(), name: name.to_owned() }
    }

    /// Whether the suite explores interleavings; such code is built with other flags.
    pub(crate) fn is_loom(&self) -> bool {
        self.name == "loom"
    }

    /// The cargo command that builds the binary in the workspace at `root`.
    fn build_command(&self, root: &Path, target_dir: &Path) -> Cmd {
        let mut cmd = Cmd::new("cargo")
            .args(["test", "--no-run", "--message-format=json-render-diagnostics"])
            .args(["--package", &self.package])
            .dir(root)
            .env("CARGO_TARGET_DIR", target_dir);
        cmd = match self.name.as_str() {
            "lib" => cmd.arg("--lib"),
            test => cmd.args(["--test", test]),
        };
        if self.is_loom() {
            // Optimised, as models run for long; without the settings that make linking slow.
            cmd = cmd
                .arg("--release")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
                .env("RUSTFLAGS", loom_flags(std::env::var("RUSTFLAGS").ok().as_deref()));
        }
        cmd
    }

    /// Builds the binary; the compiler's messages go to standard error.
    ///
    /// # Errors
    ///
    /// When it does not compile.
    pub(crate) fn build(&self, root: &Path, target_dir: &Path) -> Result<Binary> {
        let cmd = self.build_command(root, target_dir);
        let shown = cmd.to_string();
        let output = cmd.output_of_stdout()?;
        if !output.status.success() {
            bail!("`{shown}` ended with {}", output.status);
        }
        binary(&output.stdout).with_context(|| format!("in the messages of `{shown}`"))
    }

    /// As [`Suite::build`], silently; the error holds the compiler's messages.
    pub(crate) fn build_quietly(&self, root: &Path, target_dir: &Path) -> Result<Binary> {
        let cmd = self.build_command(root, target_dir);
        let shown = cmd.to_string();
        let output = cmd.output()?;
        if !output.status.success() {
            bail!("`{shown}` failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        binary(&output.stdout).with_context(|| format!("in the messages of `{shown}`"))
    }
}

/// A test binary that has been built.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    executable: PathBuf,
    /// The package's folder, where cargo would start it.
    dir: PathBuf,
}

/// How one test ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Passed,
    Failed,
    /// The process died of a signal, as after a panic during a panic.
    Died(i32),
    TimedOut,
}

impl Binary {
    /// The names of all tests in it, as it prints them.
    pub(crate) fn tests(&self) -> Result<Vec<String>> {
        let listed = Cmd::new(&self.executable).args(["--list", "--format=terse"]).dir(&self.dir).stdout()?;
        Ok(listed.lines().filter_map(|line| line.strip_suffix(": test").map(str::to_owned)).collect())
    }

    /// Runs one test alone, with its output written to `log`.
    ///
    /// # Errors
    ///
    /// When there is no such test, or the binary ends in a way that is neither of [`Ending`].
    pub(crate) fn run_one(&self, test: &str, env: &[(&str, String)], limit: Duration, log: &Path) -> Result<Ending> {
        let output = File::create(log).with_context(|| format!("cannot create {}", log.display()))?;
        let mut command = Command::new(&self.executable);
        command
            .args(["--exact", test, "--include-ignored"])
            .current_dir(&self.dir)
            .env("CARGO_MANIFEST_DIR", &self.dir)
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", self.executable.display()))?;
        let Some(status) = wait(&mut child, limit)? else {
            return Ok(Ending::TimedOut);
        };
        let printed = fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
        ending(status, &String::from_utf8_lossy(&printed))
            .with_context(|| format!("test `{test}`, output in {}", log.display()))
    }
}

/// Waits for the child; `None`, and the child is gone, when it takes longer than `limit`.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// Reads the ending from the status and the closing line of the one test that ran.
fn ending(status: ExitStatus, printed: &str) -> Result<Ending> {
    if let Some(signal) = status.signal() {
        return Ok(Ending::Died(signal));
    }
    if !printed.contains("running 1 test\n") {
        bail!("not exactly one test ran");
    }
    if status.success() {
        Ok(Ending::Passed)
    } else if printed.contains("test result: FAILED. 0 passed; 1 failed;") {
        Ok(Ending::Failed)
    } else {
        bail!("the binary ended with {status} without a result")
    }
}

/// The one test binary among cargo's messages.
fn binary(messages: &[u8]) -> Result<Binary> {
    let mut found = Vec::new();
    for line in String::from_utf8_lossy(messages).lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("cargo printed no JSON")?;
        let executable = message["executable"].as_str();
        let manifest = message["manifest_path"].as_str().map(Path::new);
        if let (true, Some(executable), Some(dir)) =
            (message["profile"]["test"] == true, executable, manifest.and_then(Path::parent))
        {
            found.push(Binary { executable: executable.into(), dir: dir.into() });
        }
    }
    match (found.pop(), found.pop()) {
        (Some(one), None) => Ok(one),
        (None, _) => bail!("no test binary"),
        (Some(_), Some(_)) => bail!("more than one test binary"),
    }
}

/// The caller's compiler flags with the cfg that turns the atomics into loom's.
fn loom_flags(given: Option<&str>) -> String {
    format!("{} --cfg idcore_loom", given.unwrap_or_default()).trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: &str = "\nrunning 1 test\ntest a ... FAILED\n\n\
        test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out\n";

    #[test]
    fn one_failed_test_is_a_failure_and_nothing_else_is() {
        let exit = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(ending(exit(101), FAILED).unwrap(), Ending::Failed);
        assert_eq!(ending(exit(0), "\nrunning 1 test\n").unwrap(), Ending::Passed);
        assert_eq!(ending(ExitStatus::from_raw(6), "").unwrap(), Ending::Died(6));
        // A name that is not there: libtest runs nothing and is content.
        assert!(ending(exit(0), "\nrunning 0 tests\n").is_err());
        // Refused before any test: bad flags, for example.
        assert!(ending(exit(1), "\nrunning 1 test\n").is_err());
    }

    #[test]
    fn a_process_that_hangs_is_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert_eq!(wait(&mut child, Duration::from_millis(30)).unwrap(), None);
        let mut child = Command::new("true").spawn().unwrap();
        assert!(wait(&mut child, Duration::from_secs(10)).unwrap().unwrap().success());
    }

    #[test]
    fn the_binary_is_the_artifact_built_for_testing() {
        let library = r#"{"manifest_path":"/w/Cargo.toml","profile":{"test":false}}"#;
        let tests = r#"{"manifest_path":"/w/Cargo.toml","profile":{"test":true},"executable":"/t/x"}"#;
        let found = binary(format!("{library}\n{tests}\n").as_bytes()).unwrap();
        assert_eq!(found, Binary { executable: "/t/x".into(), dir: "/w".into() });
        assert!(binary(library.as_bytes()).is_err());
        assert!(binary(format!("{tests}\n{tests}").as_bytes()).is_err());
    }

    #[test]
    fn loom_keeps_the_callers_flags() {
        assert_eq!(loom_flags(None), "--cfg idcore_loom");
        assert_eq!(loom_flags(Some("-C x=y")), "-C x=y --cfg idcore_loom");
    }
}
