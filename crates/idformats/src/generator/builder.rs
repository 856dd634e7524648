//! How a generator is made: everything is checked here.

use core::marker::PhantomData;
use core::time::Duration;

use idcore::{Clock, Exhaustion, UnixMillis};

use super::{BuildError, Generator, word_end};
use crate::base::Key;
use crate::entropy::Entropy;
use crate::format::{DefaultEntropy, Format};
use crate::process;
use crate::state::{Counters, Gate, Lineage, MS_END, Nonce, State, Word};

/// Settings of a [`Generator`] to be.
#[derive(Clone, Copy, Debug)]
#[must_use = "a builder makes a generator when `build` is called"]
pub struct Builder<F: Format, C, E> {
    clock: C,
    entropy: E,
    rollback_max: Duration,
    ahead_max: Duration,
    exhaustion: Exhaustion,
    start: Option<UnixMillis>,
    id_above: Option<F::Id>,
    format: PhantomData<fn() -> F>,
}

impl<F: Format, C> Builder<F, C, DefaultEntropy> {
    #[expect(clippy::default_trait_access, reason = "its type depends on the features")]
    pub(crate) fn new(clock: C) -> Self {
        Self {
            clock,
            entropy: Default::default(),
            rollback_max: Duration::from_secs(10),
            ahead_max: Duration::from_millis(10),
            exhaustion: Exhaustion::default(),
            start: None,
            id_above: None,
            format: PhantomData,
        }
    }
}

impl<F: Format, C, E> Builder<F, C, E> {
    /// Where random bits come from. By default: [`ThreadEntropy`](crate::ThreadEntropy).
    pub fn entropy<E2>(self, entropy: E2) -> Builder<F, C, E2> {
        let Self { clock, entropy: _, rollback_max, ahead_max, exhaustion, start, id_above, format } = self;
        Builder { clock, entropy, rollback_max, ahead_max, exhaustion, start, id_above, format }
    }

    /// How far behind the last id's time the clock may be, in whole milliseconds: ids keep that time until the clock has
    /// passed it. Beyond it, an error at once. By default: 10 s.
    pub fn rollback_max(mut self, bound: Duration) -> Self {
        self.rollback_max = bound;
        self
    }

    /// How far ahead of the clock, in whole milliseconds, ids may run when counters come to their end faster than time
    /// passes. Beyond it [`on_exhausted`](Self::on_exhausted) says what happens. By default: 10 ms.
    pub fn ahead_max(mut self, bound: Duration) -> Self {
        self.ahead_max = bound;
        self
    }

    /// What to do when ids have run ahead of the clock as far as they may. By default: sleep until the clock has come nearer.
    pub fn on_exhausted(mut self, policy: Exhaustion) -> Self {
        self.exhaustion = policy;
        self
    }

    /// No id before this time. A start in the future is to the generator a clock that went back.
    pub fn start_at(mut self, time: UnixMillis) -> Self {
        self.start = Some(time);
        self
    }

    /// No id that does not sort above this one of the same format: for a restart. It starts a millisecond after the id's.
    pub fn not_before(mut self, id: F::Id) -> Self {
        self.id_above = self.id_above.max(Some(id));
        self
    }
}

impl<F: Format, C: Clock, E: Entropy> Builder<F, C, E> {
    /// The generator, with keys of its own.
    ///
    /// # Errors
    ///
    /// When there is no entropy; when the time or the id to start at is out of range or of another format.
    pub fn build(self) -> Result<Generator<F, C, E>, BuildError> {
        let start_ms = self.start_ms()?;
        let mut key = [0; 32];
        self.entropy.fill(&mut key)?;
        let generation = process::generation();
        let nonce = Nonce::new(generation, self.entropy.next_u64()?).ok_or(BuildError::Forked { depth: generation })?;
        Ok(Generator {
            state: State::new(Word::at_slot(Word::slot_of_ms(start_ms))),
            gate: Gate::new(),
            lineage: Lineage::new(nonce),
            key: Key::new(key),
            rollback_ms_max: saturating_ms(self.rollback_max),
            ahead_ms_max: saturating_ms(self.ahead_max),
            exhausted_max: match self.exhaustion {
                Exhaustion::Fail => Duration::ZERO,
                Exhaustion::Wait { max } => max,
            },
            counters: Counters::default(),
            entropy: self.entropy,
            clock: self.clock,
            format: PhantomData,
        })
    }

    /// The first millisecond that an id may have.
    fn start_ms(&self) -> Result<u64, BuildError> {
        let above = match self.id_above {
            None => 0,
            Some(id) => F::unix_ms(id).ok_or(BuildError::StartFormat)? + 1,
        };
        let from_time = match self.start {
            None => 0,
            Some(unix_ms) => {
                u64::try_from(unix_ms.get()).map_err(|_| BuildError::StartOutOfRange { unix_ms, end: word_end() })?
            }
        };
        let start_ms = above.max(from_time);
        if start_ms >= MS_END {
            let unix_ms = UnixMillis::new(i64::try_from(start_ms).unwrap_or(i64::MAX));
            return Err(BuildError::StartOutOfRange { unix_ms, end: word_end() });
        }
        Ok(start_ms)
    }
}

fn saturating_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
