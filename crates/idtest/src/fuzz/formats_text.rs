//! Texts of UUIDs, ULIDs and `TypeID`s.

use std::fmt::Debug;
use std::str;

use idformats::text::{
    ParseError, TypeId, UuidForm, base62, braced, crockford, hyphenated, is_valid_uuid, parse_uuid, simple, typeid, urn,
};
use ulid::Ulid;
use uuid::Uuid;

use crate::Bytes;
use crate::text::wide;

/// Reads `data` in every form; takes it for two numbers as well, and prints them.
///
/// # Panics
///
/// When bytes are read as another number than the oracle's, `is_valid` and `parse` disagree, a text that was read is not what
/// is printed (but for its case), an error points elsewhere than at the start of a character, or two texts sort otherwise than
/// their numbers.
pub fn formats_text(data: &[u8]) {
    formats_text_read(data);
    let mut bytes = Bytes::new(data);
    let mut number = || u128::from(bytes.u64()) | u128::from(bytes.u64()) << 64;
    let (a, b) = (number(), number());
    let prefixes = (prefix(data), prefix(bytes.rest()));
    prints_what_it_reads(a, &prefixes.0);
    prints_what_it_reads(b, &prefixes.1);
    sorts_like_the_number((&prefixes.0, a), (&prefixes.1, b));
}

/// The half of [`formats_text`] that reads.
///
/// # Panics
///
/// As above.
pub fn formats_text_read(data: &[u8]) {
    // Bytes that are no text are no text of an id.
    let oracle = |read: fn(&str) -> Option<u128>| str::from_utf8(data).ok().and_then(read);
    let uuids = [
        (UuidForm::Hyphenated, hyphenated::parse(data), hyphenated::is_valid(data), oracle(wide::read_hyphenated)),
        (UuidForm::Simple, simple::parse(data), simple::is_valid(data), oracle(wide::read_simple)),
        (UuidForm::Urn, urn::parse(data), urn::is_valid(data), oracle(wide::read_urn)),
        (UuidForm::Braced, braced::parse(data), braced::is_valid(data), oracle(wide::read_braced)),
    ];
    let mut of_any_form = None;
    for (form, read, is_valid, expected) in uuids {
        is_what_was_expected(data, read.map(|id| id.as_u128()), is_valid, expected);
        of_any_form = of_any_form.or(read.ok().map(|id| (id, form)));
    }
    assert_eq!(parse_uuid(data).ok(), of_any_form, "{}", data.escape_ascii());
    assert_eq!(is_valid_uuid(data), of_any_form.is_some());
    is_what_was_expected(
        data,
        crockford::parse(data).map(|id| id.0),
        crockford::is_valid(data),
        oracle(wide::read_crockford26),
    );
    let leniently = crockford::parse_lenient(data).map(|id| id.0);
    is_what_was_expected(data, leniently, leniently.is_ok(), oracle(wide::read_crockford26_leniently));
    is_what_was_expected(data, base62::parse(data), base62::is_valid(data), oracle(wide::read_base62_22));

    let expected = str::from_utf8(data).ok().and_then(wide::read_typeid);
    let read = TypeId::parse(data);
    assert_eq!(TypeId::is_valid(data), read.is_ok());
    let pair = read.map(|id| (id.prefix().to_owned(), id.uuid().as_u128()));
    let (prefix, number) = expected.unzip();
    is_what_was_expected(data, pair, expected.is_some(), prefix.map(str::to_owned).zip(number));
    if let (Ok(id), Ok(text)) = (read, str::from_utf8(data)) {
        assert_eq!(id.to_string(), text, "each id has one text");
        assert_eq!(text.parse(), Ok(id));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "what is expected is made for the call")]
fn is_what_was_expected<T: PartialEq + Debug>(
    data: &[u8],
    read: Result<T, ParseError>,
    is_valid: bool,
    expected: Option<T>,
) {
    assert_eq!(read.is_ok(), is_valid, "{}", data.escape_ascii());
    let read = read.map_err(|error| explains_itself(data, &error));
    assert_eq!(read.ok(), expected, "{}", data.escape_ascii());
}

fn explains_itself(data: &[u8], error: &ParseError) {
    let text = error.to_string();
    assert!(text.contains("expected ") && !text.ends_with('.'), "{text}");
    if let Some(position) = error.position() {
        assert!(position <= data.len(), "{text}: {}", data.escape_ascii());
        // What is before the first mistake is ASCII, so that a character begins there.
        assert!(data[..position].is_ascii(), "{text}: {}", data.escape_ascii());
    }
}

