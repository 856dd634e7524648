//! Tokens: an id and a check in one AES block.

use aes::Aes128;
use aes::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};
use zeroize::Zeroizing;

use crate::base62;
use crate::error::{KeyError, MaskError};
use crate::key::{Key, RAW_LEN};
use crate::mode::Mode;

const TAG_LEN: usize = 8;

/// A 64-bit id inside, 22 characters outside, with a check: a token that was not made with this key and type is refused, but for
/// one in 2^64.
///
/// One block of AES-128 over the id in eight bytes, big-endian, and eight bytes that are derived with the key; the 128 bits as
/// base 62.
///
/// *Hides* everything about the id but equality. A changed token is refused. Still not authorisation: who has seen a token has
/// it.
///
/// # Examples
///
/// ```
/// use idmask::{Key, MaskError, Mode, Token};
///
/// let key = Key::parse("c5d1a2f0e47b96381c0d5e2a7f4b8d96")?;
/// let tickets = Token::derive(&key, "ticket")?;
/// let shown = tickets.mask(154_822);
/// assert_eq!(shown.len(), 22);
/// assert_eq!(tickets.unmask(&shown), Ok(154_822));
/// assert_eq!(Token::derive(&key, "order")?.unmask(&shown), Err(MaskError::Forged));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Token {
    cipher: Aes128,
    tag: [u8; TAG_LEN],
}

/// The text of a token: 22 characters of base 62.
pub type TokenText = base62::Text<22>;

impl Token {
    /// The token of an id.
    pub fn mask(&self, id: u64) -> TokenText {
        let mut block = [0; 16];
        block[..8].copy_from_slice(&id.to_be_bytes());
        block[8..].copy_from_slice(&self.tag);
        let mut block = block.into();
        self.cipher.encrypt_block(&mut block);
        base62::Text::new(u128::from_be_bytes(block.into()))
    }

    /// The id inside.
    ///
    /// # Errors
    ///
    /// When it is no token, or one of another key or type: [`MaskError::Forged`].
    pub fn unmask(&self, token: &str) -> Result<u64, MaskError> {
        let mut block = base62::parse::<22>(token)?.to_be_bytes().into();
        self.cipher.decrypt_block(&mut block);
        let block: [u8; 16] = block.into();
        let (id, tag) = block.split_at(8);
        // All bytes, whatever the first says: the time tells nothing about the tag.
        let difference = tag.iter().zip(self.tag).fold(0, |all, (found, expected)| all | (found ^ expected));
        if difference != 0 {
            return Err(MaskError::Forged);
        }
        Ok(u64::from_be_bytes(*id.first_chunk().expect("half of a block")))
    }
}

impl Mode for Token {
    type Plain = u64;
    type Public = TokenText;
    const NAME: &'static str = "token";

    fn derive(key: &Key, entity: &str) -> Result<Self, KeyError> {
        let mut bytes = Zeroizing::new([0; RAW_LEN + TAG_LEN]);
        key.derive(Self::NAME, entity, &mut *bytes)?;
        let (cipher_key, tag) = bytes.split_at(RAW_LEN);
        let cipher = Aes128::new_from_slice(cipher_key).expect("sixteen bytes");
        Ok(Self { cipher, tag: *tag.first_chunk().expect("eight bytes are left") })
    }

    fn mask(&self, plain: u64) -> Result<TokenText, MaskError> {
        Ok(Self::mask(self, plain))
    }

    fn unmask(&self, public: TokenText) -> Result<u64, MaskError> {
        Self::unmask(self, &public)
    }
}
