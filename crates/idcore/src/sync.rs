//! The one switch between real atomics and loom's.

#[cfg(not(idcore_loom))]
pub(crate) use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};
#[cfg(idcore_loom)]
pub(crate) use loom::sync::atomic::{AtomicI64, AtomicU64, Ordering};
