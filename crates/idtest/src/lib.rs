//! Oracles, seeded randomness, vectors and fuzz bodies for the tests of the workspace.
//!
//! The oracles are naive and share no code with what they check: numbers are taken apart by division in `u128`, ids are
//! taken one slot at a time, times are counted in nanoseconds, dates by walking through the years.
//!
//! - [`Plan`]: what a layout says, and [`Oracle`]: what a generator must answer at a given time.
//! - [`Scenario`]: a layout, settings and operations, run on a generator and held against the oracle step by step.
//! - [`formats`]: the same for UUIDs of version 7 and ULIDs.
//! - [`text`]: the texts of ids. [`calendar`]: the date of a time. [`vectors`]: known values.
//! - [`Seed`] and [`Rng`]: randomness that one number replays.
//! - [`process`]: children of real forks, and their system calls counted.
//! - [`fuzz`]: the bodies of the fuzz targets, which plain tests run on the committed corpora.

pub mod calendar;
pub mod formats;
pub mod fuzz;
#[cfg(unix)]
pub mod process;
pub mod text;
pub mod vectors;

mod bytes;
mod oracle;
mod panics;
mod plan;
mod recorder;
mod replay;
mod scenario;
mod seed;
mod spec;

pub use self::bytes::Bytes;
pub use self::oracle::{Counts, Oracle, Refusal, Settings};
pub use self::panics::quietly;
pub use self::plan::{Part, Parts, Plan, PlanField};
pub use self::recorder::{Event, Recorder};
pub use self::scenario::{Op, Scenario, Seen};
pub use self::seed::{Rng, Seed};
pub use self::spec::{SpecVerdict, read_spec};
