//! `idforge gen ulid`.

use clap::{Args, ValueEnum};
use idformats::{RandomUlid, ThreadEntropy, UlidMonotonic, UlidRandom};

use super::amount::{Amount, Sharing};
use super::wide::{write_random, write_shared};
use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  idforge gen ulid
  idforge gen ulid -n 3 --method random-step
  idforge gen ulid -n 10000000 --threads 8 | idforge check

Ids of one millisecond: `monotonic` ones grow by one, as the specification says; `random-step` ones by random steps, so \
that the next cannot be guessed; `random` ones are in no order.

One thread gives ids in ascending order (with `random`, those of its milliseconds); those of several threads interleave.

Exit status: 0; 1 when the clock allows no ids (what was made before is printed); 2 for wrong usage.";

/// ULIDs: Unix milliseconds and 80 bits
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateUlid {
    #[command(flatten)]
    amount: Amount,
    /// How ids of one millisecond follow each other
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: Method,
    #[command(flatten)]
    sharing: Sharing,
}

// The variants have no comments of their own: the help would show them, and with them an option takes half a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Method {
    #[default]
    Monotonic,
    RandomStep,
    Random,
}

impl GenerateUlid {
    pub(crate) fn run(self, output: Output) -> Result<(), Failure> {
        let Self { amount, method, sharing: Sharing { clock, handles } } = self;
        match method {
            Method::Monotonic => write_shared::<UlidMonotonic, _>(&amount, clock.start()?, handles, output),
            Method::RandomStep => write_shared::<UlidRandom, _>(&amount, clock.start()?, handles, output),
            Method::Random if handles => Err(Failure::Trouble(
                "--handles: expected --method monotonic or random-step: with random there is nothing to share"
                    .to_owned(),
            )),
            Method::Random => write_random(&amount, RandomUlid::new(clock.start()?, ThreadEntropy), output),
        }
    }
}
