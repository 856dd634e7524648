//! `cargo xtask sabotage`: proof that the tests notice when the code is broken.
//!
//! Each entry of `xtask/mutants.toml` replaces one piece of code by a wrong one and names the test
//! that must then fail. The work is done in a copy of the workspace below the build directory, so
//! the sources are never touched. A mutant that no longer applies, does not compile, or whose test
//! does not exist is an error: it would otherwise prove nothing from then on.

mod copy;
mod mutant;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::cmd::Verdict;
use crate::suite::{Ending, Suite};
use crate::workspace::Workspace;
use crate::{loom, term};
use copy::Copy;
use mutant::Mutant;

/// Limit on one run of one test. To run out of it is not to fail.
const TEST_LIMIT: Duration = Duration::from_secs(300);

/// Applies each mutant, or those named in `only`, and demands that its test fails.
///
/// # Errors
///
/// When a mutant survives or cannot be judged, or when a test fails without any mutant.
pub(crate) fn run(ws: &Workspace, only: &[String], list: bool) -> Result<Verdict> {
    let table = ws.root().join("xtask/mutants.toml");
    let text = fs::read_to_string(&table).with_context(|| format!("cannot read {}", table.display()))?;
    let mutants = mutant::chosen(mutant::parse(&text)?, only)?;
    if list {
        for mutant in &mutants {
            term::line(&format!("{}  ({})", term::styled(term::BOLD, &mutant.name), mutant.file));
            term::line(&format!("    must fail: {} {}", mutant.suite, mutant.must_fail));
            term::line(&format!("    {}", mutant.why));
        }
        return Ok(Verdict::Done);
    }
    if mutants.is_empty() {
        bail!("{} holds no mutant", table.display());
    }
    let lab = Lab::open(ws)?;
    // Stale entries show up before anything is built.
    for mutant in &mutants {
        mutant.apply(&lab.copy.read(&mutant.file)?)?;
    }
    lab.check_unmutated(&mutants)?;
    let mut reports = Vec::with_capacity(mutants.len());
    for mutant in &mutants {
        let begin = Instant::now();
        let fate = lab.judge(mutant)?;
        let report = Report { mutant, fate, took: begin.elapsed() };
        term::line(&report.row());
        reports.push(report);
    }
    verdict(&reports)
}

/// What became of a mutant.
enum Fate {
    /// Its test failed, as it must.
    Killed(&'static str),
    Survived,
    TimedOut,
    /// The wrong code is not even valid, so it says nothing about the test.
    DoesNotCompile(String),
}

struct Report<'a> {
    mutant: &'a Mutant,
    fate: Fate,
    took: Duration,
}

impl Report<'_> {
    fn row(&self) -> String {
        let (style, word) = match &self.fate {
            Fate::Killed(how) => (term::GOOD, format!("killed ({how})")),
            Fate::Survived => (term::BAD, "SURVIVED".to_owned()),
            Fate::TimedOut => (term::BAD, "TIMED OUT".to_owned()),
            Fate::DoesNotCompile(_) => (term::BAD, "DOES NOT COMPILE".to_owned()),
        };
        let Mutant { name, suite, must_fail, .. } = self.mutant;
        let word = term::styled(style, &format!("{word:<16}"));
        format!("  {name:<32} {word} {:>8}  {suite} {must_fail}", term::seconds(self.took))
    }

    fn complaint(&self) -> Option<String> {
        let Mutant { name, must_fail, .. } = self.mutant;
        match &self.fate {
            Fate::Killed(_) => None,
            Fate::Survived => Some(format!("mutant {name} survived: {must_fail} still passes")),
            Fate::TimedOut => Some(format!(
                "mutant {name}: {must_fail} neither passed nor failed within {}",
                term::seconds(TEST_LIMIT)
            )),
            Fate::DoesNotCompile(messages) => {
                Some(format!("mutant {name} does not compile, so it proves nothing: {messages}"))
            }
        }
    }
}