/// A prefix that the bytes choose.
fn prefix(data: &[u8]) -> String {
    let letters: String = data.iter().take(63).map(|byte| char::from(b"abcxyz__"[usize::from(byte % 8)])).collect();
    letters.trim_matches('_').to_owned()
}

fn prints_what_it_reads(number: u128, prefix: &str) {
    let (uuid, id) = (Uuid::from_u128(number), Ulid(number));
    let expected = wide::hyphenated(number);
    assert_eq!(hyphenated::encode(uuid, &mut [b'x'; 36]), expected);
    assert_eq!(hyphenated::text_upper(uuid).as_str(), expected.to_uppercase());
    assert_eq!(hyphenated::parse(hyphenated::text(uuid).as_str()), Ok(uuid));
    assert_eq!(hyphenated::parse(expected.to_uppercase()), Ok(uuid));

    assert_eq!(simple::encode(uuid, &mut [b'x'; 32]), wide::simple(number));
    assert_eq!(simple::text_upper(uuid).as_str(), wide::simple(number).to_uppercase());
    assert_eq!(simple::parse(simple::text_upper(uuid).as_str()), Ok(uuid));

    assert_eq!(urn::encode(uuid, &mut [b'x'; 45]), format!("urn:uuid:{expected}"));
    assert_eq!(urn::text_upper(uuid).as_str(), format!("urn:uuid:{}", expected.to_uppercase()));
    assert_eq!(urn::parse(urn::text(uuid).as_str()), Ok(uuid));

    assert_eq!(braced::encode(uuid, &mut [b'x'; 38]), format!("{{{expected}}}"));
    assert_eq!(braced::text_upper(uuid).as_str(), format!("{{{}}}", expected.to_uppercase()));
    assert_eq!(braced::parse(braced::text(uuid).as_str()), Ok(uuid));

    let expected = wide::crockford26(number);
    assert_eq!(crockford::encode(id, &mut [b'x'; 26]), expected);
    assert_eq!(crockford::text_lower(id).as_str(), expected.to_lowercase());
    assert_eq!(crockford::parse(crockford::text(id).as_str()), Ok(id));
    assert_eq!(crockford::parse(expected.to_lowercase()), Ok(id));
    assert_eq!(crockford::parse_lenient(&expected), Ok(id));

    assert_eq!(base62::encode(number, &mut [b'x'; 22]), wide::base62_22(number));
    assert_eq!(base62::parse(base62::text(number).as_str()), Ok(number));

    let id = TypeId::new(prefix, uuid).expect("the prefix is one");
    let separator = if prefix.is_empty() { "" } else { "_" };
    let expected = format!("{prefix}{separator}{}", expected.to_lowercase());
    assert_eq!(id.encode(&mut [b'x'; typeid::LEN_MAX]), expected);
    assert_eq!(id.text().as_str(), expected);
    assert_eq!(TypeId::parse(expected), Ok(id));
}

fn sorts_like_the_number((prefix_a, a): (&str, u128), (prefix_b, b): (&str, u128)) {
    let order = a.cmp(&b);
    let [x, y] = [a, b].map(Uuid::from_u128);
    assert_eq!(hyphenated::text(x).as_str().cmp(hyphenated::text(y).as_str()), order);
    assert_eq!(simple::text(x).as_str().cmp(simple::text(y).as_str()), order);
    assert_eq!(urn::text(x).as_str().cmp(urn::text(y).as_str()), order);
    assert_eq!(braced::text(x).as_str().cmp(braced::text(y).as_str()), order);
    assert_eq!(crockford::text(Ulid(a)).as_str().cmp(crockford::text(Ulid(b)).as_str()), order);
    assert_eq!(crockford::text_lower(Ulid(a)).as_str().cmp(crockford::text_lower(Ulid(b)).as_str()), order);
    assert_eq!(base62::text(a).as_str().cmp(base62::text(b).as_str()), order);

    let [x, y] = [(prefix_a, x), (prefix_b, y)].map(|(prefix, id)| TypeId::new(prefix, id).expect("a prefix"));
    let order = prefix_a.cmp(prefix_b).then(order);
    assert_eq!(x.cmp(&y), order, "{x} and {y}");
    assert_eq!(x.to_string().cmp(&y.to_string()), order, "{x} and {y}");
}
