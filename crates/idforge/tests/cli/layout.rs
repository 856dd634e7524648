//! `layout`: what each layout gives, and when it ends.

use super::run::idforge;

fn shown(layout: &str) -> String {
    idforge(&["layout", layout]).fine()
}

#[test]
fn the_known_ends() {
    assert!(shown("twitter").contains("2080-07-10 17:30:30.209 UTC, 69.7 years"));
    assert!(shown("epoch=0,timestamp:41,sequence:22").contains("2039-09-07 15:47:35.55"));
    assert!(shown("epoch=1970-01-01T00:00:00Z,timestamp:41,worker:10,sequence:12").contains("2039-09-07 15:47:35.55"));
    let sonyflake = shown("sonyflake");
    assert!(sonyflake.contains("174.2 years"), "{sonyflake}");
    assert!(sonyflake.contains("256 per 10 ms and node, 25,600 per s"), "{sonyflake}");
}

#[test]
fn when_2_to_the_53_is_passed() {
    assert!(shown("standard").contains("2^53 passed after 24.9 days (2024-01-25)"));
    assert!(shown("javascript").contains("2^53 is never passed"));
}

#[test]
fn when_a_signed_integer_is_passed() {
    assert!(shown("tsid").contains("i64::MAX passed after 25451.7 days (2089-09-06)"));
    assert!(shown("twitter").contains("i64::MAX is never passed"));
}

#[test]
fn json_has_all_of_it() {
    let twitter = idforge(&["layout", "twitter", "--json"]).json();
    assert_eq!(twitter["name"], "twitter");
    assert_eq!(twitter["spec"], "epoch=1288834974657,tick=1ms,timestamp:41,datacenter:5,worker:5,sequence:12");
    assert_eq!(twitter["end"], "2080-07-10T17:30:30.209Z");
    assert_eq!(twitter["years"], 69.7);
    assert_eq!(twitter["nodes"], 1_024);
    assert_eq!(twitter["idsPerTick"], 4_096);
    assert_eq!(twitter["idsPerSecond"], 4_096_000.0);
    assert_eq!(twitter["fields"][1]["name"], "datacenter");
    assert_eq!(twitter["fields"][1]["shift"], 17);
    assert_eq!(twitter["passes2p53"]["daysAfterEpoch"], 24.9);
    assert_eq!(twitter["passes2p53"]["at"], "2010-11-28T22:14:18.305Z");
    assert_eq!(twitter["passesI64Max"], serde_json::Value::Null);
    // The spec gives the same layout, and so the same name.
    let spec = twitter["spec"].as_str().expect("a string");
    assert_eq!(idforge(&["layout", spec, "--json"]).json(), twitter);
}

#[test]
fn without_a_layout_all_presets_are_listed() {
    let text = idforge(&["layout"]).fine();
    let all = idforge(&["layout", "--json"]).json();
    let layouts = all["layouts"].as_array().expect("a list");
    assert!(layouts.len() >= 9);
    for layout in layouts {
        let (name, end) = (layout["name"].as_str().expect("a name"), layout["end"].as_str().expect("a time"));
        let row =
            text.lines().find(|line| line.split(' ').next() == Some(name)).unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(row.contains(&end[..10]), "{row}");
    }
}

#[test]
fn a_wrong_layout_is_refused_with_its_position() {
    for (layout, message) in [
        ("nope", "no layout named `nope`: expected one of standard, "),
        ("epoch=0,foo", "`foo` at byte 8 of the layout: expected NAME:BITS, epoch=TIME or tick=LENGTH"),
        ("epoch=0,timestamp:x", "`x` at byte 18 of the layout: expected a number of bits, 1 to 64"),
        ("epoch=0,timestamp:41,sequence:64", "105 bits in all: expected at most 64"),
        ("", "expected"),
    ] {
        let run = idforge(&["layout", layout]);
        assert!(run.error(2).contains(message), "{run:#?}");
        assert_eq!(run.stdout, "");
        // The same wherever a layout is taken.
        for args in [["inspect", "5", "--layout", layout].as_slice(), &["gen", "snowflake", "--layout", layout]] {
            assert!(idforge(args).error(2).contains(message));
        }
    }
}

#[test]
fn layouts_past_the_calendar_are_no_panic() {
    let text = shown("epoch=0,timestamp:62,sequence:1");
    assert!(text.contains("end     after 9999, 146138512.3 years"), "{text}");
    assert!(shown("epoch=-9000000000000000000,timestamp:62").contains("epoch   before -9999"));
    let json = idforge(&["layout", "epoch=0,timestamp:62,sequence:1", "--json"]).json();
    assert_eq!(json["end"], serde_json::Value::Null);
}
