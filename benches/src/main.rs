//! Contention benchmarks: this project's generators and their rivals in one process, in turn.
//!
//! `README.md` beside this crate says how it measures.

mod args;
mod burst;
mod check;
mod cpu;
mod failure;
mod harness;
mod id;
mod keep;
mod machine;
mod mint;
mod ours;
mod pace;
mod pool;
mod progress;
mod report;
mod rivals;
mod rounds;
mod row;
mod rows;
mod stats;
mod streaks;
mod ticks;
mod window;

use std::{
    io::{self, BufWriter, ErrorKind, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::{
    args::Args,
    failure::Failure,
    machine::{Header, Others},
    pool::Pool,
    progress::Progress,
    row::Row,
    rows::{Bench, Group},
};

/// Words in a second that memory is set aside for: for 160 million ids of 64 bits, or half as many of 128.
const POOL_WORDS_PER_SECOND: f64 = 160e6;
/// The most words that memory is set aside for: 512 MiB. A run that fills it ends early.
const POOL_WORDS_MAX: usize = 1 << 26;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(code) => code,
        // A reader that left has seen what it wanted.
        Err(End::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(End::Output(error)) => fail(&format!("cannot write the report: {error}")),
        Err(End::Measure(failure)) => fail(&failure.to_string()),
        Err(End::Usage(error)) => error.exit(),
    }
}

/// Why there is no report.
enum End {
    Usage(clap::Error),
    Measure(Failure),
    Output(io::Error),
}

fn run(args: &Args) -> Result<ExitCode, End> {
    let groups = args.select(rows::all()).map_err(End::Usage)?;
    let mut out = io::stdout().lock();
    if args.list {
        for row in groups.iter().flat_map(|group| &group.rows) {
            if args.wants(row) {
                writeln!(out, "{row}").map_err(End::Output)?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let file = args.open_json().map_err(End::Usage)?;
    let others = Others::watch();
    let rows = measure(args, &groups).map_err(End::Measure)?;
    let header = Header::new(args.rounds(), args.seconds(), others.cpus());
    if let Some(file) = file {
        report::json(&mut BufWriter::new(file), &header, &rows).map_err(End::Output)?;
    }
    report::table(&mut out, &header, &rows).map_err(End::Output)?;
    let missed = rows.iter().filter(|row| row.met == Some(false)).count();
    if args.check && missed > 0 {
        return Ok(fail(&format!("{missed} goals are missed")));
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(args: &Args, groups: &[Group]) -> Result<Vec<Row>, Failure> {
    let timed = groups.iter().filter(|group| group.timed).count();
    let rounds = timed * (args.rounds() + 1);
    let bench = Bench {
        rounds: args.rounds(),
        limit: args.limit(),
        pool: Pool::new(pool_words(args.seconds())),
        progress: Progress::new(u64::try_from(rounds).unwrap_or(u64::MAX)),
    };
    let mut rows = Vec::new();
    for group in groups {
        rows.extend(group.measure(&bench)?);
    }
    bench.progress.finish();
    rows.retain(|row| args.wants(&row.name));
    Ok(rows)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 60 s times 160 million, and not negative"
)]
fn pool_words(seconds: f64) -> usize {
    ((seconds * POOL_WORDS_PER_SECOND) as usize).min(POOL_WORDS_MAX)
}

#[expect(clippy::print_stderr, reason = "the one place that reports an error")]
fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
