//! `cargo xtask install`: the tools that `ci` needs, where they are missing.

use anyhow::{Result, bail};

use crate::cmd::Verdict;
use crate::term;
use crate::workspace::Workspace;

/// Cargo subcommands and the releases that this repository was tested with.
const TOOLS: &[(&str, &str)] = &[("nextest", "^0.9"), ("fuzz", "^0.13"), ("hack", "^0.6")];

/// Installs what cargo can install, and says what a person must.
///
/// # Errors
///
/// When an installation fails, or when there is no nightly toolchain: the error says how to get one.
pub(crate) fn run(ws: &Workspace) -> Result<Verdict> {
    for (subcommand, version) in TOOLS {
        if ws.cargo(subcommand).arg("--version").works() {
            term::line(&format!("cargo-{subcommand} is there"));
            continue;
        }
        term::line(&format!("cargo-{subcommand} is missing and will be installed"));
        // They only start other programs: unoptimised they are ready in a quarter of the time.
        ws.cargo("install")
            .args(["--locked", "--debug", "--version", version])
            .arg(format!("cargo-{subcommand}"))
            // Or cargo would leave their build in ours.
            .env_remove("CARGO_TARGET_DIR")
            .run()?;
    }
    if !ws.cargo_nightly("--version").works() {
        bail!("the fuzz targets need a nightly toolchain: rustup toolchain install nightly --profile minimal");
    }
    term::line("the nightly toolchain is there");
    Ok(Verdict::Done)
}
