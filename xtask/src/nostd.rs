//! `cargo xtask nostd`: idcore and idformats build where there is no standard library.
//!
//! `nostd-proof` is a static library with a panic handler of its own. The standard library brings
//! another, and two of them do not compile. So the proof builds only while nothing below it uses
//! std; and because a proof that cannot fail proves nothing, it must fail with `std` on.

use anyhow::{Result, bail};

use crate::cmd::{Cmd, Verdict};
use crate::term;
use crate::workspace::Workspace;

/// The language item that is defined twice as soon as std is in the tree.
const CLASH: &str = "panic_impl";

/// Builds the proof without std, then with it.
///
/// # Errors
///
/// When the first build fails, or the second does not fail for the reason above.
pub(crate) fn run(ws: &Workspace) -> Result<Verdict> {
    build(ws).run()?;
    let counter = build(ws).args(["--features", "std"]);
    let shown = counter.to_string();
    term::line(&format!("$ {shown}  (must fail)"));
    let output = counter.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        bail!("`{shown}` succeeded: the proof no longer notices the standard library");
    }
    if !stderr.contains(CLASH) {
        bail!("`{shown}` failed, but not because `{CLASH}` is defined twice:\n{stderr}");
    }
    Ok(Verdict::Done)
}

fn build(ws: &Workspace) -> Cmd {
    ws.cargo("build")
        .args(["--manifest-path", "xtask/nostd-proof/Cargo.toml"])
        .env("CARGO_TARGET_DIR", ws.target("nostd"))
}
