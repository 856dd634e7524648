//! The checks that other programs do: formatting, lints, documentation, spelling, licences.

use anyhow::Result;

use crate::cmd::{Cmd, Verdict};
use crate::workspace::Workspace;

/// Workspaces of their own, which `cargo fmt` in the root does not reach.
const DETACHED: &[&str] = &["fuzz/Cargo.toml", "xtask/nostd-proof/Cargo.toml"];

/// Checks the formatting of all Rust code, or mends it.
pub(crate) fn fmt(ws: &Workspace, fix: bool) -> Result<Verdict> {
    let check: &[&str] = if fix { &[] } else { &["--check"] };
    ws.cargo("fmt").arg("--all").args(check).run()?;
    for manifest in DETACHED {
        ws.cargo("fmt").args(["--manifest-path", *manifest]).args(check).run()?;
    }
    Ok(Verdict::Done)
}

/// Lints every crate with all its targets and features.
pub(crate) fn clippy(ws: &Workspace) -> Result<Verdict> {
    ws.cargo("clippy").args(["--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]).run()?;
    Ok(Verdict::Done)
}

/// Builds the documentation of the libraries and tools that people read.
pub(crate) fn doc(ws: &Workspace) -> Result<Verdict> {
    ws.cargo("doc").args(["--workspace", "--no-deps", "--all-features"]).env("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(Verdict::Done)
}

/// Checks the spelling of everything under version control.
pub(crate) fn typos(ws: &Workspace) -> Result<Verdict> {
    if !Cmd::new("typos").arg("--version").works() {
        return Ok(missing("typos"));
    }
    Cmd::new("typos").dir(ws.root()).run()?;
    Ok(Verdict::Done)
}

/// Checks the formatting of the TOML files, or mends it.
pub(crate) fn taplo(ws: &Workspace, fix: bool) -> Result<Verdict> {
    if !Cmd::new("taplo").arg("--version").works() {
        return Ok(missing("taplo"));
    }
    let check: &[&str] = if fix { &[] } else { &["--check"] };
    Cmd::new("taplo").arg("fmt").args(check).dir(ws.root()).run()?;
    Ok(Verdict::Done)
}

/// Checks licences, bans and sources; the advisories need a network and are left to a person.
pub(crate) fn deny(ws: &Workspace) -> Result<Verdict> {
    if !ws.cargo("deny").arg("--version").works() {
        anyhow::bail!("cargo-deny is missing: cargo install --locked --debug cargo-deny");
    }
    ws.cargo("deny").args(["check", "bans", "licenses", "sources"]).run()?;
    Ok(Verdict::Done)
}

fn missing(tool: &str) -> Verdict {
    Verdict::Skipped(format!("{tool} is not installed: pip install -r .ci/requirements.txt"))
}
