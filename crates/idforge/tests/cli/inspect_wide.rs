//! `inspect` of UUIDs and ULIDs: every version is named and explained, and what may be several things is said to be.

use serde_json::{Value, json};

use super::run::{idforge, idforge_with};

const V7: &str = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
const ULID: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// Every kind of UUID, and words that its explanation has.
const KINDS: [(&str, &str, &str); 13] = [
    ("c232ab00-9414-11ec-b3c8-9f6bdeced846", "UUID version 1", "section 5.1"),
    ("000003e8-9414-21ec-b300-9f6bdeced846", "UUID version 2", "section 5.2"),
    ("5df41881-3aed-3515-88a7-2f4a814cf09e", "UUID version 3", "MD5"),
    ("919108f7-52d1-4320-9bac-f847db4148a8", "UUID version 4", "section 5.4"),
    ("2ed6657d-e927-568b-95e1-2665a8aea6a2", "UUID version 5", "SHA-1"),
    ("1ec9414c-232a-6b00-b3c8-9f6bdeced846", "UUID version 6", "section 5.6"),
    (V7, "UUID version 7", "section 5.7"),
    ("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", "UUID version 8", "section 5.8"),
    ("00000000-0000-0000-0000-000000000000", "nil UUID", "section 5.9"),
    ("ffffffff-ffff-ffff-ffff-ffffffffffff", "max UUID", "section 5.10"),
    ("ff000000-0000-f000-8000-000000000000", "UUID version 15", "section 4.2"),
    ("ff000000-0000-1000-0000-000000000000", "UUID of another variant", "section 4.1"),
    ("ff000000-0000-1000-c000-000000000000", "UUID of another variant", "Microsoft"),
];

fn inspect(args: &[&str]) -> super::run::Run {
    idforge(&[&["inspect"], args].concat())
}

#[test]
fn every_version_is_named_explained_and_drawn() {
    for (id, title, words) in KINDS {
        let text = inspect(&[id]).fine();
        assert_eq!(text.lines().next(), Some(format!("{id}  {title}").as_str()));
        assert!(text.replace('\n', " ").contains(words), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        // The two rows of cells are the bits.
        let cells: String = text
            .lines()
            .map(str::trim)
            .filter(|line| line.len() == 64 && line.bytes().all(|bit| bit <= b'1'))
            .collect();
        let bits = u128::from_str_radix(&id.replace('-', ""), 16).expect("32 hex digits");
        assert_eq!(cells, format!("{bits:0128b}"), "{text}");
        let last: Vec<_> = text.lines().rev().take(2).map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
        assert_eq!(last, [["decimal", &bits.to_string()], ["hex", &format!("{bits:032x}")]]);
    }
}

#[test]
fn a_version_7_in_full() {
    let text = inspect(&[V7]).fine();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[2..8],
        [
            "  127                                             79  75",
            "  0000000101111111001000101110001001111001101100000111110011000011",
            "  └───────────────────unix_ms────────────────────┘└ve┘└──rand_a──┘",
            "    61",
            "  1001100011000100110111000000110000001100000001110011100110001111",
            "  └┘└───────────────────────────rand_b───────────────────────────┘",
        ]
    );
    assert!(lines.contains(&"  rand_b      62 bits  18c4dc0c0c07398f  random, maybe after a counter"), "{text}");
    assert!(lines.contains(&"  made       2022-02-22 19:22:22.000 UTC"), "{text}");
    assert!(lines.contains(&"  crockford  01FWHE4YDGFK1SHH6W1G60EECF"), "{text}");
}

#[test]
fn times_are_as_exact_as_the_version_has_them() {
    let text = inspect(&["c232ab01-9414-11ec-b3c8-9f6bdeced846"]).fine();
    assert!(text.contains("  made       2022-02-22 19:22:22.0000001 UTC\n"), "{text}");
    assert!(text.contains("  timestamp  138,648,505,420,000,001 × 100 ns since 1582-10-15\n"), "{text}");
    let text = inspect(&["000003e8-9414-21ec-b300-9f6bdeced846"]).fine();
    assert!(text.contains(" UTC or up to 7 min 10 s later\n"), "{text}");
    let text = inspect(&["919108f7-52d1-4320-9bac-f847db4148a8"]).fine();
    assert!(!text.contains("made"), "{text}");
    let text = inspect(&["7fffffff-ffff-7000-8000-000000000000"]).fine();
    assert!(text.contains("not made yet"), "{text}");
}

#[test]
fn the_shape_is_that_of_snowflakes() {
    let line = inspect(&[V7, "--json"]).fine();
    assert_eq!(
        line,
        "{\"format\":\"uuidv7\",\"layout\":null,\"id\":\"017f22e2-79b0-7cc3-98c4-dc0c0c07398f\",\
         \"createdAt\":\"2022-02-22T19:22:22.000Z\",\"unixMs\":1645557742000,\
         \"fields\":{\"unix_ms\":1645557742000,\"rand_a\":\"cc3\",\"rand_b\":\"18c4dc0c0c07398f\"}}\n"
    );
    let found = inspect(&[ULID, "--json"]).json();
    let expected = json!({
        "format": "ulid", "layout": null, "id": ULID, "createdAt": "2016-07-30T23:54:10.259Z", "unixMs": 1_469_922_850_259_u64,
        "fields": {"unix_ms": 1_469_922_850_259_u64, "random": "d6764c61efb99302bd5b"},
    });
    assert_eq!(found, expected);
    let found = inspect(&["919108f7-52d1-4320-9bac-f847db4148a8", "--json"]).json();
    assert_eq!((&found["createdAt"], &found["unixMs"]), (&Value::Null, &Value::Null));
    // The last time of all is past the calendar.
    let found = inspect(&["ffffffff-ffff-7fff-bfff-ffffffffffff", "--json"]).json();
    assert_eq!((&found["createdAt"], &found["unixMs"]), (&Value::Null, &281_474_976_710_655_u64.into()));
    assert!(inspect(&["ffffffff-ffff-7fff-bfff-ffffffffffff"]).fine().contains("after 9999"));
}

