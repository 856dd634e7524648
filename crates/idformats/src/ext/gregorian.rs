//! Versions 1, 2 and 6: the time counts from the reform of the calendar, in steps of 100 ns.

use idcore::{UnixMillis, UnixTime};
use uuid::Uuid;

/// 1582-10-15 is so many steps before 1970 (RFC 9562 section 5.1 and appendix A.1).
const UNIX_EPOCH_TICKS: i64 = 0x01B2_1DD2_1381_4000;
const TICKS_PER_MILLI: i64 = 10_000;
const NANOS_PER_TICK: i64 = 100;

/// The fields of a version 1 or 6: a time of 60 bits, a clock sequence of 14, a node of 48.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GregorianFields {
    /// Steps of 100 ns since 1582-10-15T00:00:00Z, below 2^60.
    pub ticks: u64,
    /// What changes when the clock may have gone back or the node has changed; below 2^14.
    pub clock_seq: u16,
    /// The address of a network card, or random bits: see [`is_node_random`](Self::is_node_random).
    pub node: [u8; 6],
}

impl GregorianFields {
    /// `{ low:32, mid:16, version:4, high:12, variant:2, clock_seq:14, node:48 }`.
    pub(super) fn of_v1(id: &Uuid) -> Self {
        let (high, _) = id.as_u64_pair();
        Self::new(id, ((high & 0xFFF) << 48) | ((high << 16) & 0xFFFF_0000_0000) | (high >> 32))
    }

    /// `{ high:32, mid:16, version:4, low:12, variant:2, clock_seq:14, node:48 }`.
    pub(super) fn of_v6(id: &Uuid) -> Self {
        let (high, _) = id.as_u64_pair();
        Self::new(id, ((high >> 16) << 12) | (high & 0xFFF))
    }

    fn new(id: &Uuid, ticks: u64) -> Self {
        let [.., s0, s1, n0, n1, n2, n3, n4, n5] = *id.as_bytes();
        Self { ticks, clock_seq: u16::from_be_bytes([s0 & 0x3F, s1]), node: [n0, n1, n2, n3, n4, n5] }
    }

    /// The time, from 1582 to 5236.
    pub fn time(&self) -> UnixTime {
        time_of(self.ticks)
    }

    /// Whether the node says that it is no network card's address but random: the multicast bit (RFC 9562 section 6.10).
    pub const fn is_node_random(&self) -> bool {
        is_multicast(self.node)
    }
}

/// The fields of a version 2: a version 1 with a local number in place of the time's lowest 32 bits (RFC 9562 section 5.2; the
/// number, its domain and the rest as in DCE 1.1, "Authentication and Security Services", section 5.2.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DceFields {
    /// The number: of a user or a group, as the domain says.
    pub local_id: u32,
    /// What the number is of: 0 a person, 1 a group, 2 an organisation.
    pub local_domain: u8,
    /// Steps of 100 ns since 1582-10-15T00:00:00Z, rounded down to a multiple of 2^32: to 7 minutes or so.
    pub ticks: u64,
    /// What is left of the clock sequence; below 2^6.
    pub clock_seq: u8,
    /// As of version 1.
    pub node: [u8; 6],
}

impl DceFields {
    /// `{ local_id:32, mid:16, version:4, high:12, variant:2, clock_seq:6, local_domain:8, node:48 }`.
    pub(super) fn of(id: &Uuid) -> Self {
        let GregorianFields { ticks, clock_seq, node } = GregorianFields::of_v1(id);
        let [i0, i1, i2, i3, ..] = *id.as_bytes();
        let [clock_seq, local_domain] = clock_seq.to_be_bytes();
        let local_id = u32::from_be_bytes([i0, i1, i2, i3]);
        Self { local_id, local_domain, ticks: ticks & !0xFFFF_FFFF, clock_seq, node }
    }

    /// The earliest time that the id can have: it was made within the 429.4967296 s that begin here.
    pub fn time(&self) -> UnixTime {
        time_of(self.ticks)
    }

    /// As [`GregorianFields::is_node_random`].
    pub const fn is_node_random(&self) -> bool {
        is_multicast(self.node)
    }
}

fn time_of(ticks: u64) -> UnixTime {
    let since_1970 = i64::try_from(ticks).expect("a time has 60 bits") - UNIX_EPOCH_TICKS;
    let millis = UnixMillis::new(since_1970.div_euclid(TICKS_PER_MILLI));
    let nanos = since_1970.rem_euclid(TICKS_PER_MILLI) * NANOS_PER_TICK;
    UnixTime::new(millis, u32::try_from(nanos).expect("less than a millisecond"))
}

/// The lowest bit of an address's first byte.
const fn is_multicast(node: [u8; 6]) -> bool {
    node[0] & 1 == 1
}
