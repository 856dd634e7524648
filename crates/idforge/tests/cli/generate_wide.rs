//! `gen uuidv7`, `gen uuidv4`, `gen ulid`: so many ids of that version, each once, one thread's in order.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use ulid::Ulid;
use uuid::{Uuid, Variant};

use super::run::{Run, idforge};

/// Formats with an order, and every way to make them.
const ORDERED: [&[&str]; 5] = [
    &["uuidv7"],
    &["uuidv7", "--method", "random"],
    &["uuidv7", "--method", "sub-ms"],
    &["ulid"],
    &["ulid", "--method", "random-step"],
];
const UNORDERED: [&[&str]; 2] = [&["uuidv4"], &["ulid", "--method", "random"]];

fn generate(format: &[&str], args: &[&str]) -> Run {
    idforge(&[&["gen"], format, args].concat())
}

fn is_ulid(format: &[&str]) -> bool {
    format[0] == "ulid"
}

fn unix_ms() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis()
}

#[test]
fn one_id_of_the_version_by_default_as_its_crate_prints_it() {
    for format in ORDERED.iter().chain(&UNORDERED) {
        let before = unix_ms();
        let text = generate(format, &[]).fine();
        let text = text.strip_suffix('\n').expect("a line");
        let made = if is_ulid(format) {
            let id: Ulid = text.parse().expect("a ULID");
            assert_eq!(text, id.to_string());
            u128::from(id.timestamp_ms())
        } else {
            let id: Uuid = text.parse().expect("a UUID");
            assert_eq!(text, id.hyphenated().to_string());
            let version = if format[0] == "uuidv4" { 4 } else { 7 };
            assert_eq!((id.get_version_num(), id.get_variant()), (version, Variant::RFC4122), "{id}");
            if version == 4 { before } else { id.as_u128() >> 80 }
        };
        assert!((before..=unix_ms() + 1).contains(&made), "{format:?}: {text}");
    }
}

#[test]
fn one_thread_gives_them_in_order_with_a_handle_and_without() {
    for format in ORDERED {
        for handles in [&[][..], &["--handles"]] {
            let text = generate(format, &[&["-n", "20000"], handles].concat()).fine();
            let lines: Vec<_> = text.lines().collect();
            assert_eq!(lines.len(), 20_000);
            // Both texts sort as the ids do.
            assert!(lines.is_sorted_by(|one, next| one < next), "{format:?} {handles:?}");
        }
    }
}

#[test]
fn threads_share_the_work_and_repeat_nothing() {
    for format in ORDERED.iter().chain(&UNORDERED) {
        let text = generate(format, &["-n", "50000", "--threads", "8"]).fine();
        assert_eq!(text.lines().count(), 50_000);
        assert_eq!(text.lines().collect::<BTreeSet<_>>().len(), 50_000, "{format:?}");
        for n in ["0", "1", "3"] {
            let text = generate(format, &["-n", n, "--threads", "1024"]).fine();
            assert_eq!(text.lines().count().to_string(), n);
        }
    }
    for format in ORDERED {
        let text = generate(format, &["-n", "50000", "--threads", "4", "--handles"]).fine();
        assert_eq!(text.lines().collect::<BTreeSet<_>>().len(), 50_000, "{format:?}");
    }
}

#[test]
fn every_clock_tells_the_time() {
    for format in ORDERED {
        for clock in ["wall", "monotonic", "ticker"] {
            if format.contains(&"sub-ms") && clock == "ticker" {
                continue;
            }
            let before = unix_ms();
            let text = generate(format, &["--clock", clock]).fine();
            let made = if is_ulid(format) {
                u128::from(text.trim().parse::<Ulid>().expect("a ULID").timestamp_ms())
            } else {
                text.trim().parse::<Uuid>().expect("a UUID").as_u128() >> 80
            };
            // A ticker is late by a millisecond or more.
            let earliest = before - Duration::from_secs(1).as_millis();
            assert!((earliest..=unix_ms() + 1).contains(&made), "{format:?} --clock {clock}: {text}");
        }
    }
}

#[test]
fn the_fraction_of_the_clock_is_in_method_3() {
    // Within a few microseconds of each other: with a counter in its place the 12 bits would be all over.
    let text = generate(&["uuidv7", "--method", "sub-ms"], &["-n", "2", "--handles"]).fine();
    let fractions: Vec<_> = text.lines().map(|line| line.parse::<Uuid>().expect("a UUID").as_u128() >> 64).collect();
    let apart = |id: u128| (id >> 16) * 4_096 + (id & 0xFFF);
    assert!(apart(fractions[1]) - apart(fractions[0]) < 4_096 * 20, "{text}");
}

#[test]
fn json_is_one_document() {
    for format in ORDERED.iter().chain(&UNORDERED) {
        for threads in ["1", "4"] {
            let json = generate(format, &["-n", "10000", "--threads", threads, "--json"]).json();
            let ids = json["ids"].as_array().expect("a list");
            assert_eq!((ids.len(), json.as_object().map(serde_json::Map::len)), (10_000, Some(1)));
            let lengths: BTreeSet<_> = ids.iter().map(|id| id.as_str().map(str::len)).collect();
            assert_eq!(lengths, [Some(if is_ulid(format) { 26 } else { 36 })].into());
        }
        assert_eq!(generate(format, &["-n", "0", "--json"]).fine(), "{\"ids\":[]}\n");
    }
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let run = generate(&["uuidv7"], &["--method", "sub-ms", "--clock", "ticker"]);
    assert_eq!(
        run.error(2),
        "--clock ticker: expected wall or monotonic with --method sub-ms, which writes parts of a millisecond into its ids: \
         a ticker tells whole ones only"
    );
    let run = generate(&["ulid"], &["--method", "random", "--handles"]);
    assert_eq!(
        run.error(2),
        "--handles: expected --method monotonic or random-step: with random there is nothing to share"
    );
    for (format, args, message) in [
        ("uuidv7", ["--method", "4"], "counter, random, sub-ms"),
        ("uuidv7", ["--node", "1"], "--node"),
        ("uuidv4", ["--clock", "wall"], "--clock"),
        ("ulid", ["--method", "counter"], "monotonic, random-step, random"),
        ("ulid", ["--threads", "0"], "1..=1024"),
        ("uuidv4", ["-n", "-1"], "-1"),
    ] {
        let run = generate(&[format], &args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:#?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(message), "{run:#?}");
    }
}
