//! `idforge`: makes, reads and checks unique ids on the command line.

#![forbid(unsafe_code)]

mod args;
mod calendar;
mod check;
mod clock;
mod collide;
mod decode;
mod encoding;
mod failure;
mod format;
mod generate;
mod inspect;
mod layout;
mod layouts;
mod legend;
mod lines;
mod node;
mod output;
mod picture;
mod progress;
mod quote;
mod range;
mod wide;

use std::process::ExitCode;

use clap::Parser;

use self::args::Cli;
use self::output::Messages;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let messages = Messages::new(cli.color);
    match cli.run(messages) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                messages.error(message);
            }
            ExitCode::from(failure.status())
        }
    }
}
