//! A copy of the workspace that may be broken.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// What the tests need: the manifests of every member, the sources, the known values.
const NEEDED: &[&str] = &["Cargo.toml", "Cargo.lock", "crates", "benches", "xtask", "vectors"];

pub(crate) struct Copy {
    root: PathBuf,
}

impl Copy {
    /// Brings the copy at `root` up to date with the working tree.
    ///
    /// Files that are the same already are left alone, so that cargo does not build them again;
    /// this also mends whatever an interrupted run left broken.
    pub(crate) fn of(ws: &Workspace, root: &Path) -> Result<Self> {
        let wanted: BTreeSet<PathBuf> =
            ws.files()?.into_iter().filter(|path| NEEDED.iter().any(|needed| path.starts_with(needed))).collect();
        fs::create_dir_all(root).with_context(|| format!("cannot create {}", root.display()))?;
        mirror(ws.root(), root, &wanted)?;
        Ok(Self { root: root.to_path_buf() })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn read(&self, file: &str) -> Result<String> {
        let path = self.root.join(file);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    pub(crate) fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.root.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Makes `to` hold exactly the `wanted` files of `from`; the lock file that cargo writes may stay.
fn mirror(from: &Path, to: &Path, wanted: &BTreeSet<PathBuf>) -> Result<()> {
    for path in wanted {
        let (source, copy) = (from.join(path), to.join(path));
        let text = fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
        match fs::read(&copy) {
            Ok(there) if there == text => continue,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => Err(error).with_context(|| format!("cannot read {}", copy.display()))?,
        }
        if let Some(dir) = copy.parent() {
            fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        }
        fs::write(&copy, text).with_context(|| format!("cannot write {}", copy.display()))?;
    }
    remove_others(to, to, wanted)
}

fn remove_others(root: &Path, dir: &Path, wanted: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(root, &path, wanted)?;
            continue;
        }
        let relative = path.strip_prefix(root).expect("found below the root");
        if !wanted.contains(relative) && relative != Path::new("Cargo.lock") {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_follows_the_original() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(from.path().join("crates/a")).unwrap();
        fs::write(from.path().join("crates/a/lib.rs"), "right").unwrap();
        fs::write(from.path().join("secret"), "not wanted").unwrap();
        let wanted = BTreeSet::from([PathBuf::from("crates/a/lib.rs")]);

        mirror(from.path(), to.path(), &wanted).unwrap();
        let copied = to.path().join("crates/a/lib.rs");
        assert_eq!(fs::read_to_string(&copied).unwrap(), "right");
        assert!(!to.path().join("secret").exists());

        let written = fs::metadata(&copied).unwrap().modified().unwrap();
        mirror(from.path(), to.path(), &wanted).unwrap();
        assert_eq!(fs::metadata(&copied).unwrap().modified().unwrap(), written);

        fs::write(&copied, "left broken").unwrap();
        fs::write(to.path().join("crates/a/gone.rs"), "no longer there").unwrap();
        fs::write(to.path().join("Cargo.lock"), "of the build").unwrap();
        mirror(from.path(), to.path(), &wanted).unwrap();
        assert_eq!(fs::read_to_string(&copied).unwrap(), "right");
        assert!(!to.path().join("crates/a/gone.rs").exists());
        assert!(to.path().join("Cargo.lock").exists());
    }
}
