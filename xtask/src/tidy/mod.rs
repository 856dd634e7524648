//! `cargo xtask tidy`: rules of this repository that no compiler checks.
//!
//! | rule | where |
//! |---|---|
//! | a file has at most 400 lines | `crates/*/src` |
//! | `SystemTime::now` and `Instant::now` only in clock files | `crates/idcore/src` |
//! | a memory ordering stands below an `// ORDERING:` comment | `crates/*/src` |
//! | no `todo!`, `unimplemented!` or `dbg!` | all Rust code |
//!
//! The length of functions is clippy's affair (`too-many-lines-threshold` in `clippy.toml`).

mod rules;
mod scan;

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::cmd::Verdict;
use crate::term;
use crate::workspace::Workspace;

/// Checks every Rust file under version control.
///
/// # Errors
///
/// When a rule is broken; each place is printed with its file and line.
pub(crate) fn run(ws: &Workspace) -> Result<Verdict> {
    let mut findings = Vec::new();
    let mut files_read = 0;
    for path in ws.files()? {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source =
            fs::read_to_string(ws.root().join(&path)).with_context(|| format!("cannot read {}", path.display()))?;
        findings.extend(rules::check(&path, &source));
        files_read += 1;
    }
    if findings.is_empty() {
        term::line(&format!("{files_read} files are tidy"));
        return Ok(Verdict::Done);
    }
    for finding in &findings {
        term::line(&finding.to_string());
    }
    bail!("{} places in {files_read} files are not tidy", findings.len())
}
