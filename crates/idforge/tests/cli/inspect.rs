//! `inspect`: readings, candidates, streams, and the picture.

use serde_json::Value;

use super::run::{idforge, idforge_with};

const DISCORD: &str = "175928847299117063";

#[test]
fn the_shape_is_the_documented_one() {
    let line = idforge(&["inspect", DISCORD, "--layout", "discord", "--json"]).fine();
    assert_eq!(
        line,
        "{\"format\":\"snowflake\",\"layout\":\"discord\",\"id\":\"175928847299117063\",\
         \"createdAt\":\"2016-04-30T11:18:25.796Z\",\"unixMs\":1462015105796,\
         \"fields\":{\"timestamp\":41944705796,\"worker\":1,\"process\":0,\"sequence\":7}}\n"
    );
}

#[test]
fn the_picture_fits_80_columns() {
    let text = idforge(&["inspect", DISCORD]).fine();
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(lines[0].starts_with("175928847299117063  discord, or one of "), "{text}");
    assert_eq!(lines[3], "  0000001001110001000001100101101011000001000000100000000000000111");
    assert_eq!(lines[4], "  └───────────────timestamp────────────────┘└wor┘└pro┘└─sequence─┘");
    assert!(lines.contains(&"  worker      5 bits            1  of 0 to 31"), "{text}");
    assert!(lines.contains(&"  made       2016-04-30 11:18:25.796 UTC"), "{text}");
    assert!(lines.contains(&"  hex        0271065ac1020007"), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("  twitter     2012-03-03 13:01:20.453  datacenter 1")), "{text}");
}

