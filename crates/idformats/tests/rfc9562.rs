//! The table of RFC 9562's demands names tests that exist.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::fs;
use std::path::Path;

/// `file::test` of all that stands between backquotes.
fn named(table: &str) -> Vec<(&str, &str)> {
    let quoted = table.split('`').skip(1).step_by(2);
    let is_name =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    quoted.filter_map(|name| name.split_once("::")).filter(|(file, test)| is_name(file) && is_name(test)).collect()
}

#[test]
fn every_test_that_the_table_names_is_there() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(package.join("RFC9562.md")).unwrap();
    let names = named(&table);
    assert!(names.len() > 25, "{names:?}");
    for (file, test) in names {
        if (file, test) == ("file", "test") || (file, test) == ("loom", "model") {
            continue;
        }
        let tests = package.join("tests");
        let sources = [tests.join(format!("{file}.rs")), tests.join(file).join("cases.rs")];
        let source = sources.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        assert!(source.contains(&format!("fn {test}(")), "no test {test} in {file}.rs");
    }
}
