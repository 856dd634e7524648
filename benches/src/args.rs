//! The command line.

use std::{fs::File, path::PathBuf, time::Duration};

use clap::{CommandFactory, Parser, error::ErrorKind};

use crate::rows::Group;

/// Rounds that count.
const ROUNDS: usize = 5;
/// Seconds of a run.
const SECONDS: f64 = 0.5;
/// Seconds of a run with `--quick`: all rows end within a minute.
const SECONDS_QUICK: f64 = 0.1;

/// Measures this project's generators beside their rivals, in the same process, in turn.
///
/// Every run checks its ids: increasing in each thread, none twice, from a clock that advances.
/// Exit status: 0, also when a goal is missed; 1 when a check fails (or a goal is missed, with
/// --check); 2 for bad usage.
#[derive(Debug, Parser)]
#[command(name = "idbench", version)]
pub(crate) struct Args {
    /// Short runs: all rows within a minute
    #[arg(long)]
    pub(crate) quick: bool,

    /// Write the rows to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Measure only rows whose name contains NAME; given more than once, any of them
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,

    /// Print the names of the rows
    #[arg(long)]
    pub(crate) list: bool,

    /// Exit with status 1 when a goal is missed
    #[arg(long)]
    pub(crate) check: bool,

    /// Rounds that count, after one that does not [default: 5]
    #[arg(long, value_name = "N", value_parser = rounds)]
    rounds: Option<usize>,

    /// Seconds that each contender runs in a round [default: 0.5, with --quick 0.1]
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
}

impl Args {
    /// Rounds that count.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.unwrap_or(ROUNDS)
    }

    /// Seconds of a run.
    pub(crate) fn seconds(&self) -> f64 {
        let default = if self.quick { SECONDS_QUICK } else { SECONDS };
        self.seconds.unwrap_or(default)
    }

    /// The length of a run.
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_secs_f64(self.seconds())
    }

    /// Whether the row named `row` is wanted.
    pub(crate) fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| row.contains(only))
    }

    /// The groups with a row that is wanted.
    ///
    /// # Errors
    ///
    /// When there is none for one of the names.
    pub(crate) fn select(&self, groups: Vec<Group>) -> Result<Vec<Group>, clap::Error> {
        let is_there = |only: &String| groups.iter().flat_map(|group| &group.rows).any(|row| row.contains(only));
        if let Some(only) = self.only.iter().find(|only| !is_there(only)) {
            return Err(usage(format!("no row has '{only}' in its name; --list prints the names")));
        }
        Ok(groups.into_iter().filter(|group| group.rows.iter().any(|row| self.wants(row))).collect())
    }

    /// The file for the record, made before anything is measured.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub(crate) fn open_json(&self) -> Result<Option<File>, clap::Error> {
        let Some(path) = &self.json else {
            return Ok(None);
        };
        File::create(path)
            .map(Some)
            .map_err(|error| usage(format!("cannot write --json '{}': {error}", path.display())))
    }
}

fn usage(message: String) -> clap::Error {
    Args::command().error(ErrorKind::ValueValidation, message)
}

fn rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(rounds @ 1..=1000) => Ok(rounds),
        _ => Err("expected a whole number from 1 to 1000".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.02..=60.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0.02 to 60".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn quick_shortens_runs_and_numbers_override_it() {
        let parse = |text: &str| Args::try_parse_from(text.split(' ')).unwrap();
        assert_eq!(parse("idbench --rounds 3").limit(), Duration::from_millis(500));
        assert_eq!(parse("idbench --quick").limit(), Duration::from_millis(100));
        let args = parse("idbench --quick --seconds 0.25 --rounds 3");
        assert_eq!((args.limit(), args.rounds()), (Duration::from_millis(250), 3));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for text in ["--rounds 0", "--rounds x", "--seconds 0", "--seconds 61", "--seconds NaN"] {
            let line = format!("idbench {text}");
            let error = Args::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{text}");
        }
    }
}
