//! `check` of UUIDs and ULIDs: the first line says which, and findings name exact lines.

use std::process::Stdio;

use serde_json::{Value, json};
use ulid::Ulid;
use uuid::Uuid;

use super::run::{Run, command, idforge, idforge_with, lines};

fn check(args: &[&str], input: impl Into<Vec<u8>>) -> Run {
    idforge_with(&[&["check"], args].concat(), input)
}

fn findings(run: &Run) -> Value {
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:#?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn v7(ms: u128, rest: u128) -> Uuid {
    Uuid::from_u128(((1_767_225_600_000 + ms) << 80) | (7 << 76) | (0b10 << 62) | rest)
}

fn ulid(ms: u128, rest: u128) -> Ulid {
    Ulid(((1_767_225_600_000 + ms) << 80) | rest)
}

#[test]
fn what_eight_threads_make_is_unique() {
    for (format, name) in [("uuidv7", "uuid"), ("uuidv4", "uuid"), ("ulid", "ulid")] {
        let args = ["gen", format, "-n", "300000", "--threads", "8"];
        let mut generator = command(&args).spawn().expect("the binary runs");
        let ids = Stdio::from(generator.stdout.take().expect("standard output is a pipe"));
        let checked = command(&["check", "--json"]).stdin(ids).output().expect("the binary runs");
        assert!(generator.wait().expect("the generator ends").success());
        let report = String::from_utf8(checked.stdout).expect("UTF-8");
        assert!(
            report.starts_with(&format!("{{\"format\":\"{name}\",\"count\":300000,\"duplicates\":0,")),
            "{format}: {report}"
        );
        assert_eq!(checked.status.code(), Some(0), "{report}");
    }
}

#[test]
fn what_one_thread_makes_is_in_order() {
    for args in [["uuidv7", "--method", "counter"], ["uuidv7", "--method", "random"], ["ulid", "--method", "monotonic"]]
    {
        let text = idforge(&[["gen"].as_slice(), &args, &["-n", "50000"]].concat()).fine();
        let shown = check(&["--ordered", "--k-sorted", "0"], text).fine();
        assert!(shown.contains("order       no id is below the one before\n"), "{shown}");
        assert!(shown.contains("k-sorted    within 0 ms; the worst is 0 ms late\n"), "{shown}");
    }
}

#[test]
fn a_doubled_line_is_found() {
    for format in ["uuidv7", "uuidv4", "ulid"] {
        let text = idforge(&["gen", format, "-n", "20000"]).fine();
        let ids: Vec<&str> = text.lines().collect();
        for (from, to) in [(0, 20_000), (0, 1), (19_999, 0), (5_000, 15_000), (15_000, 5_000)] {
            let mut doctored = ids.clone();
            doctored.insert(to, ids[from]);
            let report = findings(&check(&["--json"], lines(&doctored)));
            let places = [to, if to <= from { from + 1 } else { from }].map(|place| place + 1);
            let first =
                json!([{"id": ids[from], "line": places[0].max(places[1]), "firstLine": places[0].min(places[1])}]);
            assert_eq!(
                (&report["count"], &report["duplicates"], &report["firstDuplicates"]),
                (&20_001.into(), &1.into(), &first),
                "{format}"
            );
        }
    }
}

#[test]
fn one_id_in_two_forms_is_there_twice() {
    let id = v7(0, 5);
    let forms = [id.to_string(), id.simple().to_string(), id.urn().to_string(), id.to_string().to_uppercase()];
    let report = findings(&check(&["--json"], lines(forms)));
    assert_eq!((&report["count"], &report["duplicates"]), (&4.into(), &3.into()));
    let id = ulid(0, 5).to_string();
    let report = findings(&check(&["--json"], lines([id.clone(), id.to_lowercase()])));
    assert_eq!(report["duplicates"], 1);
}

