//! One planned mistake: read from the table, applied to a source text.

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::suite::Suite;

/// An entry of `xtask/mutants.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutant {
    pub(crate) name: String,
    /// Relative to the root.
    pub(crate) file: String,
    /// Must occur exactly once in the file.
    find: String,
    replace: String,
    /// The test that notices, with its modules as libtest prints it.
    pub(crate) must_fail: String,
    #[serde(default = "loom")]
    pub(crate) suite: String,
    #[serde(default = "idcore")]
    package: String,
    /// What the mistake breaks.
    pub(crate) why: String,
}

fn loom() -> String {
    "loom".to_owned()
}

fn idcore() -> String {
    "idcore".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    mutant: Vec<Mutant>,
}

impl Mutant {
    pub(crate) fn suite(&self) -> Suite {
        Suite::new(&self.package, &self.suite)
    }

    /// The source with the mistake in it.
    ///
    /// # Errors
    ///
    /// When the piece to replace is not there exactly once: the code has changed and the entry
    /// must follow.
    pub(crate) fn apply(&self, source: &str) -> Result<String> {
        let Self { name, file, .. } = self;
        match source.matches(&self.find).count() {
            1 => Ok(source.replacen(&self.find, &self.replace, 1)),
            0 => bail!("mutant {name} is stale: its `find` does not occur in {file}"),
            n => bail!("mutant {name} is ambiguous: its `find` occurs {n} times in {file}"),
        }
    }
}

/// Reads the table.
///
/// # Errors
///
/// When it is no valid table, two entries have one name, or an entry changes nothing.
pub(crate) fn parse(text: &str) -> Result<Vec<Mutant>> {
    let Table { mutant: mutants } = toml::from_str(text).context("in xtask/mutants.toml")?;
    for (index, mutant) in mutants.iter().enumerate() {
        let name = &mutant.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            bail!("mutant name `{name}`: expected letters, digits and hyphens");
        }
        if mutants[..index].iter().any(|other| other.name == *name) {
            bail!("two mutants are named {name}");
        }
        if mutant.find.is_empty() || mutant.find == mutant.replace {
            bail!("mutant {name} changes nothing");
        }
    }
    Ok(mutants)
}

/// The mutants named in `only`, or all of them.
pub(crate) fn chosen(all: Vec<Mutant>, only: &[String]) -> Result<Vec<Mutant>> {
    if let Some(unknown) = only.iter().find(|name| all.iter().all(|m| m.name != **name)) {
        bail!("no mutant is named `{unknown}`: see `cargo xtask sabotage --list`");
    }
    Ok(all.into_iter().filter(|m| only.is_empty() || only.contains(&m.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
        [[mutant]]
        name = "a"
        file = "crates/idcore/src/state.rs"
        find = "x < y"
        replace = "x <= y"
        must_fail = "model"
        why = "w"
    "#;

    #[test]
    fn the_defaults_are_a_loom_model_of_idcore() {
        let mutants = parse(ENTRY).unwrap();
        assert_eq!(mutants[0].suite(), Suite::new("idcore", "loom"));
    }

    #[test]
    fn replaces_the_one_place() {
        let mutant = &parse(ENTRY).unwrap()[0];
        assert_eq!(mutant.apply("if x < y { z }").unwrap(), "if x <= y { z }");
    }

    #[test]
    fn a_stale_or_ambiguous_mutant_is_an_error() {
        let mutant = &parse(ENTRY).unwrap()[0];
        let stale = mutant.apply("if x > y {}").unwrap_err().to_string();
        assert!(stale.contains("a is stale"), "{stale}");
        let twice = mutant.apply("x < y; x < y").unwrap_err().to_string();
        assert!(twice.contains("occurs 2 times"), "{twice}");
    }

    #[test]
    fn a_table_with_mistakes_is_refused() {
        assert!(parse(&format!("{ENTRY}{ENTRY}")).unwrap_err().to_string().contains("named a"));
        assert!(parse(&ENTRY.replace("x <= y", "x < y")).is_err());
        assert!(parse(&ENTRY.replace("why", "reason")).is_err());
        assert!(parse(&ENTRY.replace("\"a\"", "\"../a\"")).is_err());
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let all = parse(ENTRY).unwrap();
        assert_eq!(chosen(all.clone(), &[]).unwrap().len(), 1);
        assert_eq!(chosen(all.clone(), &["a".to_owned()]).unwrap().len(), 1);
        assert!(chosen(all, &["b".to_owned()]).is_err());
    }
}
