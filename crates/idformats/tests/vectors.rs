//! Known values from `vectors/`: fields, times and numbers of what is made from given bits.
//!
//! Every UUID of version 7 and ULID there is made anew from its parts, by `at` and by a back-fill; the example of version 4 from
//! its random number; method 3 from its time. The texts that are valid or not are for a reader of texts.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::time::Duration;

use idcore::{ManualClock, SystemClock, UnixMillis};
use idformats::{BuildError, Entropy, EntropyError, Format as _, RandomUlid, RandomUuid, UlidMonotonic, V7SubMs};
use idtest::formats::{FreeBits, Known, split_ulid, split_v7};
use idtest::{calendar, for_each_format, vectors};
use ulid::Ulid;
use uuid::Uuid;

/// Bits that are given: the same for each question.
#[derive(Clone, Copy)]
struct Given([u8; 16]);

impl Given {
    /// So that a number of free bits comes out.
    const fn number(number: u128) -> Self {
        Self(number.to_le_bytes())
    }
}

impl Entropy for Given {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.iter_mut().zip(self.0.iter().cycle()).for_each(|(byte, given)| *byte = *given);
        Ok(())
    }
}

/// The number of an id of a format that is made of these parts, if the format is a UUID or is none, as told.
fn made<F: Known>(is_uuid: bool, FreeBits { unix_ms, free }: FreeBits, expected: u128) {
    if F::KIND.is_uuid() != is_uuid {
        return;
    }
    let ids = F::on(SystemClock).entropy(Given::number(free)).build().unwrap();
    let time = UnixMillis::new(unix_ms.try_into().unwrap());
    assert_eq!(F::number(ids.at(time).unwrap()), expected, "{:?}", F::KIND);
    // A back-fill begins with a clear guard bit.
    let guard = if is_uuid { 1 << 73 } else { 1 << 79 };
    if free & guard == 0 {
        assert_eq!(F::number(ids.back_fill(time).unwrap().next_id().unwrap()), expected, "{:?}", F::KIND);
    }
}

fn hex(digits: &str) -> u128 {
    u128::from_str_radix(digits, 16).unwrap()
}

#[test]
fn uuids_of_the_rfc() {
    let vectors = vectors::Uuid::load();
    let versions: Vec<u8> = vectors.rfc9562.iter().map(|id| id.version).collect();
    assert_eq!(versions, [7, 4, 8, 8]);
    for id in &vectors.rfc9562 {
        let uuid: Uuid = id.uuid.parse().unwrap();
        assert_eq!(uuid.get_version_num(), usize::from(id.version));
        let as_start = V7SubMs::generator().not_before(uuid).build();
        if id.version != 7 {
            assert_eq!(as_start.unwrap_err(), BuildError::StartFormat, "{uuid} is not of version 7");
            continue;
        }
        assert!(as_start.is_ok());
        let parts = split_v7(uuid.as_u128());
        assert_eq!(parts.unix_ms, u128::try_from(id.unix_ms.unwrap()).unwrap());
        let [rand_a, rand_b] = [&id.rand_a, &id.rand_b].map(|digits| hex(digits.as_ref().unwrap()));
        assert_eq!(parts.free, (rand_a << 62) + rand_b);
        assert_eq!(uuid.as_u128().to_string(), *id.u128.as_ref().unwrap());
        assert_eq!(Ulid(uuid.as_u128()).to_string(), *id.crockford26.as_ref().unwrap());
        for_each_format!(made(true, parts, uuid.as_u128()));
    }
}

#[test]
fn version_4_of_its_random_number() {
    let vectors = vectors::Uuid::load();
    let id = vectors.rfc9562.iter().find(|id| id.version == 4).unwrap();
    let uuid: Uuid = id.uuid.parse().unwrap();
    let random = hex(id.random_in.as_ref().unwrap());
    // As it is, but for version and variant.
    assert_eq!(RandomUuid::new(Given::number(random)).next_id().unwrap(), uuid);
    let mut ids = [Uuid::nil(); 3];
    RandomUuid::new(Given::number(random)).fill(&mut ids).unwrap();
    assert_eq!(ids, [uuid; 3]);
}

