//! The rivals, each at its best settings.

pub(crate) mod ferroid;
pub(crate) mod snowflake_me;
pub(crate) mod snowflaked;