#[test]
fn all_forms_of_a_uuid_are_read() {
    let simple = V7.replace('-', "");
    for text in
        [V7, &V7.to_uppercase(), &simple, &format!("{{{V7}}}"), &format!("urn:uuid:{V7}"), &format!("URN:UUID:{V7}")]
    {
        assert_eq!(inspect(&[text, "--format", "uuid", "--json"]).json()["id"], V7, "{text}");
    }
    assert_eq!(inspect(&["01FWHE4YDGFK1SHH6W1G60EECF", "--format", "uuid", "--json"]).json()["id"], V7);
    assert_eq!(inspect(&[V7, "--format", "ulid", "--json"]).json()["id"], "01FWHE4YDGFK1SHH6W1G60EECF");
}

#[test]
fn what_may_be_several_things_is_listed() {
    let formats = |text: &str| -> Vec<String> {
        let found = inspect(&[text, "--json"]).json();
        let candidates = found["candidates"].as_array().cloned().unwrap_or_else(|| vec![found.clone()]);
        assert!(found["candidates"].is_null() || found["id"] == candidates[0]["id"], "{found}");
        // Each is as by its format alone.
        for candidate in &candidates {
            let format = if candidate["format"] == "ulid" { "ulid" } else { "uuid" };
            assert_eq!(inspect(&[text, "--format", format, "--json"]).json(), *candidate);
        }
        candidates.iter().map(|candidate| candidate["format"].as_str().expect("a string").to_owned()).collect()
    };
    assert_eq!(formats("01FWHE4YDGFK1SHH6W1G60EECF"), ["ulid", "uuidv7"]);
    assert_eq!(formats("017f22e279b07cc398c4dc0c0c07398f"), ["uuidv7", "ulid"]);
    assert_eq!(formats("1989357241971137676463954034883508623"), ["uuidv7", "ulid"]);
    assert_eq!(formats("01563df3-6481-d676-4c61-efb99302bd5b"), ["ulid", "uuid"]);
    assert_eq!(formats(ULID), ["ulid"]);
    let text = inspect(&["01FWHE4YDGFK1SHH6W1G60EECF"]).fine();
    assert!(text.starts_with("01FWHE4YDGFK1SHH6W1G60EECF  ULID, or what is below\n"), "{text}");
    assert!(
        text.contains("  the same bits with --format\n  uuid        017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n"),
        "{text}"
    );
    assert!(text.contains("UUID version 7, 2022-02-22 19:22:22.000 UTC\n"), "{text}");
}

#[test]
fn what_gen_makes_is_recognised() {
    for (args, format) in [(["uuidv7"], "uuidv7"), (["uuidv4"], "uuidv4"), (["ulid"], "ulid")] {
        let id = idforge(&[&["gen"], args.as_slice()].concat()).fine();
        let found = idforge_with(&["inspect", "--json"], id.clone()).json();
        let best = if found["candidates"].is_array() { &found["candidates"][0] } else { &found };
        assert_eq!((&best["format"], best["id"].as_str()), (&format.into(), Some(id.trim())));
    }
}

#[test]
fn streams_may_be_mixed() {
    let input = format!("{V7}\n175928847299117063\n\n{ULID}\nnot an id\n");
    let run = idforge_with(&["inspect", "--json"], input);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: line 5: `not an id`: 9 bytes: expected "), "{run:#?}");
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["format"], &lines[2]["format"], lines.len()), (&"uuidv7".into(), &"ulid".into(), 4));
    assert_eq!(lines[1]["candidates"][0]["layout"], "discord");
}

#[test]
fn wrong_texts_are_refused_with_the_place() {
    for (text, error) in [
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "'g' at byte 35: expected a hex digit"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "no end: expected a closing brace"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAU", "'U' at byte 25: expected 0 to 9 or A to Z without I, L, O and U"),
        (
            "80000000000000000000000000",
            "'8' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128",
        ),
    ] {
        assert_eq!(inspect(&[text]).error(2), format!("`{text}`: {error}"));
    }
    let run = inspect(&["01ARZ", "--format", "ulid"]);
    assert_eq!(run.error(2), "`01ARZ`: a ULID of 5 characters: expected 26");
    let run = inspect(&[V7, "--format", "uuid", "--layout", "twitter"]);
    assert_eq!(run.error(2), "--layout: expected --format snowflake, or no --format");
    // A layout says that ids are snowflakes.
    assert!(inspect(&[V7, "--layout", "twitter"]).error(2).contains("expected a decimal digit"));
}
