//! A clock that writes down how it is used.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use idcore::{Clock, UnixTime};

/// One use of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was read, and gave this time.
    Read(UnixTime),
    /// It was asked to sleep.
    Sleep(Duration),
}

/// A clock around another that writes down each reading and each sleep.
#[derive(Debug)]
pub struct Recorder<C> {
    clock: C,
    events: Mutex<Vec<Event>>,
}

impl<C> Recorder<C> {
    /// A clock that passes everything on to `clock`.
    pub const fn new(clock: C) -> Self {
        Self { clock, events: Mutex::new(Vec::new()) }
    }

    /// The clock inside.
    pub const fn inner(&self) -> &C {
        &self.clock
    }

    /// What happened since the last call.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, event: Event) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }
}

impl<C: Clock> Clock for Recorder<C> {
    fn now(&self) -> UnixTime {
        let now = self.clock.now();
        self.note(Event::Read(now));
        now
    }

    fn now_exact(&self) -> UnixTime {
        let now = self.clock.now_exact();
        self.note(Event::Read(now));
        now
    }

    fn sleep(&self, duration: Duration) {
        self.note(Event::Sleep(duration));
        self.clock.sleep(duration);
    }
}
