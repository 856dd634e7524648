//! What a UUID says.

use idcore::{RangeError, UnixMillis, UnixTime};
use ulid::Ulid;
use uuid::Uuid;

use super::fields::UuidFields;
use super::range::{self, IdRange};
use super::sealed::Sealed;
use crate::format::V7Counter;

/// Fields, time and ranges of time of a [`Uuid`].
pub trait UuidExt: Sealed + Sized {
    /// The id taken apart, by its variant and version. Nil and max, which have neither, are recognised first.
    ///
    /// # Examples
    ///
    /// ```
    /// use idformats::{UuidExt, UuidFields, V7Fields};
    /// use uuid::uuid;
    ///
    /// // RFC 9562 appendix A.6.
    /// let id = uuid!("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    /// let expected = V7Fields { unix_ms: 1_645_557_742_000, rand_a: 0xCC3, rand_b: 0x18C4_DC0C_0C07_398F };
    /// assert_eq!(id.fields(), UuidFields::V7(expected));
    /// assert_eq!(uuid!("ffffffff-ffff-ffff-ffff-ffffffffffff").fields(), UuidFields::Max);
    /// ```
    fn fields(&self) -> UuidFields;

    /// When the id was made: of version 7 in full, of versions 1 and 6 rounded down, of version 2 the earliest that it can be
    /// (it was made at most 429.5 s later). None for others, which do not tell.
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::UnixMillis;
    /// use idformats::UuidExt;
    /// use uuid::uuid;
    ///
    /// // RFC 9562 appendices A.1, A.5 and A.6: one time in three versions. A.3 is a version 4.
    /// let ids = [
    ///     uuid!("c232ab00-9414-11ec-b3c8-9f6bdeced846"),
    ///     uuid!("1ec9414c-232a-6b00-b3c8-9f6bdeced846"),
    ///     uuid!("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
    /// ];
    /// assert!(ids.iter().all(|id| id.time() == Some(UnixMillis::new(1_645_557_742_000))));
    /// assert_eq!(uuid!("919108f7-52d1-4320-9bac-f847db4148a8").time(), None);
    /// ```
    fn time(&self) -> Option<UnixMillis> {
        self.exact_time().map(UnixTime::millis)
    }

    /// As [`time`](Self::time), to the 100 ns that versions 1 and 6 have.
    fn exact_time(&self) -> Option<UnixTime> {
        self.fields().exact_time()
    }

    /// The ids of version 7 whose time is `from` or later and before `to`; none when no id has such a time.
    ///
    /// Version and variant are in place; the other bits are all zeros in the lowest and all ones in the highest. What is before
    /// 1970 or from 2^48 ms on has no ids. Ids sort by their time, as bytes, as text, and in a database's `uuid` column that
    /// compares bytes (RFC 9562 section 6.11).
    ///
    /// # Errors
    ///
    /// [`RangeError::Reversed`] when `to` is before `from`, and no other.
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::UnixMillis;
    /// use idformats::UuidExt;
    /// use uuid::Uuid;
    ///
    /// let hour = UnixMillis::new(1_645_556_400_000)..UnixMillis::new(1_645_560_000_000);
    /// let ids = Uuid::v7_range(hour.start, hour.end)?.expect("the hour has ids");
    /// assert_eq!(ids.lowest.to_string(), "017f22cd-ff80-7000-8000-000000000000");
    /// assert_eq!(ids.highest.to_string(), "017f2304-edff-7fff-bfff-ffffffffffff");
    /// # Ok::<(), idcore::RangeError>(())
    /// ```
    fn v7_range(from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange<Self>>, RangeError>;

    /// The ULID of the same 128 bits: what `uuid` columns with ULIDs in them are read with. Nothing is checked, since any 128
    /// bits are a ULID; only those of a version 7 hold the id's time where a ULID has it.
    ///
    /// # Examples
    ///
    /// ```
    /// use idformats::{UlidExt, UuidExt};
    /// use uuid::uuid;
    ///
    /// let id = uuid!("01563df3-6481-d676-4c61-efb99302bd5b");
    /// assert_eq!(id.to_ulid_of_same_bits().to_string(), "01ARYZ6S41TSV4RRFFQ69G5FAV");
    /// assert_eq!(id.to_ulid_of_same_bits().to_uuid_of_same_bits(), id);
    /// ```
    fn to_ulid_of_same_bits(&self) -> Ulid;
}

impl UuidExt for Uuid {
    fn fields(&self) -> UuidFields {
        UuidFields::of(self)
    }

    fn v7_range(from: UnixMillis, to: UnixMillis) -> Result<Option<IdRange<Self>>, RangeError> {
        range::range::<V7Counter>(from, to)
    }

    fn to_ulid_of_same_bits(&self) -> Ulid {
        Ulid(self.as_u128())
    }
}
