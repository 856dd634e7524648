//! Waiting without blocking a thread of tokio's.

use core::time::Duration;

use super::wait::Verdict;
use super::{Generator, IssueError};
use crate::clock::Clock;
use crate::id::Snowflake;
use crate::layout::Tag;

/// What tokio's timer can tell apart: a shorter sleep may take as long.
const TIMER_TICK: Duration = Duration::from_millis(1);

/// While no more callers than this wait for a tick, they look again at every turn of the runtime, which is exact; when more
/// do, they sleep, so that the others' tasks are not slowed down.
const YIELDING_MAX: u64 = 32;

impl<T: Tag, C: Clock> Generator<T, C> {
    /// The next id, as [`next_id`](Self::next_id) gives it, without blocking the thread (feature `tokio`).
    ///
    /// A wait of a millisecond or more sleeps on tokio's timer, a shorter one yields to other tasks and looks again; when many
    /// callers wait, all of them sleep. Dropping the future at any time loses no id. A
    /// future that waits has to be polled: ids are kept for it.
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
        let mut wait = self.wait(1);
        loop {
            let verdict = match self.take_exact(1, wait.waiting()) {
                Ok(taken) => return Ok(self.id_of(taken.first)),
                Err(verdict) => verdict,
            };
            if self.may_yield(&verdict) {
                wait.turn_for(verdict)?;
                tokio::task::yield_now().await;
            } else {
                let pause = wait.pause_for(verdict)?;
                tokio::time::sleep(pause).await;
            }
        }
    }

    fn may_yield(&self, verdict: &Verdict) -> bool {
        verdict.pause < TIMER_TICK && self.waiters.due_besides(None) <= YIELDING_MAX
    }
}
