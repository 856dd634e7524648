//! What every run must show: ids that increase in each thread, that no two threads share, from a
//! clock that advanced.

use std::{fmt, iter::Peekable, time::Duration};

use crate::pool::Stream;

/// All layouts measured here carry milliseconds above this many bits: 41/10/12 and 41/0/22.
pub(crate) const TIME_SHIFT: u32 = 22;

/// The ids are held against each other in windows of this many bits of their value.
const WINDOW_BITS: u32 = 22;

/// What the ids of a sound run say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// How many there are.
    pub(crate) count: u64,
    /// The lowest one.
    pub(crate) lowest: u64,
    /// The highest one.
    pub(crate) highest: u64,
}

/// Why a run does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A thread got an id that is not above the one before.
    Disorder {
        /// The thread, from 0.
        thread: usize,
        /// How many ids the thread had before.
        at: u64,
        /// The id before.
        before: u64,
        /// The id that should have been greater.
        after: u64,
    },
    /// Two threads got the same id.
    Duplicate {
        /// The id.
        id: u64,
        /// The threads, from 0.
        threads: [usize; 2],
    },
    /// No id at all.
    Empty,
    /// A batch that is not full.
    Short {
        /// Ids in it.
        got: usize,
        /// Ids that were asked for.
        expected: usize,
    },
    /// The times in the ids cover less than half of the time that passed.
    ClockStill {
        /// Milliseconds from the lowest to the highest id.
        ids_ms: u64,
        /// Milliseconds that the run took.
        run_ms: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disorder { thread, at, before, after } => {
                write!(f, "thread {thread} got {after} after {before} (its id number {at}), expected a greater one")
            }
            Self::Duplicate { id, threads: [a, b] } => {
                write!(f, "threads {a} and {b} both got {id}, expected one of them")
            }
            Self::Empty => f.write_str("the run has no id"),
            Self::Short { got, expected } => {
                write!(f, "a batch has {got} ids, expected {expected}")
            }
            Self::ClockStill { ids_ms, run_ms } => {
                write!(f, "the ids cover {ids_ms} ms of a run of {run_ms} ms, expected at least half of it")
            }
        }
    }
}

/// Checks that the ids of each thread increase strictly and that no two threads share one.
///
/// Takes time in proportion to the ids, whatever the number of threads: each stream is sorted (or
/// the check ends), so all of them can be walked window by window, with one bit for each value.
///
/// # Errors
///
/// The first fault in the order of the values.
pub(crate) fn check(streams: &[Stream]) -> Result<Checked, Fault> {
    let mut cursors: Vec<_> = streams.iter().map(|stream| cursor(stream.ids())).collect();
    let mut window = Window::new();
    let mut found: Option<Checked> = None;
    while let Some(number) = cursors.iter_mut().filter_map(Cursor::window).min() {
        for (thread, cursor) in cursors.iter_mut().enumerate() {
            while let Some(id) = cursor.next_in(number, thread)? {
                if !window.insert(id) {
                    return Err(shared(streams, id));
                }
                let all = found.get_or_insert(Checked { count: 0, lowest: id, highest: id });
                all.count += 1;
                all.lowest = all.lowest.min(id);
                all.highest = all.highest.max(id);
            }
        }
        window.clear();
    }
    found.ok_or(Fault::Empty)
}

/// Checks that the times in the ids follow the time that passed.
///
/// # Errors
///
/// [`Fault::ClockStill`] when the ids cover less than half of `elapsed`.
pub(crate) fn check_clock(found: &Checked, elapsed: Duration) -> Result<(), Fault> {
    let ids_ms = (found.highest >> TIME_SHIFT) - (found.lowest >> TIME_SHIFT);
    let run_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    if ids_ms < run_ms / 2 {
        return Err(Fault::ClockStill { ids_ms, run_ms });
    }
    Ok(())
}

/// Names the two threads that have `id`.
#[cold]
fn shared(streams: &[Stream], id: u64) -> Fault {
    let mut holders = streams
        .iter()
        .enumerate()
        .filter(|(_, stream)| stream.ids().any(|other| other == id))
        .map(|(thread, _)| thread);
    let mut holder = || holders.next().expect("two streams hold an id seen twice");
    Fault::Duplicate { id, threads: [holder(), holder()] }
}

/// A place in the ids of one thread.
struct Cursor<I: Iterator<Item = u64>> {
    ids: Peekable<I>,
    before: Option<u64>,
    at: u64,
}

fn cursor<I: Iterator<Item = u64>>(ids: I) -> Cursor<I> {
    Cursor { ids: ids.peekable(), before: None, at: 0 }
}

impl<I: Iterator<Item = u64>> Cursor<I> {
    /// The window of the next id.
    fn window(&mut self) -> Option<u64> {
        self.ids.peek().map(|id| id >> WINDOW_BITS)
    }

