//! `cargo xtask ci`: the steps that every change must pass, and the report on them.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::cli::CiArgs;
use crate::cmd::Verdict;
use crate::workspace::Workspace;
use crate::{features, fuzz, install, lint, loom, nostd, sabotage, term, test, tidy};

struct Step {
    name: &'static str,
    what: &'static str,
    run: fn(&Workspace) -> Result<Verdict>,
}

impl Step {
    const fn new(name: &'static str, what: &'static str, run: fn(&Workspace) -> Result<Verdict>) -> Self {
        Self { name, what, run }
    }
}

/// In the order in which they run: what fails in a second comes before what takes minutes.
const STEPS: &[Step] = &[
    Step::new("tools", "what the steps below need is installed", install::run),
    Step::new("fmt", "Rust code is formatted", |ws| lint::fmt(ws, false)),
    Step::new("tidy", "file lengths, clock reads, argued orderings", tidy::run),
    Step::new("typos", "spelling", lint::typos),
    Step::new("taplo", "TOML files are formatted", |ws| lint::taplo(ws, false)),
    Step::new("clippy", "no warning in any crate, test or benchmark", lint::clippy),
    Step::new("doc", "documentation without warnings", lint::doc),
    Step::new("test", "unit, integration and documentation tests", |ws| test::run(ws, &[])),
    Step::new("features", "every pair of features compiles", features::run),
    Step::new("nostd", "idcore and idformats without the standard library", nostd::run),
    Step::new("loom", "all interleavings of small models", |ws| loom::run(ws, loom::PREEMPTIONS_DEFAULT, None)),
    Step::new("sabotage", "broken code makes a named test fail", |ws| sabotage::run(ws, &[], false)),
    Step::new("fuzz", "each fuzz target for ten seconds", fuzz::run_short),
];

enum Outcome {
    Passed,
    Skipped(String),
    Failed(anyhow::Error),
    NotRun,
}

struct Report {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

/// The names of all steps, in order.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    STEPS.iter().map(|step| step.name)
}

/// Runs the chosen steps.
///
/// # Errors
///
/// When a step failed: its name and the command that failed in it.
pub(crate) fn run(ws: &Workspace, args: &CiArgs) -> Result<Verdict> {
    if args.list {
        for step in STEPS {
            term::line(&format!("{:<10}{}", step.name, step.what));
        }
        return Ok(Verdict::Done);
    }
    let chosen: Vec<&Step> =
        STEPS.iter().filter(|step| args.only.is_empty() || args.only.iter().any(|name| name == step.name)).collect();
    let reports = run_steps(ws, &chosen, args.keep_going);
    term::line(&summary(&reports));
    verdict(&reports)
}

fn run_steps(ws: &Workspace, steps: &[&Step], keep_going: bool) -> Vec<Report> {
    let mut stopped = false;
    let mut reports = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        if stopped {
            reports.push(Report { name: step.name, outcome: Outcome::NotRun, took: Duration::ZERO });
            continue;
        }
        let head = format!("[{}/{}] {}", index + 1, steps.len(), step.name);
        term::line(&format!("{} {}", term::styled(term::BOLD, &head), step.what));
        let begin = Instant::now();
        let outcome = match (step.run)(ws) {
            Ok(Verdict::Done) => Outcome::Passed,
            Ok(Verdict::Skipped(why)) => Outcome::Skipped(why),
            Err(error) => Outcome::Failed(error),
        };
        let report = Report { name: step.name, outcome, took: begin.elapsed() };
        term::line(&row(&report));
        stopped = matches!(report.outcome, Outcome::Failed(_)) && !keep_going;
        reports.push(report);
    }
    reports
}

fn row(report: &Report) -> String {
    let (style, word, more) = match &report.outcome {
        Outcome::Passed => (term::GOOD, "ok", String::new()),
        Outcome::Skipped(why) => (term::WARN, "skipped", format!("  {why}")),
        // The verdict at the end says why.
        Outcome::Failed(_) => (term::BAD, "FAILED", String::new()),
        Outcome::NotRun => (term::WARN, "not run", String::new()),
    };
    let name = format!("{:<10}", report.name);
    if matches!(report.outcome, Outcome::NotRun) {
        return format!("  {name}{}", term::styled(style, word));
    }
    // Padded before it is coloured: the codes have a width of their own.
    let word = term::styled(style, &format!("{word:<8}"));
    format!("  {name}{word}{:>13}{more}", term::seconds(report.took))
}

fn summary(reports: &[Report]) -> String {
    let mut text = term::styled(term::BOLD, "\nsummary\n");
    for report in reports {
        let _ = writeln!(text, "{}", row(report));
    }
    let total = reports.iter().map(|report| report.took).sum();
    let _ = write!(text, "  {:<18}{:>13}", "total", term::seconds(total));
    text
}

fn verdict(reports: &[Report]) -> Result<Verdict> {
    let failures: Vec<String> = reports
        .iter()
        .filter_map(|report| match &report.outcome {
            Outcome::Failed(error) => Some(format!("step {} failed: {error:#}", report.name)),
            _ => None,
        })
        .collect();
    if failures.is_empty() {
        return Ok(Verdict::Done);
    }
    bail!("{}", failures.join("\n       "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Step = Step::new("good", "passes", |_| Ok(Verdict::Done));
    const BAD: Step = Step::new("bad", "fails", |_| bail!("`cargo x` ended with exit status: 101"));
    const LACKING: Step = Step::new("lacking", "lacks a tool", |_| Ok(Verdict::Skipped("no tool".to_owned())));

    fn words(reports: &[Report]) -> Vec<(&'static str, &'static str)> {
        let word = |report: &Report| match report.outcome {
            Outcome::Passed => "passed",
            Outcome::Skipped(_) => "skipped",
            Outcome::Failed(_) => "failed",
            Outcome::NotRun => "not run",
        };
        reports.iter().map(|report| (report.name, word(report))).collect()
    }

    fn ws() -> Workspace {
        Workspace::find().unwrap()
    }

    #[test]
    fn stops_at_the_first_failure() {
        let reports = run_steps(&ws(), &[&GOOD, &BAD, &GOOD], false);
        assert_eq!(words(&reports), [("good", "passed"), ("bad", "failed"), ("good", "not run")]);
    }

    #[test]
    fn keeps_going_when_told_and_still_fails() {
        let reports = run_steps(&ws(), &[&BAD, &LACKING, &GOOD], true);
        assert_eq!(words(&reports), [("bad", "failed"), ("lacking", "skipped"), ("good", "passed")]);
        let error = verdict(&reports).unwrap_err();
        assert_eq!(error.to_string(), "step bad failed: `cargo x` ended with exit status: 101");
    }

    #[test]
    fn a_skipped_step_is_no_failure() {
        let reports = run_steps(&ws(), &[&LACKING], false);
        assert_eq!(verdict(&reports).unwrap(), Verdict::Done);
    }

    #[test]
    fn the_summary_shows_every_step() {
        let text = summary(&run_steps(&ws(), &[&LACKING, &BAD, &GOOD], false));
        let plain = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines[1], "summary");
        assert!(lines[2].starts_with("  lacking   skipped "), "{plain}");
        assert!(lines[2].ends_with("s  no tool"), "{plain}");
        assert!(lines[3].starts_with("  bad       FAILED "), "{plain}");
        assert_eq!(lines[4], "  good      not run");
        assert!(lines[5].starts_with("  total "), "{plain}");
    }

    #[test]
    fn step_names_are_unique() {
        let mut sorted: Vec<_> = names().collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), STEPS.len());
    }
}
