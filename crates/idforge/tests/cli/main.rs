//! The command line as a person or a script meets it: the real binary, its output, its exit status.

mod check;
mod check_wide;
mod collide;
mod generate;
mod generate_wide;
mod inspect;
mod inspect_wide;
mod layout;
#[cfg(target_os = "linux")]
mod memory;
mod pipes;
mod range;
mod range_wide;
mod run;
mod usage;
mod vectors;
