//! The rules, each a function from a file to what is wrong in it.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use super::scan::{self, Line};

const LINES_MAX: usize = 400;
/// How many lines of code may stand between an `// ORDERING:` comment and the ordering: the
/// comment's own lines do not count, and one comment may argue a whole call.
const ORDERING_REACH: usize = 8;

const TIME_READS: &[&str] = &["SystemTime::now", "Instant::now"];
const LEFTOVERS: &[&str] = &["todo!", "unimplemented!", "dbg!"];
/// Orderings of memory; those of comparison (`Less`) are none of this rule's affair.
const ORDERINGS: &[&str] = &["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

/// One place where a rule is broken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: PathBuf,
    line: usize,
    text: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.text)
    }
}

/// All findings in one file, whose `path` is relative to the root.
pub(crate) fn check(path: &Path, source: &str) -> Vec<Finding> {
    let lines = scan::lines(source);
    let mut found = Vec::new();
    leftovers(&lines, &mut found);
    if is_library_source(path) {
        length(&lines, &mut found);
        orderings(&lines, &mut found);
    }
    if path.starts_with("crates/idcore/src") && !is_clock_file(path) {
        time_reads(&lines, &mut found);
    }
    found.into_iter().map(|(index, text)| Finding { path: path.to_path_buf(), line: index + 1, text }).collect()
}

/// The place as an index into the lines, and what is wrong there.
type Found = Vec<(usize, String)>;

fn length(lines: &[Line], found: &mut Found) {
    let count = lines.len();
    if count > LINES_MAX {
        found.push((LINES_MAX, format!("{count} lines, expected at most {LINES_MAX}")));
    }
}

fn time_reads(lines: &[Line], found: &mut Found) {
    for (index, line) in lines.iter().enumerate() {
        for read in TIME_READS.iter().filter(|read| line.code.contains(**read)) {
            found.push((index, format!("{read} outside the clock files")));
        }
    }
}

fn leftovers(lines: &[Line], found: &mut Found) {
    for (index, line) in lines.iter().enumerate() {
        for leftover in LEFTOVERS.iter().filter(|word| has_word(&line.code, word)) {
            found.push((index, format!("{leftover} is left over")));
        }
    }
}

fn orderings(lines: &[Line], found: &mut Found) {
    for (index, line) in lines.iter().enumerate() {
        if names_ordering(&line.code) && !is_argued(lines, index) {
            let text = format!(
                "a memory ordering without an `// ORDERING:` comment in the {ORDERING_REACH} \
                 lines of code above"
            );
            found.push((index, text));
        }
    }
}

/// Whether the code says `Ordering::Acquire` or the like, alone or in a group as imports do.
fn names_ordering(code: &str) -> bool {
    code.match_indices("Ordering::").any(|(at, found)| {
        let after = &code[at + found.len()..];
        if let Some(group) = after.strip_prefix('{') {
            let group = group.split('}').next().unwrap_or_default();
            return group.split(',').any(|name| ORDERINGS.contains(&name.trim()));
        }
        let end = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        ORDERINGS.contains(&&after[..end])
    })
}

fn is_argued(lines: &[Line], index: usize) -> bool {
    let mut code_lines_left = ORDERING_REACH;
    for line in lines[..=index].iter().rev() {
        if line.comment.contains("ORDERING:") {
            return true;
        }
        if line.has_code() {
            if code_lines_left == 0 {
                return false;
            }
            code_lines_left -= 1;
        }
    }
    false
}

/// Whether `word` stands in `code` and is not the end of a longer name.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// `crates/*/src/**`.
fn is_library_source(path: &Path) -> bool {
    let mut parts = path.iter();
    parts.next().is_some_and(|part| part == "crates")
        && parts.next().is_some()
        && parts.next().is_some_and(|part| part == "src")
}

/// `clock.rs`, `clock_….rs`, or anything in a folder `clock`.
fn is_clock_file(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem == "clock" || stem.starts_with("clock_") || path.iter().any(|part| part == "clock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(path: &str, source: &str) -> Vec<String> {
        check(Path::new(path), source).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn the_time_is_read_in_clock_files_only() {
        let source = "fn f() {\n    let t = std::time::Instant::now();\n}\n";
        let wrong = ["crates/idcore/src/generator/mod.rs:2: Instant::now outside the clock files"];
        assert_eq!(texts("crates/idcore/src/generator/mod.rs", source), wrong);
        assert_eq!(texts("crates/idcore/src/clockwork.rs", source).len(), 1);
        for fine in [
            "crates/idcore/src/clock.rs",
            "crates/idcore/src/clock/system.rs",
            "crates/idcore/src/clock_system.rs",
            "crates/idforge/src/main.rs",
            "crates/idcore/tests/stress.rs",
        ] {
            assert_eq!(texts(fine, source), [""; 0], "{fine}");
        }
        let comment = "// Instant::now would be wrong here\n";
        assert_eq!(texts("crates/idcore/src/state.rs", comment), [""; 0]);
    }

    #[test]
    fn an_ordering_needs_its_argument() {
        let bare = "fn f() {\n    x.load(Ordering::Acquire);\n}\n";
        assert_eq!(texts("crates/idcore/src/state.rs", bare).len(), 1);
        let argued = "// ORDERING: pairs with `take`,\n// see there.\nx.load(Ordering::Acquire);\n";
        assert_eq!(texts("crates/idcore/src/state.rs", argued), [""; 0]);
        let same_line = "x.load(Ordering::Acquire); // ORDERING: no pair\n";
        assert_eq!(texts("crates/idcore/src/state.rs", same_line), [""; 0]);
        assert_eq!(texts("crates/idcore/tests/loom.rs", bare), [""; 0]);
        let compared = "a.cmp(&b) == Ordering::Less\n";
        assert_eq!(texts("crates/idcore/src/state.rs", compared), [""; 0]);
        let imported = "use core::sync::atomic::Ordering::{Acquire, Release};\n";
        assert_eq!(texts("crates/idcore/src/state.rs", imported).len(), 1);
    }

    #[test]
    fn an_argument_does_not_reach_for_ever() {
        let above = |code_lines: usize| {
            let between = "    y();\n".repeat(code_lines);
            format!("// ORDERING: x\n{between}x.load(Ordering::Acquire);\n")
        };
        let path = "crates/idcore/src/state.rs";
        assert_eq!(texts(path, &above(ORDERING_REACH - 1)), [""; 0]);
        assert_eq!(texts(path, &above(ORDERING_REACH)).len(), 1);
    }

    #[test]
    fn long_files_are_found() {
        let path = "crates/idforge/src/main.rs";
        assert_eq!(texts(path, &"f();\n".repeat(LINES_MAX)), [""; 0]);
        let long = texts(path, &"f();\n".repeat(LINES_MAX + 1));
        assert_eq!(long, ["crates/idforge/src/main.rs:401: 401 lines, expected at most 400"]);
        assert_eq!(texts("crates/idforge/tests/a.rs", &"f();\n".repeat(1_000)), [""; 0]);
    }

    #[test]
    fn leftovers_are_found_anywhere() {
        assert_eq!(texts("benches/src/main.rs", "dbg!(x);\ntodo!()\n").len(), 2);
        assert_eq!(texts("benches/src/main.rs", "// todo!()\nf(\"dbg!\");\nmy_todo!();\n").len(), 0);
    }
}
