//! Ids in serde: a string for people and JavaScript, an integer for machines.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Snowflake;
use crate::layout::Tag;

/// A decimal string in human-readable formats, a `u64` in others.
impl<T: Tag> Serialize for Snowflake<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&self.decimal())
        } else {
            serializer.serialize_u64(self.get())
        }
    }
}

/// A decimal string or an integer in human-readable formats, a `u64` in others.
impl<'de, T: Tag> Deserialize<'de> for Snowflake<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(IdVisitor(PhantomData))
        } else {
            deserializer.deserialize_u64(IdVisitor(PhantomData))
        }
    }
}

struct IdVisitor<T>(PhantomData<fn() -> T>);

impl<T: Tag> Visitor<'_> for IdVisitor<T> {
    type Value = Snowflake<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an id of 0 to {} as a decimal string or an integer", T::ID_MAX)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, raw: u64) -> Result<Self::Value, E> {
        raw.try_into().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        number.try_into().map_err(E::custom)
    }
}
