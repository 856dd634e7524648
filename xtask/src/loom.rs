//! `cargo xtask loom`: every interleaving of the small models in `tests/loom.rs` of the libraries.

use std::fmt;
use std::fs;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::cmd::Verdict;
use crate::suite::{Binary, Ending, Suite};
use crate::term;
use crate::workspace::Workspace;

/// Two preemptions find nearly all known bugs of this kind; the models are small enough for one more.
pub(crate) const PREEMPTIONS_DEFAULT: u32 = 3;
/// A model that explores for longer is too large to be one.
const MODEL_LIMIT: Duration = Duration::from_secs(20 * 60);

/// The packages that have models.
const PACKAGES: &[&str] = &["idcore", "idformats"];

/// The variable by which loom learns the bound on preemptions.
pub(crate) fn preemptions_env(preemptions: u32) -> [(&'static str, String); 1] {
    [("LOOM_MAX_PREEMPTIONS", preemptions.to_string())]
}

/// The build directory of everything that is compiled for loom.
pub(crate) fn target_dir(ws: &Workspace) -> std::path::PathBuf {
    ws.target("loom")
}

/// A model, and the binary that it is in.
struct Model {
    package: &'static str,
    name: String,
    binary: Arc<Binary>,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.package, self.name)
    }
}

/// Builds the models and runs those whose names contain `filter`, as many at once as there are
/// cores, printing each with its duration.
///
/// # Errors
///
/// When a model fails, with its output; or when there is none.
pub(crate) fn run(ws: &Workspace, preemptions: u32, filter: Option<&str>) -> Result<Verdict> {
    let mut models = Vec::new();
    for package in PACKAGES {
        let binary = Arc::new(Suite::new(package, "loom").build(ws.root(), &target_dir(ws))?);
        let names = binary.tests()?.into_iter().filter(|name| filter.is_none_or(|part| name.contains(part)));
        models.extend(names.map(|name| Model { package, name, binary: Arc::clone(&binary) }));
    }
    if models.is_empty() {
        bail!("no loom model is named {}", filter.unwrap_or("anything"));
    }
    term::line(&format!("{} models, at most {preemptions} preemptions each", models.len()));
    let failed = explore(ws, &models, preemptions)?;
    if failed.is_empty() { Ok(Verdict::Done) } else { bail!("loom models failed: {}", failed.join(", ")) }
}

/// Runs all models; what comes back are the names of those that did not pass.
fn explore(ws: &Workspace, models: &[Model], preemptions: u32) -> Result<Vec<String>> {
    let logs = target_dir(ws).join("log");
    fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
    let env = preemptions_env(preemptions);
    let queue = Mutex::new(models.iter());
    let next = || queue.lock().expect("no holder of the queue panics").next();
    let explore_some = || -> Result<Vec<String>> {
        let mut failed = Vec::new();
        while let Some(model) = next() {
            let log = logs.join(format!("{model}.txt").replace("::", "."));
            let begin = Instant::now();
            let ending = model.binary.run_one(&model.name, &env, MODEL_LIMIT, &log)?;
            let took = term::seconds(begin.elapsed());
            if ending == Ending::Passed {
                term::line(&format!("  {} {model} {took}", term::styled(term::GOOD, "ok")));
            } else {
                term::line(&fs::read_to_string(&log).unwrap_or_default());
                let bad = term::styled(term::BAD, "FAILED");
                term::line(&format!("  {bad} {model} {took} {ending:?}"));
                failed.push(model.to_string());
            }
        }
        Ok(failed)
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores.min(models.len())).map(|_| scope.spawn(explore_some)).collect();
        let mut failed = Vec::new();
        for worker in workers {
            failed.extend(worker.join().expect("a worker returns its errors")?);
        }
        Ok(failed)
    })
}
