//! `cargo xtask fuzz`: libFuzzer on every target of `fuzz/`.
//!
//! The committed seeds in `fuzz/corpus` are read and never written: what a run finds goes to the
//! build directory and is used by the next run. To keep a find, copy it into `fuzz/corpus/TARGET`,
//! where a plain test replays it from then on.

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::cmd::Verdict;
use crate::term;
use crate::workspace::Workspace;

/// Seconds for each target in `ci`: enough to see that it runs and that the seeds pass.
const SHORT_S: u64 = 10;
/// One input that takes longer is reported as a hang.
const INPUT_S_MAX: u64 = 10;

/// Runs every target for a few seconds.
pub(crate) fn run_short(ws: &Workspace) -> Result<Verdict> {
    run(ws, SHORT_S, None)
}

/// Runs every target, or one, for `minutes` each.
pub(crate) fn run_long(ws: &Workspace, minutes: u64, target: Option<&str>) -> Result<Verdict> {
    run(ws, minutes * 60, target)
}

fn run(ws: &Workspace, seconds: u64, only: Option<&str>) -> Result<Verdict> {
    let targets = chosen(targets(ws)?, only)?;
    // All of them first: a target that does not compile fails before any time is spent.
    ws.cargo_nightly("fuzz").arg("build").args(flags(ws)).run()?;
    for target in &targets {
        let finds = ws.target("fuzz").join("corpus").join(target);
        let seeds = ws.root().join("fuzz/corpus").join(target);
        fs::create_dir_all(&finds).with_context(|| format!("cannot create {}", finds.display()))?;
        term::line(&format!("fuzzing {target} for {seconds} s"));
        ws.cargo_nightly("fuzz")
            .arg("run")
            .args(flags(ws))
            .arg(target)
            // libFuzzer writes to the first folder only.
            .args([finds, seeds])
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-timeout={INPUT_S_MAX}"))
            .args(["-verbosity=0", "-print_final_stats=1"])
            .run()?;
    }
    Ok(Verdict::Done)
}

/// No sanitizer: the code under test forbids `unsafe`, and without it several times as many
/// inputs are tried.
fn flags(ws: &Workspace) -> Vec<String> {
    let target_dir = ws.target("fuzz").to_string_lossy().into_owned();
    ["--sanitizer", "none", "--target-dir", &target_dir].map(str::to_owned).to_vec()
}

/// The names of the files in `fuzz/fuzz_targets`, sorted.
fn targets(ws: &Workspace) -> Result<Vec<String>> {
    let dir = ws.root().join("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in fs::read_dir(&dir).with_context(|| format!("cannot read {}", dir.display()))? {
        let path = entry?.path();
        if let (Some(stem), Some("rs")) = (path.file_stem(), path.extension().and_then(|ext| ext.to_str())) {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn chosen(all: Vec<String>, only: Option<&str>) -> Result<Vec<String>> {
    match only {
        None => Ok(all),
        Some(name) if all.iter().any(|target| target == name) => Ok(vec![name.to_owned()]),
        Some(name) => bail!("no fuzz target `{name}`: expected one of {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_target_is_an_error_that_lists_the_known() {
        let all = || vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(chosen(all(), None).unwrap(), ["a", "b"]);
        assert_eq!(chosen(all(), Some("b")).unwrap(), ["b"]);
        let error = chosen(all(), Some("c")).unwrap_err().to_string();
        assert_eq!(error, "no fuzz target `c`: expected one of a, b");
    }

    #[test]
    fn every_target_has_seeds() {
        let ws = Workspace::find().unwrap();
        let targets = targets(&ws).unwrap();
        assert!(!targets.is_empty());
        for target in targets {
            let seeds = ws.root().join("fuzz/corpus").join(&target);
            let count = fs::read_dir(&seeds).map_or(0, Iterator::count);
            assert!(count > 0, "no seeds in {}", seeds.display());
        }
    }
}
