//! What layout an id or a generator has: known when compiling, or read from a configuration.

use super::{Layout, Packing};
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::generator::Builder;

/// A layout known when compiling. Ids of two layouts are different types.
///
/// # Examples
///
/// ```
/// use idcore::{Field, Layout, Snowflake, StaticLayout, UnixMillis};
///
/// struct Orders;
///
/// impl StaticLayout for Orders {
///     const LAYOUT: Layout = match Layout::new(
///         UnixMillis::new(1_767_225_600_000), // 2026-01-01
///         1,
///         &[Field::timestamp(41), Field::node("worker", 10), Field::sequence(12)],
///     ) {
///         Ok(layout) => layout,
///         Err(error) => error.panic(), // stops the compiler
///     };
/// }
///
/// let orders = Orders::generator().node(17).build()?;
/// let id: Snowflake<Orders> = orders.next_id()?;
/// assert_eq!(id.node(), 17);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An id of one layout is not taken for one of another:
///
/// ```compile_fail
/// use idcore::{Discord, Snowflake, Twitter};
///
/// fn delete(id: Snowflake<Twitter>) {}
/// delete(Snowflake::<Discord>::new(7).unwrap());
/// ```
pub trait StaticLayout: Sized + 'static {
    /// The layout.
    const LAYOUT: Layout;

    /// Begins a generator on the system clock.
    #[cfg(feature = "std")]
    fn generator() -> Builder<Self, SystemClock> {
        Self::generator_with(SystemClock)
    }

    /// Begins a generator on a clock of one's own.
    fn generator_with<C>(clock: C) -> Builder<Self, C> {
        Builder::new(Self::LAYOUT, clock)
    }
}

impl Layout {
    /// Begins a generator with this layout on the system clock.
    #[cfg(feature = "std")]
    pub fn generator(&self) -> Builder<Dyn, SystemClock> {
        self.generator_with(SystemClock)
    }

    /// Begins a generator with this layout on a clock of one's own.
    pub fn generator_with<C>(&self, clock: C) -> Builder<Dyn, C> {
        Builder::new(*self, clock)
    }
}

/// Marks ids and generators whose layout is a value: [`DynSnowflake`](crate::DynSnowflake).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dyn;

/// What stands in the type of an id or a generator: a [`StaticLayout`], or [`Dyn`].
pub trait Tag: sealed::Sealed + Sized + 'static {
    /// The largest number that can be an id.
    #[doc(hidden)]
    const ID_MAX: u64;

    /// The packing to use: a constant where the layout is known when compiling.
    #[doc(hidden)]
    fn packing(stored: sealed::Stored) -> sealed::Stored;
}

impl<L: StaticLayout> Tag for L {
    const ID_MAX: u64 = L::LAYOUT.id_max();

    #[inline]
    fn packing(_: sealed::Stored) -> sealed::Stored {
        const { sealed::Stored(L::LAYOUT.packing()) }
    }
}

impl Tag for Dyn {
    const ID_MAX: u64 = u64::MAX;

    #[inline]
    fn packing(stored: sealed::Stored) -> sealed::Stored {
        stored
    }
}

#[inline]
pub(crate) fn packing_of<T: Tag>(stored: Packing) -> Packing {
    T::packing(sealed::Stored(stored)).0
}

mod sealed {
    use super::{Dyn, Packing, StaticLayout};

    pub trait Sealed {}
    impl<L: StaticLayout> Sealed for L {}
    impl Sealed for Dyn {}

    /// A packing that code outside the crate can neither make nor read.
    #[derive(Clone, Copy)]
    pub struct Stored(pub(crate) Packing);
}
