//! `range`: half-open, both ends exact, and an empty one is a finding.

use serde_json::Value;

use super::run::idforge;

fn range(args: &[&str]) -> super::run::Run {
    idforge(&[&["range", "snowflake"], args].concat())
}

#[test]
fn a_day_of_twitter() {
    // (ms since the epoch) << 22, and the same of the next midnight minus one.
    let lowest = (1_656_374_400_000_u64 - 1_288_834_974_657) << 22;
    let highest = ((1_656_460_800_000_u64 - 1_288_834_974_657) << 22) - 1;
    for to in [["--to", "2022-06-29"], ["--for", "24h"], ["--for", "1d"], ["--to", "1656460800000"]] {
        let args = [["--layout", "twitter", "--from", "2022-06-28"].as_slice(), &to].concat();
        let text = range(&args).fine();
        assert!(text.contains(&format!("lowest   {lowest}\nhighest  {highest}\n")), "{text}");
        assert!(text.contains(&format!("WHERE id BETWEEN {lowest} AND {highest}\n")), "{text}");
        let json = range(&[args.as_slice(), &["--json"]].concat()).json();
        assert_eq!((&json["lowest"], &json["highest"]), (&lowest.to_string().into(), &highest.to_string().into()));
        assert_eq!(json["from"], "2022-06-28T00:00:00.000Z");
        assert_eq!(json["toUnixMs"], 1_656_460_800_000_u64);
    }
}

#[test]
fn neighbouring_ranges_touch_and_do_not_overlap() {
    let bounds = |from: &str, to: &str| {
        let json = range(&["--layout", "sonyflake", "--from", from, "--to", to, "--json"]).json();
        ["lowest", "highest"].map(|bound| json[bound].as_str().expect("a string").parse::<u64>().expect("a number"))
    };
    let first = bounds("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.015Z");
    let second = bounds("2020-01-01T00:00:00.015Z", "2020-01-01T00:00:01Z");
    assert_eq!(first[1] + 1, second[0]);
}

#[test]
fn a_part_of_a_millisecond_takes_in_the_whole() {
    let to = |args: [&str; 2]| range(&[["--from", "2026-01-01"].as_slice(), &args].concat()).fine();
    let two_ms = to(["--for", "2ms"]);
    assert_eq!(to(["--for", "1500us"]), two_ms);
    assert_eq!(to(["--to", "2026-01-01T00:00:00.0015Z"]), two_ms);
    assert_ne!(to(["--for", "1ms"]), two_ms);
}

#[test]
fn no_id_in_the_range_is_a_finding() {
    for (from, to) in [("2000-01-01", "2001-01-01"), ("2022-06-28", "2022-06-28"), ("2200-01-01", "2201-01-01")] {
        let run = range(&["--layout", "twitter", "--from", from, "--to", to]);
        assert!(run.error(1).starts_with(&format!("no id of twitter from {from}T00:00:00.000Z to {to}T")), "{run:#?}");
        assert!(run.error(1).contains("its ids begin at 2010-11-04T01:42:54.657Z and end at 2080-07-10T17:30:30.209Z"));
        assert_eq!(run.stdout, "");
        let run = range(&["--layout", "twitter", "--from", from, "--to", to, "--json"]);
        assert_eq!(run.status, 1);
        let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((&json["lowest"], &json["highest"]), (&Value::Null, &Value::Null));
    }
    // Between two ticks of 10 ms.
    let run = range(&["--layout", "sonyflake", "--from", "2020-01-01T00:00:00.001Z", "--for", "5ms"]);
    assert!(run.error(1).ends_with("one tick every 10 ms"), "{run:#?}");
}

#[test]
fn a_node_above_the_time_is_needed() {
    let layout = "epoch=0,region:3,timestamp:41,sequence:10";
    let args = ["--layout", layout, "--from", "2026-01-01", "--for", "1ms"];
    assert_eq!(
        range(&args).error(2),
        format!("no --node: epoch=0,tick=1ms,{} has a node field above the time", &layout[8..])
    );
    let json = range(&[args.as_slice(), &["--node", "5", "--json"]].concat()).json();
    let lowest = (5 << 51) | (1_767_225_600_000_u64 << 10);
    assert_eq!(json["lowest"], lowest.to_string());
    assert_eq!(json["highest"], (lowest + 1_023).to_string());
    let run = range(&[args.as_slice(), &["--node", "8"]].concat());
    assert_eq!(run.error(2), "--node: node 8: expected 0 to 7 in this layout");
    let run = range(&["--from", "2026-01-01", "--for", "1ms", "--node", "5"]);
    assert_eq!(run.status, 0);
    assert_eq!(run.stderr, "note: --node does not narrow the range: the node's bits are below the time\n");
}

#[test]
fn wrong_times_are_refused() {
    for (args, message) in [
        (
            vec!["--from", "2026-01-02", "--to", "2026-01-01"],
            "--to 2026-01-01T00:00:00.000Z: expected a time that is not before --from 2026-01-02T00:00:00.000Z",
        ),
        (
            vec!["--from", "yesterday", "--for", "1h"],
            "`yesterday`: expected a time with its offset such as 2026-01-01T12:00:00Z",
        ),
        (vec!["--from", "2026-01-01", "--for", "1"], "`1`: expected a length of time such as 5ms, 2s, 1h30m or 7d"),
        (vec!["--from", "2026-01-01"], "required"),
        (vec!["--from", "2026-01-01", "--for", "1h", "--to", "2026-01-02"], "cannot be used with"),
        (vec!["--from", "9223372036854775807", "--for", "1h"], "expected an end within 2^63 ms of 1970"),
    ] {
        assert!(range(&args).error(2).contains(message), "{:#?}", range(&args));
    }
}

#[test]
fn ids_that_are_negative_in_sql_are_pointed_out() {
    let text = range(&["--layout", "discord", "--from", "2150-01-01", "--for", "1h"]).fine();
    assert!(text.contains("a signed BIGINT column holds ids above 9223372036854775807 as negative numbers"), "{text}");
    assert!(!range(&["--from", "2026-01-01", "--for", "1h"]).fine().contains("signed"));
}
