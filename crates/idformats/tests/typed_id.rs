//! Typed ids, and `TypeId` in serde.
//!
//! - A type of its own prints and reads its own prefix and no other, and sorts like its UUIDs and its texts.
//! - In JSON ids are their texts, in binary formats their bytes, as a UUID's; what is no id is an error there too.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;

use idformats::text::typeid::{LEN_MAX, is_prefix};
use idformats::text::{TypeId, hyphenated};
use idformats::typed_id;
use proptest::prelude::*;
use serde_json::{from_str, to_string};
use uuid::Uuid;

typed_id! {
    /// Of a user.
    pub struct UserId("user");
    struct OrderId("order_of_a_user");
    struct Bare("");
}

const ID: Uuid = Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057);
const USER: &str = "user_01h455vb4pex5vsknk084sn02q";

#[test]
fn prints_and_reads_its_own_prefix() {
    let id = UserId::from_uuid(ID);
    assert_eq!(id.to_string(), USER);
    assert_eq!(format!("{id:?}"), format!("UserId({USER})"));
    assert_eq!(format!("{id:>33}|{id:<33}|"), format!("  {USER}|{USER}  |"));
    assert_eq!(id.encode(&mut [b'x'; LEN_MAX]), USER);
    assert_eq!(USER.parse(), Ok(id));
    assert_eq!(UserId::parse(USER.as_bytes()), Ok(id));
    assert_eq!((id.uuid(), Uuid::from(id), UserId::from(ID)), (ID, ID, id));
    assert_eq!(TypeId::from(id), TypeId::parse(USER).unwrap());
    assert_eq!(OrderId::from_uuid(ID).to_string(), "order_of_a_user_01h455vb4pex5vsknk084sn02q");
    assert_eq!(Bare::from_uuid(ID).to_string(), "01h455vb4pex5vsknk084sn02q");
    assert_eq!("01h455vb4pex5vsknk084sn02q".parse(), Ok(Bare::from_uuid(ID)));
    assert_eq!(UserId::PREFIX, "user");
}

#[test]
fn another_prefix_is_an_error_that_says_which() {
    let error = |text: &str| text.parse::<UserId>().unwrap_err();
    assert_eq!(error("uses_01h455vb4pex5vsknk084sn02q").to_string(), "another prefix at byte 3: expected `user`");
    assert_eq!(error("users_01h455vb4pex5vsknk084sn02q").position(), Some(4));
    assert_eq!(error("us_01h455vb4pex5vsknk084sn02q").position(), Some(2));
    assert_eq!(error("01h455vb4pex5vsknk084sn02q").to_string(), "another prefix at byte 0: expected `user`");
    assert_eq!(USER.parse::<Bare>().unwrap_err().to_string(), "another prefix at byte 0: expected none");
    assert!(error("user_").to_string().starts_with("0 bytes from byte 5 on: "));
    assert!(USER.parse::<OrderId>().is_err());
}

#[test]
fn new_ids_increase() {
    let ids: Vec<UserId> = (0..1_000).map(|_| UserId::new().unwrap()).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1] && pair[0].to_string() < pair[1].to_string()));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 1_000);
    assert!(ids.iter().all(|id| id.uuid().get_version_num() == 7));
}

#[test]
fn prefixes_are_those_of_the_specification() {
    let longest = "a".repeat(63);
    for prefix in ["", "a", "user", "a_b", "a__b", &longest] {
        assert!(is_prefix(prefix), "{prefix}");
    }
    let too_long = "a".repeat(64);
    for prefix in ["_", "_a", "a_", "A", "a1", "a-b", "a b", "é", &too_long] {
        assert!(!is_prefix(prefix), "{prefix}");
    }
}

#[test]
fn json_has_texts_and_binary_formats_have_bytes() {
    let id = UserId::from_uuid(ID);
    assert_eq!(to_string(&id).unwrap(), format!("\"{USER}\""));
    assert_eq!(from_str::<UserId>(&format!("\"{USER}\"")).unwrap(), id);
    assert_eq!(from_str::<UserId>(" \"\\u0075ser_01h455vb4pex5vsknk084sn02q\"").unwrap(), id);
    let bytes = postcard::to_allocvec(&id).unwrap();
    assert_eq!(bytes, postcard::to_allocvec(&ID).unwrap(), "as a UUID has it");
    assert_eq!(postcard::from_bytes::<UserId>(&bytes).unwrap(), id);

    let id = TypeId::parse(USER).unwrap();
    assert_eq!(to_string(&id).unwrap(), format!("\"{USER}\""));
    assert_eq!(from_str::<TypeId>(&format!("\"{USER}\"")).unwrap(), id);
    let bytes = postcard::to_allocvec(&id).unwrap();
    assert_eq!(bytes, postcard::to_allocvec(&("user", ID)).unwrap());
    assert_eq!(postcard::from_bytes::<TypeId>(&bytes).unwrap(), id);
}

#[test]
fn what_is_no_id_is_an_error_in_serde() {
    let hyphenated = format!("\"{}\"", hyphenated::text(ID));
    for json in ["", "null", "1", "\"\"", "\"user_\"", "[1]", &hyphenated] {
        assert!(from_str::<UserId>(json).is_err(), "{json}");
        assert!(from_str::<TypeId>(json).is_err(), "{json}");
    }
    let other = from_str::<UserId>("\"order_01h455vb4pex5vsknk084sn02q\"").unwrap_err().to_string();
    assert!(other.starts_with("another prefix at byte 0: expected `user`"), "{other}");
    let no_prefix = postcard::to_allocvec(&("User", ID)).unwrap();
    assert!(postcard::from_bytes::<TypeId>(&no_prefix).is_err());
    assert!(postcard::from_bytes::<UserId>(&[15; 16]).is_err(), "15 bytes are no UUID");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sorts_like_its_texts(a: u128, b: u128) {
        let [x, y] = [a, b].map(|number| UserId::from_uuid(Uuid::from_u128(number)));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_string().cmp(&y.to_string()), a.cmp(&b));
    }

    #[test]
    fn is_prefix_says_what_new_says(prefix in "[a-zA-Z_0-9é]{0,4}|[a-z_]{60,66}") {
        prop_assert_eq!(is_prefix(&prefix), TypeId::new(&prefix, ID).is_ok());
    }
}
