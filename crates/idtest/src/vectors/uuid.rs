//! `vectors/uuid.json`.

use serde::Deserialize;

/// What the file holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uuid {
    /// Examples of the RFC.
    pub rfc9562: Vec<RfcId>,
    /// Times and their fraction by method 3.
    pub method3: Vec<SubMs>,
    /// Ids of version 7 with each field at an end.
    pub v7_field_edges: Vec<FieldEdge>,
    /// Texts that are UUIDs.
    pub valid_text: Vec<String>,
    /// Texts that are none.
    pub invalid_text: Vec<String>,
    /// Where they are from.
    pub source: String,
}

/// An example of the RFC; what is given depends on the version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RfcId {
    /// The hyphenated text.
    pub uuid: String,
    /// The version.
    pub version: u8,
    /// Version 7: the time.
    pub unix_ms: Option<i64>,
    /// Version 7: 12 bits in hexadecimal.
    pub rand_a: Option<String>,
    /// Version 7: 62 bits in hexadecimal.
    pub rand_b: Option<String>,
    /// The number in decimal.
    pub u128: Option<String>,
    /// The number in 26 Crockford characters.
    pub crockford26: Option<String>,
    /// In 22 characters of base 58.
    pub base58_22: Option<String>,
    /// In 22 characters of base 62.
    pub base62_22: Option<String>,
    /// Version 4: the random number that it is made of, in hexadecimal.
    pub random_in: Option<String>,
}

/// A time and its parts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubMs {
    /// For people.
    pub time: String,
    /// Its whole milliseconds.
    pub unix_ms: i64,
    /// The rest in 1/4096 ms, in hexadecimal.
    pub fraction_12_bits: String,
}

/// An id of version 7 with its fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldEdge {
    /// 48 bits.
    pub unix_ms: Edge,
    /// 12 bits.
    pub rand_a: Edge,
    /// 62 bits.
    pub rand_b: Edge,
    /// The hyphenated text.
    pub uuid: String,
}

/// A number, or `max` for all bits of its field.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum Edge {
    /// A number.
    Number(u64),
    /// All bits.
    Max(Max),
}

/// The word `max`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Max {
    /// All bits.
    Max,
}

impl Edge {
    /// The value in a field of this width.
    pub const fn in_bits(self, bits: u32) -> u128 {
        match self {
            Self::Number(number) => number as u128,
            Self::Max(Max::Max) => 2u128.pow(bits) - 1,
        }
    }
}

impl Uuid {
    /// The vectors.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../../../../vectors/uuid.json")).expect("the vectors are well-formed")
    }
}
