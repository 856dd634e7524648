//! What is kept of the ids of a thread where there are too many to keep: streaks, each id of which is one above the one
//! before.
//!
//! Every id is held against its predecessor inside the timed region, where an id that does not continue the streak begins the
//! next one. Afterwards that says everything: a thread's ids increase strictly when each streak begins above the end of the
//! one before, and no id is there twice when no two streaks of any threads overlap.

use std::iter::{self, Peekable};

use crate::{
    check::{Checked, Fault},
    harness::Stop,
    keep::Keep,
    mint::Hold,
    pool::{Pool, Stream},
};

/// The ids `first`, `first + 1`, … of one thread, `len` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Streak {
    first: u64,
    len: u64,
}

/// The streaks of one thread, in the order in which it got them.
#[derive(Default)]
pub(crate) struct Streaks {
    /// `first` and `len` of each streak but the last one.
    ended: Stream<u64>,
    /// The one that went on when the run was over.
    last: Option<Streak>,
}

impl Keep for Streaks {
    type Id = u64;

    #[inline(never)]
    fn mint_until<H: Hold<Id = u64>>(hold: &mut H, stop: &Stop, pool: &Pool) -> Result<Self, H::Error> {
        let mut streaks = Self::default();
        let kept = streaks.keep(hold, stop, pool);
        stop.give();
        kept.map(|()| streaks)
    }

    fn check(kept: &[Self]) -> Result<Checked<u64>, Fault> {
        check(kept)
    }

    fn give_back(self, pool: &Pool) {
        pool.give_back(self.ended);
    }
}

impl Streaks {
    fn keep<H: Hold<Id = u64>>(&mut self, hold: &mut H, stop: &Stop, pool: &Pool) -> Result<(), H::Error> {
        let mut first = hold.mint()?;
        while let Some(chunk) = self.ended.grow(pool) {
            for (at, pair) in chunk.chunks_exact_mut(2).enumerate() {
                let (len, next) = count(hold, stop, first)?;
                let Some(next) = next else {
                    self.ended.end_at(2 * at);
                    self.last = Some(Streak { first, len });
                    return Ok(());
                };
                pair.copy_from_slice(&[first, len]);
                first = next;
            }
        }
        self.last = Some(Streak { first, len: 1 });
        Ok(())
    }

    fn streaks(&self) -> impl Iterator<Item = Streak> + '_ {
        let mut words = self.ended.ids();
        iter::from_fn(move || Some(Streak { first: words.next()?, len: words.next()? })).chain(self.last)
    }
}

/// Goes on with the streak that `first` began: its length, and the id that is none of it. No id when the run is over.
///
/// Not inlined: a loop by itself has registers for all that it needs, for the price of a call for each streak.
#[inline(never)]
fn count<H: Hold<Id = u64>>(hold: &mut H, stop: &Stop, first: u64) -> Result<(u64, Option<u64>), H::Error> {
    let mut expected = first.wrapping_add(1);
    let next = loop {
        if stop.is_set() {
            break None;
        }
        let id = hold.mint()?;
        if id != expected {
            break Some(id);
        }
        expected = expected.wrapping_add(1);
    };
    Ok((expected.wrapping_sub(first), next))
}

/// Checks that the streaks of each thread rise and that no two of any threads overlap.
///
/// The streaks of each thread are sorted (or the check ends), so they are merged by their first ids, and each must begin
/// above all that came before it.
fn check(kept: &[Streaks]) -> Result<Checked<u64>, Fault> {
    let mut cursors: Vec<_> = kept.iter().map(|streaks| Cursor::new(streaks.streaks())).collect();
    let mut found: Option<Checked<u64>> = None;
    let mut holder = 0;
    while let Some((thread, cursor)) = lowest(&mut cursors) {
        let Some((streak, last)) = cursor.next(thread)? else { break };
        let all = found.get_or_insert(Checked { count: 0, lowest: streak.first, highest: last });
        if all.count > 0 && streak.first <= all.highest {
            return Err(Fault::Duplicate {
                id: streak.first.into(),
                threads: [holder.min(thread), holder.max(thread)],
            });
        }
        all.count += streak.len;
        all.highest = last;
        holder = thread;
    }
    found.ok_or(Fault::Empty)
}