#[test]
fn the_widest_texts_fit_too() {
    for id in ["0", "18446744073709551615", "9223372036854775807"] {
        for layout in
            ["standard", "tsid", "sonyflake", "epoch=0,a-longer-name-1:1,timestamp:40,a-longer-name-2:2,sequence:20"]
        {
            let run = idforge(&["inspect", id, "--layout", layout]);
            let max_columns = run.stdout.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            // The first line names the layout, which a person may make as long as they like.
            assert!(max_columns <= 80 || layout.contains('='), "{run:#?}");
            assert!(run.stdout.lines().skip(1).all(|line| line.chars().count() <= 80), "{run:#?}");
        }
        let text = idforge(&["inspect", id]).fine();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_zone_gives_the_local_time() {
    let output =
        super::run::command(&["inspect", DISCORD, "--layout", "discord"]).env("TZ", "EST5EDT,M3.2.0,M11.1.0").output();
    let text = String::from_utf8(output.expect("the binary runs").stdout).expect("UTF-8");
    assert!(text.contains("local      2016-04-30 07:18:25.796 -04:00"), "{text}");
    assert!(!idforge(&["inspect", DISCORD, "--layout", "discord"]).fine().contains("local"));
}

#[test]
fn several_layouts_may_fit() {
    let found = idforge(&["inspect", DISCORD, "--json"]).json();
    assert_eq!(found["id"], DISCORD);
    let candidates = found["candidates"].as_array().expect("a list");
    assert_eq!(candidates[0]["layout"], "discord");
    assert_eq!(candidates[0]["createdAt"], "2016-04-30T11:18:25.796Z");
    let twitter = candidates.iter().find(|candidate| candidate["layout"] == "twitter").expect("Twitter's layout fits");
    assert_eq!(twitter["createdAt"], "2012-03-03T13:01:20.453Z");
    // Every candidate has the shape of a reading by its layout alone.
    for candidate in candidates {
        let layout = candidate["layout"].as_str().expect("a name");
        assert_eq!(*candidate, idforge(&["inspect", DISCORD, "--layout", layout, "--json"]).json());
    }
    let implausible = found["implausible"].as_array().expect("a list");
    let mastodon = implausible.iter().find(|reading| reading["layout"] == "mastodon").expect("far in the future");
    assert_eq!(mastodon["createdAt"], "2055-01-25T03:39:30.946Z");
}

#[test]
fn an_id_that_was_just_made_is_recognised() {
    for layout in ["standard", "twitter", "discord", "sonyflake2", "tsid", "wide"] {
        let args = ["gen", "snowflake", "--layout", layout];
        let node: &[&str] = if layout == "wide" { &[] } else { &["--node", "5"] };
        let id = idforge(&[&args, node].concat()).fine();
        let found = idforge_with(&["inspect", "--json"], id).json();
        let fresh =
            found["candidates"].as_array().map_or(vec![&found], |candidates| candidates.iter().take(2).collect());
        assert!(fresh.iter().any(|reading| reading["layout"] == layout), "{layout}: {found}");
    }
}

#[test]
fn an_id_that_no_preset_can_have_made() {
    let text = idforge(&["inspect", "18446744073709551615"]).fine();
    assert!(text.starts_with("18446744073709551615  has a likely time in no preset\n"), "{text}");
    let found = idforge(&["inspect", "18446744073709551615", "--json"]).json();
    assert_eq!(found["candidates"], Value::Array(Vec::new()));
    assert!(
        found["implausible"].as_array().is_some_and(|list| list.iter().any(|reading| reading["layout"] == "discord"))
    );
}

#[test]
fn times_past_the_calendar_are_no_panic() {
    let layout = "epoch=0,timestamp:62";
    let text = idforge(&["inspect", "4611686018427387903", "--layout", layout]).fine();
    assert!(text.contains("after 9999"), "{text}");
    let found = idforge(&["inspect", "4611686018427387903", "--layout", layout, "--json"]).json();
    assert_eq!((&found["createdAt"], &found["unixMs"]), (&Value::Null, &Value::from(4_611_686_018_427_387_903_u64)));
}

#[test]
fn encodings_are_told_by_their_looks_or_named() {
    let id = "496830748901259172";
    let read = |args: &[&str]| {
        let run = idforge(&[&["inspect", "--layout", "tsid", "--json"], args].concat());
        run.json()["id"].as_str().expect("a string").to_owned()
    };
    for text in [id, "0x06e518ef0dc037a4", "06e518ef0dc037a4", "0X6E518EF0DC037A4", "0DS8RXW6W0DX4"] {
        assert_eq!(read(&[text]), id);
    }
    assert_eq!(read(&["1234567890123", "--encoding", "crockford"]), "1228503247364293699");
    assert_eq!(read(&["1234567890123456", "--encoding", "hex"]), "1311768467284833366");
    assert_eq!(read(&["1234567890123456"]), "1234567890123456");
}

#[test]
fn a_stream_goes_on_after_a_wrong_line() {
    let input = format!("{DISCORD}\n\n  90339695967350784\r\n12x\n\u{e9}\n1\n");
    let run = idforge_with(&["inspect", "--layout", "discord", "--json"], input);
    assert_eq!(run.status, 2);
    let ids: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(ids.len(), 5, "one line of output for each text");
    assert_eq!([&ids[0]["id"], &ids[1]["id"], &ids[4]["id"]], [DISCORD, "90339695967350784", "1"]);
    assert_eq!(ids[2]["error"], "line 4: `12x`: 'x' at byte 2: expected a decimal digit");
    assert_eq!(ids[3]["input"], "\u{e9}");
    assert_eq!(run.stderr.lines().count(), 2);
    assert!(run.stderr.starts_with("error: line 4: `12x`: 'x' at byte 2"), "{run:#?}");
    assert!(run.stderr.contains("error: line 5: `\u{e9}`: "), "{run:#?}");
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let mut input = b"12\xff\n\0\n".to_vec();
    let run = idforge_with(&["inspect"], input.clone());
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: line 1: `12\\xff`: no UTF-8 at byte 2: expected an id\n"), "{run:#?}");
    assert!(run.stderr.contains("error: line 2: `\\0`: "), "{run:#?}");
    input.extend(vec![b'1'; 3 << 20]);
    let run = idforge_with(&["inspect"], input);
    assert!(run.stderr.contains("error: line 3: `1111"), "{run:#?}");
    assert!(run.stderr.contains("more than 1048576 bytes: expected an id"), "{run:#?}");
    assert_eq!(run.status, 2);
}

#[test]
fn what_is_no_id_of_the_layout_is_an_error() {
    let run = idforge(&["inspect", "9223372036854775808", "--layout", "twitter"]);
    assert_eq!(run.error(2), "id 9223372036854775808: expected at most 9223372036854775807 in this layout");
    let run = idforge(&["inspect", "-5"]);
    assert_eq!(run.error(2), "`-5`: a negative number: expected 0 to 18446744073709551615");
    let run = idforge(&["inspect", "18446744073709551616"]);
    assert_eq!(run.error(2), "`18446744073709551616`: number too large: expected at most 18446744073709551615");
}

#[test]
fn colour_is_for_terminals_and_those_who_ask() {
    let args = ["inspect", DISCORD, "--layout", "discord"];
    assert!(!idforge(&args).fine().contains('\u{1b}'));
    assert!(!idforge(&[args.as_slice(), &["--color", "never"]].concat()).fine().contains('\u{1b}'));
    let colored = idforge(&[args.as_slice(), &["--color", "always"]].concat()).fine();
    assert!(colored.contains('\u{1b}'));
    // What is coloured is what is shown.
    let plain: String = anstream::adapter::strip_str(&colored).to_string();
    assert_eq!(plain.lines().take(11).collect::<Vec<_>>(), idforge(&args).fine().lines().take(11).collect::<Vec<_>>());
}
