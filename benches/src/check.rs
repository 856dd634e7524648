//! What every run must show: ids that increase in each thread, that no two threads share, from a
//! clock that advanced.

use std::{fmt, iter::Peekable, time::Duration};

use crate::{id::Id, pool::Stream, window::Window};

/// What the ids of a sound run say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checked<I> {
    /// How many there are.
    pub(crate) count: u64,
    /// The lowest one.
    pub(crate) lowest: I,
    /// The highest one.
    pub(crate) highest: I,
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
        before: u128,
        /// The id that should have been greater.
        after: u128,
    },
    /// An id was given twice.
    Duplicate {
        /// The id.
        id: u128,
        /// The threads that got it, from 0.
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
            Self::Duplicate { id, threads: [a, b] } if a == b => {
                write!(f, "thread {a} got {id} twice, expected it once")
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

impl Fault {
    /// The id number `at` of `thread` is not above the one before.
    pub(crate) fn disorder<I: Id>(thread: usize, at: u64, before: I, after: I) -> Self {
        Self::Disorder { thread, at, before: before.into(), after: after.into() }
    }
}

/// Checks that the ids of each thread increase strictly and that no two threads share one.
///
/// Takes time in proportion to the ids: each stream is sorted (or the check ends), so all of them can be walked
/// millisecond by millisecond, and only the ids of one are held against each other.
///
/// # Errors
///
/// The first fault, millisecond by millisecond.
pub(crate) fn check<I: Id>(streams: &[Stream<I>]) -> Result<Checked<I>, Fault> {
    let mut cursors: Vec<_> = streams.iter().map(|stream| cursor(stream.ids())).collect();
    let mut window = I::Window::default();
    let mut found: Option<Checked<I>> = None;
    while let Some(ms) = cursors.iter_mut().filter_map(Cursor::ms).min() {
        for (thread, cursor) in cursors.iter_mut().enumerate() {
            while let Some(id) = cursor.next_in(ms, thread)? {
                window.insert(id);
                let all = found.get_or_insert(Checked { count: 0, lowest: id, highest: id });
                all.count += 1;
                all.lowest = all.lowest.min(id);
                all.highest = all.highest.max(id);
            }
        }
        if let Some(id) = window.end() {
            return Err(shared(&streams.iter().collect::<Vec<_>>(), id));
        }
    }
    found.ok_or(Fault::Empty)
}

/// Checks that no id is there twice, whatever their order.
///
/// # Errors
///
/// The lowest id that is.
pub(crate) fn check_unordered<I: Id>(streams: &[&Stream<I>]) -> Result<Checked<I>, Fault> {
    let mut ids: Vec<I> = streams.iter().flat_map(|stream| stream.ids()).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(shared(streams, pair[0]));
    }
    let (Some(lowest), Some(highest)) = (ids.first(), ids.last()) else { return Err(Fault::Empty) };
    Ok(Checked { count: u64::try_from(ids.len()).unwrap_or(u64::MAX), lowest: *lowest, highest: *highest })
}

/// Checks that the times in the ids follow the time that passed.
///
/// # Errors
///
/// [`Fault::ClockStill`] when the ids cover less than half of `elapsed`.
pub(crate) fn check_clock<I: Id>(found: &Checked<I>, elapsed: Duration) -> Result<(), Fault> {
    let ids_ms = found.highest.ms() - found.lowest.ms();
    let run_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    if ids_ms < run_ms / 2 {
        return Err(Fault::ClockStill { ids_ms, run_ms });
    }
    Ok(())
}

/// Names the two threads that have `id`, or the one that has it twice.
#[cold]
fn shared<I: Id>(streams: &[&Stream<I>], id: I) -> Fault {
    let mut holders = streams
        .iter()
        .enumerate()
        .flat_map(|(thread, stream)| stream.ids().filter(move |other| *other == id).map(move |_| thread));
    let mut holder = || holders.next().expect("an id that was seen twice is there twice");
    Fault::Duplicate { id: id.into(), threads: [holder(), holder()] }
}

/// A place in the ids of one thread.
struct Cursor<T: Iterator> {
    ids: Peekable<T>,
    before: Option<T::Item>,
    at: u64,
}

fn cursor<I: Id, T: Iterator<Item = I>>(ids: T) -> Cursor<T> {
    Cursor { ids: ids.peekable(), before: None, at: 0 }
}

impl<I: Id, T: Iterator<Item = I>> Cursor<T> {
    /// The millisecond of the next id.
    fn ms(&mut self) -> Option<u64> {
        self.ids.peek().map(|id| id.ms())
    }

    /// The next id, if its time is no later than `ms`.
    fn next_in(&mut self, ms: u64, thread: usize) -> Result<Option<I>, Fault> {
        let Some(id) = self.ids.next_if(|id| id.ms() <= ms) else {
            return Ok(None);
        };
        if let Some(before) = self.before.replace(id).filter(|before| id <= *before) {
            return Err(Fault::disorder(thread, self.at, before, id));
        }
        self.at += 1;
        Ok(Some(id))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::id::TIME_SHIFT;

    fn streams<I: Id>(ids: &[&[I]]) -> Vec<Stream<I>> {
        ids.iter().map(|ids| Stream::of(ids)).collect()
    }

    fn loose<I: Id>(streams: &[Stream<I>]) -> Result<Checked<I>, Fault> {
        check_unordered(&streams.iter().collect::<Vec<_>>())
    }

    /// The same number as an id of 128 bits, in the same millisecond.
    fn widened(id: u64) -> u128 {
        u128::from(id) << 58
    }

    /// What a set says about the same ids, the oracle for random streams: whether they are unique, and in order too.
    fn naive(ids: &[Vec<u64>]) -> (bool, bool) {
        let all: BTreeSet<u64> = ids.iter().flatten().copied().collect();
        let total: usize = ids.iter().map(Vec::len).sum();
        let ordered = ids.iter().all(|ids| ids.windows(2).all(|pair| pair[0] < pair[1]));
        let unique = all.len() == total && total > 0;
        (unique, unique && ordered)
    }

    #[test]
    fn interleaved_streams_are_sound() {
        let found = check(&streams(&[&[1, 4, 5 << 40], &[2, 3, 5], &[], &[1_u64 << 22]]));
        let expected = Checked { count: 7, lowest: 1, highest: 5 << 40 };
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn a_planted_duplicate_over_threads_is_found() {
        for id in [0, 5, (1 << 22) - 1, 1 << 22, (7 << 22) + 63, u64::MAX] {
            let planted = streams(&[&[id], &[], &[id]]);
            let fault = Fault::Duplicate { id: id.into(), threads: [0, 2] };
            assert_eq!(check(&planted), Err(fault));
        }
        for id in [0, 5, (1 << 80) - 1, 1 << 80, u128::MAX] {
            let fault = Fault::Duplicate { id, threads: [0, 2] };
            assert_eq!(check(&streams(&[&[id], &[], &[id]])), Err(fault));
            assert_eq!(loose(&streams(&[&[id], &[], &[id]])), Err(fault));
        }
    }

    #[test]
    fn a_planted_duplicate_within_a_thread_is_a_disorder() {
        let fault = Fault::Disorder { thread: 1, at: 2, before: 9, after: 9 };
        assert_eq!(check(&streams(&[&[1], &[8, 9, 9, 10_u64]])), Err(fault));
        // Where there is no order it is just that.
        let fault = Fault::Duplicate { id: 9, threads: [1, 1] };
        assert_eq!(loose(&streams(&[&[1], &[9, 8, 10, 9_u128]])), Err(fault));
    }

    #[test]
    fn a_planted_disorder_is_found_within_a_window_and_over_windows() {
        for (before, after) in [(9, 8), (5 << 22, 4 << 22), (1 << 40, 0_u64)] {
            assert_eq!(check(&streams(&[&[before, after]])), Err(Fault::disorder(0, 1, before, after)));
            let (before, after) = (widened(before), widened(after));
            assert_eq!(check(&streams(&[&[before, after]])), Err(Fault::disorder(0, 1, before, after)));
            assert_eq!(loose(&streams(&[&[before, after]])).map(|found| found.count), Ok(2));
        }
    }

    #[test]
    fn no_ids_are_a_fault() {
        assert_eq!(check(&streams::<u64>(&[&[], &[]])), Err(Fault::Empty));
        assert_eq!(loose(&streams::<u128>(&[&[], &[]])), Err(Fault::Empty));
    }

    #[test]
    fn a_clock_that_stands_still_is_found() {
        let ids_over = |ms: u64| Checked { count: 2, lowest: 100 << TIME_SHIFT, highest: (100 + ms) << TIME_SHIFT };
        let wide_over = |ms: u64| Checked { count: 2, lowest: widened(100 << 22), highest: widened((100 + ms) << 22) };
        let run = Duration::from_millis(200);
        assert_eq!(check_clock(&ids_over(100), run), Ok(()));
        assert_eq!(check_clock(&wide_over(100), run), Ok(()));
        let fault = Fault::ClockStill { ids_ms: 99, run_ms: 200 };
        assert_eq!(check_clock(&ids_over(99), run), Err(fault));
        assert_eq!(check_clock(&wide_over(99), run), Err(fault));
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
            let (unique, is_sound) = naive(&ids);
            let given: Vec<_> = ids.iter().map(|ids| Stream::of(ids)).collect();
            assert_eq!(check(&given).is_ok(), is_sound, "{ids:?}");
            let wide: Vec<_> =
                ids.iter().map(|ids| Stream::of(&ids.iter().copied().map(widened).collect::<Vec<_>>())).collect();
            assert_eq!(check(&wide).is_ok(), is_sound, "{ids:?}");
            assert_eq!(loose(&wide).is_ok(), unique, "{ids:?}");
            *if is_sound { &mut sound } else { &mut faulty } += 1;
        }
        assert!(sound > 100 && faulty > 100, "{sound} sound, {faulty} faulty streams");
    }

    #[test]
    fn faults_say_who_what_and_where() {
        let fault = Fault::Disorder { thread: 3, at: 55, before: 18, after: 17 };
        assert_eq!(fault.to_string(), "thread 3 got 17 after 18 (its id number 55), expected a greater one");
        let fault = Fault::Duplicate { id: 7, threads: [0, 2] };
        assert_eq!(fault.to_string(), "threads 0 and 2 both got 7, expected one of them");
        let fault = Fault::Duplicate { id: 7, threads: [2, 2] };
        assert_eq!(fault.to_string(), "thread 2 got 7 twice, expected it once");
    }
}