/// The cursor whose next streak begins lowest, unless all are at their ends.
fn lowest<I: Iterator<Item = Streak>>(cursors: &mut [Cursor<I>]) -> Option<(usize, &mut Cursor<I>)> {
    let heads = cursors.iter_mut().enumerate().filter_map(|(thread, cursor)| {
        let first = cursor.streaks.peek()?.first;
        Some((first, thread, cursor))
    });
    heads.min_by_key(|(first, ..)| *first).map(|(_, thread, cursor)| (thread, cursor))
}

/// A place in the streaks of one thread.
struct Cursor<I: Iterator<Item = Streak>> {
    streaks: Peekable<I>,
    before: Option<u64>,
    at: u64,
}

impl<I: Iterator<Item = Streak>> Cursor<I> {
    fn new(streaks: I) -> Self {
        Self { streaks: streaks.peekable(), before: None, at: 0 }
    }

    /// The next streak and its last id.
    fn next(&mut self, thread: usize) -> Result<Option<(Streak, u64)>, Fault> {
        let Some(streak) = self.streaks.next() else { return Ok(None) };
        if let Some(before) = self.before.filter(|before| streak.first <= *before) {
            return Err(Fault::disorder(thread, self.at, before, streak.first));
        }
        let Some(last) = streak.first.checked_add(streak.len - 1) else {
            // Zero is one above the greatest number only as the processor counts.
            let at = self.at + (u64::MAX - streak.first) + 1;
            return Err(Fault::disorder(thread, at, u64::MAX, 0));
        };
        self.before = Some(last);
        self.at += streak.len;
        Ok(Some((streak, last)))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, convert::Infallible};

    use super::*;

    /// The ids of each thread, the id that two of them have, and which two.
    type Planted<'a> = (&'a [&'a [u64]], u128, [usize; 2]);

    /// Gives what it is told, and ends the run with the last id.
    struct Replay<'a> {
        ids: iter::Copied<std::slice::Iter<'a, u64>>,
        stop: &'a Stop,
    }

    impl Hold for Replay<'_> {
        type Id = u64;
        type Error = Infallible;

