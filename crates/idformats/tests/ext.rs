//! What ids say, and the ids of a range of time.
//!
//! - Every version, nil, max, other versions and other variants are known for what they are; the examples of RFC 9562's
//!   appendices A and B and of the ULID specification have the values that stand there.
//! - Fields are the hexadecimal digits of the text, read by place; times are those of the uuid crate.
//! - A range holds exactly the ids whose time is in [from, to): its ends are tight, and it is clamped to the 48 bits of time.
//! - From ULID to UUID and back no bit changes.

#![cfg(not(idcore_loom))]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{RangeError, UnixMillis, UnixTime};
use idformats::{DceFields, FreeFields, GregorianFields, IdRange, UlidExt, UuidExt, UuidFields, V7Fields};
use proptest::prelude::*;
use ulid::Ulid;
use uuid::{Uuid, Variant, uuid};

const MS_END: i64 = 1 << 48;
const NODE: [u8; 6] = [0x9F, 0x6B, 0xDE, 0xCE, 0xD8, 0x46];

fn ms(ms: i64) -> UnixMillis {
    UnixMillis::new(ms)
}

/// The number in some hexadecimal digits of the text without hyphens.
fn digits(id: Uuid, places: std::ops::Range<usize>) -> u64 {
    u64::from_str_radix(&id.simple().to_string()[places], 16).unwrap()
}

/// Bits of any variant and version.
fn of_version(bits: u128, version: u8, variant: u8) -> Uuid {
    let bits = bits & !(0xF << 76) & !(0b11 << 62);
    Uuid::from_u128(bits | (u128::from(version) << 76) | (u128::from(variant) << 62))
}

