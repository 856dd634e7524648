//! `cargo xtask test`: everything that runs as an ordinary test.

use anyhow::Result;

use crate::cmd::Verdict;
use crate::workspace::Workspace;

/// Runs the tests, and the examples of the documentation unless `args` choose among the tests.
pub(crate) fn run(ws: &Workspace, args: &[String]) -> Result<Verdict> {
    ws.cargo("nextest").args(["run", "--workspace", "--all-features", "--no-fail-fast"]).args(args).run()?;
    if args.is_empty() {
        // nextest runs no examples.
        ws.cargo("test").args(["--doc", "--workspace", "--all-features"]).run()?;
    }
    Ok(Verdict::Done)
}
