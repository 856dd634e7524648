//! All 122 bits of a version 7 hidden: a Feistel network under the shape of a version 4.

use crate::error::{KeyError, MaskError};
use crate::key::Key;
use crate::mode::Mode;
use crate::sip::Sip;
use crate::uuid::Words;
use crate::v47::{PLAIN_VERSION, PUBLIC_VERSION};

const ROUNDS: u64 = 8;
const HALF_BITS: u32 = 61;
const HALF: u64 = (1 << HALF_BITS) - 1;
const MESSAGE_LEN: u64 = 9;

/// A UUID of version 7 inside, one of version 4 outside, with nothing of the one to be seen in the other: for ids whose counter
/// or fraction would tell order through [`V47`](crate::V47).
///
/// The 122 bits `{ time:48, rand_a:12, rand_b:62 }` are two halves of 61. Eight rounds, numbered 0 to 7, each replace (L, R) by
/// (R, L ⊕ F(R)); F is the low 61 bits of SipHash-2-4 of R in eight bytes, little-endian, and the round's number in a ninth.
/// (Luby and Rackoff 1988, with more rounds.)
///
/// *Hides* time, counter, and whether two ids are of one moment. *Does not hide* that two public ids are of one id. There is no
/// check: a changed public id is another id, of no time in particular. Not authorisation.
#[derive(Clone)]
pub struct Strong {
    sip: Sip,
}

impl Strong {
    /// The public id.
    ///
    /// # Errors
    ///
    /// When the id is not of version 7.
    pub fn mask(&self, id: [u8; 16]) -> Result<[u8; 16], MaskError> {
        let bits = Words::of(id).check(PLAIN_VERSION)?.free_bits();
        let masked = (0..ROUNDS).fold(split(bits), |(left, right), round| (right, left ^ self.round(round, right)));
        Ok(Words::of_free_bits(join(masked), PUBLIC_VERSION).to_bytes())
    }

    /// The id inside.
    ///
    /// # Errors
    ///
    /// When the public id is not of version 4. A version 4 that no mask made is not noticed.
    pub fn unmask(&self, public: [u8; 16]) -> Result<[u8; 16], MaskError> {
        let bits = Words::of(public).check(PUBLIC_VERSION)?.free_bits();
        let plain = (0..ROUNDS).rev().fold(split(bits), |(left, right), round| (right ^ self.round(round, left), left));
        Ok(Words::of_free_bits(join(plain), PLAIN_VERSION).to_bytes())
    }

    fn round(&self, round: u64, half: u64) -> u64 {
        self.sip.hash([half, (MESSAGE_LEN << 56) | round]) & HALF
    }
}

fn split(bits: u128) -> (u64, u64) {
    #[expect(clippy::cast_possible_truncation, reason = "61 bits are left, and 61 are kept")]
    ((bits >> HALF_BITS) as u64, (bits as u64) & HALF)
}

fn join((left, right): (u64, u64)) -> u128 {
    (u128::from(left) << HALF_BITS) | u128::from(right)
}

impl Mode for Strong {
    type Plain = [u8; 16];
    type Public = [u8; 16];
    const NAME: &'static str = "strong";

    fn derive(key: &Key, entity: &str) -> Result<Self, KeyError> {
        Ok(Self { sip: Sip::derive(key, Self::NAME, entity)? })
    }

    fn mask(&self, plain: [u8; 16]) -> Result<[u8; 16], MaskError> {
        Self::mask(self, plain)
    }

    fn unmask(&self, public: [u8; 16]) -> Result<[u8; 16], MaskError> {
        Self::unmask(self, public)
    }
}
