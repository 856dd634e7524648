//! The rivals, each at its best settings.

pub(crate) mod ferroid;
pub(crate) mod ferroid_ulid;
pub(crate) mod rusty_ulid;
pub(crate) mod snowflake_me;
pub(crate) mod snowflaked;
pub(crate) mod ulid;
pub(crate) mod uuid;
pub(crate) mod uuid7;
