//! The queue of asynchronous calls that have found their tick used up.
//!
//! One of them leads: it alone waits until the tick begins, takes slots for itself and for those that are parked, in one
//! exchange, hands them over with the wake-ups, and passes the lead on. So an id costs the runtime one wake-up at the most,
//! however many calls wait.
//!
//! 1. Calls are parked only while one leads. The lead is passed on when it ends, however it ends.
//! 2. Slots go to calls that were parked before the slots were taken, in the order in which they came. So ids increase in
//!    the order in which calls take them, for parked calls too.
//! 3. The lock is held for moments: nothing is taken, woken or awaited meanwhile.

use core::ops::Range;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use tokio::sync::oneshot;

use crate::state::{Waiters, Waiting};

/// How many calls are handed a slot at once. The next ones come when the lead has gone through the runtime's queue, behind
/// these and with other tasks in between.
const BATCH: usize = 32;

#[derive(Debug, Default)]
pub(super) struct Queue {
    line: Mutex<Line>,
    parked: Waiters,
}

#[derive(Debug, Default)]
struct Line {
    /// Those that are parked, first come first; among them some that were dropped.
    calls: VecDeque<oneshot::Sender<Grant>>,
    /// Who leads; 0 when nobody does.
    leader: u64,
    /// How often the lead was given: each is another leader.
    leads: u64,
    /// How often a leader has looked for slots, by which others can tell that it is being polled.
    looks: u64,
}

/// What a parked call is woken with.
#[derive(Clone, Copy, Debug)]
enum Grant {
    Slot(u64),
    Lead(u64),
}

/// The same, with what it takes to pass the lead on.
pub(super) enum Woken<'a> {
    WithSlot(u64),
    WithLead(Lead<'a>),
}

/// Where a call stands that has joined.
pub(super) enum Place<'a> {
    Leads(Lead<'a>),
    Parked(Parked<'a>),
}

/// The lead, for as long as this lives.
pub(super) struct Lead<'a> {
    queue: &'a Queue,
    leader: u64,
}

/// A place in the line, for as long as this lives.
pub(super) struct Parked<'a> {
    queue: &'a Queue,
    grant: oneshot::Receiver<Grant>,
    /// How many were before it.
    place: u64,
    /// The looks of leaders when it was last asked.
    looks: u64,
    _counted: Waiting<'a>,
}

impl Queue {
    /// The number of calls that are parked.
    #[inline]
    pub(super) fn parked(&self) -> u64 {
        self.parked.due_besides(None)
    }

    #[inline]
    pub(super) fn is_any_parked(&self) -> bool {
        self.parked.is_any()
    }

    /// Parks a call behind all others, or lets it lead when nobody does.
    pub(super) fn join(&self) -> Place<'_> {
        let mut line = self.line();
        if line.leader == 0 {
            return Place::Leads(Lead { queue: self, leader: line.new_leader() });
        }
        let (sender, grant) = oneshot::channel();
        let (place, looks) = (line.calls.len() as u64, line.looks);
        line.calls.push_back(sender);
        Place::Parked(Parked { queue: self, grant, place, looks, _counted: self.parked.join(0) })
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        // Nothing that can panic half-way runs under the lock.
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// How many calls come next; those before them that were dropped leave the line.
    fn next_calls(&mut self) -> usize {
        let mut count = 0;
        while count < BATCH && count < self.calls.len() {
            if self.calls[count].is_closed() {
                self.calls.remove(count);
            } else {
                count += 1;
            }
        }
        count
    }

    fn new_leader(&mut self) -> u64 {
        self.leads += 1;
        self.leader = self.leads;
        self.leader
    }
}

impl Lead<'_> {
    /// For how many parked calls slots are wanted now; none when another leads meanwhile.
    pub(super) fn look(&self) -> Option<usize> {
        let mut line = self.queue.line();
        line.looks = line.looks.wrapping_add(1);
        (line.leader == self.leader).then(|| line.next_calls())
    }

    /// Hands over slots that were taken for parked calls, no more than the last look has seen, and passes the lead on.
    pub(super) fn hand_over(self, mut slots: Range<u64>) {
        let mut calls = self.first_calls(slots.end - slots.start);
        let last = calls.pop();
        for call in calls {
            give(call, &mut slots);
        }
        // Before the last wake-up, since a runtime may run first what is woken last; and others are to run before the leader.
        drop(self);
        if let Some(call) = last {
            give(call, &mut slots);
        }
    }

    fn first_calls(&self, count: u64) -> Vec<oneshot::Sender<Grant>> {
        let mut line = self.queue.line();
        // Who was replaced since the look has slots from before the new leader's, which would come too late.
        if line.leader != self.leader {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(line.calls.len());
        line.calls.drain(..count).collect()
    }
}

/// Gives the first of the slots to a call; one that was dropped leaves it to the next.
fn give(call: oneshot::Sender<Grant>, slots: &mut Range<u64>) {
    if call.send(Grant::Slot(slots.start)).is_ok() {
        slots.start += 1;
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        let mut leader = self.leader;
        loop {
            let mut line = self.queue.line();
            if line.leader != leader {
                return;
            }
            let Some(next) = line.calls.pop_front() else {
                line.leader = 0;
                return;
            };
            leader = line.new_leader();
            drop(line);
            if next.send(Grant::Lead(leader)).is_ok() {
                return;
            }
        }
    }
}

impl<'a> Parked<'a> {
    /// How many calls were before this one when it was parked.
    pub(super) fn place(&self) -> u64 {
        self.place
    }

    /// Waits for a slot or the lead.
    pub(super) async fn woken(&mut self) -> Woken<'a> {
        let grant = (&mut self.grant).await;
        self.woken_with(grant.expect("a call that is taken out of the line is sent something"))
    }

    /// Takes the lead, when no leader has looked since this was parked, or since this was asked before: a future that is not
    /// polled holds nobody up for long.
    pub(super) fn take_over(&mut self) -> Option<Lead<'a>> {
        let mut line = self.queue.line();
        if line.looks != self.looks {
            self.looks = line.looks;
            return None;
        }
        Some(Lead { queue: self.queue, leader: line.new_leader() })
    }

    fn woken_with(&self, grant: Grant) -> Woken<'a> {
        match grant {
            Grant::Slot(slot) => Woken::WithSlot(slot),
            Grant::Lead(leader) => Woken::WithLead(Lead { queue: self.queue, leader }),
        }
    }
}

impl Drop for Parked<'_> {
    fn drop(&mut self) {
        self.grant.close();
        if let Ok(grant) = self.grant.try_recv() {
            // A slot is lost; the lead is passed on.
            drop(self.woken_with(grant));
        }
    }
}