    /// The next id, if it is in window `number`.
    fn next_in(&mut self, number: u64, thread: usize) -> Result<Option<u64>, Fault> {
        let Some(id) = self.ids.next_if(|id| id >> WINDOW_BITS <= number) else {
            return Ok(None);
        };
        if let Some(before) = self.before.replace(id).filter(|before| id <= *before) {
            return Err(Fault::Disorder { thread, at: self.at, before, after: id });
        }
        self.at += 1;
        Ok(Some(id))
    }
}

/// One bit for each value of a window.
struct Window {
    words: Vec<u64>,
    touched: Option<(usize, usize)>,
}

impl Window {
    fn new() -> Self {
        Self { words: vec![0; 1 << (WINDOW_BITS - 6)], touched: None }
    }

    /// Whether `id` was not there before.
    fn insert(&mut self, id: u64) -> bool {
        let low = id & ((1 << WINDOW_BITS) - 1);
        let word = usize::try_from(low >> 6).expect("a window has 2^16 words");
        let bit = 1 << (low & 63);
        let (first, last) = self.touched.unwrap_or((word, word));
        self.touched = Some((first.min(word), last.max(word)));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    fn clear(&mut self) {
        if let Some((first, last)) = self.touched.take() {
            self.words[first..=last].fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn streams(ids: &[&[u64]]) -> Vec<Stream> {
        ids.iter().map(|ids| Stream::of(ids)).collect()
    }

    /// What a set says about the same ids: the oracle for random streams.
    fn naive(ids: &[Vec<u64>]) -> bool {
        let all: BTreeSet<u64> = ids.iter().flatten().copied().collect();
        let total: usize = ids.iter().map(Vec::len).sum();
        let ordered = ids.iter().all(|ids| ids.windows(2).all(|pair| pair[0] < pair[1]));
        ordered && all.len() == total && total > 0
    }

    #[test]
    fn interleaved_streams_are_sound() {
        let found = check(&streams(&[&[1, 4, 5 << 40], &[2, 3, 5], &[], &[1 << 22]]));
        let expected = Checked { count: 7, lowest: 1, highest: 5 << 40 };
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn a_planted_duplicate_over_threads_is_found() {
        for id in [0, 5, (1 << 22) - 1, 1 << 22, (7 << 22) + 63, u64::MAX] {
            let planted = streams(&[&[id], &[], &[id]]);
            let fault = Fault::Duplicate { id, threads: [0, 2] };
            assert_eq!(check(&planted), Err(fault));
        }
    }

    #[test]
    fn a_planted_duplicate_within_a_thread_is_a_disorder() {
        let fault = Fault::Disorder { thread: 1, at: 2, before: 9, after: 9 };
        assert_eq!(check(&streams(&[&[1], &[8, 9, 9, 10]])), Err(fault));
    }

    #[test]
    fn a_planted_disorder_is_found_within_a_window_and_over_windows() {
        for (before, after) in [(9, 8), (5 << 22, 4 << 22), (1 << 40, 0)] {
            let fault = Fault::Disorder { thread: 0, at: 1, before, after };
            assert_eq!(check(&streams(&[&[before, after]])), Err(fault));
        }
    }

    #[test]
    fn no_ids_are_a_fault() {
        assert_eq!(check(&streams(&[&[], &[]])), Err(Fault::Empty));
    }

    #[test]
    fn a_clock_that_stands_still_is_found() {
        let ids_over = |ms: u64| Checked { count: 2, lowest: 100 << TIME_SHIFT, highest: (100 + ms) << TIME_SHIFT };
        let run = Duration::from_millis(200);
        assert_eq!(check_clock(&ids_over(100), run), Ok(()));
        let fault = Fault::ClockStill { ids_ms: 99, run_ms: 200 };
        assert_eq!(check_clock(&ids_over(99), run), Err(fault));
    }

    #[test]
    fn agrees_with_a_set_on_random_streams() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: u64| {
            // xorshift64: enough to mix sound and faulty streams.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let (mut sound, mut faulty) = (0, 0);
        for _ in 0..2000 {
            let mut ids = vec![Vec::new(); 3];
            let mut next = random(1 << 23);
            for _ in 0..random(12) {
                // Mostly upwards in steps below or above a window, at times not at all.
                next += [1, 1, 64, 1 << 21, 1 << 23][usize::try_from(random(5)).unwrap()] * u64::from(random(40) != 0);
                ids[usize::try_from(random(3)).unwrap()].push(next);
            }
            let given: Vec<Stream> = ids.iter().map(|ids| Stream::of(ids)).collect();
            assert_eq!(check(&given).is_ok(), naive(&ids), "{ids:?}");
            *if naive(&ids) { &mut sound } else { &mut faulty } += 1;
        }
        assert!(sound > 100 && faulty > 100, "{sound} sound, {faulty} faulty streams");
    }

    #[test]
    fn faults_say_who_what_and_where() {
        let fault = Fault::Disorder { thread: 3, at: 55, before: 18, after: 17 };
        assert_eq!(fault.to_string(), "thread 3 got 17 after 18 (its id number 55), expected a greater one");
        let fault = Fault::Duplicate { id: 7, threads: [0, 2] };
        assert_eq!(fault.to_string(), "threads 0 and 2 both got 7, expected one of them");
    }
}
