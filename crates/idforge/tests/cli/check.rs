//! `check`: the exact lines of duplicates and of disorder, whatever the input.

use std::process::Stdio;

use serde_json::{Value, json};

use super::run::{Run, command, idforge, idforge_with, lines};

fn check(args: &[&str], input: impl Into<Vec<u8>>) -> Run {
    idforge_with(&[&["check"], args].concat(), input)
}

/// The JSON report of a run that found something.
fn findings(run: &Run) -> Value {
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:#?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn a_million_ids_of_eight_threads_are_unique() {
    let args = ["gen", "snowflake", "-n", "1000000", "--threads", "8", "--node", "17"];
    let mut generator = command(&args).spawn().expect("the binary runs");
    let ids = Stdio::from(generator.stdout.take().expect("standard output is a pipe"));
    let checked = command(&["check", "--json"]).stdin(ids).output().expect("the binary runs");
    assert!(generator.wait().expect("the generator ends").success());
    let report = String::from_utf8(checked.stdout).expect("UTF-8");
    assert!(report.contains("\"count\":1000000,\"duplicates\":0"), "{report}");
    assert_eq!(checked.status.code(), Some(0), "{report}");
}

#[test]
fn a_doubled_line_is_found() {
    let text = idforge(&["gen", "snowflake", "-n", "50000", "--node", "17"]).fine();
    let ids: Vec<&str> = text.lines().collect();
    for (from, to) in [(0, 50_000), (0, 1), (49_999, 0), (20_000, 30_000), (30_000, 20_000), (49_999, 50_000)] {
        let mut doctored = ids.clone();
        doctored.insert(to, ids[from]);
        let report = findings(&check(&["--json"], lines(&doctored)));
        // Lines count from 1; what was put in before moved the other one down.
        let places = [to, if to <= from { from + 1 } else { from }];
        let expected = json!([{"id": ids[from], "line": places.iter().max().map(|p| p + 1), "firstLine": places.iter().min().map(|p| p + 1)}]);
        assert_eq!(
            (&report["count"], &report["duplicates"], &report["firstDuplicates"]),
            (&50_001.into(), &1.into(), &expected)
        );
    }
    let run = check(&[], text.clone() + ids[123] + "\n");
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("duplicates  1 line\n"), "{run:#?}");
    assert!(run.stdout.contains(&format!("line 50001: {}, as on line 124\n", ids[123])), "{run:#?}");
}

#[test]
fn a_fine_input() {
    let text = check(&[], "5\n3\n18446744073709551615\n").fine();
    assert_eq!(text, "3 ids\nlowest      3\nhighest     18446744073709551615\nduplicates  none\n");
    let json = check(&["--json"], "5\n3").fine();
    assert_eq!(
        json,
        "{\"format\":\"snowflake\",\"count\":2,\"duplicates\":0,\"firstDuplicates\":[],\"lowest\":\"3\",\"highest\":\"5\"}\n"
    );
    let nothing = check(&["--json", "--ordered"], "").json();
    assert_eq!((&nothing["count"], &nothing["lowest"]), (&0.into(), &Value::Null));
}

#[test]
fn order_is_checked_if_asked_for() {
    let input = "1\n5\n3\n3\n4\n2\n";
    let report = findings(&check(&["--ordered", "--json"], input));
    let first = json!([{"line": 3, "id": "3", "before": "5"}, {"line": 6, "id": "2", "before": "4"}]);
    assert_eq!(report["ordered"], json!({"violations": 2, "first": first}));
    let text = check(&["--ordered"], input).stdout;
    assert!(text.contains("order       2 lines\n            line 3: 3 after 5\n"), "{text}");
    assert!(check(&["--ordered"], "1\n2\n3\n").fine().contains("order       no id is below the one before\n"));
}

#[test]
fn lateness_is_checked_if_asked_for() {
    let at = |ms: u64| (1_000_000 + ms) << 22;
    let input = lines([0, 10, 5, 4, 20].map(at));
    let report = findings(&check(&["--k-sorted", "5", "--layout", "twitter", "--json"], input.clone()));
    let first = json!([{"line": 4, "id": at(4).to_string(), "lateMs": 6}]);
    assert_eq!(report["kSorted"], json!({"withinMs": 5, "violations": 1, "worstMs": 6, "first": first}));
    let text = check(&["--k-sorted", "6", "--layout", "twitter"], input).fine();
    assert!(text.contains("k-sorted    within 6 ms; the worst is 6 ms late\n"), "{text}");
    assert!(text.contains(&format!("lowest      {}  2010-11-04 01:59:34.657 UTC\n", at(0))), "{text}");
    // Without a layout there are no times.
    assert!(check(&["--k-sorted", "5"], "").error(2).contains("--layout"));
}

