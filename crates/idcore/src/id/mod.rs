//! The id: 64 bits that know their layout by type.

#[cfg(feature = "serde")]
mod serde;
mod text;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::num::TryFromIntError;
use core::str::FromStr;

pub use self::text::{ParseIdError, Text};
use crate::layout::{Decoded, Dyn, FieldError, FieldFault, StaticLayout, Tag};
use crate::time::UnixMillis;

/// An id whose layout is known when compiling; `T` is the layout, or [`Dyn`] for [`DynSnowflake`].
///
/// Ids sort by time first (unless a node field is above the timestamp), then by the fields below it. The number never has
/// bits above the layout's.
///
/// As text it is decimal ([`Display`](fmt::Display), [`FromStr`]), or one of two fixed-width forms that sort like the
/// number: [`crockford`](Self::crockford) and [`base62`](Self::base62). Feature `serde`: a string in human-readable formats
/// (a JSON number past 2^53 is rounded by JavaScript), an integer in others; reading takes both in human-readable formats.
///
/// # Examples
///
/// ```
/// use idcore::{Snowflake, Twitter, UnixMillis};
///
/// let id: Snowflake<Twitter> = "1541815603606036480".parse()?;
/// assert_eq!(id.time(), UnixMillis::new(1_656_432_460_105));
/// assert_eq!(id.decode().field("worker"), Some(26));
/// assert_eq!(id.crockford().as_str(), "1ASD13XH1F800");
/// # Ok::<(), idcore::ParseIdError>(())
/// ```
pub struct Snowflake<T> {
    raw: u64,
    tag: PhantomData<fn() -> T>,
}

/// An id whose layout is a value: [`Layout::decode`](crate::Layout::decode) takes it apart.
pub type DynSnowflake = Snowflake<Dyn>;

impl<T: Tag> Snowflake<T> {
    /// The id zero: to fill a buffer with before [`fill`](crate::Generator::fill) replaces it.
    pub const ZERO: Self = Self::from_slot(0);

    /// The id with this number.
    ///
    /// # Errors
    ///
    /// When the number has bits above the layout's.
    pub const fn new(raw: u64) -> Result<Self, FieldError> {
        if raw > T::ID_MAX {
            return Err(FieldError(FieldFault::RawTooLarge { raw, max: T::ID_MAX }));
        }
        Ok(Self::from_slot(raw))
    }

    /// An id that a generator has packed.
    #[inline]
    pub(crate) const fn from_slot(raw: u64) -> Self {
        Self { raw, tag: PhantomData }
    }

    /// The number.
    #[inline]
    pub const fn get(self) -> u64 {
        self.raw
    }

    /// The number, most significant byte first: sorts like the id.
    pub const fn to_be_bytes(self) -> [u8; 8] {
        self.raw.to_be_bytes()
    }

    /// The id with this number, most significant byte first.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub const fn from_be_bytes(bytes: [u8; 8]) -> Result<Self, FieldError> {
        Self::new(u64::from_be_bytes(bytes))
    }

    /// The id in decimal.
    pub fn decimal(self) -> Text<20> {
        Text::encoded(|buffer| text::encode_decimal(self.raw, buffer))
    }

    /// The id as 13 characters of Crockford's base 32, upper case.
    pub fn crockford(self) -> Text<13> {
        Text::encoded(|buffer| text::encode_crockford(self.raw, buffer))
    }

    /// The id as 11 characters of 0-9, A-Z and a-z.
    pub fn base62(self) -> Text<11> {
        Text::encoded(|buffer| text::encode_base62(self.raw, buffer))
    }

    /// Writes the id in decimal to the start of `buffer`, and gives what was written.
    pub fn encode_decimal(self, buffer: &mut [u8; 20]) -> &str {
        text::encode_decimal(self.raw, buffer)
    }

    /// Writes [`crockford`](Self::crockford) into `buffer`.
    pub fn encode_crockford(self, buffer: &mut [u8; 13]) -> &str {
        text::encode_crockford(self.raw, buffer)
    }

    /// Writes [`base62`](Self::base62) into `buffer`.
    pub fn encode_base62(self, buffer: &mut [u8; 11]) -> &str {
        text::encode_base62(self.raw, buffer)
    }

    /// Reads a decimal number: digits alone, no leading zeros.
    ///
    /// # Errors
    ///
    /// Names the position, what is there and what was expected; also when the number has bits above the layout's.
    pub fn from_decimal(text: &str) -> Result<Self, ParseIdError> {
        Self::parsed(text::parse_decimal(text)?)
    }

    /// Reads what [`crockford`](Self::crockford) writes, and nothing else: no lower case, no aliases.
    ///
    /// # Errors
    ///
    /// As for [`from_decimal`](Self::from_decimal).
    pub fn from_crockford(text: &str) -> Result<Self, ParseIdError> {
        Self::parsed(text::parse_crockford(text)?)
    }

    /// Reads what [`base62`](Self::base62) writes, and nothing else.
    ///
    /// # Errors
    ///
    /// As for [`from_decimal`](Self::from_decimal).
    pub fn from_base62(text: &str) -> Result<Self, ParseIdError> {
        Self::parsed(text::parse_base62(text)?)
    }

    fn parsed(raw: u64) -> Result<Self, ParseIdError> {
        Self::new(raw).map_err(|_| ParseIdError::too_large(T::ID_MAX))
    }
}

impl<L: StaticLayout> Snowflake<L> {
    /// The id taken apart.
    pub fn decode(self) -> Decoded {
        L::LAYOUT.decode(self.raw).expect("the number was compared with the layout's width")
    }

    /// The start of the tick in which the id was made.
    pub fn time(self) -> UnixMillis {
        self.decode().time()
    }

    /// The worker number.
    pub fn node(self) -> u64 {
        self.decode().node()
    }

    /// The place of the id within its tick.
    pub fn sequence(self) -> u64 {
        self.decode().sequence()
    }
}

// By hand, since derived ones would ask the same of the layout's type.

impl<T> Clone for Snowflake<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Snowflake<T> {}

impl<T> PartialEq for Snowflake<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<T> Eq for Snowflake<T> {}

impl<T> PartialOrd for Snowflake<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Snowflake<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.raw.cmp(&other.raw)
    }
}

impl<T> Hash for Snowflake<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<T> fmt::Debug for Snowflake<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snowflake({})", self.raw)
    }
}

/// The decimal number.
impl<T> fmt::Display for Snowflake<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw.fmt(f)
    }
}

/// The decimal number, as [`Snowflake::from_decimal`] reads it.
impl<T: Tag> FromStr for Snowflake<T> {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_decimal(text)
    }
}

impl<T> From<Snowflake<T>> for u64 {
    fn from(id: Snowflake<T>) -> Self {
        id.raw
    }
}

impl<T: Tag> TryFrom<u64> for Snowflake<T> {
    type Error = FieldError;

    fn try_from(raw: u64) -> Result<Self, Self::Error> {
        Self::new(raw)
    }
}

/// The number as databases hold it; an error when bit 63 is set, which would make it negative.
impl<T> TryFrom<Snowflake<T>> for i64 {
    type Error = TryFromIntError;

    fn try_from(id: Snowflake<T>) -> Result<Self, Self::Error> {
        Self::try_from(id.raw)
    }
}

/// The id that a database holds; an error when the number is negative or has bits above the layout's.
impl<T: Tag> TryFrom<i64> for Snowflake<T> {
    type Error = FieldError;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        let raw = u64::try_from(number).map_err(|_| FieldError(FieldFault::Negative { number, max: T::ID_MAX }))?;
        Self::new(raw)
    }
}
