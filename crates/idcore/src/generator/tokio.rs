//! Waiting without blocking a thread of tokio's.

use core::time::Duration;

use super::queue::{Lead, Parked, Place, Woken};
use super::wait::{Verdict, Wait};
use super::{Generator, IssueError};
use crate::clock::Clock;
use crate::id::Snowflake;
use crate::layout::Tag;
use crate::state::{Share, Waiting};

/// What tokio's timer can tell apart: a shorter sleep may take as long.
const TIMER_TICK: Duration = Duration::from_millis(1);

/// How long a parked call believes in a leader of whom nothing is seen, beyond the time that its place in the line takes.
const PATIENCE: Duration = Duration::from_millis(50);

/// The share of a tick that is kept for parked calls, as a divisor. The rest goes to whoever is running: a wake-up costs a
/// runtime as much as several ids do, and 4,096 of them in a millisecond would be all that two threads can do.
const KEPT_DIVISOR: u64 = 8;

impl<T: Tag, C: Clock> Generator<T, C> {
    /// The next id, as [`next_id`](Self::next_id) gives it, without blocking the thread (feature `tokio`).
    ///
    /// Of the calls that find the tick used up one waits for the next (on tokio's timer, or for less than a millisecond by
    /// yielding to other tasks) and hands out its ids to the others, first come first served, at least an eighth of each tick.
    /// Calls of several runtimes, and threads that block in [`next_id`](Self::next_id), can share a generator.
    ///
    /// Dropping the future at any time loses at most the id that was being handed to it, and nobody gets an id twice. A future
    /// that waits is to be polled or dropped: one that is woken and not polled may hold up the others for some 50 ms. An id
    /// that was handed to a future is as old as its time says, however late the future is polled.
    ///
    /// With the feature `tokio` a generator takes up to 384 bytes, and a call that waits allocates its place in the line.
    ///
    /// # Errors
    ///
    /// As for [`next_id`](Self::next_id).
    ///
    /// # Panics
    ///
    /// When it has to sleep outside a tokio runtime, or in one whose timer is not enabled.
    ///
    /// # Examples
    ///
    /// ```
    /// use idcore::{Standard, StaticLayout};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// let ids = Standard::generator().node(19).build()?;
    /// let id = ids.next_id_async().await?;
    /// # let _ = id;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn next_id_async(&self) -> Result<Snowflake<T>, IssueError> {
        // A task that takes many ids in a row gives way to others now and then, as tokio's own operations do.
        tokio::task::coop::consume_budget().await;
        if let Ok(slot) = self.take_one() {
            return Ok(self.id_of(slot));
        }
        self.next_in_line().await
    }

    async fn next_in_line(&self) -> Result<Snowflake<T>, IssueError> {
        let mut wait = self.wait(1);
        let mut lead = None;
        loop {
            let verdict = match self.take_leading(&mut lead, wait.waiting()) {
                Ok(slot) => return Ok(self.id_of(slot)),
                Err(verdict) => verdict,
            };
            if lead.is_none() && matches!(verdict.error, IssueError::Exhausted { .. }) {
                wait.turn_for(verdict)?;
                match self.queue.join() {
                    Place::Leads(first) => lead = Some(first),
                    Place::Parked(parked) => match self.woken(parked, &mut wait).await {
                        Some(Woken::WithSlot(slot)) => {
                            self.check_handed_out()?;
                            return Ok(self.id_of(slot));
                        }
                        Some(Woken::WithLead(passed_on)) => {
                            lead = Some(passed_on);
                            continue;
                        }
                        None => continue,
                    },
                }
            }
            wait.takes_no_turns(verdict);
            if verdict.pause < TIMER_TICK {
                wait.turn_for(verdict)?;
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(wait.pause_for(verdict)?).await;
            }
        }
    }

    /// Takes a slot for the call and, when it leads, slots for the parked calls that come next.
    fn take_leading(&self, lead: &mut Option<Lead<'_>>, waiting: Option<&Waiting<'_>>) -> Result<u64, Verdict> {
        let share = waiting.map(Waiting::share);
        let Some(parked) = lead.as_ref().and_then(Lead::look) else {
            *lead = None;
            return self.take_exact(1, share).map(|taken| taken.first);
        };
        let taken = self.take_exact(1 + parked as u64, Some(Share::leading(share)))?;
        if let Some(lead) = lead.take() {
            lead.hand_over(taken.first + 1..taken.first + taken.len);
        }
        Ok(taken.first)
    }

    /// Waits in the line; none when the call has waited for as long as it may.
    async fn woken<'a>(&'a self, mut parked: Parked<'a>, wait: &mut Wait<'_>) -> Option<Woken<'a>> {
        // A leader looks at each tick; and those behind a long line need not look out for it as often.
        let ticks = 2 + 2 * (parked.place() / self.packing().sequence_count());
        let ticks_ms = ticks.saturating_mul(u64::from(self.packing().tick_ms()));
        let patience = PATIENCE.saturating_add(Duration::from_millis(ticks_ms));
        loop {
            let patience = wait.patience(patience)?;
            if let Ok(woken) = tokio::time::timeout(patience, parked.woken()).await {
                return Some(woken);
            }
            wait.charge_patience(patience);
            if let Some(lead) = parked.take_over() {
                return Some(Woken::WithLead(lead));
            }
        }
    }

    /// The slots that are kept for parked calls.
    #[inline]
    pub(super) fn kept_for_parked(&self) -> u64 {
        self.queue.parked().min(self.packing().sequence_count() / KEPT_DIVISOR)
    }
}
