//! Known values from `vectors/`, with their sources in `vectors/README.md`.

mod typeid;
mod ulid;
mod uuid;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use self::typeid::{TypeId, TypeIdPair};
pub use self::ulid::{AfterNext, Lenient, Ulid, UlidBound, UlidPair};
pub use self::uuid::{Edge, FieldEdge, RfcId, SubMs, Uuid};
use crate::plan::{Part, Plan, PlanField};

/// What `vectors/snowflake.json` holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snowflake {
    /// What the file says of itself.
    pub note: String,
    /// Layouts by name.
    pub layouts: BTreeMap<String, LayoutVector>,
    /// Ids with their times and fields.
    pub ids: Vec<IdVector>,
    /// Ids with their Crockford text.
    pub text: Vec<TextVector>,
    /// Texts that are no ids in any form.
    pub invalid_text: Vec<InvalidText>,
}

/// A layout as its owner describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayoutVector {
    /// The epoch in Unix milliseconds.
    pub epoch_unix_ms: i64,
    /// The length of a tick.
    pub tick_ms: u32,
    /// Names and widths, most significant first.
    pub fields: Vec<(String, u32)>,
    /// Where it is from.
    pub source: String,
}

/// An id taken apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdVector {
    /// The name of its layout.
    pub layout: String,
    /// The id in decimal.
    pub id: String,
    /// Its time in Unix milliseconds.
    pub unix_ms: i64,
    /// The same time for people.
    pub time: String,
    /// Values of the fields by name.
    pub fields: BTreeMap<String, u64>,
}

/// An id and its text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextVector {
    /// The id in decimal.
    pub id: String,
    /// Its 13 Crockford characters.
    pub crockford13: String,
    /// Where it is from.
    pub source: String,
}

/// A text that must be refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvalidText {
    /// The text.
    pub text: String,
    /// Why it is no id.
    pub why: String,
}

impl Snowflake {
    /// The vectors.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../../../../vectors/snowflake.json")).expect("the vectors are well-formed")
    }
}

impl LayoutVector {
    /// The layout in the oracle's form.
    pub fn plan(&self) -> Plan {
        let fields = self.fields.iter().map(|(name, bits)| {
            let part = match name.as_str() {
                "timestamp" => Part::Timestamp,
                "sequence" => Part::Sequence,
                _ => Part::Node,
            };
            PlanField { name: name.clone(), part, bits: *bits }
        });
        Plan { epoch_ms: self.epoch_unix_ms, tick_ms: self.tick_ms, fields: fields.collect() }
    }
}
