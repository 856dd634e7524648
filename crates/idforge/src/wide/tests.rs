//! Texts of 128 bits: what they look like, what they are read as, and what is wrong with those that are none.

use super::*;
use crate::quote::quote;

/// 2026-01-01.
const NOW: UnixMillis = UnixMillis::new(1_767_225_600_000);
const V7: &str = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
const V7_SIMPLE: &str = "017f22e279b07cc398c4dc0c0c07398f";
const V7_CROCKFORD: &str = "01FWHE4YDGFK1SHH6W1G60EECF";
const V7_DECIMAL: &str = "1989357241971137676463954034883508623";
const V4: &str = "919108f7-52d1-4320-9bac-f847db4148a8";
/// A ULID whose bits, as those of a UUID, are of no version.
const ULID: &str = "01ARYZ6S41TSV4RRFFQ69G5FAV";
const ULID_HYPHENATED: &str = "01563df3-6481-d676-4c61-efb99302bd5b";

fn formats(text: &str) -> Vec<String> {
    let look = look(text).unwrap_or_else(|| panic!("{text} has 128 bits"));
    let bits = look.read(text).unwrap_or_else(|error| panic!("{error}"));
    candidates(look, bits, NOW).into_iter().map(WideId::format).collect()
}

fn error(text: &str) -> String {
    let look = look(text).unwrap_or_else(|| panic!("{text} has no look"));
    look.read(text).expect_err("no id")
}

#[test]
fn looks_say_which_formats_there_may_be() {
    for (text, expected) in [
        (V7, vec!["uuidv7"]),
        (&format!("{{{V7}}}"), vec!["uuidv7"]),
        (&format!("urn:uuid:{V7}"), vec!["uuidv7"]),
        (&format!("URN:UUID:{}", V7.to_uppercase()), vec!["uuidv7"]),
        (V7_SIMPLE, vec!["uuidv7", "ulid"]),
        (V7_DECIMAL, vec!["uuidv7", "ulid"]),
        (V7_CROCKFORD, vec!["ulid", "uuidv7"]),
        // As a ULID its time would be in the year 7044.
        (&V4.replace('-', ""), vec!["uuidv4"]),
        (ULID, vec!["ulid"]),
        (&ULID.to_lowercase(), vec!["ulid"]),
        (ULID_HYPHENATED, vec!["ulid", "uuid"]),
        (&ULID_HYPHENATED.replace('-', ""), vec!["ulid", "uuid"]),
        // Of no version, and with no likely time.
        ("ff563df3-6481-d676-4c61-efb99302bd5b", vec!["uuid"]),
        ("ff563df36481d6764c61efb99302bd5b", vec!["uuid"]),
        ("00000000-0000-0000-0000-000000000000", vec!["uuid-nil"]),
        ("00000000000000000000000000000000", vec!["uuid-nil"]),
        ("00000000000000000000000000", vec!["ulid", "uuid-nil"]),
        ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", vec!["ulid", "uuid-max"]),
        ("340282366920938463463374607431768211455", vec!["uuid-max"]),
        ("184467440737095516160", vec!["uuid"]),
    ] {
        assert_eq!(formats(text), expected, "{text}");
    }
}

#[test]
fn a_version_1_in_crockford_is_a_uuid_only_with_a_likely_time() {
    let of = |text: &str| {
        let id: Uuid = text.parse().expect("a UUID");
        formats(&Ulid(id.as_u128()).to_string())
    };
    assert_eq!(of("1ec9414c-232a-6b00-b3c8-9f6bdeced846"), ["ulid", "uuidv6"]);
    assert_eq!(of("7ec9414c-232a-6b00-b3c8-9f6bdeced846"), ["ulid"]);
    // Random bits tell no time, so none that is unlikely.
    assert_eq!(of(V4), ["ulid", "uuidv4"]);
}

#[test]
fn texts_of_64_bits_are_left_to_others() {
    for text in ["", "5", "-5", "18446744073709551615", "18446744073709551616", "0DS8RXW6W0DX4", "1-2", "0x1f", "abc"] {
        assert_eq!(look(text), None, "{text}");
    }
}

