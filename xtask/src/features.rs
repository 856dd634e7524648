//! `cargo xtask features`: no combination of features may break the build.

use anyhow::Result;

use crate::cmd::Verdict;
use crate::workspace::Workspace;

/// The crates that others depend on, and so with features of their choice.
const LIBRARIES: &[&str] = &["idcore", "idformats", "idmask"];

/// Checks each library with no feature, each feature, each pair, and all of them.
///
/// Dev-dependencies stay in place: with resolver 2 and later they add no features to a plain
/// check, and cargo-hack would have to rewrite the manifests to drop them.
pub(crate) fn run(ws: &Workspace) -> Result<Verdict> {
    ws.cargo("hack")
        .args(["check", "--feature-powerset", "--depth", "2"])
        .args(LIBRARIES.iter().flat_map(|name| ["--package", *name]))
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TARGET_DIR", ws.target("features"))
        .run()?;
    Ok(Verdict::Done)
}
