//! `gen snowflake`: so many ids, each once, in every encoding, and an honest end when there are no more.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::run::{Run, idforge};

/// An id a second and an hour apart, so that no test meets the next tick.
const FOUR_AN_HOUR: &str = "epoch=2024-01-01T00:00:00Z,tick=3600s,timestamp:30,sequence:2";

fn generate(args: &[&str]) -> Run {
    idforge(&[&["gen", "snowflake"], args].concat())
}

fn ids(text: &str) -> Vec<u64> {
    text.lines().map(|line| line.parse().expect("a decimal id")).collect()
}

#[test]
fn one_id_of_the_standard_layout_by_default() {
    let run = generate(&[]);
    assert_eq!((run.status, ids(&run.stdout).len()), (0, 1));
    assert_eq!(
        run.stderr,
        "warning: no --node: these ids are of node 0, and another process without it repeats them\n"
    );
    // A layout without nodes needs no warning.
    generate(&["--layout", "mastodon"]).fine();
}

#[test]
fn the_node_is_in_the_ids() {
    for node in ["113", "datacenter=3,worker=17"] {
        let id = generate(&["--node", node]).fine();
        let fields = idforge(&["inspect", id.trim(), "--layout", "standard", "--json"]).json()["fields"].clone();
        assert_eq!((&fields["datacenter"], &fields["worker"]), (&3.into(), &17.into()));
    }
    let run = generate(&["--node", "1024"]);
    assert_eq!(run.error(2), "--node: node 1024: expected 0 to 1023 in this layout");
    assert!(generate(&["--node", "rack=1"]).error(2).starts_with("--node: `rack` is not a field"));
    assert!(generate(&["--node", "x"]).error(2).contains("`x`: expected a worker number such as 17"));
}

#[test]
fn one_thread_gives_them_in_order() {
    let ids = ids(&generate(&["-n", "20000", "--node", "1"]).fine());
    assert_eq!(ids.len(), 20_000);
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn threads_share_the_work_and_repeat_nothing() {
    let ids = ids(&generate(&["-n", "100000", "--node", "1", "--threads", "8"]).fine());
    assert_eq!(ids.len(), 100_000);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 100_000);
    // More threads than ids, or than batches.
    for n in ["0", "1", "3"] {
        let ids = generate(&["-n", n, "--node", "1", "--threads", "1024"]).fine();
        assert_eq!(ids.lines().count().to_string(), n);
    }
}

#[test]
fn every_clock_with_and_without_handles_repeats_nothing() {
    for clock in ["wall", "monotonic", "ticker"] {
        for handles in [&[][..], &["--handles"]] {
            let args = ["-n", "50000", "--threads", "4", "--node", "5", "--clock", clock];
            let ids = ids(&generate(&[&args, handles].concat()).fine());
            assert_eq!(ids.len(), 50_000);
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 50_000, "--clock {clock} {handles:?}");
        }
    }
    let run = generate(&["--clock", "sundial"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("wall, monotonic, ticker"), "{}", run.stderr);
}

#[test]
fn one_handle_gives_them_in_order() {
    let ids = ids(&generate(&["-n", "20000", "--node", "5", "--handles"]).fine());
    assert!(ids.is_sorted_by(|one, next| one < next));
}

#[test]
fn none_is_none() {
    assert_eq!(generate(&["-n", "0", "--node", "1"]).fine(), "");
    assert_eq!(generate(&["-n", "0", "--node", "1", "--json"]).fine(), "{\"ids\":[]}\n");
}

#[test]
fn json_is_one_document() {
    for threads in ["1", "4"] {
        let json = generate(&["-n", "10000", "--node", "1", "--threads", threads, "--json"]).json();
        let ids = json["ids"].as_array().expect("a list");
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| id.as_str().is_some_and(|id| id.parse::<u64>().is_ok())));
        assert_eq!(json.as_object().map(serde_json::Map::len), Some(1));
    }
}

