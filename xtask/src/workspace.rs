//! Where things are: the root, the build directory, the files under version control.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cmd::Cmd;

pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// The workspace that `cargo xtask` was called in.
    pub(crate) fn find() -> Result<Self> {
        // Cargo sets the variable for `cargo run`; the value of the build serves the bare binary.
        let manifest_dir =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest_dir
            .parent()
            .with_context(|| format!("{} has no parent folder", manifest_dir.display()))?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            // Relative to where cargo was started, as cargo itself reads it.
            Some(dir) => env::current_dir()?.join(dir),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A folder of its own below the build directory.
    ///
    /// Builds with other flags go there, so that they do not throw away the main build.
    pub(crate) fn target(&self, name: &str) -> PathBuf {
        self.target.join(name)
    }

    /// `cargo`, started in the root.
    pub(crate) fn cargo(&self, subcommand: &str) -> Cmd {
        Cmd::new("cargo").arg(subcommand).dir(&self.root)
    }

    /// `cargo +nightly`, started in the root.
    pub(crate) fn cargo_nightly(&self, subcommand: &str) -> Cmd {
        // `cargo run` tells its children which cargo to use: not that one.
        Cmd::new("cargo")
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .arg("+nightly")
            .arg(subcommand)
            .dir(&self.root)
    }

    /// All files that git tracks or would track, relative to the root, in order.
    ///
    /// A tracked file that is deleted in the working tree is left out.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        let listed = Cmd::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .dir(&self.root)
            .stdout()?;
        let mut files: Vec<PathBuf> = listed
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(PathBuf::from)
            .filter(|path| self.root.join(path).is_file())
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}