fn verdict(reports: &[Report<'_>]) -> Result<Verdict> {
    let complaints: Vec<String> = reports.iter().filter_map(Report::complaint).collect();
    if !complaints.is_empty() {
        bail!("{}", complaints.join("\n       "));
    }
    term::line(&format!("all {} mutants were killed", reports.len()));
    Ok(Verdict::Done)
}

/// The tests that the mutants name, each once, with the suite that it is in.
fn tests_by_suite(mutants: &[Mutant]) -> Vec<(Suite, Vec<&str>)> {
    let mut suites: Vec<(Suite, Vec<&str>)> = Vec::new();
    for mutant in mutants {
        let (suite, test) = (mutant.suite(), mutant.must_fail.as_str());
        match suites.iter_mut().find(|(known, _)| *known == suite) {
            Some((_, tests)) if tests.contains(&test) => {}
            Some((_, tests)) => tests.push(test),
            None => suites.push((suite, vec![test])),
        }
    }
    suites
}

/// The copy of the workspace and where it is built.
struct Lab<'a> {
    ws: &'a Workspace,
    copy: Copy,
    logs: PathBuf,
    env: [(&'static str, String); 1],
}

impl<'a> Lab<'a> {
    fn open(ws: &'a Workspace) -> Result<Self> {
        let home = ws.target("sabotage");
        let logs = home.join("log");
        fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
        let copy = Copy::of(ws, &home.join("tree"))?;
        let env = loom::preemptions_env(loom::PREEMPTIONS_DEFAULT);
        Ok(Self { ws, copy, logs, env })
    }

    /// Build directories of the copy alone: cargo knows packages by their path within a workspace, so in a shared one
    /// it would take a mutant's binary for the original's.
    fn target_dir(&self, suite: &Suite) -> PathBuf {
        self.ws.target(if suite.is_loom() { "sabotage/loom" } else { "sabotage/plain" })
    }

    /// Every test that a mutant names exists and passes while nothing is broken.
    fn check_unmutated(&self, mutants: &[Mutant]) -> Result<()> {
        let log = self.logs.join("unmutated.txt");
        for (suite, tests) in tests_by_suite(mutants) {
            let binary = suite.build(self.copy.root(), &self.target_dir(&suite))?;
            let there = binary.tests()?;
            for test in tests {
                if !there.iter().any(|name| name == test) {
                    bail!("a mutant names the test `{test}`, which is not in {} {}", suite.package, suite.name);
                }
                match binary.run_one(test, &self.env, TEST_LIMIT, &log)? {
                    Ending::Passed => term::line(&format!("  passes unmutated: {test}")),
                    other => bail!("{test} without any mutant: {other:?}, see {}", log.display()),
                }
            }
        }
        Ok(())
    }

    fn judge(&self, mutant: &Mutant) -> Result<Fate> {
        let original = self.copy.read(&mutant.file)?;
        self.copy.write(&mutant.file, &mutant.apply(&original)?)?;
        let fate = self.judge_applied(mutant);
        self.copy.write(&mutant.file, &original)?;
        fate
    }

    fn judge_applied(&self, mutant: &Mutant) -> Result<Fate> {
        let suite = mutant.suite();
        let binary = match suite.build_quietly(self.copy.root(), &self.target_dir(&suite)) {
            Ok(binary) => binary,
            Err(error) => return Ok(Fate::DoesNotCompile(format!("{error:#}"))),
        };
        let log = self.logs.join(format!("{}.txt", mutant.name));
        Ok(match binary.run_one(&mutant.must_fail, &self.env, TEST_LIMIT, &log)? {
            Ending::Failed => Fate::Killed("failed"),
            Ending::Died(_) => Fate::Killed("died"),
            Ending::Passed => Fate::Survived,
            Ending::TimedOut => Fate::TimedOut,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_is_run_once_unmutated() {
        let entry = |name: &str, suite: &str, test: &str| {
            format!(
                "[[mutant]]\nname = '{name}'\nsuite = '{suite}'\nmust_fail = '{test}'\n\
                 file = 'f'\nfind = 'a'\nreplace = 'b'\nwhy = 'w'\n"
            )
        };
        let table = [entry("1", "loom", "x"), entry("2", "lib", "x"), entry("3", "loom", "y"), entry("4", "loom", "x")];
        let mutants = mutant::parse(&table.concat()).unwrap();
        let expected = [(Suite::new("idcore", "loom"), vec!["x", "y"]), (Suite::new("idcore", "lib"), vec!["x"])];
        assert_eq!(tests_by_suite(&mutants), expected);
    }

    #[test]
    fn every_fate_but_death_is_a_complaint() {
        let text = "[[mutant]]\nname = 'm'\nmust_fail = 't'\nfile = 'f'\nfind = 'a'\nreplace = 'b'\nwhy = 'w'\n";
        let mutants = mutant::parse(text).unwrap();
        let complains = |fate| {
            let report = Report { mutant: &mutants[0], fate, took: Duration::ZERO };
            verdict(&[report]).is_err()
        };
        assert!(!complains(Fate::Killed("failed")));
        assert!(complains(Fate::Survived));
        assert!(complains(Fate::TimedOut));
        assert!(complains(Fate::DoesNotCompile(String::new())));
    }

    #[test]
    fn the_table_applies_to_the_sources_of_today() {
        let ws = Workspace::find().unwrap();
        let mutants = mutant::parse(&fs::read_to_string(ws.root().join("xtask/mutants.toml")).unwrap()).unwrap();
        assert!(!mutants.is_empty());
        for mutant in mutants {
            mutant.apply(&fs::read_to_string(ws.root().join(&mutant.file)).unwrap()).unwrap();
        }
    }
}
