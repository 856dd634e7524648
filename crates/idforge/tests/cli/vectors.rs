//! Every known value of `vectors/snowflake.json` through the binary.

use serde_json::{Value, json};

use super::run::{idforge, idforge_with};

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/snowflake.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are there")).expect("the vectors are JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

#[test]
fn ids_are_taken_apart() {
    let vectors = vectors();
    let ids = vectors["ids"].as_array().expect("a list");
    assert!(ids.len() >= 9);
    for vector in ids {
        let (id, layout) = (text(&vector["id"]), text(&vector["layout"]));
        let expected = json!({
            "format": "snowflake", "layout": layout, "id": id,
            "createdAt": vector["time"], "unixMs": vector["unix_ms"], "fields": vector["fields"],
        });
        assert_eq!(idforge(&["inspect", id, "--layout", layout, "--json"]).json(), expected);
        assert_eq!(idforge_with(&["inspect", "--layout", layout, "--json"], id).json(), expected);
        let shown = idforge(&["inspect", id, "--layout", layout]).fine();
        let time = text(&vector["time"]).replace('T', " ").replace('Z', " UTC");
        assert!(shown.contains(&time), "{shown}");
    }
}

#[test]
fn ids_are_in_the_range_of_their_time() {
    for vector in vectors()["ids"].as_array().expect("a list") {
        let (id, layout, time) = (text(&vector["id"]), text(&vector["layout"]), text(&vector["time"]));
        let range =
            idforge(&["range", "snowflake", "--layout", layout, "--from", time, "--for", "10ms", "--json"]).json();
        let bounds = [&range["lowest"], &range["highest"]].map(|bound| text(bound).parse::<u64>().expect("a number"));
        let id: u64 = id.parse().expect("a number");
        assert!(bounds[0] <= id && id <= bounds[1], "{range}");
    }
}

#[test]
fn ids_are_read_in_every_encoding() {
    for vector in vectors()["text"].as_array().expect("a list") {
        let (id, crockford) = (text(&vector["id"]), text(&vector["crockford13"]));
        for args in [vec!["inspect", crockford], vec!["inspect", crockford, "--encoding", "crockford"]] {
            let run = idforge(&[args.as_slice(), &["--layout", "tsid", "--json"]].concat());
            assert_eq!(run.json()["id"], id);
        }
        assert!(idforge(&["inspect", id, "--layout", "tsid"]).fine().contains(&format!("crockford  {crockford}\n")));
    }
}

#[test]
fn invalid_text_is_refused() {
    for vector in vectors()["invalid_text"].as_array().expect("a list") {
        let text = text(&vector["text"]);
        let run = idforge(&["inspect", text]);
        assert!(run.error(2).starts_with(&format!("`{text}`: ")), "{run:#?}");
        assert!(run.error(2).contains("expected "), "{run:#?}");
        assert_eq!(run.stdout, "");
    }
}
