//! A clock that writes down how it is used, a day after a layout's epoch.

use std::time::Duration;

use idcore::{Generator, Layout, ManualClock, Snowflake, StaticLayout, UnixMillis};
use idtest::{Event, Recorder};

const DAY_MS: i64 = 86_400_000;

pub(crate) type Ids<'a, T> = Generator<T, &'a Recorder<ManualClock>>;

/// A clock that reads a day after the layout's epoch, and writes down how it is used.
pub(crate) fn clock_for(layout: Layout) -> Recorder<ManualClock> {
    Recorder::new(ManualClock::new(UnixMillis::new(layout.epoch().get() + DAY_MS)))
}

pub(crate) fn back(clock: &Recorder<ManualClock>, duration: Duration) {
    clock.inner().step_back(duration);
}

pub(crate) fn ahead(clock: &Recorder<ManualClock>, duration: Duration) {
    clock.inner().advance(duration);
}

pub(crate) fn sleeps(events: &[Event]) -> Vec<Duration> {
    events.iter().filter_map(|event| if let Event::Sleep(duration) = event { Some(*duration) } else { None }).collect()
}

pub(crate) fn tick_of<T: StaticLayout>(id: Snowflake<T>) -> i64 {
    id.time().get() - T::LAYOUT.epoch().get() - DAY_MS
}
