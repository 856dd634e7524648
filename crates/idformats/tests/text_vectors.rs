//! Known texts, from `vectors/uuid.json`, `ulid.json` and `typeid.json`.
//!
//! Every valid text is read and prints back, every invalid one is refused by every reader of its kind, with an error that says
//! what was expected.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idformats::text::{TypeId, UuidForm, base62, braced, crockford, hyphenated, parse_uuid, simple, urn};
use idtest::vectors;
use ulid::Ulid;
use uuid::Uuid;

fn printed(id: Uuid, form: UuidForm) -> String {
    match form {
        UuidForm::Hyphenated => hyphenated::text(id).to_string(),
        UuidForm::Simple => simple::text(id).to_string(),
        UuidForm::Urn => urn::text(id).to_string(),
        UuidForm::Braced => braced::text(id).to_string(),
        other => panic!("{other:?} is new"),
    }
}

#[test]
fn uuids_are_read_and_print_back() {
    let vectors = vectors::Uuid::load();
    assert_eq!(vectors.valid_text.len(), 6);
    for text in &vectors.valid_text {
        let (id, form) = parse_uuid(text).unwrap();
        // In whatever case: the digits of each are its number.
        let digits: String = text.to_lowercase().replace("urn:uuid:", "").replace(['-', '{', '}'], "");
        assert_eq!(id.as_u128(), u128::from_str_radix(&digits, 16).unwrap(), "{text}");
        assert_eq!(printed(id, form), text.to_lowercase());
    }
    let ids = vectors.rfc9562.iter().map(|id| &id.uuid).chain(vectors.v7_field_edges.iter().map(|edge| &edge.uuid));
    for text in ids {
        assert_eq!(hyphenated::text(hyphenated::parse(text).unwrap()).as_str(), text);
    }
}

#[test]
fn uuids_in_other_bases() {
    let vectors = vectors::Uuid::load();
    let mut seen = 0;
    for id in &vectors.rfc9562 {
        let number = hyphenated::parse(&id.uuid).unwrap().as_u128();
        if let Some(decimal) = &id.u128 {
            assert_eq!(number.to_string(), *decimal);
        }
        if let Some(text) = &id.crockford26 {
            assert_eq!(crockford::text(Ulid(number)).as_str(), text);
            assert_eq!(crockford::parse(text), Ok(Ulid(number)));
            seen += 1;
        }
        if let Some(text) = &id.base62_22 {
            assert_eq!(base62::text(number).as_str(), text);
            assert_eq!(base62::parse(text), Ok(number));
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}

#[test]
fn what_is_no_uuid_is_refused() {
    let vectors = vectors::Uuid::load();
    assert_eq!(vectors.invalid_text.len(), 13);
    for text in &vectors.invalid_text {
        let errors = [
            parse_uuid(text).unwrap_err(),
            hyphenated::parse(text).unwrap_err(),
            simple::parse(text).unwrap_err(),
            urn::parse(text).unwrap_err(),
            braced::parse(text).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains(": expected "), "{text}: {error}");
        }
    }
}

#[test]
fn ulids_are_read_and_print_back() {
    let vectors = vectors::Ulid::load();
    for pair in &vectors.pairs {
        let id = crockford::parse(&pair.ulid).unwrap();
        let digits = pair.hex.clone().or_else(|| pair.uuid.as_ref().map(|uuid| uuid.replace('-', ""))).unwrap();
        assert_eq!(id.0, u128::from_str_radix(&digits, 16).unwrap());
        assert_eq!(i64::try_from(id.timestamp_ms()).unwrap(), pair.unix_ms);
        assert_eq!(crockford::text(id).as_str(), pair.ulid);
    }
    assert_eq!(crockford::parse(&vectors.max), Ok(Ulid(u128::MAX)));
    assert_eq!(vectors.valid.len(), 4);
    for text in vectors.valid.iter().chain(vectors.bounds.iter().map(|bound| &bound.lowest)) {
        let id = crockford::parse(text).unwrap();
        assert_eq!(crockford::text(id).as_str(), text.to_uppercase());
        assert_eq!(crockford::parse_lenient(text), Ok(id), "what is strict is lenient too");
    }
}

#[test]
fn what_is_no_ulid_is_refused() {
    let vectors = vectors::Ulid::load();
    assert_eq!(vectors.invalid.len(), 8);
    for text in &vectors.invalid {
        for error in [crockford::parse(text).unwrap_err(), crockford::parse_lenient(text).unwrap_err()] {
            assert!(error.to_string().contains(": expected "), "{text}: {error}");
        }
    }
    let lenient = &vectors.lenient;
    assert!(!crockford::is_valid(&lenient.text));
    assert_eq!(crockford::parse_lenient(&lenient.text), crockford::parse(&lenient.value));
}

#[test]
fn typeids_are_read_and_print_back() {
    let vectors = vectors::TypeId::load();
    assert_eq!(vectors.valid.len(), 6);
    for pair in &vectors.valid {
        let id = TypeId::parse(&pair.text).unwrap();
        assert_eq!(id.uuid(), hyphenated::parse(&pair.uuid).unwrap(), "{}", pair.text);
        assert_eq!(id.text().as_str(), pair.text);
        assert_eq!(TypeId::new(id.prefix(), id.uuid()), Ok(id));
    }
}

#[test]
fn what_is_no_typeid_is_refused() {
    let vectors = vectors::TypeId::load();
    assert_eq!(vectors.invalid.len(), 16);
    for text in &vectors.invalid {
        let error = TypeId::parse(text).unwrap_err();
        assert!(error.to_string().contains(": expected "), "{text}: {error}");
    }
}
