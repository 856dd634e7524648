//! The command line as a whole: subcommands, and what goes for all of them.

use clap::{Parser, Subcommand};

use crate::check::Check;
use crate::collide::Collide;
use crate::failure::Failure;
use crate::generate::Generate;
use crate::inspect::Inspect;
use crate::layout::ShowLayout;
use crate::output::{Color, Messages, Output};
use crate::range::Range;

const EXAMPLES: &str = "\
Examples:
  idforge gen snowflake -n 5 --node 17
  idforge inspect 175928847299117063 --layout discord
  idforge layout twitter
  idforge range snowflake --from 2026-01-01 --for 1h
  idforge gen snowflake -n 1000000 --threads 8 --node 17 | idforge check

Exit status: 0 when all is well; 1 for a finding (an id that is there twice, no id in a range, a clock that allows no \
ids); 2 for wrong usage, wrong input, or trouble with files.";

/// Make, read and check unique ids
#[derive(Debug, Parser)]
#[command(name = "idforge", version, after_help = EXAMPLES, max_term_width = 80)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
enum Command {
    Gen(Generate),
    Inspect(Inspect),
    Layout(ShowLayout),
    Range(Range),
    Check(Check),
    Collide(Collide),
}

impl Cli {
    pub(crate) fn run(self, messages: Messages) -> Result<(), Failure> {
        let mut output = Output::new(self.color);
        match self.command {
            Command::Gen(command) => command.run(output, messages),
            Command::Inspect(command) => command.run(&mut output, messages),
            Command::Layout(command) => command.run(&mut output),
            Command::Range(command) => command.run(&mut output, messages),
            Command::Check(command) => command.run(&mut output, messages),
            Command::Collide(command) => command.run(&mut output),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