        fn mint(&mut self) -> Result<u64, Infallible> {
            let id = self.ids.next().expect("the run ends with the last id");
            if self.ids.len() == 0 {
                self.stop.give();
            }
            Ok(id)
        }
    }

    /// What is kept of a thread that gets `ids`.
    fn keep(ids: &[u64], pool: &Pool) -> Streaks {
        if ids.is_empty() {
            return Streaks::default();
        }
        let stop = Stop::new();
        let mut replay = Replay { ids: ids.iter().copied(), stop: &stop };
        let Ok(streaks) = Streaks::mint_until(&mut replay, &stop, pool);
        streaks
    }

    fn check_ids(ids: &[&[u64]]) -> Result<Checked<u64>, Fault> {
        let pool = Pool::new(1);
        check(&ids.iter().map(|ids| keep(ids, &pool)).collect::<Vec<_>>())
    }

    #[test]
    fn a_streak_ends_where_an_id_is_not_one_above_the_one_before() {
        let streaks = |ids: &[u64]| -> Vec<(u64, u64)> {
            keep(ids, &Pool::new(1)).streaks().map(|streak| (streak.first, streak.len)).collect()
        };
        assert_eq!(streaks(&[5]), [(5, 1)]);
        assert_eq!(streaks(&[5, 6, 7]), [(5, 3)]);
        assert_eq!(streaks(&[5, 6, 8, 9, 20, 30, 31]), [(5, 2), (8, 2), (20, 1), (30, 2)]);
        assert_eq!(streaks(&[5, 5, 4, 5]), [(5, 1), (5, 1), (4, 2)]);
    }

    #[test]
    fn sound_threads_pass_and_their_ids_are_counted() {
        let found = check_ids(&[&[1, 4, 5 << 40], &[2, 3, 5, 6, 7], &[], &[1 << 22]]);
        assert_eq!(found, Ok(Checked { count: 9, lowest: 1, highest: 5 << 40 }));
    }

    #[test]
    fn streaks_fill_more_memory_than_a_chunk_and_at_last_all_of_it() {
        let pool = Pool::new(1);
        let gaps: Vec<u64> = (0..10_000).map(|id| 3 * id).collect();
        let expected = Checked { count: 10_000, lowest: 0, highest: 29_997 };
        let kept = [keep(&gaps, &pool)];
        assert_eq!(check(&kept), Ok(expected));
        // The memory is used up before the ids are: what was minted until then is all there.
        let many: Vec<u64> = (0..300_000).map(|id| 3 * id).collect();
        let stop = Stop::new();
        let mut replay = Replay { ids: many.iter().copied(), stop: &stop };
        let Ok(streaks) = Streaks::mint_until(&mut replay, &stop, &pool);
        let minted = u64::try_from(many.len() - replay.ids.len()).unwrap();
        assert!(stop.is_set() && minted < 300_000, "{minted}");
        assert_eq!(check(&[streaks]).map(|found| found.count), Ok(minted));
    }

    #[test]
    fn a_planted_duplicate_between_two_streaks_is_found() {
        // At an end, at the other, in the middle, one inside another, both alike, and over further threads.
        let cases: [Planted<'_>; 6] = [
            (&[&[10, 11, 12], &[12, 13]], 12, [0, 1]),
            (&[&[12, 13], &[10, 11, 12]], 12, [0, 1]),
            (&[&[10, 11, 12, 13], &[12, 13, 14]], 12, [0, 1]),
            (&[&[10, 11, 12, 13], &[1, 2, 11]], 11, [0, 1]),
            (&[&[7], &[7]], 7, [0, 1]),
            (&[&[1, 2, 50, 51, 52], &[20, 21], &[3, 51, 90]], 51, [0, 2]),
        ];
        for (ids, id, threads) in cases {
            assert_eq!(check_ids(ids), Err(Fault::Duplicate { id, threads }), "{ids:?}");
        }
    }

    #[test]
    fn a_planted_disorder_is_found_within_a_thread() {
        let cases: [(&[u64], u64, u64, u64); 5] = [
            (&[8, 9, 9, 10], 2, 9, 9),
            (&[9, 8], 1, 9, 8),
            (&[1, 2, 3, 9, 10, 2, 3], 5, 10, 2),
            (&[5, 6, 7, 6], 3, 7, 6),
            (&[u64::MAX - 1, u64::MAX, 0, 1], 2, u64::MAX, 0),
        ];
        for (ids, at, before, after) in cases {
            let fault = Fault::disorder(1, at, before, after);
            assert_eq!(check_ids(&[&[0], ids]), Err(fault), "{ids:?}");
        }
    }

    #[test]
    fn no_ids_are_a_fault() {
        assert_eq!(check_ids(&[]), Err(Fault::Empty));
        assert_eq!(check_ids(&[&[], &[]]), Err(Fault::Empty));
    }

    #[test]
    fn agrees_with_a_set_on_random_threads() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = move |below: u64| {
            // xorshift64: enough to mix sound and faulty threads.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let pool = Pool::new(1);
        let (mut sound, mut faulty) = (0, 0);
        for _ in 0..2000 {
            let mut ids = vec![Vec::new(); 3];
            let mut next = random(100);
            for _ in 0..random(30) {
                // A few in a row for one thread, mostly one by one, at times a gap or none at all.
                let thread = usize::try_from(random(3)).unwrap();
                for _ in 0..random(5) {
                    next += if random(60) == 0 { 0 } else { 1 + 7 * u64::from(random(4) == 0) };
                    ids[thread].push(next);
                }
            }
            let all: BTreeSet<u64> = ids.iter().flatten().copied().collect();
            let total: usize = ids.iter().map(Vec::len).sum();
            let ordered = ids.iter().all(|ids| ids.windows(2).all(|pair| pair[0] < pair[1]));
            let naive = ordered && all.len() == total && total > 0;
            let kept: Vec<Streaks> = ids.iter().map(|ids| keep(ids, &pool)).collect();
            let found = check(&kept);
            assert_eq!(found.is_ok(), naive, "{ids:?}: {found:?}");
            if let Ok(found) = found {
                assert_eq!(found.count, u64::try_from(total).unwrap());
            }
            *if naive { &mut sound } else { &mut faulty } += 1;
            for streaks in kept {
                streaks.give_back(&pool);
            }
        }
        assert!(sound > 100 && faulty > 100, "{sound} sound, {faulty} faulty threads");
    }
}
