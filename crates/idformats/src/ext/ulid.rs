//! What a ULID says.

use idcore::{RangeError, UnixMillis};
use ulid::Ulid;
use uuid::Uuid;

use super::range::{self, IdRange};
use super::sealed::Sealed;
use super::unix_millis;
use crate::format::UlidMonotonic;

/// The fields of a ULID: `{ unix_ms:48, random:80 }` (ULID specification, "Components").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UlidFields {
    /// Milliseconds since 1970, below 2^48.
    pub unix_ms: u64,
    /// What tells ids of a millisecond apart, below 2^80: random, or grown from a random value.
    pub random: u128,
}

/// Fields, time and ranges of time of a [`Ulid`].
pub trait UlidExt: Sealed + Sized {
    /// The id taken apart.
    ///
    /// # Examples
    ///
    /// ```
    /// use idformats::UlidExt;
    /// use ulid::Ulid;
    ///
    /// let id: Ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse()?;
    /// assert_eq!(id.fields().unix_ms, 1_469_922_850_259);
    /// assert_eq!(id.fields().random, 0xD676_4C61_EFB9_9302_BD5B);
    /// # Ok::<(), ulid::DecodeError>(())
    /// ```
    fn fields(&self) -> UlidFields;

    /// When the id was made, 1970 to the year 10889.
    fn time(&self) -> UnixMillis {
        unix_millis(self.fields().unix_ms)
    }

    /// The ids whose time is `from` or later and before `to`; none when no id has such a time. What is before 1970 or from
    /// 2^48 ms on has no ids.
    ///
    /// # Errors
    ///
    /// [`RangeError::Reversed`] when `to` is before `from`, and no other.
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::UnixMillis;
    /// use idformats::UlidExt;
    /// use ulid::Ulid;
    ///
    /// let from = UnixMillis::new(1_469_922_850_259);
    /// let ids = Ulid::range(from, UnixMillis::new(from.get() + 1))?.expect("the millisecond has ids");
    /// assert_eq!(ids.lowest.to_string(), "01ARZ3NDEK0000000000000000");
    /// assert_eq!(ids.highest.to_string(), "01ARZ3NDEKZZZZZZZZZZZZZZZZ");
    /// # Ok::<(), idcore::RangeError>(())
    /// ```
    fn range(from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange<Self>>, RangeError>;

    /// The UUID of the same 128 bits, for columns and wires of that type: it sorts as the ULID does and is turned back without
    /// loss by [`to_ulid_of_same_bits`](super::UuidExt::to_ulid_of_same_bits).
    ///
    /// No version and no variant is set, so it is of whatever version the random bits happen to say, and no reader can rely on
    /// it being one. There is no conversion that sets them: it would overwrite six of the random bits, could not be undone, and
    /// would make one id of two. For ids that are to be a UUID, make a version 7, which holds the same time.
    fn to_uuid_of_same_bits(&self) -> Uuid;
}

impl UlidExt for Ulid {
    fn fields(&self) -> UlidFields {
        UlidFields { unix_ms: self.timestamp_ms(), random: self.random() }
    }

    fn range(from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange<Self>>, RangeError> {
        range::range::<UlidMonotonic>(from, to)
    }

    fn to_uuid_of_same_bits(&self) -> Uuid {
        Uuid::from_u128(self.0)
    }
}