#[test]
fn errors_say_what_is_wrong_where() {
    for (text, expected) in [
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "'g' at byte 35: expected a hex digit"),
        ("017f22e2+79b0-7cc3-98c4-dc0c0c07398f", "'+' at byte 8: expected a hyphen"),
        ("017f22e2-79b07-cc3-98c4-dc0c0c07398f", "'7' at byte 13: expected a hyphen"),
        ("017f22e-279b0-7cc3-98c4-dc0c0c07398f", "'-' at byte 7: expected a hex digit"),
        ("017f22e279b07cc398c4dc0c0c07398-", "'-' at byte 31: expected a hex digit"),
        ("017f22e279b07cc398c4dc0c0c07398x", "'x' at byte 31: expected a hex digit"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398g}", "'g' at byte 36: expected a hex digit"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "no end: expected a closing brace"),
        ("{{17f22e2-79b0-7cc3-98c4-dc0c0c07398f}}", "'{' at byte 1: expected a hex digit"),
        ("{}", "a UUID of 0 characters: expected 36 with hyphens"),
        ("{017f22e279b07cc398c4dc0c0c07398f}", "a UUID of 32 characters: expected 36 with hyphens"),
        ("urn:uuid:017f22e279b07cc398c4dc0c0c07398f", "a UUID of 32 characters: expected 36 with hyphens"),
        ("urn:uuid:{17f22e2-79b0-7cc3-98c4-dc0c0c07398f}", "'{' at byte 9: expected a hex digit"),
        ("urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c0739 f", "' ' at byte 43: expected a hex digit"),
        ("urn:uuld:0189f965-7b27-7dc0-8f96-1d8eb026b7e2", "'u' at byte 0: expected a hex digit"),
        (
            "F9168C5E-CEB2-4faa-B6BF-329BF39FA1E45",
            "a UUID of 37 characters: expected 32 hex digits, or 36 with hyphens",
        ),
        ("F9168C5E-CEB2-4faa-BBF-329BF39FA1E4", "a UUID of 35 characters: expected 32 hex digits, or 36 with hyphens"),
        ("0189f965-7b27-7dc0-8f96-1d8ebſ6b7e2", "'ſ' at byte 29: expected a hex digit"),
        (
            "80000000000000000000000000",
            "'8' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128",
        ),
        (
            "ZZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "'Z' at byte 0: expected 0 to 7, since 26 characters of 5 bits are two bits more than 128",
        ),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAU", "'U' at byte 25: expected 0 to 9 or A to Z without I, L, O and U"),
        ("o1ARZ3NDEKTSV4RRFFQ69G5FAV", "'o' at byte 0: expected 0 to 9 or A to Z without I, L, O and U"),
        ("01ARZ3NDEKTSV4RRFFQ69G5F\u{e9}", "'\u{e9}' at byte 24: expected 0 to 9 or A to Z without I, L, O and U"),
        (
            "340282366920938463463374607431768211456",
            "number too large: expected at most 340282366920938463463374607431768211455",
        ),
    ] {
        assert_eq!(error(text), format!("{}: {expected}", quote(text)));
    }
    let digits = "1".repeat(40);
    assert!(error(&digits).ends_with("40 digits: expected at most 39"), "{}", error(&digits));
    assert_eq!(read_ulid("01ARZ"), Err("`01ARZ`: a ULID of 5 characters: expected 26".to_owned()));
}

#[test]
fn short_texts_are_no_panic() {
    const CHARS: [char; 9] = ['{', '}', 'u', 'r', 'n', ':', '-', '0', 'é'];
    let mut texts = vec![String::new()];
    for len in 0..4 {
        let longer: Vec<_> = texts.iter().filter(|text| text.chars().count() == len).cloned().collect();
        texts.extend(longer.iter().flat_map(|text| CHARS.map(|c| format!("{text}{c}"))));
    }
    for text in texts {
        assert!(read_uuid(&text).is_err() && read_ulid(&text).is_err(), "{text}");
        assert!(look(&text).is_none_or(|look| look.read(&text).is_err()), "{text}");
    }
}

