//! This project's generators, as a user would build them.

pub(crate) mod formats;
pub(crate) mod snowflake;
