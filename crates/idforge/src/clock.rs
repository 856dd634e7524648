//! `--clock`: where a generator's time comes from.

use std::time::Duration;

use clap::ValueEnum;
use idcore::{Clock, ClockSuspect, MonotonicClock, SystemClock, TickerClock, UnixTime};

use crate::failure::Failure;

/// The name of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClockKind {
    /// The wall clock, whatever it does
    #[default]
    Wall,
    /// Never goes back, and does not believe a jump ahead until it has stayed
    Monotonic,
    /// A thread reads the wall clock every millisecond: the fastest
    Ticker,
}

/// A clock that was chosen by name.
#[derive(Debug)]
pub(crate) enum ChosenClock {
    Wall(SystemClock),
    Monotonic(MonotonicClock),
    Ticker(TickerClock),
}

impl ClockKind {
    /// The clock; an error when the ticker gets no thread.
    pub(crate) fn start(self) -> Result<ChosenClock, Failure> {
        Ok(match self {
            Self::Wall => ChosenClock::Wall(SystemClock),
            Self::Monotonic => ChosenClock::Monotonic(MonotonicClock::new()),
            Self::Ticker => {
                let clock = TickerClock::start().map_err(|error| Failure::io("--clock ticker", &error))?;
                ChosenClock::Ticker(clock)
            }
        })
    }
}

macro_rules! ask {
    ($chosen:expr, $clock:ident => $answer:expr) => {
        match $chosen {
            ChosenClock::Wall($clock) => $answer,
            ChosenClock::Monotonic($clock) => $answer,
            ChosenClock::Ticker($clock) => $answer,
        }
    };
}

impl Clock for ChosenClock {
    fn now(&self) -> UnixTime {
        ask!(self, clock => clock.now())
    }

    fn now_exact(&self) -> UnixTime {
        ask!(self, clock => clock.now_exact())
    }

    fn suspicion(&self) -> Option<ClockSuspect> {
        ask!(self, clock => clock.suspicion())
    }

    fn sleep(&self, duration: Duration) {
        ask!(self, clock => clock.sleep(duration));
    }
}
