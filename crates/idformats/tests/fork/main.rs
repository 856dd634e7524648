//! Real forks.
//!
//! - 100 forks, and 64 ids of the parent and of the child each, of every generator, handle and function: no id twice. With the
//!   system's clock, and with one that stands still, so that both stay in one millisecond and a handle's block stays good.
//! - A child's ids sort above all that it saw before the fork. Grandchildren repeat nobody.
//! - Threads that make ids during the fork change none of it, nor do threads of the child that all start at once: its generators
//!   are renewed once, and skip one millisecond together.
//! - Entropy of a thread's pool is not the parent's.
//!
//! One test after the other on the main thread: a fork copies the thread that calls it and no other.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

#[cfg(unix)]
mod cases;
#[cfg(unix)]
mod source;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    use libtest_mimic::{Arguments, Trial};

    let trial = |&(name, body): &(&str, fn())| {
        Trial::test(name, move || {
            body();
            Ok(())
        })
    };
    let trials = cases::ALL.iter().map(trial).collect();
    // On this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(not(unix))]
fn main() {}