#[test]
fn the_examples_of_the_rfc() {
    let time = GregorianFields { ticks: 0x01EC_9414_C232_AB00, clock_seq: 0x33C8, node: NODE };
    let free = |a, b, c| FreeFields { a, b, c };
    let v7 = V7Fields { unix_ms: 1_645_557_742_000, rand_a: 0xCC3, rand_b: 0x18C4_DC0C_0C07_398F };
    let v3 = free(0x5DF4_1881_3AED, 0x515, 0x08A7_2F4A_814C_F09E);
    let v4 = free(0x9191_08F7_52D1, 0x320, 0x1BAC_F847_DB41_48A8);
    let v5 = free(0x2ED6_657D_E927, 0x68B, 0x15E1_2665_A8AE_A6A2);
    let v8 = free(0x2489_E9AD_2EE2, 0xE00, 0x0EC9_32D5_F691_81C0);
    for (id, fields) in [
        (uuid!("c232ab00-9414-11ec-b3c8-9f6bdeced846"), UuidFields::V1(time)),
        (uuid!("5df41881-3aed-3515-88a7-2f4a814cf09e"), UuidFields::V3(v3)),
        (uuid!("919108f7-52d1-4320-9bac-f847db4148a8"), UuidFields::V4(v4)),
        (uuid!("2ed6657d-e927-568b-95e1-2665a8aea6a2"), UuidFields::V5(v5)),
        (uuid!("1ec9414c-232a-6b00-b3c8-9f6bdeced846"), UuidFields::V6(time)),
        (uuid!("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), UuidFields::V7(v7)),
        (uuid!("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0"), UuidFields::V8(v8)),
        (uuid!("00000000-0000-0000-0000-000000000000"), UuidFields::Nil),
        (uuid!("ffffffff-ffff-ffff-ffff-ffffffffffff"), UuidFields::Max),
    ] {
        assert_eq!(id.fields(), fields, "{id}");
    }
    assert!(time.is_node_random());
    let card = GregorianFields { node: [0x9E, 0x6B, 0xDE, 0xCE, 0xD8, 0x46], ..time };
    assert!(!card.is_node_random());
}

#[test]
fn who_has_no_version_is_told_apart() {
    for version in (0..=15).filter(|version| !(1..=8).contains(version)) {
        let id = of_version(0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF, version, 0b10);
        assert_eq!((id.fields(), id.fields().version()), (UuidFields::OtherVersion(version), Some(version)));
        assert_eq!(id.time(), None);
    }
    for (variant, is) in [(0b00, Variant::NCS), (0b01, Variant::NCS), (0b11, Variant::Microsoft)] {
        // The version's bits mean nothing here.
        let id = of_version(1, 7, variant);
        assert_eq!((id.fields(), id.fields().version(), id.time()), (UuidFields::OtherVariant(is), None, None));
    }
    let reserved = uuid!("00000000-0000-7000-e000-000000000000");
    assert_eq!(reserved.fields(), UuidFields::OtherVariant(Variant::Future));
    // One bit beside nil and max.
    assert_eq!(Uuid::from_u128(1).fields(), UuidFields::OtherVariant(Variant::NCS));
    assert_eq!(Uuid::from_u128(u128::MAX - 1).fields(), UuidFields::OtherVariant(Variant::Future));
}

#[test]
fn a_version_2_has_a_local_number_and_a_coarse_time() {
    // The appendix's version 1 with user 1,000 in place of the time's lowest bits.
    let id = uuid!("000003e8-9414-21ec-b300-9f6bdeced846");
    let fields =
        DceFields { local_id: 1_000, local_domain: 0, ticks: 0x01EC_9414_0000_0000, clock_seq: 0x33, node: NODE };
    assert_eq!(id.fields(), UuidFields::V2(fields));
    assert!(fields.is_node_random());
    let made_ms = 1_645_557_742_000;
    let earliest = id.time().unwrap().get();
    assert!(earliest <= made_ms && made_ms < earliest + 429_497, "{earliest}");
    let organisation = uuid!("00000001-9414-21ec-b302-9f6bdeced846");
    assert!(matches!(organisation.fields(), UuidFields::V2(DceFields { local_domain: 2, local_id: 1, .. })));
}

#[test]
fn times_at_their_edges() {
    for version in [1, 6] {
        let first = of_version(0, version, 0b10);
        assert_eq!(first.exact_time(), Some(UnixTime::from(ms(-12_219_292_800_000))), "{version}");
        let last = of_version(u128::MAX, version, 0b10);
        // 5236-03-31T21:21:00.6846975Z.
        assert_eq!(last.exact_time(), Some(UnixTime::new(ms(103_072_857_660_684), 697_500)), "{version}");
        assert_eq!(last.time(), Some(ms(103_072_857_660_684)));
    }
    // A step before 1970 is rounded down, not towards zero.
    let before_1970 = uuid!("13813fff-1dd2-11b2-8000-000000000000");
    assert_eq!(before_1970.exact_time(), Some(UnixTime::new(ms(-1), 999_900)));
    assert_eq!(of_version(0, 7, 0b10).time(), Some(ms(0)));
    assert_eq!(of_version(u128::MAX, 7, 0b10).time(), Some(ms(MS_END - 1)));
    assert_eq!((Ulid(0).time(), Ulid(u128::MAX).time()), (ms(0), ms(MS_END - 1)));
}

#[test]
fn ranges_are_clamped_to_the_times_that_ids_have() {
    let v7 = |from, to| Uuid::v7_range(ms(from), ms(to)).unwrap();
    let of = |lowest: &str, highest: &str| {
        Some(IdRange { lowest: lowest.parse::<Uuid>().unwrap(), highest: highest.parse().unwrap() })
    };
    let (first, last) = ("00000000-0000-7000-8000-000000000000", "ffffffff-ffff-7fff-bfff-ffffffffffff");
    for (from, to, expected) in [
        (0, 1, of(first, "00000000-0000-7fff-bfff-ffffffffffff")),
        (-1, 1, of(first, "00000000-0000-7fff-bfff-ffffffffffff")),
        (i64::MIN, i64::MAX, of(first, last)),
        (0, MS_END, of(first, last)),
        (MS_END - 1, MS_END, of("ffffffff-ffff-7000-8000-000000000000", last)),
        (MS_END - 1, MS_END + 1, of("ffffffff-ffff-7000-8000-000000000000", last)),
        (MS_END, i64::MAX, None),
        (i64::MAX, i64::MAX, None),
        (i64::MIN, 0, None),
        (i64::MIN, i64::MIN, None),
        (5, 5, None),
    ] {
        assert_eq!(v7(from, to), expected, "{from} to {to}");
        let ulids = Ulid::range(ms(from), ms(to)).unwrap();
        assert_eq!(ulids.is_some(), expected.is_some(), "{from} to {to}");
    }
    let all = Ulid::range(ms(i64::MIN), ms(i64::MAX)).unwrap();
    assert_eq!(all, Some(IdRange { lowest: Ulid(0), highest: Ulid(u128::MAX) }));
    // Of the ULID specification's implementations: 2019-03-31T03:51:23.536Z.
    let time = 1_554_004_283_536;
    let ids = Ulid::range(ms(time), ms(time + 1)).unwrap().unwrap();
    assert_eq!(ids.lowest.to_string(), "01D78XZ44G0000000000000000");
}

#[test]
fn a_reversed_range_is_refused() {
    for (from, to) in [(1, 0), (i64::MAX, i64::MIN), (0, -1), (MS_END + 1, MS_END)] {
        let (from, to) = (ms(from), ms(to));
        assert_eq!(Uuid::v7_range(from, to), Err(RangeError::Reversed { from, to }));
        assert_eq!(Ulid::range(from, to), Err(RangeError::Reversed { from, to }));
    }
}

#[test]
fn the_specifications_pairs_of_ulid_and_uuid() {
    for (ulid, uuid) in [
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", uuid!("01563e3a-b5d3-d676-4c61-efb99302bd5b")),
        ("01ARYZ6S41TSV4RRFFQ69G5FAV", uuid!("01563df3-6481-d676-4c61-efb99302bd5b")),
        ("01FWHE4YDGFK1SHH6W1G60EECF", uuid!("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")),
        ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", Uuid::max()),
    ] {
        let ulid: Ulid = ulid.parse().unwrap();
        assert_eq!((ulid.to_uuid_of_same_bits(), uuid.to_ulid_of_same_bits()), (uuid, ulid));
    }
}

proptest! {
    #[test]
    fn fields_are_the_digits_of_the_text(bits: u128, version in 1u8..=8) {
        let id = of_version(bits, version, 0b10);
        prop_assert_eq!(id.fields().version(), Some(version));
        let (a, b, c) = (digits(id, 0..12), digits(id, 13..16), digits(id, 16..32) & (u64::MAX >> 2));
        match id.fields() {
            UuidFields::V1(fields) | UuidFields::V6(fields) => {
                let (ticks, clock_seq) = id.get_timestamp().unwrap().to_gregorian();
                prop_assert_eq!((fields.ticks, fields.clock_seq), (ticks, clock_seq));
                prop_assert_eq!(Some(fields.node), id.get_node_id());
                let nanos = (i128::from(ticks) - 0x01B2_1DD2_1381_4000) * 100;
                let time = id.exact_time().unwrap();
                prop_assert_eq!(i128::from(time.millis().get()) * 1_000_000 + i128::from(time.sub_ms_nanos()), nanos);
            }
            UuidFields::V2(fields) => {
                prop_assert_eq!(u64::from(fields.local_id), digits(id, 0..8));
                prop_assert_eq!(fields.ticks, (digits(id, 13..16) << 48) | (digits(id, 8..12) << 32));
                prop_assert_eq!(u64::from(fields.clock_seq), digits(id, 16..18) & 0x3F);
                prop_assert_eq!(u64::from(fields.local_domain), digits(id, 18..20));
                let node = fields.node.iter().fold(0, |node, byte| (node << 8) | u64::from(*byte));
                prop_assert_eq!(node, digits(id, 20..32));
            }
            UuidFields::V7(V7Fields { unix_ms, rand_a, rand_b }) => {
                prop_assert_eq!((unix_ms, u64::from(rand_a), rand_b), (a, b, c));
                prop_assert_eq!(id.time().map(UnixMillis::get), i64::try_from(a).ok());
            }
            UuidFields::V3(fields) | UuidFields::V4(fields) | UuidFields::V5(fields) | UuidFields::V8(fields) => {
                prop_assert_eq!((fields.a, u64::from(fields.b), fields.c), (a, b, c));
                prop_assert_eq!(fields.bits(), (u128::from(a) << 74) | (u128::from(b) << 62) | u128::from(c));
                prop_assert_eq!(id.time(), None);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn fields_of_a_ulid_are_those_of_its_crate(bits: u128) {
        let (id, fields) = (Ulid(bits), Ulid(bits).fields());
        prop_assert_eq!(Ulid::from_parts(fields.unix_ms, fields.random), id);
        prop_assert_eq!(id.time().get(), i64::try_from(fields.unix_ms).unwrap());
        prop_assert_eq!(id.to_uuid_of_same_bits().to_ulid_of_same_bits(), id);
        prop_assert_eq!(id.to_uuid_of_same_bits().into_bytes(), id.to_bytes());
    }

    #[test]
    fn ends_of_ranges_are_tight(from in -5i64..(MS_END + 5), len in 1i64..100_000) {
        let to = from + len;
        let before = Uuid::v7_range(ms(i64::MIN), ms(from)).unwrap();
        match Uuid::v7_range(ms(from), ms(to)).unwrap() {
            Some(ids) => {
                prop_assert_eq!(ids.lowest.time(), Some(ms(from.max(0))));
                prop_assert_eq!(ids.highest.time(), Some(ms(to.min(MS_END) - 1)));
                prop_assert!(before.is_none_or(|before| before.highest < ids.lowest));
            }
            None => prop_assert!(to <= 0 || from >= MS_END),
        }
        let before = Ulid::range(ms(i64::MIN), ms(from)).unwrap();
        if let (Some(before), Some(after)) = (before, Ulid::range(ms(from), ms(to)).unwrap()) {
            // ULIDs have no gaps.
            prop_assert_eq!(before.highest.0 + 1, after.lowest.0);
        }
    }

    /// Ids whose time is at an edge of the range, whatever their other bits.
    #[test]
    fn ids_at_the_edges_are_in_or_out(from in 0..MS_END, len in 0i64..3, bits: u128, near in -1i64..3) {
        let unix_ms = (from + near).clamp(0, MS_END - 1);
        let is_inside = (from..from + len).contains(&unix_ms);
        let bits = (bits >> 48) | (u128::try_from(unix_ms).unwrap() << 80);
        let ids = Uuid::v7_range(ms(from), ms(from + len)).unwrap();
        let id = of_version(bits, 7, 0b10);
        prop_assert_eq!(ids.is_some_and(|ids| ids.lowest <= id && id <= ids.highest), is_inside);
        let ids = Ulid::range(ms(from), ms(from + len)).unwrap();
        prop_assert_eq!(ids.is_some_and(|ids| ids.lowest <= Ulid(bits) && Ulid(bits) <= ids.highest), is_inside);
    }
}