#[test]
fn every_encoding_can_be_read_back() {
    for (encoding, len) in [("hex", 16), ("crockford", 13), ("base62", 11)] {
        let text = generate(&["--node", "113", "--encoding", encoding]).fine();
        assert_eq!(text.len(), len + 1);
        let read = idforge(&["inspect", text.trim(), "--encoding", encoding, "--layout", "standard", "--json"]).json();
        assert_eq!(read["fields"]["worker"], 17);
    }
    let hex = generate(&["--node", "113", "--encoding", "hex"]).fine();
    assert!(hex.trim().bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
}

#[test]
fn a_used_up_tick_is_an_error_or_a_wait() {
    for exhausted in ["fail", "wait:10ms", "wait"] {
        let run = generate(&["-n", "100", "--layout", FOUR_AN_HOUR, "--exhausted", exhausted]);
        let message = run.error(1);
        assert!(message.starts_with("ids of this tick are used up: next tick in "), "{run:#?}");
        // What was made is printed. (Eight, if the hour ended just now.)
        let made = ids(&run.stdout).len();
        assert!(made == 4 || made == 8, "{run:#?}");
        assert!(message.ends_with(&format!("{made} ids made of 100 ids")), "{run:#?}");
    }
    let run = generate(&["-n", "100", "--layout", FOUR_AN_HOUR, "--exhausted", "fail", "--json"]);
    let json: Value = serde_json::from_str(&run.stdout).expect("a whole document");
    assert!(json["ids"].as_array().is_some_and(|ids| ids.len() == 4 || ids.len() == 8));
    assert_eq!(json["error"], run.error(1));
    // Ticks of 10 ms are waited for.
    let sonyflakes = generate(&["-n", "1000", "--layout", "sonyflake", "--node", "1"]).fine();
    assert_eq!(sonyflakes.lines().count(), 1_000);
}

#[test]
fn threads_end_together_when_there_are_no_more_ids() {
    let run = generate(&["-n", "1000000", "--threads", "8", "--layout", FOUR_AN_HOUR, "--exhausted", "fail"]);
    run.error(1);
    let ids = ids(&run.stdout);
    assert!(ids.len() == 4 || ids.len() == 8, "{run:#?}");
}

#[test]
fn ids_may_run_ahead_if_that_is_asked_for() {
    let start = Instant::now();
    let ids = ids(&generate(&["-n", "100", "--layout", FOUR_AN_HOUR, "--ahead", "7d"]).fine());
    assert_eq!(ids.len(), 100);
    assert!(start.elapsed() < Duration::from_secs(60), "25 hours were not waited for");
}

#[test]
fn a_clock_outside_the_layout_is_a_finding() {
    let run = generate(&["--layout", "epoch=2999-01-01T00:00:00Z,timestamp:41,sequence:12"]);
    assert!(run.error(1).starts_with("the clock reads "), "{run:#?}");
    assert!(run.error(1).contains("expected the layout's epoch, 2999-01-01 00:00:00.000 UTC, or later"), "{run:#?}");
    let run = generate(&["--layout", "epoch=0,tick=1s,timestamp:29,sequence:12"]);
    assert!(
        run.error(1).contains("expected a time before 1987-01-05 18:48:32.000 UTC, where the layout ends"),
        "{run:#?}"
    );
}

#[test]
fn wrong_values_are_refused() {
    for (args, message) in [
        (["-n", "-1"], "-1"),
        (["-n", "18446744073709551616"], "18446744073709551616"),
        (["--threads", "0"], "1..=1024"),
        (["--threads", "1025"], "1..=1024"),
        (["--rollback", "maybe"], "`maybe`: expected fail, wait, or wait:LENGTH such as wait:5ms"),
        (["--exhausted", "wait:5"], "`5`: expected a length of time such as 5ms, 2s, 1h30m or 7d"),
        (["--ahead", "-5ms"], "-5"),
        (["--encoding", "roman"], "roman"),
    ] {
        let run = generate(&args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:#?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(message), "{run:#?}");
    }
}
