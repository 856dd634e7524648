//! Keys that rotate.

use alloc::vec::Vec;

use crate::error::{KeyError, MaskError};
use crate::key::{Key, KeyId};
use crate::mode::Mode;
use crate::token::{Token, TokenText};

/// The present key, and earlier ones whose public ids are still about.
///
/// Tokens carry a check, so [`TokenRing`] finds the key by trying. Other modes carry none: keep the [`KeyId`] beside the public
/// id, in a column or a prefix, and ask [`get`](Self::get); or ask for [`candidates`](Self::candidates).
#[derive(Clone, Debug)]
pub struct Ring {
    /// The present key first, then from the latest to the earliest.
    keys: Vec<Key>,
}

/// An id that a public id may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<P> {
    /// The key.
    pub key: KeyId,
    /// The id inside, if it was masked with that key.
    pub plain: P,
}

impl Ring {
    /// A ring of one key.
    pub fn new(present: Key) -> Self {
        Self { keys: Vec::from([present]) }
    }

    /// Adds an earlier key, after all that are there.
    ///
    /// # Errors
    ///
    /// [`KeyError::Twice`] when a key of its id is there already.
    pub fn with_earlier(mut self, key: Key) -> Result<Self, KeyError> {
        if self.get(key.id()).is_some() {
            return Err(KeyError::Twice);
        }
        self.keys.push(key);
        Ok(self)
    }

    /// The key to mask with.
    pub fn present(&self) -> &Key {
        &self.keys[0]
    }

    /// The key of an id.
    pub fn get(&self, id: KeyId) -> Option<&Key> {
        self.keys.iter().find(|key| key.id() == id)
    }

    /// All keys, the present one first.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter()
    }

    /// What a public id may stand for: for each key what comes out, if the caller finds it plausible.
    ///
    /// Say as narrowly as you can what is plausible, as by the time of the first id and of now: with a window of ten years, a wrong
    /// key's id passes with a chance of 0.11 % for a UUID of version 7 and of 14 % for a Snowflake of 41 bits. Look up all
    /// that are left.
    ///
    /// # Errors
    ///
    /// When the type is too long, or the public id is none of the mode.
    pub fn candidates<M: Mode>(
        &self,
        entity: &str,
        public: M::Public,
        is_plausible: impl Fn(M::Plain) -> bool,
    ) -> Result<Vec<Candidate<M::Plain>>, CandidatesError> {
        let mut candidates = Vec::new();
        for key in &self.keys {
            let mask = M::derive(key, entity).map_err(CandidatesError::Key)?;
            let plain = mask.unmask(public).map_err(CandidatesError::Public)?;
            if is_plausible(plain) {
                candidates.push(Candidate { key: key.id(), plain });
            }
        }
        Ok(candidates)
    }
}

/// Why there are no candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidatesError {
    /// The mask could not be derived.
    Key(KeyError),
    /// The public id is none of the mode.
    Public(MaskError),
}

impl core::fmt::Display for CandidatesError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Public(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CandidatesError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Key(error) => Some(error),
            Self::Public(error) => Some(error),
        }
    }
}

/// The tokens of a type under all keys of a ring.
#[derive(Clone)]
pub struct TokenRing {
    tokens: Vec<(KeyId, Token)>,
}

impl TokenRing {
    /// The tokens of a type.
    ///
    /// # Errors
    ///
    /// When the type has more than 255 bytes.
    pub fn derive(ring: &Ring, entity: &str) -> Result<Self, KeyError> {
        let tokens = ring.keys().map(|key| Ok((key.id(), Token::derive(key, entity)?)));
        Ok(Self { tokens: tokens.collect::<Result<_, KeyError>>()? })
    }

    /// The token of an id, by the present key.
    pub fn mask(&self, id: u64) -> TokenText {
        self.tokens[0].1.mask(id)
    }

    /// The id inside and the key that it was masked with.
    ///
    /// # Errors
    ///
    /// When it is no token, or of none of the keys: [`MaskError::Forged`].
    pub fn unmask(&self, token: &str) -> Result<(u64, KeyId), MaskError> {
        for (id, tokens) in &self.tokens {
            match tokens.unmask(token) {
                Ok(plain) => return Ok((plain, *id)),
                Err(MaskError::Forged) => {}
                Err(error) => return Err(error),
            }
        }
        Err(MaskError::Forged)
    }
}
