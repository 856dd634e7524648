//! Ids in serde.
//!
//! - JSON has a string; reading takes a string and an integer, and nothing else: no float, no sign, no overflow, no null.
//! - Binary formats have an integer, both ways.
//! - A layout's width is kept when reading.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{DynSnowflake, JavaScript, Snowflake, Twitter};
use serde_json::{from_str, json, to_string};
use serde_test::{Configure, Token, assert_de_tokens, assert_de_tokens_error, assert_tokens};

const TWEET: &str = "1541815603606036480";

fn error<T: serde::de::DeserializeOwned + std::fmt::Debug>(json: &str) -> String {
    match from_str::<T>(json) {
        Ok(id) => panic!("{json} was read as {id:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn json_is_a_string_and_reads_string_or_integer() {
    let id: Snowflake<Twitter> = TWEET.parse().unwrap();
    assert_eq!(to_string(&id).unwrap(), format!("\"{TWEET}\""));
    assert_eq!(from_str::<Snowflake<Twitter>>(&format!("\"{TWEET}\"")).unwrap(), id);
    assert_eq!(from_str::<Snowflake<Twitter>>(TWEET).unwrap(), id);
    assert_eq!(from_str::<DynSnowflake>("1").unwrap().get(), 1);
    assert_eq!(from_str::<DynSnowflake>("\"0\"").unwrap().get(), 0);
    assert_eq!(from_str::<DynSnowflake>("18446744073709551615").unwrap().get(), u64::MAX);
    assert_eq!(from_str::<DynSnowflake>("\"18446744073709551615\"").unwrap().get(), u64::MAX);
    assert_eq!(from_str::<DynSnowflake>(" \"\\u0031\" ").unwrap().get(), 1, "an escape is the character");
}

#[test]
fn ids_in_structures_are_strings_too() {
    let ids: Vec<DynSnowflake> = ["1", "9007199254740993"].map(|text| text.parse().unwrap()).to_vec();
    assert_eq!(json!({ "ids": ids }).to_string(), "{\"ids\":[\"1\",\"9007199254740993\"]}");
    let read: Vec<DynSnowflake> = from_str("[1,\"9007199254740993\"]").unwrap();
    assert_eq!(read, ids);
    let option: Option<DynSnowflake> = from_str("null").unwrap();
    assert_eq!(option, None);
}

#[test]
fn garbage_is_an_error_and_no_panic() {
    for json in [
        "",
        " ",
        "\"",
        "\"\"",
        "x",
        "\"x\"",
        "+1",
        "\"+1\"",
        "-1",
        "\"-1\"",
        "-",
        "\"-0\"",
        "-0",
        "1.0",
        "1.5",
        "1e3",
        "\"1.0\"",
        "\" 1\"",
        "\"1 \"",
        "\"01\"",
        "01",
        "0x1",
        "null",
        "true",
        "[]",
        "[1]",
        "{}",
        "{\"id\":1}",
        "18446744073709551616",
        "\"18446744073709551616\"",
        "1e400",
        "\"\\u0000\"",
        "\"é\"",
        "1541815603606036480.0",
        "NaN",
    ] {
        assert!(!error::<DynSnowflake>(json).is_empty(), "{json}");
    }
    for byte in 0..=u8::MAX {
        let read = serde_json::from_slice::<DynSnowflake>(&[byte]);
        assert_eq!(read.is_ok(), byte.is_ascii_digit(), "{byte:#x}");
    }
}

#[test]
fn errors_say_what_was_found_and_expected() {
    assert_eq!(error::<DynSnowflake>("\"+5\""), "'+' at byte 0: expected a decimal digit at line 1 column 4");
    assert_eq!(error::<DynSnowflake>("-1"), "id -1: expected 0 to 18446744073709551615 at line 1 column 2");
    assert_eq!(
        error::<DynSnowflake>("1.5"),
        "invalid type: floating point `1.5`, expected an id of 0 to 18446744073709551615 as a decimal string or an integer \
         at line 1 column 3"
    );
    let overflow = error::<DynSnowflake>("18446744073709551616");
    assert!(
        overflow.contains("expected an id of 0 to 18446744073709551615 as a decimal string or an integer"),
        "{overflow}"
    );
}

#[test]
fn a_layouts_width_is_kept() {
    let max = (1u64 << 53) - 1;
    assert_eq!(from_str::<Snowflake<JavaScript>>(&max.to_string()).unwrap().get(), max);
    assert_eq!(
        error::<Snowflake<JavaScript>>(&(max + 1).to_string()),
        "id 9007199254740992: expected at most 9007199254740991 in this layout at line 1 column 16"
    );
    assert_eq!(
        error::<Snowflake<JavaScript>>(&format!("\"{}\"", max + 1)),
        "number too large: expected at most 9007199254740991 at line 1 column 18"
    );
}

#[test]
fn a_float_on_the_way_cannot_change_an_id_unseen() {
    // As a JSON number 2^53 + 1 would come back as 2^53 from whoever holds numbers as floats.
    let id: DynSnowflake = "9007199254740993".parse().unwrap();
    let through_floats = |value: serde_json::Value| match value {
        serde_json::Value::Number(number) => serde_json::Value::from(number.as_f64().unwrap()),
        other => other,
    };
    let passed_on = through_floats(serde_json::to_value(id).unwrap());
    assert_eq!(serde_json::from_value::<DynSnowflake>(passed_on).unwrap(), id, "a string passes unharmed");
    let number = through_floats(json!(9_007_199_254_740_993u64));
    assert!(serde_json::from_value::<DynSnowflake>(number).is_err(), "a rounded number is not taken");
}

#[test]
fn binary_formats_have_an_integer() {
    let id: DynSnowflake = TWEET.parse().unwrap();
    assert_tokens(&id.compact(), &[Token::U64(1_541_815_603_606_036_480)]);
    assert_tokens(&id.readable(), &[Token::Str(TWEET)]);
    assert_de_tokens(&id.readable(), &[Token::U64(1_541_815_603_606_036_480)]);
    assert_de_tokens(&id.readable(), &[Token::I64(1_541_815_603_606_036_480)]);
    assert_de_tokens(&id.readable(), &[Token::String(TWEET)]);
    assert_de_tokens_error::<serde_test::Readable<DynSnowflake>>(
        &[Token::I64(-7)],
        "id -7: expected 0 to 18446744073709551615",
    );
    assert_de_tokens_error::<serde_test::Compact<Snowflake<JavaScript>>>(
        &[Token::U64(1 << 53)],
        "id 9007199254740992: expected at most 9007199254740991 in this layout",
    );
}
