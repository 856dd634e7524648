//! `snowflake_me`'s shared generator: lock-free, wall clock, widths chosen at run time.
//!
//! Two clocks are measured: the one it comes with, and the standard library's through its clock
//! hook. The better one for a row stands for the crate in that row.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use ::snowflake_me::Snowflake;
use ::snowflake_me::{Builder, Error, SnowflakeId};

use crate::{
    burst::{BATCH_IDS, Batch},
    failure::Failure,
    mint::Mint,
    ours::snowflake::EPOCH_UNIX_MS,
};

/// Where the time comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// The crate's own reading of the wall clock.
    Own,
    /// `SystemTime`, handed in as a clock source.
    Std,
}

impl Source {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::Own, Self::Std];

    /// The name of the crate with this setting.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Own => "snowflake_me (own clock)",
            Self::Std => "snowflake_me (SystemTime)",
        }
    }
}

/// The generator.
pub(crate) struct SnowflakeMe(Snowflake);

/// On the Twitter layout.
///
/// # Errors
///
/// What its builder says.
pub(crate) fn twitter(source: Source) -> Result<SnowflakeMe, Failure> {
    build(source, [41, 5, 5, 12], 1)
}

/// On the wide layout.
///
/// # Errors
///
/// What its builder says.
pub(crate) fn wide(source: Source) -> Result<SnowflakeMe, Failure> {
    build(source, [41, 0, 0, 22], 0)
}

fn build(source: Source, widths: [u8; 4], machine: u16) -> Result<SnowflakeMe, Failure> {
    let [time, data_center, machine_bits, sequence] = widths;
    let machine = move || Ok(machine);
    let builder = Builder::new()
        .start_time(EPOCH_UNIX_MS)
        .bit_len_time(time)
        .bit_len_data_center_id(data_center)
        .bit_len_machine_id(machine_bits)
        .bit_len_sequence(sequence)
        .data_center_id(&|| Ok(0))
        .machine_id(&machine);
    match source {
        Source::Own => builder,
        Source::Std => builder.clock_source(std_millis),
    }
    .finalize()
    .map(SnowflakeMe)
    .map_err(|error| Failure::refused(source.name(), &error))
}

fn std_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the wall clock is past 1970");
    i64::try_from(since.as_millis()).expect("milliseconds since 1970 fit 63 bits")
}

impl Mint for SnowflakeMe {
    type Id = u64;
    type Error = Error;

    #[expect(clippy::inline_always, reason = "no contender is to pay for a call that another does not")]
    #[inline(always)]
    fn mint(&self) -> Result<u64, Error> {
        self.0.next_id().map(|id| id.as_u64())
    }
}

impl Batch for SnowflakeMe {
    type Id = u64;
    type Buffer = Vec<SnowflakeId>;
    type Error = Error;

    fn buffer(&self) -> Vec<SnowflakeId> {
        let mut buffer = vec![SnowflakeId::new(u64::MAX); BATCH_IDS];
        buffer.clear();
        buffer
    }

    fn fill(&self, buffer: &mut Vec<SnowflakeId>) -> Result<(), Error> {
        buffer.clear();
        self.0.next_ids_into(BATCH_IDS, buffer)
    }

    fn ids(buffer: &Vec<SnowflakeId>) -> impl Iterator<Item = u64> {
        buffer.iter().map(SnowflakeId::as_u64)
    }
}
