//! `TypeID`s in serde: their text for people, prefix and UUID for machines. The same for typed ids, whose prefix is known.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use uuid::Uuid;

use super::super::error::ParseError;
use super::{LEN_MAX, TypeId};

/// The text in human-readable formats, the pair of prefix and UUID in others.
impl Serialize for TypeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.encode(&mut [0; LEN_MAX]))
        } else {
            (self.prefix(), self.uuid).serialize(serializer)
        }
    }
}

/// As it is written.
impl<'de> Deserialize<'de> for TypeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserialize_text(deserializer);
        }
        let (prefix, uuid) = <(Prefix, Uuid)>::deserialize(deserializer)?;
        Ok(Self { uuid, ..prefix.0 })
    }
}

/// A prefix alone, as an id of no UUID.
struct Prefix(TypeId);

impl<'de> Deserialize<'de> for Prefix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PrefixVisitor;

        impl Visitor<'_> for PrefixVisitor {
            type Value = Prefix;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the prefix of a TypeID")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                TypeId::new(text, Uuid::nil()).map(Prefix).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(PrefixVisitor)
    }
}

/// Reads an id from a string.
#[doc(hidden)]
pub fn deserialize_text<'de, T: FromStr<Err = ParseError>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct TextVisitor<T>(PhantomData<fn() -> T>);

    impl<T: FromStr<Err = ParseError>> Visitor<'_> for TextVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a TypeID as a string")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(TextVisitor(PhantomData))
}

/// Serde's traits of typed ids; with `serde`.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_id_serde {
    ($name:ident) => {
        impl $crate::__serde::Serialize for $name {
            fn serialize<S: $crate::__serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(self.encode(&mut [0; $crate::text::typeid::LEN_MAX]))
                } else {
                    $crate::__serde::Serialize::serialize(&self.0, serializer)
                }
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    $crate::text::typeid::deserialize_text(deserializer)
                } else {
                    <$crate::__uuid::Uuid as $crate::__serde::Deserialize>::deserialize(deserializer).map(Self)
                }
            }
        }
    };
}
