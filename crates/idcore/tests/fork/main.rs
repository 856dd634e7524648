//! Real forks.
//!
//! - 100 forks, with blocks held: the child gets `Forked` from every call of the parent's generator, its handles and what was
//!   reserved, also in grandchildren and for good; the parent's ids stay unique, and the child's own are of another node.
//! - The parent's node is in use in the child as well, and stays so when the child drops the parent's generator.
//! - A forked ticker starts again when the child builds a generator on it, once for all clones, and does not stall it.
//! - Threads that hand out ids meanwhile, and a monotonic clock that is just looking at the wall clock, change none of it.
//!
//! One test after the other on the main thread: a fork copies the thread that calls it and no other.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

/// Tests by their names.
macro_rules! tests {
    ($($name:ident),* $(,)?) => {
        pub(crate) const ALL: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
    };
}

#[cfg(unix)]
mod cases;
#[cfg(unix)]
mod clocks;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    use libtest_mimic::{Arguments, Trial};

    let trial = |&(name, body): &(&str, fn())| {
        Trial::test(name, move || {
            body();
            Ok(())
        })
    };
    let trials = cases::ALL.iter().chain(clocks::ALL).map(trial).collect();
    // On this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(not(unix))]
fn main() {}
