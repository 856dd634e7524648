//! ULIDs whose time is hidden.

use crate::error::{KeyError, MaskError};
use crate::key::Key;
use crate::mode::Mode;
use crate::sip::Sip;

const TIME_SHIFT: u32 = 80;
const MESSAGE_LEN: u64 = 10;

/// A ULID inside, another outside: its 48 bits of time are combined by exclusive or with 48 bits of SipHash-2-4 of the other 80
/// bits, which stay in clear; big-endian, as [`V47`](crate::V47) does it, with a key of its own.
///
/// Hides and does not hide what `V47` does. Ids are the 16 bytes of a ULID, as a number.
#[derive(Clone)]
pub struct UlidTime {
    sip: Sip,
}

impl UlidTime {
    /// The public ULID.
    pub fn mask(&self, id: u128) -> u128 {
        let random = (id & ((1 << TIME_SHIFT) - 1)).to_be_bytes();
        let (first, last) = random[6..].split_at(8);
        let first = u64::from_le_bytes(*first.first_chunk().expect("eight of ten bytes"));
        let last = u16::from_le_bytes(*last.first_chunk().expect("the other two"));
        let hash = self.sip.hash([first, (MESSAGE_LEN << 56) | u64::from(last)]);
        id ^ (u128::from(hash) << TIME_SHIFT)
    }

    /// The ULID inside. One that no mask made is not noticed.
    pub fn unmask(&self, public: u128) -> u128 {
        self.mask(public)
    }
}

impl Mode for UlidTime {
    type Plain = u128;
    type Public = u128;
    const NAME: &'static str = "ulid";

    fn derive(key: &Key, entity: &str) -> Result<Self, KeyError> {
        Ok(Self { sip: Sip::derive(key, Self::NAME, entity)? })
    }

    fn mask(&self, plain: u128) -> Result<u128, MaskError> {
        Ok(Self::mask(self, plain))
    }

    fn unmask(&self, public: u128) -> Result<u128, MaskError> {
        Ok(Self::unmask(self, public))
    }
}
