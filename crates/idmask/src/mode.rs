//! What all ways to mask have in common.

use crate::error::{KeyError, MaskError};
use crate::key::Key;

/// A way to mask ids, with the key of one type of ids.
pub trait Mode: Sized {
    /// The id inside.
    type Plain: Copy;
    /// The id outside.
    type Public: Copy;
    /// The name of the mode, which is part of what its keys are derived with.
    const NAME: &'static str;

    /// The mask of a type of ids, such as `order`: keys of two types, or of two modes, have nothing to do with each other. An
    /// empty type is a type as well.
    ///
    /// # Errors
    ///
    /// When the type has more than 255 bytes.
    fn derive(key: &Key, entity: &str) -> Result<Self, KeyError>;

    /// The public id.
    ///
    /// # Errors
    ///
    /// When the id is none that the mode can mask.
    fn mask(&self, plain: Self::Plain) -> Result<Self::Public, MaskError>;

    /// The id inside.
    ///
    /// # Errors
    ///
    /// When the public id is none that the mode can have made.
    fn unmask(&self, public: Self::Public) -> Result<Self::Plain, MaskError>;
}
