//! Keys, what they are read from, and the subkeys of formats and types.

use core::fmt;

use base64ct::{Base64, Encoding as _};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

use crate::error::KeyError;

/// Bytes of a key that is used as it is, and of every subkey.
pub(crate) const RAW_LEN: usize = 16;
const KEY_LEN_MAX: usize = 32;

/// The salt of the extraction: names this scheme and its version.
const SALT: &[u8] = b"idmask 1";

/// A secret of 16 or 32 random bytes, from which the keys of all formats and types are derived.
///
/// It is erased when dropped, `Debug` shows its id only, and there is no `==`.
///
/// # Examples
///
/// ```
/// use idmask::Key;
///
/// let key = Key::parse("efcdab89674523011032547698badcfe\n")?;
/// assert_eq!(key.id().to_string(), Key::from_u64_pair(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)?.id().to_string());
/// # Ok::<(), idmask::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Key {
    bytes: [u8; KEY_LEN_MAX],
    len: usize,
}

impl Drop for Key {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

/// The name of a key: 32 bits that are derived from it, and tell nothing of it. For a column, a prefix, a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; 4]);

impl KeyId {
    /// The four bytes.
    pub const fn to_bytes(self) -> [u8; 4] {
        self.0
    }

    /// The id of these four bytes.
    pub const fn from_bytes(bytes: [u8; 4]) -> Self {
        Self(bytes)
    }
}

/// Eight hex digits.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", u32::from_be_bytes(self.0))
    }
}

impl Key {
    /// A key of 16 or 32 bytes.
    ///
    /// # Errors
    ///
    /// [`KeyError::ByteLength`]; [`KeyError::Constant`] when all bytes are alike, which no random key is.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyError> {
        if bytes.len() != RAW_LEN && bytes.len() != KEY_LEN_MAX {
            return Err(KeyError::ByteLength { found: bytes.len() });
        }
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            return Err(KeyError::Constant);
        }
        let mut key = Self { bytes: [0; KEY_LEN_MAX], len: bytes.len() };
        key.bytes[..bytes.len()].copy_from_slice(bytes);
        Ok(key)
    }

    /// The key of UUIDv47's `{k0, k1}`: 16 bytes, each word little-endian, as SipHash reads them.
    ///
    /// # Errors
    ///
    /// [`KeyError::Constant`].
    pub fn from_u64_pair(k0: u64, k1: u64) -> Result<Self, KeyError> {
        let mut bytes = Zeroizing::new([0; RAW_LEN]);
        bytes[..8].copy_from_slice(&k0.to_le_bytes());
        bytes[8..].copy_from_slice(&k1.to_le_bytes());
        Self::from_bytes(&*bytes)
    }

    /// The key that a key file holds: 32 or 64 hex digits, or padded base64 of 24 or 44 characters, and one newline at most.
    ///
    /// # Errors
    ///
    /// When it is anything else, or a constant key. No error repeats the text.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
        let mut bytes = Zeroizing::new([0; KEY_LEN_MAX]);
        let decoded = match text.len() {
            32 | 64 => base16ct::mixed::decode(text, &mut *bytes).map_err(|_| KeyError::NotHex)?,
            24 | 44 => Base64::decode(text, &mut *bytes).map_err(|_| KeyError::NotBase64)?,
            found => return Err(KeyError::TextLength { found }),
        };
        Self::from_bytes(decoded)
    }

    /// A fresh key of 32 bytes from the operating system.
    ///
    /// # Errors
    ///
    /// [`KeyError::Entropy`].
    #[cfg(feature = "std")]
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = Zeroizing::new([0; KEY_LEN_MAX]);
        getrandom::fill(&mut *bytes).map_err(|_| KeyError::Entropy)?;
        Self::from_bytes(&*bytes)
    }

    /// The name of the key.
    pub fn id(&self) -> KeyId {
        let mut id = [0; 4];
        self.derive("key id", "", &mut id).expect("an empty type is not too long");
        KeyId(id)
    }

    /// The bytes, for a key file. Keep them as secret as the key.
    pub fn expose(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The key itself, where it has 16 bytes.
    pub(crate) fn raw(&self) -> Result<&[u8; RAW_LEN], KeyError> {
        self.expose().try_into().map_err(|_| KeyError::NotRaw)
    }

    /// HKDF-SHA-256 (RFC 5869) of the key, with salt `idmask 1`; the info is the format and the type, a byte of length before
    /// each.
    pub(crate) fn derive(&self, format: &str, entity: &str, out: &mut [u8]) -> Result<(), KeyError> {
        let length = |text: &str| u8::try_from(text.len()).map_err(|_| KeyError::TypeLength { found: text.len() });
        let (format_len, entity_len) = ([length(format)?], [length(entity)?]);
        let info = [&format_len, format.as_bytes(), &entity_len, entity.as_bytes()];
        Hkdf::<Sha256>::new(Some(SALT), self.expose())
            .expand_multi_info(&info, out)
            .expect("no subkey is longer than 255 hashes");
        Ok(())
    }
}

/// The id, not the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.id())
    }
}
