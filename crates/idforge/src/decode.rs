//! An id taken apart, in the one shape that every part of the toolkit gives as JSON.

use idcore::{Decoded, FieldError, UnixMillis};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::calendar;
use crate::layouts::NamedLayout;

/// One reading of an id.
#[derive(Clone, Debug)]
pub(crate) struct Decode<'a> {
    pub(crate) named: &'a NamedLayout,
    pub(crate) decoded: Decoded,
}

impl<'a> Decode<'a> {
    /// The id as this layout reads it; an error when it has bits above the layout's.
    pub(crate) fn new(named: &'a NamedLayout, raw: u64) -> Result<Self, FieldError> {
        let decoded = named.layout.decode(raw)?;
        Ok(Self { named, decoded })
    }

    pub(crate) fn time(&self) -> UnixMillis {
        self.decoded.time()
    }
}

/// `{"format","layout","id","createdAt","unixMs","fields":{…}}`: the id is a string, since it may pass 2^53; `createdAt` is
/// null where the calendar ends; the fields are in the order of the layout.
impl Serialize for Decode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("format", "snowflake")?;
        map.serialize_entry("layout", &self.named.name)?;
        map.serialize_entry("id", &self.decoded.raw().to_string())?;
        map.serialize_entry("createdAt", &calendar::rfc3339(self.time()))?;
        map.serialize_entry("unixMs", &self.time().get())?;
        map.serialize_entry("fields", &Fields(&self.decoded))?;
        map.end()
    }
}

struct Fields<'a>(&'a Decoded);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.fields())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(layout: &str, raw: u64) -> String {
        let named = layout.parse().expect("a layout");
        let decode = Decode::new(&named, raw).expect("an id of the layout");
        serde_json::to_string(&decode).expect("a decode is JSON")
    }

    #[test]
    fn fields_are_in_the_order_of_the_layout() {
        assert_eq!(
            json("discord", 175_928_847_299_117_063),
            r#"{"format":"snowflake","layout":"discord","id":"175928847299117063","createdAt":"2016-04-30T11:18:25.796Z","unixMs":1462015105796,"fields":{"timestamp":41944705796,"worker":1,"process":0,"sequence":7}}"#
        );
    }

    #[test]
    fn a_time_past_the_calendar_is_null() {
        let text = json("epoch=0,timestamp:62,sequence:1", u64::MAX >> 1);
        assert!(text.contains(r#""createdAt":null,"unixMs":4611686018427387903"#), "{text}");
    }
}
