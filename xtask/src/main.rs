//! The repository's own tasks, run as `cargo xtask <command>`.
//!
//! `cli.rs` names the commands, `ci.rs` the steps that every change must pass, and each other
//! file holds one group of them. All child processes are started through `cmd.rs`.

mod bench;
mod ci;
mod cli;
mod cmd;
mod features;
mod fuzz;
mod install;
mod lint;
mod loom;
mod nostd;
mod sabotage;
mod suite;
mod term;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Cli, Task};
use crate::cmd::Verdict;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::Skipped(why)) => {
            term::note(&format!("skipped: {why}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            term::error(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<Verdict> {
    let ws = Workspace::find()?;
    match task {
        Task::Ci(args) => ci::run(&ws, &args),
        Task::Fmt { fix } => lint::fmt(&ws, fix),
        Task::Tidy => tidy::run(&ws),
        Task::Typos => lint::typos(&ws),
        Task::Taplo { fix } => lint::taplo(&ws, fix),
        Task::Clippy => lint::clippy(&ws),
        Task::Doc => lint::doc(&ws),
        Task::Test { args } => test::run(&ws, &args),
        Task::Features => features::run(&ws),
        Task::Nostd => nostd::run(&ws),
        Task::Loom { preemptions, filter } => loom::run(&ws, preemptions, filter.as_deref()),
        Task::Sabotage { only, list } => sabotage::run(&ws, &only, list),
        Task::Fuzz { minutes, target } => fuzz::run_long(&ws, minutes, target.as_deref()),
        Task::Deny => lint::deny(&ws),
        Task::Bench { args } => bench::run(&ws, &args),
        Task::Install => install::run(&ws),
    }
}
