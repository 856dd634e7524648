//! `vectors/ulid.json`.

use serde::Deserialize;

/// What the file holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ulid {
    /// Texts, their numbers and times.
    pub pairs: Vec<UlidPair>,
    /// What follows within a millisecond.
    pub monotonic: Vec<AfterNext>,
    /// The lowest of a time.
    pub bounds: Vec<UlidBound>,
    /// The greatest text.
    pub max: String,
    /// Texts that are ULIDs.
    pub valid: Vec<String>,
    /// Texts that are none.
    pub invalid: Vec<String>,
    /// A text that is one where the caller asks for leniency.
    pub lenient: Lenient,
    /// Where they are from.
    pub source: String,
}

/// A text, and its number as hexadecimal digits or as a UUID.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UlidPair {
    /// The text.
    pub ulid: String,
    /// The number.
    pub hex: Option<String>,
    /// The number, hyphenated.
    pub uuid: Option<String>,
    /// The time.
    pub unix_ms: i64,
}

/// One text after another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AfterNext {
    /// The one before.
    pub after: String,
    /// The one that follows, or why there is none.
    pub next: String,
}

/// The lowest text of a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UlidBound {
    /// The time for people.
    pub time: String,
    /// The lowest text.
    pub lowest: String,
}

/// A text that is read leniently.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lenient {
    /// The text.
    pub text: String,
    /// What it stands for.
    pub value: String,
    /// Why.
    pub note: String,
}

impl Ulid {
    /// The vectors.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../../../../vectors/ulid.json")).expect("the vectors are well-formed")
    }
}
