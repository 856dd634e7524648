//! The committed seeds of the fuzz targets, run as plain tests.
//!
//! - Every file of `fuzz/corpus/TARGET` passes the target's body; a folder that is missing or nearly empty is a failure.
//! - The seeds reach what there is to reach: texts that are read and texts that are refused in every form, and every kind of
//!   answer of a generator.

use std::fs;
use std::path::Path;

use idcore::{DynSnowflake, Layout};
use idformats::text::{TypeId, UuidForm, base62, crockford, parse_uuid};
use idtest::formats::{FormatScenario, FormatSeen, Kind};
use idtest::{Scenario, Seen, fuzz};

const SEEDS_MIN: usize = 10;

/// Name and content of every file in the target's folder.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut seeds: Vec<_> = entries
        .map(|entry| {
            let entry = entry.expect("a file of the folder");
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a readable file"))
        })
        .collect();
    assert!(seeds.len() >= SEEDS_MIN, "{} seeds in {}: expected {SEEDS_MIN} at least", seeds.len(), folder.display());
    seeds.sort();
    seeds
}

/// Runs a body on every seed, and names the seeds on which it fails.
fn replay(target: &str, body: fn(&[u8])) {
    let failed: Vec<String> = seeds(target)
        .into_iter()
        .filter(|(_, data)| std::panic::catch_unwind(|| body(data)).is_err())
        .map(|(name, _)| name)
        .collect();
    assert!(failed.is_empty(), "{target} fails on {failed:?}");
}

#[test]
fn id_text() {
    replay("id_text", fuzz::id_text);
}

#[test]
fn formats_text() {
    replay("formats_text", fuzz::formats_text);
}

#[test]
fn layout_spec() {
    replay("layout_spec", fuzz::layout_spec);
}

#[test]
fn generator_ops() {
    replay("generator_ops", fuzz::generator_ops);
}

#[test]
fn formats_ops() {
    replay("formats_ops", fuzz::formats_ops);
}

#[test]
fn texts_are_read_and_refused_in_every_form() {
    let texts: Vec<String> =
        seeds("id_text").into_iter().map(|(_, data)| String::from_utf8_lossy(&data).into_owned()).collect();
    let read = |is_read: fn(&str) -> bool| texts.iter().filter(|text| is_read(text)).count();
    assert!(read(|text| text.parse::<DynSnowflake>().is_ok()) >= 3);
    assert!(read(|text| text.parse::<DynSnowflake>().is_err()) >= 3);
    assert!(read(|text| DynSnowflake::from_crockford(text).is_ok()) >= 2);
    assert!(read(|text| text.len() == 13 && DynSnowflake::from_crockford(text).is_err()) >= 3);
    assert!(read(|text| DynSnowflake::from_base62(text).is_ok()) >= 2);
    assert!(read(|text| text.len() == 11 && DynSnowflake::from_base62(text).is_err()) >= 2);
    assert!(read(|text| text.starts_with('"')) >= 2, "JSON");
}

#[test]
fn texts_of_uuids_and_ulids_are_read_and_refused_in_every_form() {
    let texts = seeds("formats_text");
    let read = |is_read: fn(&[u8]) -> bool| texts.iter().filter(|(_, data)| is_read(data)).count();
    for form in [UuidForm::Hyphenated, UuidForm::Simple, UuidForm::Urn, UuidForm::Braced] {
        assert!(texts.iter().any(|(_, data)| matches!(parse_uuid(data), Ok((_, read)) if read == form)), "{form:?}");
    }
    assert!(read(|data| [32, 36, 38, 45].contains(&data.len()) && parse_uuid(data).is_err()) >= 4);
    assert!(read(|data| crockford::is_valid(data)) >= 3);
    assert!(read(|data| data.len() == 26 && !crockford::is_valid(data)) >= 3);
    assert!(read(|data| crockford::parse_lenient(data).is_ok() && !crockford::is_valid(data)) >= 1);
    assert!(read(|data| base62::is_valid(data)) >= 2);
    assert!(read(|data| data.len() == 22 && !base62::is_valid(data)) >= 2);
    assert!(read(|data| TypeId::is_valid(data)) >= 3);
    assert!(read(|data| data.contains(&b'_') && !TypeId::is_valid(data)) >= 3);
}

#[test]
fn layouts_are_read_and_refused() {
    let texts = seeds("layout_spec");
    let read = texts.iter().filter(|(_, data)| String::from_utf8_lossy(data).parse::<Layout>().is_ok()).count();
    assert!(read >= 8, "{read} are layouts");
    assert!(texts.len() - read >= 8, "{} are none", texts.len() - read);
}

#[test]
fn scenarios_show_every_kind_of_answer() {
    let seen: Vec<Seen> = seeds("generator_ops").iter().map(|(_, data)| Scenario::from_bytes(data).run()).collect();
    let all = seen.iter().copied().fold(Seen::default(), Seen::and);
    assert!(all.is_everything() && all.build_refused, "{all:?}");
    let built = seen.iter().filter(|seen| seen.ids > 0).count();
    assert!(built >= SEEDS_MIN, "{built} give ids");
}

#[test]
fn scenarios_of_formats_show_every_kind_of_answer() {
    let scenarios: Vec<FormatScenario> =
        seeds("formats_ops").iter().map(|(_, data)| FormatScenario::from_bytes(data)).collect();
    let all = scenarios.iter().map(FormatScenario::run).fold(FormatSeen::default(), FormatSeen::and);
    assert!(all.is_everything() && all.build_refused, "{all:?}");
    for kind in Kind::ALL {
        assert!(scenarios.iter().filter(|scenario| scenario.kind == kind).count() >= 4, "{kind:?}");
    }
}