#[test]
fn fields_at_their_edges() {
    let vectors = vectors::Uuid::load();
    assert_eq!(vectors.v7_field_edges.len(), 5);
    for edge in &vectors.v7_field_edges {
        let expected = edge.uuid.parse::<Uuid>().unwrap().as_u128();
        let unix_ms = edge.unix_ms.in_bits(48);
        let free = (edge.rand_a.in_bits(12) << 62) + edge.rand_b.in_bits(62);
        assert_eq!(split_v7(expected), FreeBits { unix_ms, free });
        for_each_format!(made(true, FreeBits { unix_ms, free }, expected));
    }
}

#[test]
fn method_3_writes_the_fraction() {
    let vectors = vectors::Uuid::load();
    assert_eq!(vectors.method3.len(), 1);
    for vector in &vectors.method3 {
        let (to_seconds, fraction) = vector.time.trim_end_matches('Z').split_once('.').unwrap();
        let nanos: u32 = format!("{fraction:0<9}").parse().unwrap();
        assert_eq!(vector.unix_ms, calendar::unix_millis(&format!("{to_seconds}.000Z")) + i64::from(nanos / 1_000_000));
        let clock = ManualClock::new(UnixMillis::new(vector.unix_ms));
        clock.advance(Duration::from_nanos((nanos % 1_000_000).into()));
        let ids = V7SubMs::on(&clock).build().unwrap();
        let parts = split_v7(ids.next_id().unwrap().as_u128());
        assert_eq!(parts.unix_ms, u128::try_from(vector.unix_ms).unwrap());
        assert_eq!(parts.free >> 62, hex(&vector.fraction_12_bits));
    }
}

#[test]
fn ulids_of_the_specification() {
    let vectors = vectors::Ulid::load();
    assert_eq!(vectors.pairs.len(), 2);
    for pair in &vectors.pairs {
        let number = match (&pair.hex, &pair.uuid) {
            (Some(digits), None) => hex(digits),
            (None, Some(uuid)) => uuid.parse::<Uuid>().unwrap().as_u128(),
            other => panic!("one of two: {other:?}"),
        };
        assert_eq!(Ulid(number).to_string(), pair.ulid);
        let parts = split_ulid(number);
        assert_eq!(parts.unix_ms, u128::try_from(pair.unix_ms).unwrap());
        for_each_format!(made(false, parts, number));
        let random = RandomUlid::new(SystemClock, Given::number(parts.free));
        assert_eq!(random.at(UnixMillis::new(pair.unix_ms)).unwrap(), Ulid(number));
    }
    for bound in &vectors.bounds {
        let unix_ms = u128::try_from(calendar::unix_millis(&bound.time)).unwrap();
        let lowest: Ulid = bound.lowest.parse().unwrap();
        assert_eq!(split_ulid(lowest.0), FreeBits { unix_ms, free: 0 });
        for_each_format!(made(false, FreeBits { unix_ms, free: 0 }, lowest.0));
    }
    let max: Ulid = vectors.max.parse().unwrap();
    assert_eq!(split_ulid(max.0), FreeBits { unix_ms: (1 << 48) - 1, free: (1 << 80) - 1 });
}

/// The specification's next one is the number plus one; so is a generator's. Where the specification fails, a generator does
/// not come: its first bit of each millisecond is clear.
#[test]
fn monotonic_ulids_grow_by_one() {
    let vectors = vectors::Ulid::load();
    let text = |text: &str| text.parse::<Ulid>().unwrap();
    let (follows, ends) = (&vectors.monotonic[0], &vectors.monotonic[1]);
    assert_eq!(text(&follows.next).0, text(&follows.after).0 + 1);
    assert_eq!(split_ulid(text(&ends.after).0).free, (1 << 80) - 1);
    assert!(ends.next.parse::<Ulid>().is_err(), "a reason, and no id: {}", ends.next);

    let clock = ManualClock::new(UnixMillis::new(1_800_000_000_000));
    let ids = UlidMonotonic::on(&clock).build().unwrap();
    for _ in 0..100 {
        let first = ids.next_id().unwrap();
        assert!(split_ulid(first.0).free < 1 << 79);
        for n in 1..300 {
            assert_eq!(ids.next_id().unwrap().0, first.0 + n);
        }
        clock.advance(Duration::from_millis(1));
    }
}
