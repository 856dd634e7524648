//! The command line: what can be asked for, with its help.

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

use crate::ci;
use crate::loom::PREEMPTIONS_DEFAULT;

const EXAMPLES: &str = "\
Examples:
  cargo xtask ci                          everything that a change must pass
  cargo xtask ci --only clippy --only doc
  cargo xtask test -- -E 'test(rollback)' the tests whose names contain `rollback`
  cargo xtask loom --preemptions 5        explore more interleavings
  cargo xtask sabotage                    prove that the tests notice broken code
  cargo xtask fuzz --minutes 10 --target id_text
  cargo xtask bench --quick --json rows.json
  cargo xtask install                     the tools that `ci` needs

The build directory is `target`, or CARGO_TARGET_DIR where that is set.
Exit status: 0 passed, 1 a step failed, 2 bad usage.";

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Builds, tests and measures this repository",
    after_help = EXAMPLES,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Subcommand)]
pub(crate) enum Task {
    /// Run every step in order and stop at the first that fails
    Ci(CiArgs),
    /// Check the formatting of all Rust code
    Fmt {
        /// Rewrite the files instead
        #[arg(long)]
        fix: bool,
    },
    /// Check what no compiler checks: file lengths, clock reads, argued memory orderings
    Tidy,
    /// Check the spelling (needs `typos`)
    Typos,
    /// Check the formatting of all TOML files (needs `taplo`)
    Taplo {
        /// Rewrite the files instead
        #[arg(long)]
        fix: bool,
    },
    /// Lint everything, benchmarks and tests included; warnings are errors
    Clippy,
    /// Build the documentation; warnings are errors
    Doc,
    /// Run the tests, then the examples in the documentation
    Test {
        /// Passed on to `cargo nextest run`; the documentation's examples are then left out
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Check the libraries under every pair of features
    Features,
    /// Prove that idcore and idformats need no standard library, and that the proof can fail
    Nostd,
    /// Run the loom models of the concurrent code
    Loom {
        /// How often threads may be preempted in one execution; each more takes far longer
        #[arg(long, value_name = "N", default_value_t = PREEMPTIONS_DEFAULT)]
        preemptions: u32,
        /// Only the models whose names contain this
        filter: Option<String>,
    },
    /// Break the code on purpose, one mutant of xtask/mutants.toml at a time: a test must fail
    Sabotage {
        /// Only this mutant (may be repeated)
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
        /// Print the mutants and stop
        #[arg(long)]
        list: bool,
    },
    /// Fuzz each target (needs cargo-fuzz and a nightly toolchain)
    Fuzz {
        /// Minutes for each target
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_080))]
        minutes: u64,
        /// Only this target
        #[arg(long, value_name = "T")]
        target: Option<String>,
    },
    /// Check licences, bans and sources of all dependencies (needs cargo-deny)
    Deny,
    /// Run the benchmarks; all arguments go to the benchmark program
    #[command(disable_help_flag = true)]
    Bench {
        /// For example `--quick --json FILE`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Install the cargo tools that `ci` needs and are missing
    Install,
}

#[derive(Args)]
pub(crate) struct CiArgs {
    /// Run the remaining steps after one has failed
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Only this step (may be repeated)
    #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(ci::names()))]
    pub(crate) only: Vec<String>,
    /// Print the steps and stop
    #[arg(long)]
    pub(crate) list: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_unknown_step_is_bad_usage() {
        let parsed = Cli::try_parse_from(["cargo xtask", "ci", "--only", "nonsense"]);
        let error = parsed.err().expect("no step has that name");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn bench_takes_any_flag() {
        let parsed = Cli::try_parse_from(["cargo xtask", "bench", "--quick", "--help"]).unwrap();
        assert!(matches!(parsed.task, Task::Bench { args } if args == ["--quick", "--help"]));
    }
}
