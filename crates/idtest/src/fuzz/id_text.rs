//! Ids as text, as JSON and as bytes.

use std::str;

use idcore::{DynSnowflake, JavaScript, ParseIdError, Snowflake, Sonyflake, StaticLayout};

use crate::Bytes;
use crate::text::{self, BASE62, CROCKFORD, DECIMAL, first_stranger};

/// Reads `data` as an id's text in every form, and as JSON; takes it for two numbers as well, and prints them.
///
/// # Panics
///
/// When a text is read as another number than the oracle's or is accepted without being what is printed, when an error
/// points elsewhere than at the first wrong character, or when two texts sort otherwise than their numbers.
pub fn id_text(data: &[u8]) {
    let valid = match str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&data[..error.valid_up_to()]).expect("valid up to there"),
    };
    reads_as_the_oracle_does(valid);
    reads_json_as_the_oracle_does(valid);
    let mut bytes = Bytes::new(data);
    let (a, b) = (bytes.u64(), bytes.u64());
    prints_what_it_reads(a);
    prints_what_it_reads(b);
    sorts_like_the_number(a, b);
    knows_its_width::<Sonyflake>(a);
    knows_its_width::<JavaScript>(b);
}

fn reads_as_the_oracle_does(text: &str) {
    let decimal = DynSnowflake::from_decimal(text);
    assert_eq!(number(decimal), text::read_decimal(text), "{text:?} in decimal");
    assert_eq!(number(text.parse()), text::read_decimal(text), "{text:?} by FromStr");
    if let Ok(id) = decimal {
        assert_eq!(id.to_string(), text);
    }
    points_at_the_first_stranger(text, decimal, DECIMAL);

    let crockford = DynSnowflake::from_crockford(text);
    assert_eq!(number(crockford), text::read_crockford(text), "{text:?} in Crockford");
    if let Ok(id) = crockford {
        assert_eq!(id.crockford().as_str(), text);
    }
    let base62 = DynSnowflake::from_base62(text);
    assert_eq!(number(base62), text::read_base62(text), "{text:?} in base62");
    if let Ok(id) = base62 {
        assert_eq!(id.base62().as_str(), text);
    }
    // Of the fixed widths, the length comes first.
    if text.len() == 13 {
        points_at_the_first_stranger(text, crockford, CROCKFORD);
    }
    if text.len() == 11 {
        points_at_the_first_stranger(text, base62, BASE62);
    }
}

fn points_at_the_first_stranger(text: &str, read: Result<DynSnowflake, ParseIdError>, alphabet: &str) {
    let Some((position, c)) = first_stranger(text, alphabet) else { return };
    let Err(error) = read else { panic!("{text:?} was read in spite of {c:?}") };
    // The first of 13 Crockford characters can be of the alphabet and too large, which comes before a stranger.
    let first_too_large = alphabet == CROCKFORD && text.starts_with(|c| "GHJKMNPQRSTVWXYZ".contains(c));
    let expected = if first_too_large { 0 } else { position };
    assert_eq!(error.position(), Some(expected), "{text:?}: {error}");
    if !first_too_large {
        assert!(error.to_string().starts_with(&format!("{c:?} at byte {position}: expected ")), "{text:?}: {error}");
    }
}

fn reads_json_as_the_oracle_does(text: &str) {
    let expected = match serde_json::from_str(text) {
        Ok(serde_json::Value::String(inner)) => text::read_decimal(&inner),
        Ok(serde_json::Value::Number(number)) => number.as_u64(),
        _ => None,
    };
    let read = serde_json::from_str::<DynSnowflake>(text);
    assert_eq!(read.as_ref().ok().map(|id| id.get()), expected, "{text:?} as JSON");
    if let Ok(id) = read {
        let printed = serde_json::to_string(&id).expect("a string");
        assert_eq!(printed, format!("\"{}\"", text::decimal(id.get())));
    }
}

fn prints_what_it_reads(raw: u64) {
    let id = DynSnowflake::new(raw).expect("64 bits are allowed");
    assert_eq!(id.to_string(), text::decimal(raw));
    assert_eq!(id.decimal().as_str(), text::decimal(raw));
    assert_eq!(id.crockford().as_str(), text::crockford(raw));
    assert_eq!(id.base62().as_str(), text::base62(raw));
    assert_eq!(id.encode_decimal(&mut [b'x'; 20]), text::decimal(raw));
    assert_eq!(id.encode_crockford(&mut [b'x'; 13]), text::crockford(raw));
    assert_eq!(id.encode_base62(&mut [b'x'; 11]), text::base62(raw));
    assert_eq!(DynSnowflake::from_decimal(&id.decimal()), Ok(id));
    assert_eq!(DynSnowflake::from_crockford(&id.crockford()), Ok(id));
    assert_eq!(DynSnowflake::from_base62(&id.base62()), Ok(id));
    assert_eq!(DynSnowflake::from_be_bytes(id.to_be_bytes()), Ok(id));
    let signed = i64::try_from(id);
    assert_eq!(signed.is_ok(), u128::from(raw) < 1 << 63);
    assert!(signed.is_ok_and(|signed| DynSnowflake::try_from(signed) == Ok(id)) || raw >> 63 == 1);
}

fn sorts_like_the_number(a: u64, b: u64) {
    let [x, y] = [a, b].map(|raw| DynSnowflake::new(raw).expect("64 bits are allowed"));
    let order = a.cmp(&b);
    assert_eq!(x.cmp(&y), order);
    assert_eq!(x.crockford().as_str().cmp(y.crockford().as_str()), order, "Crockford texts of {a} and {b}");
    assert_eq!(x.base62().as_str().cmp(y.base62().as_str()), order, "base62 texts of {a} and {b}");
    assert_eq!(x.to_be_bytes().cmp(&y.to_be_bytes()), order, "bytes of {a} and {b}");
}

fn knows_its_width<L: StaticLayout>(raw: u64) {
    let fits = raw <= L::LAYOUT.id_max();
    let id = Snowflake::<L>::new(raw);
    assert_eq!(id.is_ok(), fits, "{raw} with {} bits", L::LAYOUT.bits());
    assert_eq!(text::decimal(raw).parse::<Snowflake<L>>().ok(), id.ok());
    assert_eq!(Snowflake::<L>::from_crockford(&text::crockford(raw)).ok(), id.ok());
    assert_eq!(Snowflake::<L>::from_base62(&text::base62(raw)).ok(), id.ok());
    assert_eq!(L::LAYOUT.decode(raw).is_ok(), fits);
}

fn number(read: Result<DynSnowflake, ParseIdError>) -> Option<u64> {
    read.ok().map(DynSnowflake::get)
}
