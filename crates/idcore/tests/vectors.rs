//! Known values, from `vectors/snowflake.json`.
//!
//! - Each published layout is the preset of its name, field for field, and prints as the text that reads back as it.
//! - Each published id is taken apart into its time and fields, by the preset's value and by its type, and is put together
//!   again from either; its time is the date that is written beside it.
//! - Each published text is the id's, both ways. What is no id is refused in every form.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{
    Discord, DynSnowflake, Instagram, Layout, Mastodon, Snowflake, Sonyflake, Sonyflake2, StaticLayout, Tsid, Twitter,
    UnixMillis, presets,
};
use idtest::vectors::{self, IdVector};
use idtest::{Part, calendar};

#[test]
fn layouts_are_the_presets() {
    let vectors = vectors::Snowflake::load();
    assert_eq!(vectors.layouts.len(), 7);
    for (name, vector) in &vectors.layouts {
        let preset = presets::by_name(name).unwrap_or_else(|| panic!("no preset {name}"));
        assert_eq!(preset.layout, vector.plan().layout(), "{name}");
        assert_eq!(preset.layout.to_string(), vector.plan().to_string());
        assert_eq!(name.parse(), Ok(preset.layout));
        assert_eq!(vector.plan().to_string().parse(), Ok(preset.layout));
        let fields: Vec<(String, u32)> =
            preset.layout.fields().iter().map(|field| (field.name().to_owned(), field.bits())).collect();
        assert_eq!(fields, vector.fields, "{name}");
        assert_eq!(preset.layout.epoch().get(), vector.epoch_unix_ms);
        assert_eq!(preset.layout.tick_ms(), vector.tick_ms);
    }
}

#[test]
fn types_are_the_presets() {
    let typed = [
        ("twitter", Twitter::LAYOUT),
        ("discord", Discord::LAYOUT),
        ("instagram", Instagram::LAYOUT),
        ("mastodon", Mastodon::LAYOUT),
        ("sonyflake", Sonyflake::LAYOUT),
        ("sonyflake2", Sonyflake2::LAYOUT),
        ("tsid", Tsid::LAYOUT),
    ];
    let vectors = vectors::Snowflake::load();
    for (name, layout) in typed {
        assert_eq!(layout, vectors.layouts[name].plan().layout(), "{name}");
    }
    assert_eq!(typed.len(), vectors.layouts.len());
}

#[test]
fn ids_have_their_times_and_fields() {
    let vectors = vectors::Snowflake::load();
    assert_eq!(vectors.ids.len(), 9);
    for vector in &vectors.ids {
        let layout = preset(&vector.layout);
        let raw = number(vector);
        let decoded = layout.decode(raw).unwrap();
        assert_eq!(decoded.raw(), raw);
        assert_eq!(decoded.time(), UnixMillis::new(vector.unix_ms), "{}", vector.id);
        assert_eq!(calendar::unix_millis(&vector.time), vector.unix_ms, "{}", vector.id);
        assert_eq!(decoded.fields().count(), vector.fields.len(), "{}", vector.id);
        for (name, value) in &vector.fields {
            assert_eq!(decoded.field(name), Some(*value), "{name} of {}", vector.id);
        }
        assert_eq!(decoded.tick(), vector.fields["timestamp"]);
        assert_eq!(decoded.sequence(), vector.fields["sequence"]);
        assert_eq!(decoded.field("nonsense"), None);
        // The oracle agrees, so that the vectors check it too.
        let parts = vectors.layouts[&vector.layout].plan().parts(raw);
        assert_eq!(u128::from(decoded.tick()), parts.tick);
        assert_eq!(u128::from(decoded.node()), parts.node);
    }
}

#[test]
fn ids_are_composed_of_their_times_and_fields() {
    for vector in &vectors::Snowflake::load().ids {
        let layout = preset(&vector.layout);
        let raw = number(vector);
        let by_name: Vec<(&str, u64)> = vector.fields.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(layout.compose_fields(&by_name), Ok(raw), "{}", vector.id);
        let node_fields: Vec<(&str, u64)> =
            by_name.iter().filter(|(name, _)| !["timestamp", "sequence"].contains(name)).copied().collect();
        let node = layout.node_of(&node_fields).unwrap();
        let time = UnixMillis::new(vector.unix_ms);
        assert_eq!(layout.compose(time, node, vector.fields["sequence"]), Ok(raw), "{}", vector.id);
        let parts: Vec<(&str, u64)> = layout.node_parts(node).unwrap().collect();
        assert_eq!(parts.len(), node_fields.len());
        assert!(parts.iter().all(|part| node_fields.contains(part)), "{parts:?} and {node_fields:?}");
    }
}

#[test]
fn ids_of_a_type_have_their_times_and_fields() {
    let mut checked = 0;
    for vector in &vectors::Snowflake::load().ids {
        checked += match vector.layout.as_str() {
            "discord" => check_typed::<Discord>(vector),
            "twitter" => check_typed::<Twitter>(vector),
            "mastodon" => check_typed::<Mastodon>(vector),
            "instagram" => check_typed::<Instagram>(vector),
            "sonyflake" => check_typed::<Sonyflake>(vector),
            "tsid" => check_typed::<Tsid>(vector),
            other => panic!("no type for {other}"),
        };
    }
    assert_eq!(checked, 9);
}

fn check_typed<L: StaticLayout>(vector: &IdVector) -> usize {
    let id: Snowflake<L> = vector.id.parse().unwrap();
    assert_eq!(id.get(), number(vector));
    assert_eq!(id.to_string(), vector.id);
    assert_eq!(id.time().get(), vector.unix_ms);
    assert_eq!(id.sequence(), vector.fields["sequence"]);
    assert_eq!(id.decode().layout(), &L::LAYOUT);
    let node_bits = vectors::Snowflake::load().layouts[&vector.layout].plan().bits_of(Part::Node);
    assert!(id.node() < 1 << node_bits);
    1
}

#[test]
fn texts_are_the_ids() {
    let vectors = vectors::Snowflake::load();
    assert_eq!(vectors.text.len(), 3);
    for vector in &vectors.text {
        let id: DynSnowflake = vector.id.parse().unwrap();
        assert_eq!(id.crockford().as_str(), vector.crockford13);
        assert_eq!(DynSnowflake::from_crockford(&vector.crockford13), Ok(id));
        assert_eq!(id.decimal().as_str(), vector.id);
    }
}

#[test]
fn invalid_texts_are_refused_in_every_form() {
    let vectors = vectors::Snowflake::load();
    assert_eq!(vectors.invalid_text.len(), 4);
    for vector in &vectors.invalid_text {
        let text = vector.text.as_str();
        assert!(text.parse::<DynSnowflake>().is_err(), "{text:?}: {}", vector.why);
        assert!(DynSnowflake::from_crockford(text).is_err(), "{text:?}: {}", vector.why);
        assert!(DynSnowflake::from_base62(text).is_err(), "{text:?}: {}", vector.why);
        let json = format!("{text:?}");
        assert!(serde_json::from_str::<DynSnowflake>(&json).is_err(), "{json}: {}", vector.why);
    }
}

fn preset(name: &str) -> Layout {
    presets::by_name(name).unwrap_or_else(|| panic!("no preset {name}")).layout
}

fn number(vector: &IdVector) -> u64 {
    idtest::text::read_decimal(&vector.id).unwrap()
}