#[test]
fn parts_are_all_the_bits() {
    for version in 0..16 {
        for variant in 0..8 {
            for fill in [0, u128::MAX, 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF] {
                let bits = (fill & !(0xF << 76) & !(0b111 << 61)) | (version << 76) | (variant << 61);
                for id in [WideId::Uuid(Uuid::from_u128(bits)), WideId::Ulid(Ulid(bits))] {
                    assert_eq!(parts(id).iter().map(|part| part.bits).sum::<u32>(), 128, "{id:?}");
                }
            }
        }
    }
}

#[test]
fn every_version_has_its_fields_in_the_shape() {
    let json = |text: &str| serde_json::to_value(WideId::Uuid(text.parse().expect("a UUID"))).expect("JSON");
    let v1 = json("c232ab00-9414-11ec-b3c8-9f6bdeced846");
    assert_eq!(
        v1,
        serde_json::json!({
            "format": "uuidv1", "layout": null, "id": "c232ab00-9414-11ec-b3c8-9f6bdeced846",
            "createdAt": "2022-02-22T19:22:22.000Z", "unixMs": 1_645_557_742_000_i64,
            "fields": {"timestamp": "138648505420000000", "clock_seq": 13_256, "node": "9f:6b:de:ce:d8:46"},
        })
    );
    for (text, format, fields) in [
        (
            "000003e8-9414-21ec-b301-9f6bdeced846",
            "uuidv2",
            r#"{"local_id":1000,"local_domain":1,"timestamp":"138648502161899520","clock_seq":51,"node":"9f:6b:de:ce:d8:46"}"#,
        ),
        (
            "5df41881-3aed-3515-88a7-2f4a814cf09e",
            "uuidv3",
            r#"{"md5_high":"5df418813aed","md5_mid":"515","md5_low":"08a72f4a814cf09e"}"#,
        ),
        (V4, "uuidv4", r#"{"random_a":"919108f752d1","random_b":"320","random_c":"1bacf847db4148a8"}"#),
        (
            "2ed6657d-e927-568b-95e1-2665a8aea6a2",
            "uuidv5",
            r#"{"sha1_high":"2ed6657de927","sha1_mid":"68b","sha1_low":"15e12665a8aea6a2"}"#,
        ),
        (V7, "uuidv7", r#"{"unix_ms":1645557742000,"rand_a":"cc3","rand_b":"18c4dc0c0c07398f"}"#),
        (
            "2489e9ad-2ee2-8e00-8ec9-32d5f69181c0",
            "uuidv8",
            r#"{"custom_a":"2489e9ad2ee2","custom_b":"e00","custom_c":"0ec932d5f69181c0"}"#,
        ),
        ("00000000-0000-0000-0000-000000000000", "uuid-nil", "{}"),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", "uuid-max", "{}"),
        ("00000000-0000-9000-8000-000000000000", "uuid", r#"{"version":9}"#),
        ("00000000-0000-7000-c000-000000000000", "uuid", r#"{"variant":"microsoft"}"#),
    ] {
        let found = json(text);
        assert_eq!((&found["format"], found["fields"].to_string()), (&format.into(), ordered(fields)), "{text}");
        assert_eq!(found["unixMs"].is_null(), !["uuidv2", "uuidv7"].contains(&format), "{text}");
    }
    let ulid = serde_json::to_value(WideId::Ulid(ULID.parse().expect("a ULID"))).expect("JSON");
    assert_eq!((&ulid["format"], &ulid["createdAt"]), (&"ulid".into(), &"2016-07-30T22:36:16.385Z".into()));
    assert_eq!(ulid["fields"].to_string(), r#"{"random":"d6764c61efb99302bd5b","unix_ms":1469918176385}"#);
}

/// The object as `Value` prints it.
fn ordered(json: &str) -> String {
    json.parse::<serde_json::Value>().expect("JSON").to_string()
}
