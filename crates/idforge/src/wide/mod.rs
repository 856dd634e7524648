//! Ids of 128 bits: which format they are of, what they say, and the one shape that they have as JSON.

mod candidates;
mod parts;
mod text;

use idcore::{UnixMillis, UnixTime};
use idformats::{UlidExt as _, UuidExt as _, UuidFields};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use ulid::Ulid;
use uuid::Uuid;

pub(crate) use self::candidates::candidates;
pub(crate) use self::parts::{Part, parts};
pub(crate) use self::text::{Look, look, read_ulid, read_uuid};
use crate::calendar;

/// An id of 128 bits as one format reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WideId {
    Uuid(Uuid),
    Ulid(Ulid),
}

impl WideId {
    pub(crate) fn bits(self) -> u128 {
        match self {
            Self::Uuid(id) => id.as_u128(),
            Self::Ulid(id) => id.0,
        }
    }

    /// The id as its format's crate prints it.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Uuid(id) => id.to_string(),
            Self::Ulid(id) => id.to_string(),
        }
    }

    /// The name of the format, as `gen` calls it where it makes such ids.
    pub(crate) fn format(self) -> String {
        let Self::Uuid(id) = self else { return "ulid".to_owned() };
        match (id.fields(), id.fields().version()) {
            (UuidFields::Nil, _) => "uuid-nil".to_owned(),
            (UuidFields::Max, _) => "uuid-max".to_owned(),
            (UuidFields::OtherVersion(_) | UuidFields::OtherVariant(_), _) | (_, None) => "uuid".to_owned(),
            (_, Some(version)) => format!("uuidv{version}"),
        }
    }

    /// Whether the format is one that is defined: a UUID of version 1 to 8, nil or max, or a ULID.
    pub(crate) fn is_defined(self) -> bool {
        self.format() != "uuid"
    }

    pub(crate) fn time(self) -> Option<UnixMillis> {
        self.exact_time().map(UnixTime::millis)
    }

    /// The time to the 100 ns that some versions have.
    pub(crate) fn exact_time(self) -> Option<UnixTime> {
        match self {
            Self::Uuid(id) => id.exact_time(),
            Self::Ulid(id) => Some(id.time().into()),
        }
    }
}

/// `{"format","layout","id","createdAt","unixMs","fields":{…}}`, as of snowflakes: the layout is null, so are the times of ids
/// that tell none.
///
/// Fields that count are numbers, if they cannot pass 2^53; the timestamp of 60 bits is a string; bits are hex digits.
impl Serialize for WideId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("format", &self.format())?;
        map.serialize_entry("layout", &())?;
        map.serialize_entry("id", &self.text())?;
        map.serialize_entry("createdAt", &self.time().and_then(calendar::rfc3339))?;
        map.serialize_entry("unixMs", &self.time().map(UnixMillis::get))?;
        map.serialize_entry("fields", &parts::Fields(*self))?;
        map.end()
    }
}

#[cfg(test)]
mod tests;
