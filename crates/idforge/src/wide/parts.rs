//! The bits of a 128-bit id, part by part, and what each means.

use idformats::{DceFields, FreeFields, GregorianFields, UlidExt as _, UlidFields, UuidExt as _, UuidFields, V7Fields};
use serde::ser::{Serialize, SerializeMap, Serializer};
use uuid::Variant;

use super::WideId;

/// Some bits that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    /// As a number or as hex digits, whichever says more.
    pub(crate) value: String,
    pub(crate) meaning: &'static str,
}

/// Parts whose values are taken out of the id from its highest bit on.
struct Cutter {
    bits: u128,
    /// Bits that were not cut yet.
    left: u32,
    parts: Vec<Part>,
}

impl Cutter {
    fn hex(&mut self, name: &'static str, bits: u32, meaning: &'static str) {
        let digits = bits.div_ceil(4) as usize;
        let value = format!("{:0digits$x}", self.next(bits));
        self.parts.push(Part { name, bits, value, meaning });
    }

    fn binary(&mut self, name: &'static str, bits: u32, meaning: &'static str) {
        let width = bits as usize;
        let value = format!("0b{:0width$b}", self.next(bits));
        self.parts.push(Part { name, bits, value, meaning });
    }

    fn number(&mut self, name: &'static str, bits: u32, meaning: &'static str) {
        let value = self.next(bits).to_string();
        self.parts.push(Part { name, bits, value, meaning });
    }

    fn next(&mut self, bits: u32) -> u128 {
        self.left -= bits;
        (self.bits >> self.left) & (u128::MAX >> (128 - bits))
    }
}

/// All parts, the most significant first: 128 bits together. The names are those of RFC 9562, and of the ULID specification.
pub(crate) fn parts(id: WideId) -> Vec<Part> {
    let mut cutter = Cutter { bits: id.bits(), left: 128, parts: Vec::new() };
    match id {
        WideId::Ulid(_) => {
            cutter.number("unix_ms", 48, "ms since 1970-01-01 UTC");
            cutter.hex("random", 80, "random, or one above the last");
        }
        WideId::Uuid(id) => uuid_parts(&id.fields(), &mut cutter),
    }
    cutter.parts
}

fn uuid_parts(fields: &UuidFields, cutter: &mut Cutter) {
    match fields {
        UuidFields::V1(fields) => gregorian_parts(["time_low", "time_mid", "time_high"], fields, cutter),
        UuidFields::V6(fields) => gregorian_parts(["time_high", "time_mid", "time_low"], fields, cutter),
        UuidFields::V2(fields) => dce_parts(fields, cutter),
        UuidFields::V3(_) => free_parts(MD5, "of the MD5 hash of a name", cutter),
        UuidFields::V4(_) => free_parts(RANDOM, "random", cutter),
        UuidFields::V5(_) => free_parts(SHA1, "of the SHA-1 hash of a name", cutter),
        UuidFields::V8(_) => free_parts(CUSTOM, "the maker's own", cutter),
        UuidFields::V7(_) => {
            cutter.number("unix_ms", 48, "ms since 1970-01-01 UTC");
            version(cutter);
            cutter.hex("rand_a", 12, "random, counter or fraction");
            variant(cutter);
            cutter.hex("rand_b", 62, "random, maybe after a counter");
        }
        UuidFields::OtherVersion(_) => {
            cutter.hex("bits_a", 48, "no version says what");
            cutter.number("version", 4, "not defined by RFC 9562");
            cutter.hex("bits_b", 12, "no version says what");
            variant(cutter);
            cutter.hex("bits_c", 62, "no version says what");
        }
        UuidFields::OtherVariant(other) => {
            let bits = if matches!(other, Variant::NCS) { 1 } else { 3 };
            cutter.hex("bits_a", 64, "the variant does not say what");
            cutter.binary("variant", bits, variant_name(*other));
            cutter.hex("bits_b", 64 - bits, "the variant does not say what");
        }
        // Nil and max have no parts, and neither have kinds that are to come.
        _ => cutter.hex("bits", 128, ""),
    }
}

const MD5: [&str; 3] = ["md5_high", "md5_mid", "md5_low"];
const SHA1: [&str; 3] = ["sha1_high", "sha1_mid", "sha1_low"];
const RANDOM: [&str; 3] = ["random_a", "random_b", "random_c"];
const CUSTOM: [&str; 3] = ["custom_a", "custom_b", "custom_c"];

fn version(cutter: &mut Cutter) {
    cutter.number("version", 4, "");
}

fn variant(cutter: &mut Cutter) {
    cutter.binary("variant", 2, "of RFC 9562");
}

