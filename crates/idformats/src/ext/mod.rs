//! What an id says: its fields and its time. The ids of a range of time. From ULID to UUID and back.

mod fields;
mod gregorian;
mod range;
mod ulid;
mod uuid;

pub use self::fields::{FreeFields, UuidFields, V7Fields};
pub use self::gregorian::{DceFields, GregorianFields};
pub use self::range::IdRange;
pub use self::ulid::{UlidExt, UlidFields};
pub use self::uuid::UuidExt;

mod sealed {
    /// So that a method can be added without breaking anybody.
    pub trait Sealed {}
    impl Sealed for uuid::Uuid {}
    impl Sealed for ulid::Ulid {}
}

/// A time of 48 bits, as versions 7 and ULIDs hold it.
fn unix_millis(unix_ms: u64) -> idcore::UnixMillis {
    idcore::UnixMillis::new(i64::try_from(unix_ms).expect("48 bits are below 2^63"))
}
