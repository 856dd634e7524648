//! Integers of 63 bits: Snowflakes, and the plain sequence numbers of a database.

use crate::base62;
use crate::error::{KeyError, MaskError};
use crate::key::Key;
use crate::mode::Mode;
use crate::sip::Sip;

const ROUNDS: u64 = 12;
const LOW_BITS: u32 = 32;
const LOW: u64 = (1 << LOW_BITS) - 1;
const HIGH: u64 = (1 << 31) - 1;
const MESSAGE_LEN: u64 = 5;

/// An integer of 63 bits inside, another outside: `i64` and BIGINT stay positive.
///
/// A permutation of all integers of 63 bits, without walking: an alternating Feistel network of 31 high and 32 low bits. Twelve
/// rounds, numbered 0 to 11: the even ones replace the high bits H by H ⊕ F(L), the odd ones the low bits L by L ⊕ F(H); F is
/// the low bits of SipHash-2-4 of five bytes, the other part in four, little-endian, and the round's number.
///
/// *Hides* everything about the integer but equality: neighbours are no neighbours outside. There is no check: every public
/// integer is of some integer inside, so look it up. [`Token`](crate::Token) has a check. Integers pass 2^53: JSON takes them as
/// text, of 11 characters.
///
/// # Examples
///
/// A sequence's numbers would tell how many orders there are, and what the next one's address is:
///
/// ```
/// use idmask::{Int, Key, Mode};
///
/// let key = Key::parse("c5d1a2f0e47b96381c0d5e2a7f4b8d96")?;
/// let orders = Int::derive(&key, "order")?;
/// let address = format!("/orders/{}", orders.mask_text(154_822)?);
/// assert_eq!(address.len(), "/orders/".len() + 11);
/// let shown = address.strip_prefix("/orders/").unwrap_or_default();
/// assert_eq!(orders.unmask_text(shown)?, 154_822);
/// // Another type's numbers have nothing to do with them.
/// assert_ne!(Int::derive(&key, "invoice")?.mask(154_822)?, orders.mask(154_822)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Int {
    sip: Sip,
}

/// The text of a public integer: 11 characters of base 62.
pub type IntText = base62::Text<11>;

impl Int {
    /// The public integer.
    ///
    /// # Errors
    ///
    /// When the integer has more than 63 bits.
    pub fn mask(&self, id: u64) -> Result<u64, MaskError> {
        let (high, low) = split(id)?;
        Ok(join((0..ROUNDS).fold((high, low), |parts, round| self.round(round, parts))))
    }

    /// The integer inside.
    ///
    /// # Errors
    ///
    /// When the public integer has more than 63 bits. One that no mask made is not noticed.
    pub fn unmask(&self, public: u64) -> Result<u64, MaskError> {
        let (high, low) = split(public)?;
        Ok(join((0..ROUNDS).rev().fold((high, low), |parts, round| self.round(round, parts))))
    }

    /// As [`mask`](Self::mask), for a BIGINT.
    ///
    /// # Errors
    ///
    /// When it is negative.
    pub fn mask_i64(&self, id: i64) -> Result<i64, MaskError> {
        self.mask(unsigned(id)?).map(signed)
    }

    /// As [`unmask`](Self::unmask), for a BIGINT.
    ///
    /// # Errors
    ///
    /// When it is negative.
    pub fn unmask_i64(&self, public: i64) -> Result<i64, MaskError> {
        self.unmask(unsigned(public)?).map(signed)
    }

    /// The public integer as 11 characters of base 62: digits, upper case, lower case.
    ///
    /// # Errors
    ///
    /// As for [`mask`](Self::mask).
    pub fn mask_text(&self, id: u64) -> Result<IntText, MaskError> {
        Ok(base62::Text::new(u128::from(self.mask(id)?)))
    }

    /// The integer inside; exactly the texts that masking gives are read.
    ///
    /// # Errors
    ///
    /// When it is no such text.
    pub fn unmask_text(&self, public: &str) -> Result<u64, MaskError> {
        let value = base62::parse::<11>(public)?;
        let value = u64::try_from(value).ok().filter(|value| i64::try_from(*value).is_ok());
        self.unmask(value.ok_or(MaskError::TextTooLarge)?)
    }

    /// A round is its own inverse.
    fn round(&self, round: u64, (high, low): (u64, u64)) -> (u64, u64) {
        let hash = |part: u64| self.sip.hash([(MESSAGE_LEN << 56) | (round << 32) | part]);
        if round % 2 == 0 { (high ^ (hash(low) & HIGH), low) } else { (high, low ^ (hash(high) & LOW)) }
    }
}

fn split(id: u64) -> Result<(u64, u64), MaskError> {
    match id >> LOW_BITS {
        high @ 0..=HIGH => Ok((high, id & LOW)),
        _ => Err(MaskError::IntegerTooLarge { found: id }),
    }
}

const fn join((high, low): (u64, u64)) -> u64 {
    (high << LOW_BITS) | low
}

fn unsigned(id: i64) -> Result<u64, MaskError> {
    u64::try_from(id).map_err(|_| MaskError::IntegerNegative { found: id })
}

fn signed(id: u64) -> i64 {
    i64::try_from(id).expect("63 bits")
}

impl Mode for Int {
    type Plain = u64;
    type Public = u64;
    const NAME: &'static str = "int";

    fn derive(key: &Key, entity: &str) -> Result<Self, KeyError> {
        Ok(Self { sip: Sip::derive(key, Self::NAME, entity)? })
    }

    fn mask(&self, plain: u64) -> Result<u64, MaskError> {
        Self::mask(self, plain)
    }

    fn unmask(&self, public: u64) -> Result<u64, MaskError> {
        Self::unmask(self, public)
    }
}
