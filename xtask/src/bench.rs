//! `cargo xtask bench`: the benchmark program, built for speed.

use anyhow::Result;

use crate::cmd::{Cmd, Verdict};
use crate::workspace::Workspace;

/// Runs the benchmarks in the caller's folder, so that `--json FILE` is written there.
pub(crate) fn run(ws: &Workspace, args: &[String]) -> Result<Verdict> {
    Cmd::new("cargo")
        .args(["run", "--release", "--package", "idbench", "--manifest-path"])
        .arg(ws.root().join("Cargo.toml"))
        .arg("--")
        .args(args)
        .interactive()
        .run()?;
    Ok(Verdict::Done)
}