#[test]
fn threads_give_ids_that_are_nearly_in_order() {
    let text = idforge(&["gen", "snowflake", "-n", "200000", "--threads", "4", "--node", "1"]).fine();
    check(&["--k-sorted", "60000", "--layout", "standard"], text).fine();
}

#[test]
fn every_encoding_is_read() {
    for encoding in ["dec", "hex", "crockford", "base62"] {
        let text = idforge(&["gen", "snowflake", "-n", "1000", "--node", "1", "--encoding", encoding]).fine();
        let first = text.lines().next().expect("a thousand ids").to_owned();
        assert!(check(&["--encoding", encoding, "--ordered"], text.clone()).fine().starts_with("1,000 ids\n"));
        let report = findings(&check(&["--encoding", encoding, "--json"], text + &first));
        assert_eq!(
            (&report["firstDuplicates"][0]["line"], &report["firstDuplicates"][0]["firstLine"]),
            (&1_001.into(), &1.into())
        );
    }
}

#[test]
fn lines_of_json_and_of_windows_are_ids_too() {
    assert_eq!(check(&["--json"], "\"5\"\n\"6\"\n").json()["count"], 2);
    assert_eq!(check(&["--json"], "5\r\n6\r\n").json()["count"], 2);
}

#[test]
fn a_file_is_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("ids.txt");
    std::fs::write(&path, "5\n6\n5\n").expect("a file");
    let path = path.to_str().expect("UTF-8");
    assert_eq!(findings(&idforge(&["check", path, "--json"]))["duplicates"], 1);
    let run = idforge(&["check", "/no/such/file"]);
    assert!(run.error(2).starts_with("/no/such/file: "), "{run:#?}");
    assert_eq!(check(&["-", "--json"], "5\n").json()["count"], 1);
}

#[test]
fn a_line_that_is_no_id_ends_it() {
    for (line, message) in [
        ("", "``: empty text: expected 1 to 20 decimal digits"),
        ("12x4", "`12x4`: 'x' at byte 2: expected a decimal digit"),
        ("-5", "`-5`: a negative number: expected 0 to 18446744073709551615"),
        ("18446744073709551616", "`18446744073709551616`: number too large: expected at most 18446744073709551615"),
        ("0DS8RXW6W0DX4", "`0DS8RXW6W0DX4`: 'D' at byte 1: expected a decimal digit"),
        ("12\u{0}", "`12\\0`: '\\0' at byte 2: expected a decimal digit"),
    ] {
        let run = check(&["--json"], format!("1\n2\n{line}\n3\n"));
        assert_eq!(run.error(2), format!("standard input, line 3: {message}"));
        assert_eq!(run.stdout, "");
    }
    let run = check(&[], b"1\n\xff\xfe\n".as_slice());
    assert_eq!(run.error(2), "standard input, line 2: `\\xff\\xfe`: byte 0xff at byte 0: expected an id");
    let run = check(&["--layout", "twitter"], "1\n9223372036854775808\n");
    assert_eq!(
        run.error(2),
        "standard input, line 2: id 9223372036854775808: expected at most 9223372036854775807 in this layout"
    );
    let run = check(&[], [b"1\n".as_slice(), &vec![b'7'; 5 << 20]].concat());
    assert!(run.error(2).starts_with("standard input, line 2: `7777"), "{run:#?}");
    assert!(run.error(2).ends_with("more than 1048576 bytes: expected an id"), "{run:#?}");
}

#[test]
fn more_equal_ids_than_a_pass_holds() {
    const COUNT: u64 = 4_000_000;
    let report = findings(&check(&["--json"], "7\n".repeat(4_000_000)));
    assert_eq!((&report["count"], &report["duplicates"]), (&COUNT.into(), &(COUNT - 1).into()));
    let expected: Vec<_> = (2..=11).map(|line| json!({"id": "7", "line": line, "firstLine": 1})).collect();
    assert_eq!(report["firstDuplicates"], Value::Array(expected));
    let run = check(&[], "7\n".repeat(20));
    assert!(run.stdout.ends_with("and 9 more\n"), "{run:#?}");
}

#[test]
fn each_id_twice_in_the_opposite_order() {
    const COUNT: u64 = 200_000;
    let report = findings(&check(&["--json"], lines((0..COUNT).chain((0..COUNT).rev()))));
    assert_eq!((&report["count"], &report["duplicates"]), (&(2 * COUNT).into(), &COUNT.into()));
    let first = |index: u64| json!({"id": (COUNT - 1 - index).to_string(), "line": COUNT + 1 + index, "firstLine": COUNT - index});
    assert_eq!(report["firstDuplicates"], Value::Array((0..10).map(first).collect()));
}
