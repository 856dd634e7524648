//! The command line as a person or a script meets it: the real binary, its output, its exit status.

mod check;
mod collide;
mod generate;
mod generate_wide;
mod inspect;
mod layout;
#[cfg(target_os = "linux")]
mod memory;
mod pipes;
mod range;
mod run;
mod usage;
mod vectors;
