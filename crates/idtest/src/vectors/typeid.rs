//! `vectors/typeid.json`.

use serde::Deserialize;

/// What the file holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeId {
    /// Texts and what they stand for.
    pub valid: Vec<TypeIdPair>,
    /// Texts that are none.
    pub invalid: Vec<String>,
    /// Where they are from.
    pub source: String,
}

/// A text and its UUID.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeIdPair {
    /// The text.
    pub text: String,
    /// The UUID, hyphenated.
    pub uuid: String,
}

impl TypeId {
    /// The vectors.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../../../../vectors/typeid.json")).expect("the vectors are well-formed")
    }
}
