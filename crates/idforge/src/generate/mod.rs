//! `idforge gen`: makes ids.

mod amount;
mod frame;
mod pool;
mod snowflake;
mod ulid;
mod uuid;
mod wide;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::output::{Messages, Output};

const EXAMPLES: &str = "\
Examples:
  idforge gen snowflake --node 17
  idforge gen uuidv7 -n 3
  idforge gen uuidv4 --json
  idforge gen ulid -n 3 --method random-step
  idforge gen uuidv7 -n 10000000 --threads 8 | idforge check

Exit status: 0; 1 when the clock or the format refuses ids (what was made before is printed); 2 for wrong usage.";

/// Make ids
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Generate {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    Snowflake(Box<snowflake::GenerateSnowflakes>),
    Uuidv7(uuid::GenerateUuidV7),
    Uuidv4(uuid::GenerateUuidV4),
    Ulid(ulid::GenerateUlid),
}

impl Generate {
    pub(crate) fn run(self, output: Output, messages: Messages) -> Result<(), Failure> {
        match self.format {
            Format::Snowflake(command) => command.run(output, messages),
            Format::Uuidv7(command) => command.run(output),
            Format::Uuidv4(command) => command.run(output),
            Format::Ulid(command) => command.run(output),
        }
    }
}