fn free_parts(names: [&'static str; 3], meaning: &'static str, cutter: &mut Cutter) {
    cutter.hex(names[0], 48, meaning);
    version(cutter);
    cutter.hex(names[1], 12, meaning);
    variant(cutter);
    cutter.hex(names[2], 62, meaning);
}

fn gregorian_parts(names: [&'static str; 3], fields: &GregorianFields, cutter: &mut Cutter) {
    let meaning = |name| if name == "time_low" { "the timestamp's lowest bits" } else { "" };
    cutter.hex(names[0], 32, meaning(names[0]));
    cutter.hex(names[1], 16, meaning(names[1]));
    version(cutter);
    cutter.hex(names[2], 12, meaning(names[2]));
    variant(cutter);
    cutter.number("clock_seq", 14, "changes when a clock goes back");
    cutter.hex("node", 48, node_meaning(fields.is_node_random()));
}

fn dce_parts(fields: &DceFields, cutter: &mut Cutter) {
    let domain = match fields.local_domain {
        0 => "a person's number (UID)",
        1 => "a group's number (GID)",
        2 => "an organisation's number",
        _ => "whose number, a site says",
    };
    cutter.number("local_id", 32, "in place of the time's lowest bits");
    cutter.hex("time_mid", 16, "");
    version(cutter);
    cutter.hex("time_high", 12, "");
    variant(cutter);
    cutter.number("clock_seq", 6, "changes when a clock goes back");
    cutter.number("local_domain", 8, domain);
    cutter.hex("node", 48, node_meaning(fields.is_node_random()));
}

fn node_meaning(is_random: bool) -> &'static str {
    if is_random { "random: no network card's address" } else { "a network card's address" }
}

fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::NCS => "of Apollo NCS (or none at all)",
        Variant::RFC4122 => "of RFC 9562",
        Variant::Microsoft => "of Microsoft COM GUIDs",
        _ => "reserved",
    }
}

/// The fields as a JSON object.
pub(super) struct Fields(pub(super) WideId);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            WideId::Ulid(id) => {
                let UlidFields { unix_ms, random } = id.fields();
                map.serialize_entry("unix_ms", &unix_ms)?;
                map.serialize_entry("random", &format!("{random:020x}"))?;
            }
            WideId::Uuid(id) => uuid_fields(&id.fields(), &mut map)?,
        }
        map.end()
    }
}

fn uuid_fields<M: SerializeMap>(fields: &UuidFields, map: &mut M) -> Result<(), M::Error> {
    match fields {
        UuidFields::V1(fields) | UuidFields::V6(fields) => {
            map.serialize_entry("timestamp", &fields.ticks.to_string())?;
            map.serialize_entry("clock_seq", &fields.clock_seq)?;
            map.serialize_entry("node", &address(fields.node))
        }
        UuidFields::V2(fields) => {
            map.serialize_entry("local_id", &fields.local_id)?;
            map.serialize_entry("local_domain", &fields.local_domain)?;
            map.serialize_entry("timestamp", &fields.ticks.to_string())?;
            map.serialize_entry("clock_seq", &fields.clock_seq)?;
            map.serialize_entry("node", &address(fields.node))
        }
        UuidFields::V3(fields) => free_fields(MD5, fields, map),
        UuidFields::V4(fields) => free_fields(RANDOM, fields, map),
        UuidFields::V5(fields) => free_fields(SHA1, fields, map),
        UuidFields::V8(fields) => free_fields(CUSTOM, fields, map),
        UuidFields::V7(V7Fields { unix_ms, rand_a, rand_b }) => {
            map.serialize_entry("unix_ms", unix_ms)?;
            map.serialize_entry("rand_a", &format!("{rand_a:03x}"))?;
            map.serialize_entry("rand_b", &format!("{rand_b:016x}"))
        }
        UuidFields::OtherVersion(version) => map.serialize_entry("version", version),
        UuidFields::OtherVariant(variant) => map.serialize_entry("variant", &format!("{variant:?}").to_lowercase()),
        _ => Ok(()),
    }
}

fn free_fields<M: SerializeMap>(names: [&str; 3], fields: &FreeFields, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry(names[0], &format!("{:012x}", fields.a))?;
    map.serialize_entry(names[1], &format!("{:03x}", fields.b))?;
    map.serialize_entry(names[2], &format!("{:016x}", fields.c))
}

/// As network cards have it: `9f:6b:de:ce:d8:46`.
fn address(node: [u8; 6]) -> String {
    node.map(|byte| format!("{byte:02x}")).join(":")
}
