//! The formats whose ids are checked: how their lines are read, and which times their ids tell.

use std::fmt::{Debug, Display};
use std::str;

use idcore::UnixMillis;
use idformats::{UlidExt as _, UuidExt as _};
use ulid::Ulid;
use uuid::Uuid;

use super::parse::quick_decimal;
use crate::encoding::Encoding;
use crate::layouts::NamedLayout;
use crate::wide::{WideId, read_ulid, read_uuid};

/// An id of any width, which sorts as its format does.
pub(crate) trait Id: Copy + Ord + Display + Debug {
    /// No id is higher.
    const MAX: Self;

    /// The id right above this one; none above the highest.
    fn next(self) -> Option<Self>;
}

impl Id for u64 {
    const MAX: Self = Self::MAX;

    fn next(self) -> Option<Self> {
        self.checked_add(1)
    }
}

impl Id for Uuid {
    const MAX: Self = Self::max();

    fn next(self) -> Option<Self> {
        self.as_u128().checked_add(1).map(Self::from_u128)
    }
}

impl Id for Ulid {
    const MAX: Self = Self::max();

    fn next(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }
}

/// How ids of one format are read.
pub(crate) trait Format {
    type Id: Id;
    const NAME: &'static str;
    /// What one is called, and several.
    const NOUNS: [&'static str; 2];

    /// The id at the start of `block` and the length of its line; none for what needs a closer look.
    fn quick(&self, block: &[u8]) -> Option<(Self::Id, usize)>;

    /// The id of a line; the error names the text, the position and what was expected.
    fn read(&self, text: &str) -> Result<Self::Id, String>;

    /// The time of an id, if it tells one; an error when it is not one of the layout that was named.
    fn time(&self, id: Self::Id) -> Result<Option<UnixMillis>, String>;

    /// Whether every id has to be looked at for that error.
    fn has_layout(&self) -> bool {
        false
    }
}

/// Ids of 64 bits; they tell their time to those who name the layout.
pub(crate) struct Snowflakes {
    pub(crate) encoding: Encoding,
    pub(crate) named: Option<NamedLayout>,
}

impl Format for Snowflakes {
    type Id = u64;
    const NAME: &'static str = "snowflake";
    const NOUNS: [&'static str; 2] = ["id", "ids"];

    #[inline]
    fn quick(&self, block: &[u8]) -> Option<(u64, usize)> {
        if self.encoding == Encoding::Dec { quick_decimal(block) } else { None }
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        self.encoding.read(text)
    }

    fn time(&self, id: u64) -> Result<Option<UnixMillis>, String> {
        let Some(named) = &self.named else { return Ok(None) };
        named.layout.decode(id).map(|decoded| Some(decoded.time())).map_err(|error| error.to_string())
    }

    fn has_layout(&self) -> bool {
        self.named.is_some()
    }
}

/// UUIDs of any version, in any of their forms.
pub(crate) struct Uuids;

impl Format for Uuids {
    type Id = Uuid;
    const NAME: &'static str = "uuid";
    const NOUNS: [&'static str; 2] = ["UUID", "UUIDs"];

    #[inline]
    fn quick(&self, block: &[u8]) -> Option<(Uuid, usize)> {
        let line: &[u8; 37] = block.first_chunk()?;
        let text = line.strip_suffix(b"\n")?;
        Uuid::try_parse_ascii(text).ok().map(|id| (id, line.len()))
    }

    fn read(&self, text: &str) -> Result<Uuid, String> {
        read_uuid(text)
    }

    fn time(&self, id: Uuid) -> Result<Option<UnixMillis>, String> {
        Ok(id.time())
    }
}

/// ULIDs, in either case.
pub(crate) struct Ulids;

impl Format for Ulids {
    type Id = Ulid;
    const NAME: &'static str = "ulid";
    const NOUNS: [&'static str; 2] = ["ULID", "ULIDs"];

    #[inline]
    fn quick(&self, block: &[u8]) -> Option<(Ulid, usize)> {
        let line: &[u8; 27] = block.first_chunk()?;
        let text = str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
        read_ulid(text).ok().map(|id| (id, line.len()))
    }

    fn read(&self, text: &str) -> Result<Ulid, String> {
        read_ulid(text)
    }

    fn time(&self, id: Ulid) -> Result<Option<UnixMillis>, String> {
        Ok(Some(id.time()))
    }
}

/// Why `--k-sorted` cannot tell when an id was made.
#[cold]
pub(crate) fn why_no_time<F: Format>(id: F::Id) -> String {
    let format = id.to_string().parse().map_or_else(|_| F::NAME.to_owned(), |id| WideId::Uuid(id).format());
    format!("{id}: {format} tells no time: expected UUIDs of version 1, 2, 6 or 7 for --k-sorted")
}
