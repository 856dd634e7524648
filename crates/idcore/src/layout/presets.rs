//! Layouts that are in use, and three of our own.
//!
//! Each is a type, so that ids of two layouts are different types; [`by_name`] gives the same layouts as values. Epochs and
//! widths are checked against published ids in `vectors/snowflake.json`.

use super::{Field, Layout};
use crate::StaticLayout;
use crate::time::UnixMillis;

/// A layout with the name and the description that a person chooses it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in lower case, as [`by_name`] takes it.
    pub name: &'static str,
    /// The layout.
    pub layout: Layout,
    /// What it is, in half a line.
    pub about: &'static str,
}

/// The preset with this name, as in [`ALL`].
pub fn by_name(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}

macro_rules! presets {
    ($($(#[$doc:meta])* $type:ident $name:literal, $about:literal: epoch $epoch_ms:literal, tick $tick_ms:literal ms, $fields:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $type;

            impl StaticLayout for $type {
                const LAYOUT: Layout = match Layout::new(UnixMillis::new($epoch_ms), $tick_ms, &$fields) {
                    Ok(layout) => layout,
                    Err(error) => error.panic(),
                };
            }
        )*

        /// All presets, our own first.
        pub const ALL: &[Preset] = &[$(Preset { name: $name, layout: $type::LAYOUT, about: $about }),*];
    };
}

presets! {
    /// The layout to start with: Twitter's widths and node fields, epoch 2024-01-01.
    Standard "standard", "Twitter's widths from 2024 on: 32 x 32 workers, 4,096 ids per ms":
        epoch 1_704_067_200_000, tick 1 ms,
        [Field::timestamp(41), Field::node("datacenter", 5), Field::node("worker", 5), Field::sequence(12)];
    /// 53 bits, so that every id is exact as a JavaScript number: 10 ms ticks from 2024-01-01.
    JavaScript "javascript", "53 bits, exact as a JavaScript number: 64 nodes, 512 ids per 10 ms":
        epoch 1_704_067_200_000, tick 10 ms,
        [Field::timestamp(38), Field::node("node", 6), Field::sequence(9)];
    /// One process without a worker number that makes millions of ids in a millisecond: 41 bits of time, 22 of sequence.
    Wide "wide", "one process, no worker number: 4,194,304 ids per ms":
        epoch 1_704_067_200_000, tick 1 ms,
        [Field::timestamp(41), Field::sequence(22)];
    /// Twitter's Snowflake of 2010.
    Twitter "twitter", "Twitter's Snowflake of 2010":
        epoch 1_288_834_974_657, tick 1 ms,
        [Field::timestamp(41), Field::node("datacenter", 5), Field::node("worker", 5), Field::sequence(12)];
    /// Discord's ids, whose node is a worker and a process: 42 bits of time from 2015-01-01.
    Discord "discord", "Discord's ids: worker and process, from 2015 on":
        epoch 1_420_070_400_000, tick 1 ms,
        [Field::timestamp(42), Field::node("worker", 5), Field::node("process", 5), Field::sequence(12)];
    /// Instagram's ids, made inside each database shard.
    Instagram "instagram", "Instagram's ids: 8,192 database shards":
        epoch 1_314_220_021_721, tick 1 ms,
        [Field::timestamp(41), Field::node("shard", 13), Field::sequence(10)];
    /// Mastodon's ids: 48 bits of Unix time and 16 of sequence, no node.
    Mastodon "mastodon", "Mastodon's ids: Unix time, no node":
        epoch 0, tick 1 ms,
        [Field::timestamp(48), Field::sequence(16)];
    /// Sonyflake version 1: ticks of 10 ms, the machine below the sequence.
    Sonyflake "sonyflake", "Sonyflake v1: 174 years, 65,536 machines, 256 ids per 10 ms":
        epoch 1_409_529_600_000, tick 10 ms,
        [Field::timestamp(39), Field::sequence(8), Field::node("machine", 16)];
    /// Sonyflake version 2: version 1 with the epoch 2025-01-01.
    Sonyflake2 "sonyflake2", "Sonyflake v2: v1 from 2025 on":
        epoch 1_735_689_600_000, tick 10 ms,
        [Field::timestamp(39), Field::sequence(8), Field::node("machine", 16)];
    /// TSID, as tsid-creator makes it: 42 bits of time from 2020-01-01; its ids pass `i64::MAX` in the year 2089.
    Tsid "tsid", "TSID of tsid-creator: 1,024 nodes, from 2020 on":
        epoch 1_577_836_800_000, tick 1 ms,
        [Field::timestamp(42), Field::node("node", 10), Field::sequence(12)];
}
