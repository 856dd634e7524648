//! UUIDv47, bit for bit: the time of a version 7 hidden, the rest in clear.

use crate::error::{BatchError, KeyError, MaskError};
use crate::key::Key;
use crate::mode::Mode;
use crate::simd;
use crate::sip::Sip;
use crate::uuid::{RAND_A, RAND_B, Words};

pub(crate) const PLAIN_VERSION: u64 = 7;
pub(crate) const PUBLIC_VERSION: u64 = 4;

const MESSAGE_LEN: u64 = 10;

/// UUIDv47: a UUID of version 7 inside, one that looks like version 4 outside; bit-compatible with
/// <https://github.com/stateless-me/uuidv47>.
///
/// The 48 bits of time are combined by exclusive or with 48 bits of SipHash-2-4 of the 74 random bits; those stay in clear.
///
/// *Hides* the time from whoever lacks the key, while no two ids have the same 74 bits. *Does not hide* those 74 bits: a
/// counter or a fraction of a millisecond in them tells order and rate, and two public ids are seen to be of one id. Whoever
/// changes a bit of the public time changes that bit of the time inside: there is no check. Not authorisation. See
/// [`Strong`](crate::Strong).
///
/// # Examples
///
/// ```
/// use idmask::{Key, V47};
///
/// let key = Key::from_u64_pair(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)?;
/// let mask = V47::new(&key)?;
/// let inside = 0x018f2d9f_9a2a_7def_8c3f_7b1a2c4d5e6f_u128.to_be_bytes();
/// let outside = mask.mask(inside)?;
/// assert_eq!(u128::from_be_bytes(outside), 0x2463c780_7fca_4def_8c3f_7b1a2c4d5e6f);
/// assert_eq!(mask.unmask(outside)?, inside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct V47 {
    sip: Sip,
}

impl V47 {
    /// The mask of a key of 16 bytes, used as it is: as all other implementations do.
    ///
    /// # Errors
    ///
    /// [`KeyError::NotRaw`] for a key of 32 bytes, of which subkeys are derived only: see [`derive`](Mode::derive).
    pub fn new(key: &Key) -> Result<Self, KeyError> {
        Ok(Self { sip: Sip::new(key.raw()?) })
    }

    /// The public id.
    ///
    /// # Errors
    ///
    /// When the id is not of version 7: the others, nil and max would not come back.
    #[inline]
    pub fn mask(&self, id: [u8; 16]) -> Result<[u8; 16], MaskError> {
        let words = Words::of(id).check(PLAIN_VERSION)?;
        Ok(self.flip(words).with_version(PUBLIC_VERSION).to_bytes())
    }

    /// The id inside.
    ///
    /// # Errors
    ///
    /// When the public id is not of version 4. A version 4 that no mask made is not noticed.
    #[inline]
    pub fn unmask(&self, public: [u8; 16]) -> Result<[u8; 16], MaskError> {
        let words = Words::of(public).check(PUBLIC_VERSION)?;
        Ok(self.flip(words).with_version(PLAIN_VERSION).to_bytes())
    }

    /// Masks all ids in their place, several at a time where the processor can.
    ///
    /// # Errors
    ///
    /// The first id that is not of version 7; none is changed then.
    pub fn mask_batch(&self, ids: &mut [[u8; 16]]) -> Result<(), BatchError> {
        check_all(ids, PLAIN_VERSION)?;
        simd::flip_all(self, ids, PUBLIC_VERSION);
        Ok(())
    }

    /// Unmasks all public ids in their place.
    ///
    /// # Errors
    ///
    /// The first public id that is not of version 4; none is changed then.
    pub fn unmask_batch(&self, ids: &mut [[u8; 16]]) -> Result<(), BatchError> {
        check_all(ids, PUBLIC_VERSION)?;
        simd::flip_all(self, ids, PLAIN_VERSION);
        Ok(())
    }

    /// Flips the bits of time, which is its own inverse: version and variant are not part of the message.
    #[inline]
    pub(crate) fn flip(&self, id: Words) -> Words {
        id.with_time_flipped(self.sip.hash(Self::message(id)))
    }

    /// Ten bytes, as blocks: `rand_a` in two, `rand_b` in eight, both big-endian.
    #[inline]
    pub(crate) const fn message(Words { high, low }: Words) -> [u64; 2] {
        let first = ((high & RAND_A) << 48) | ((low & RAND_B) >> 16);
        [first.swap_bytes(), (MESSAGE_LEN << 56) | (low << 48).swap_bytes()]
    }

    #[cfg(target_arch = "x86_64")]
    pub(crate) fn keyed_state(&self) -> [u64; 4] {
        self.sip.keyed_state()
    }
}

fn check_all(ids: &[[u8; 16]], version: u64) -> Result<(), BatchError> {
    match ids.iter().position(|id| !Words::of(*id).is_version(version)) {
        None => Ok(()),
        Some(index) => {
            let error = Words::of(ids[index]).check(version).err().expect("its version is another");
            Err(BatchError { index, error })
        }
    }
}

impl Mode for V47 {
    type Plain = [u8; 16];
    type Public = [u8; 16];
    const NAME: &'static str = "v47";

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
