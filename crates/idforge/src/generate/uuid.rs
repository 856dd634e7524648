//! `idforge gen uuidv7` and `idforge gen uuidv4`.

use clap::{Args, ValueEnum};
use idcore::{MonotonicClock, SystemClock};
use idformats::{RandomUuid, ThreadEntropy, V7Counter, V7Random, V7SubMs};

use super::amount::{Amount, Sharing};
use super::wide::{write_random, write_shared};
use crate::clock::ClockKind;
use crate::failure::Failure;
use crate::output::Output;

const V7_EXAMPLES: &str = "\
Examples:
  idforge gen uuidv7
  idforge gen uuidv7 -n 3 --method sub-ms --clock monotonic
  idforge gen uuidv7 -n 10000000 --threads 8 --clock ticker --handles | idforge check

Methods of RFC 9562 section 6.2: `counter` is 1 (a counter right after the time), `random` is 2 (random steps: the next \
id cannot be guessed), `sub-ms` is 3 (more of the clock; not with a ticker, which tells whole milliseconds only).

One thread gives ids in ascending order; those of several threads interleave.

Exit status: 0; 1 when the clock allows no ids (what was made before is printed); 2 for wrong usage.";

const V4_EXAMPLES: &str = "\
Examples:
  idforge gen uuidv4
  idforge gen uuidv4 -n 10 --json

122 random bits: they tell nothing, and are in no order.

Exit status: 0; 1 when the system gives no random bits; 2 for wrong usage.";

/// UUIDs of version 7: Unix milliseconds, then bits that grow
#[derive(Debug, Args)]
#[command(after_help = V7_EXAMPLES)]
pub(crate) struct GenerateUuidV7 {
    #[command(flatten)]
    amount: Amount,
    /// How ids of one millisecond are kept in order
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: Method,
    #[command(flatten)]
    sharing: Sharing,
}

// The variants have no comments of their own: the help would show them, and with them an option takes half a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Method {
    #[default]
    Counter,
    Random,
    SubMs,
}

/// UUIDs of version 4: random bits
#[derive(Debug, Args)]
#[command(after_help = V4_EXAMPLES)]
pub(crate) struct GenerateUuidV4 {
    #[command(flatten)]
    amount: Amount,
}

impl GenerateUuidV7 {
    pub(crate) fn run(self, output: Output) -> Result<(), Failure> {
        let Self { amount, method, sharing: Sharing { clock, handles } } = self;
        match (method, clock) {
            (Method::Counter, _) => write_shared::<V7Counter, _>(&amount, clock.start()?, handles, output),
            (Method::Random, _) => write_shared::<V7Random, _>(&amount, clock.start()?, handles, output),
            // Which clocks are fine enough the types know.
            (Method::SubMs, ClockKind::Wall) => write_shared::<V7SubMs, _>(&amount, SystemClock, handles, output),
            (Method::SubMs, ClockKind::Monotonic) => {
                write_shared::<V7SubMs, _>(&amount, MonotonicClock::new(), handles, output)
            }
            (Method::SubMs, ClockKind::Ticker) => Err(Failure::Trouble(
                "--clock ticker: expected wall or monotonic with --method sub-ms, which writes parts of a millisecond \
                 into its ids: a ticker tells whole ones only"
                    .to_owned(),
            )),
        }
    }
}

impl GenerateUuidV4 {
    pub(crate) fn run(self, output: Output) -> Result<(), Failure> {
        write_random(&self.amount, RandomUuid::new(ThreadEntropy), output)
    }
}