#[test]
fn order_and_lateness_name_their_lines() {
    let ids = [v7(0, 1), v7(10, 1), v7(5, 1), v7(4, 2), v7(20, 0)];
    let report = findings(&check(&["--ordered", "--k-sorted", "5", "--json"], lines(ids)));
    assert_eq!(
        report["ordered"],
        json!({"violations": 2, "first": [
            {"line": 3, "id": ids[2].to_string(), "before": ids[1].to_string()},
            {"line": 4, "id": ids[3].to_string(), "before": ids[2].to_string()},
        ]})
    );
    let late = json!([{"line": 4, "id": ids[3].to_string(), "lateMs": 6}]);
    assert_eq!(report["kSorted"], json!({"withinMs": 5, "violations": 1, "worstMs": 6, "first": late}));
    let ids = [ulid(0, 1), ulid(10, 1), ulid(5, 1)];
    let text = check(&["--k-sorted", "4"], lines(ids)).stdout;
    assert!(text.contains(&format!("line 3: {} is 5 ms late\n", ids[2])), "{text}");
    // Versions 1 and 6 tell their time too, whatever they sort like.
    let gregorian = "c232ab00-9414-11ec-b3c8-9f6bdeced846\n1ec9414c-232a-6b00-b3c8-9f6bdeced846\n";
    check(&["--k-sorted", "0"], gregorian).fine();
    let run = check(&["--k-sorted", "5"], "919108f7-52d1-4320-9bac-f847db4148a8\n");
    assert_eq!(
        run.error(2),
        "standard input, line 1: 919108f7-52d1-4320-9bac-f847db4148a8: uuidv4 tells no time: expected UUIDs of version 1, \
         2, 6 or 7 for --k-sorted"
    );
}

#[test]
fn the_report_says_what_they_are_and_their_times() {
    let text = check(&[], lines([v7(1, 0), v7(0, 0)])).fine();
    assert_eq!(
        text,
        format!(
            "2 UUIDs\nlowest      {}  2026-01-01 00:00:00.000 UTC\nhighest     {}  2026-01-01 00:00:00.001 UTC\n\
             duplicates  none\n",
            v7(0, 0),
            v7(1, 0)
        )
    );
    let text = check(&[], lines([ulid(0, 0)])).fine();
    assert!(text.starts_with(&format!("1 ULID\nlowest      {}  2026-01-01 00:00:00.000 UTC\n", ulid(0, 0))), "{text}");
    let text = check(&[], "919108f7-52d1-4320-9bac-f847db4148a8\n").fine();
    assert!(text.contains("lowest      919108f7-52d1-4320-9bac-f847db4148a8\n"), "{text}");
}

#[test]
fn a_format_can_be_named() {
    assert_eq!(check(&["--format", "uuid", "--json"], "").json()["format"], "uuid");
    assert_eq!(check(&["--format", "ulid", "--json"], "").json()["format"], "ulid");
    assert_eq!(check(&["--json"], "").json()["format"], "snowflake");
    let run = check(&["--format", "ulid"], lines([v7(0, 0)]));
    assert_eq!(
        run.error(2),
        format!(
            "standard input, line 1: `{}`: '-' at byte 8: expected 0 to 9 or A to Z without I, L, O and U",
            v7(0, 0)
        )
    );
    let run = check(&["--format", "snowflake"], lines([v7(0, 0)]));
    assert!(run.error(2).contains("expected a decimal digit"), "{run:#?}");
    for (option, value) in [("--layout", "twitter"), ("--encoding", "hex")] {
        let run = check(&["--format", "uuid", option, value], "");
        assert_eq!(run.error(2), format!("{option}: expected --format snowflake, or no --format"));
    }
    // An encoding makes snowflakes of them.
    assert!(check(&["--encoding", "crockford"], lines([ulid(0, 0)])).error(2).starts_with("standard input, line 1: "));
}

#[test]
fn a_line_of_another_format_ends_it_and_is_named() {
    let (uuid, other) = (v7(0, 0), ulid(0, 0));
    for (input, error) in [
        (format!("{uuid}\n{other}\n"), format!("line 2: `{other}`: 'K' at byte 2: expected a hex digit")),
        (format!("{other}\n{uuid}\n"), {
            format!("line 2: `{uuid}`: '-' at byte 8: expected 0 to 9 or A to Z without I, L, O and U")
        }),
        (format!("{other}\n5\n"), "line 2: `5`: a ULID of 1 characters: expected 26".to_owned()),
        (
            format!("{uuid}\n\n"),
            "line 2: ``: a UUID of 0 characters: expected 32 hex digits, or 36 with hyphens".to_owned(),
        ),
        (format!("{uuid}\n\"{uuid}\n"), format!("line 2: `\"{uuid}`: '\"' at byte 0: expected a hex digit")),
        (format!("5\n{uuid}\n"), format!("line 2: `{uuid}`: 'b' at byte 3: expected a decimal digit")),
        (format!("{other}\n8{}\n", "0".repeat(25)), {
            format!(
                "line 2: `8{}`: '8' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128",
                "0".repeat(25)
            )
        }),
    ] {
        let run = check(&["--json"], input);
        assert_eq!(run.error(2), format!("standard input, {error}"));
        assert_eq!(run.stdout, "");
    }
    let run = check(&[], [format!("{uuid}\n").into_bytes(), b"\xff\n".to_vec()].concat());
    assert_eq!(run.error(2), "standard input, line 2: `\\xff`: byte 0xff at byte 0: expected an id");
}
