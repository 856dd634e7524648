//! `idforge gen`: makes ids.

mod frame;
mod pool;
mod snowflake;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::output::{Messages, Output};

/// Make ids
#[derive(Debug, Args)]
#[command(after_help = snowflake::EXAMPLES)]
pub(crate) struct Generate {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    Snowflake(snowflake::GenerateSnowflakes),
}

impl Generate {
    pub(crate) fn run(self, output: Output, messages: Messages) -> Result<(), Failure> {
        match self.format {
            Format::Snowflake(command) => command.run(output, messages),
        }
    }
}
