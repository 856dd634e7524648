//! The binary from outside: exit statuses, names, and a record whose rows agree with each other.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn idbench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idbench")).args(arguments).output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

fn record(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the record was written")).expect("the record is JSON")
}

#[test]
fn the_list_names_the_rows_and_measures_nothing() {
    let output = idbench(&["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let names: Vec<_> = text(&output.stdout).lines().collect();
    for name in [
        "twitter/next_id/64",
        "twitter/local/64",
        "wide/next_id/8",
        "wide/ticker/next_id/8",
        "wide/monotonic/next_id/8",
        "wide/ticker/local/8",
        "wide/wall/local/8",
        "wide/fill1000/1",
        "latency/p99.9",
        "uuidv7/next_id/8",
        "uuidv7/ticker/next_id/8",
        "uuidv7/random/next_id/8",
        "uuidv7/sub-ms/next_id/8",
        "uuidv7/local/8",
        "uuidv7/fill1000/1",
        "uuidv4/8",
        "ulid/next_id/8",
        "ulid/ticker/next_id/8",
        "ulid/unordered/8",
        "ulid/fill1000/1",
        "memory/generator",
        "memory/uuidv7-generator",
        "memory/ulid-generator",
    ] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    let output = idbench(&["--list", "--only", "p99.9"]);
    assert_eq!(text(&output.stdout), "latency/p99.9\n");
    let output = idbench(&["--list", "--only", "p99.9", "--only", "uuidv4/8"]);
    assert_eq!(text(&output.stdout), "latency/p99.9\nuuidv4/8\n");
}

#[test]
fn bad_usage_exits_with_2_and_says_what_was_expected() {
    let missing = tempfile::tempdir().unwrap().path().join("gone/record.json");
    let cases: [(&[&str], &str); 6] = [
        (&["--only", "nonsense"], "no row has 'nonsense' in its name"),
        (&["--only", "uuidv7", "--only", "nonsense"], "no row has 'nonsense' in its name"),
        (&["--rounds", "0"], "expected a whole number from 1 to 1000"),
        (&["--seconds", "61"], "expected a number from 0.02 to 60"),
        (&["--json", missing.to_str().unwrap(), "--only", "memory"], "cannot write --json"),
        (&["--unknown"], "unexpected argument"),
    ];
    for (arguments, expected) in cases {
        let output = idbench(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = text(&output.stderr);
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_short_run_writes_a_table_and_a_record() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record.json");
    let path_text = path.to_str().unwrap();
    let output = idbench(&["--rounds", "2", "--seconds", "0.05", "--only", "twitter/next_id/2", "--json", path_text]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // Nothing is drawn where standard error is no terminal.
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("twitter/next_id/2"));

    let record = record(&path);
    let header = &record["header"];
    assert_eq!(header["rounds"], 2);
    assert!(header["machine"]["cores"].as_u64().unwrap() >= 1);
    assert!(header["rustc"].as_str().unwrap().starts_with("rustc "));
    assert!(header["command"].as_str().unwrap().starts_with("idbench --rounds 2"));
    let rows = record["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(row["threads"], 2);
    let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field} is no number in {row}"));
    assert!((0.0..=1.0).contains(&number("ours")), "{row}");
    assert!((0.0..=1.0).contains(&number("rival")), "{row}");
    assert!((number("ratio") - number("ours") / number("rival")).abs() < 1e-9, "{row}");
    let met = number("ours") >= number("goal") && number("ours_cpus") < number("goal_cpus");
    assert_eq!(row["met"], met, "{row}");
    assert_eq!(row["detail"]["rounds"].as_array().unwrap().len(), 2);
    assert!(row["rivals"].as_array().unwrap().len() >= 3);
}

#[test]
fn ids_of_128_bits_are_measured_beside_their_rivals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record.json");
    let names = ["uuidv7/next_id/2", "uuidv7/fill1000/1", "uuidv4/1", "ulid/next_id/2", "ulid/unordered/1"];
    let mut arguments = vec!["--rounds", "1", "--seconds", "0.05", "--json", path.to_str().unwrap()];
    arguments.extend(names.iter().flat_map(|name| ["--only", *name]));
    let output = idbench(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = record(&path);
    let rows = record["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
    for row in rows {
        let rivals = row["rivals"].as_array().unwrap();
        let best = rivals.iter().map(|rival| rival["value"].as_f64().unwrap()).fold(0.0, f64::max);
        assert_eq!(row["rival"].as_f64(), Some(best), "{row}");
        assert!(row["ours"].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn only_check_turns_a_missed_goal_into_status_1() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("record.json");
    let arguments = ["--only", "memory", "--json", path.to_str().unwrap()];
    assert_eq!(idbench(&arguments).status.code(), Some(0));
    let missed = record(&path)["rows"].as_array().unwrap().iter().any(|row| row["met"] == false);
    let checked = idbench(&[&arguments[..], &["--check"]].concat());
    assert_eq!(checked.status.code(), Some(i32::from(missed)));
}
