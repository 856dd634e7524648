//! What is looked at after a fork.

use std::collections::{BTreeSet, HashSet};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use idcore::SystemClock;
use idformats::{Entropy, Generator, SubMsClock, ThreadEntropy};
use idtest::for_each_format;
use idtest::formats::{Kind, Known};
use idtest::process::fork;

use crate::source::{Source, all, build, holding, still};

pub(crate) const ALL: &[(&str, fn())] = &[
    ("a_hundred_forks_repeat_no_id", a_hundred_forks_repeat_no_id),
    ("ids_of_a_child_are_above_what_it_saw", ids_of_a_child_are_above_what_it_saw),
    ("grandchildren_repeat_nobody", grandchildren_repeat_nobody),
    ("forks_while_threads_make_ids", forks_while_threads_make_ids),
    ("threads_of_a_child_that_start_at_once", threads_of_a_child_that_start_at_once),
    ("a_child_is_renewed_once", a_child_is_renewed_once),
    ("a_handle_in_a_child_drops_its_block", a_handle_in_a_child_drops_its_block),
    ("entropy_of_a_child_is_its_own", entropy_of_a_child_is_its_own),
];

const IDS: usize = 64;

/// Numbers of 128 bits as a child can return them, and back.
fn halves(ids: impl IntoIterator<Item = u128>) -> Vec<u64> {
    let half = |id: u128, shift: u32| u64::try_from((id >> shift) & u128::from(u64::MAX)).unwrap();
    ids.into_iter().flat_map(|id| [half(id, 64), half(id, 0)]).collect()
}

fn whole(halves: &[u64]) -> Vec<u128> {
    halves.chunks_exact(2).map(|pair| (u128::from(pair[0]) << 64) | u128::from(pair[1])).collect()
}

/// The next ids of every source, one after the other.
fn take_all(sources: &mut [Source]) -> Vec<u128> {
    sources.iter_mut().flat_map(|source| source.take(IDS)).collect()
}

/// For each source the number of ids that are there more than once, if there are any.
fn repeated(sources: &[Source], rounds: &[Vec<u128>]) -> Vec<(String, usize)> {
    let of_source = |index: usize| rounds.iter().flat_map(move |ids| &ids[index * IDS..(index + 1) * IDS]);
    let repeated = |index: usize| of_source(index).count() - of_source(index).collect::<HashSet<_>>().len();
    let named = sources.iter().enumerate().map(|(index, source)| (source.name.clone(), repeated(index)));
    named.filter(|(_, count)| *count > 0).collect()
}

fn a_hundred_forks_repeat_no_id() {
    const FORKS: usize = 100;
    let mut sources = all();
    assert_eq!(sources.len(), 36);
    let mut rounds = vec![take_all(&mut sources)];
    for _ in 0..FORKS {
        let child = fork(|| halves(take_all(&mut sources)));
        // At the same time.
        rounds.push(take_all(&mut sources));
        rounds.push(whole(&child.join()));
    }
    assert!(rounds.iter().all(|ids| ids.len() == sources.len() * IDS));
    assert_eq!(repeated(&sources, &rounds), []);
}

fn ids_of_a_child_are_above_what_it_saw() {
    let mut sources = all();
    for _ in 0..5 {
        let seen = take_all(&mut sources);
        let child = fork(|| halves(take_all(&mut sources)));
        let of_child = whole(&child.join());
        for (index, source) in sources.iter().enumerate().filter(|(_, source)| source.is_ordered) {
            assert!(seen[(index + 1) * IDS - 1] < of_child[index * IDS], "{}", source.name);
        }
    }
}

fn grandchildren_repeat_nobody() {
    let mut sources = all();
    let mut rounds = vec![take_all(&mut sources)];
    let child = fork(|| {
        // One has made ids before its own child, the other has not.
        let early = fork(|| halves(take_all(&mut sources)));
        let mut taken = halves(take_all(&mut sources));
        let late = fork(|| halves(take_all(&mut sources)));
        taken.extend(halves(take_all(&mut sources)));
        taken.extend(early.join());
        taken.extend(late.join());
        taken
    });
    rounds.push(take_all(&mut sources));
    rounds.extend(whole(&child.join()).chunks(sources.len() * IDS).map(<[u128]>::to_vec));
    assert_eq!(rounds.len(), 6);
    assert_eq!(repeated(&sources, &rounds), []);
}

fn forks_while_threads_make_ids() {
    for_each_format!(forks_beside_threads());
}

fn forks_beside_threads<F: Known>() {
    const FORKS: usize = 10;
    let ids = build::<F, _>(SystemClock);
    let done = &AtomicBool::new(false);
    let (parents, childrens) = thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|thread| {
                scope.spawn(move || {
                    let mut local = ids.local();
                    let mut mine = BTreeSet::new();
                    while !done.load(Ordering::Relaxed) && mine.len() < 100_000 {
                        let id = if thread == 0 { local.next_id() } else { ids.next_id() };
                        assert!(mine.last() < Some(&F::number(id.unwrap())) && mine.insert(F::number(id.unwrap())));
                    }
                    mine
                })
            })
            .collect();
        let mut childrens = Vec::new();
        for _ in 0..FORKS {
            let before = F::number(ids.next_id().unwrap());
            let child = fork(|| halves((0..IDS).map(|_| F::number(ids.next_id().unwrap()))));
            let of_child = whole(&child.join());
            assert!(before < of_child[0] && of_child.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", F::KIND);
            childrens.extend(of_child);
        }
        done.store(true, Ordering::Relaxed);
        let parents: Vec<u128> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        (parents, childrens)
    });
    let count = parents.len() + childrens.len();
    assert_eq!(childrens.len(), FORKS * IDS);
    assert_eq!(parents.into_iter().chain(childrens).collect::<HashSet<_>>().len(), count, "{:?}", F::KIND);
}

fn threads_of_a_child_that_start_at_once() {
    for_each_format!(child_with_threads());
}

const THREADS: usize = 8;

/// Ids of threads that all start together.
fn at_once<F: Known, C: SubMsClock + Sync>(ids: &Generator<F, C, ThreadEntropy>) -> Vec<u128> {
    let start = &Barrier::new(THREADS);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut local = ids.local();
                    start.wait();
                    let mut next = || if thread % 2 == 0 { ids.next_id() } else { local.next_id() };
                    let mine: Vec<_> = (0..IDS).map(|_| F::number(next().unwrap())).collect();
                    assert!(mine.windows(2).all(|pair| pair[0] < pair[1]));
                    mine
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn child_with_threads<F: Known>() {
    const FORKS: usize = 10;
    // The skipped millisecond is all that these may be ahead, and the clock stands still.
    let clock = still();
    let ids = F::on(clock).ahead_max(Duration::from_millis(1)).rollback_max(Duration::ZERO).build().unwrap();
    let ids_of_system = build::<F, _>(SystemClock);
    let mut taken: Vec<u128> = Vec::new();
    for _ in 0..FORKS {
        let before = F::number(ids.next_id().unwrap());
        let child = fork(|| {
            let taken = at_once(&ids);
            assert_eq!(clock.sleeps(), 0);
            assert_eq!(ids.stats().renewals, u64::from(F::KIND.step().is_some()));
            assert!(taken.iter().all(|id| before < *id));
            halves(taken.into_iter().chain(at_once(ids_of_system)))
        });
        taken.push(before);
        taken.extend((0..IDS).map(|_| F::number(ids.next_id().unwrap())));
        taken.extend(at_once(ids_of_system));
        taken.extend(whole(&child.join()));
    }
    assert_eq!(taken.len(), FORKS * (1 + IDS + 3 * THREADS * IDS));
    assert_eq!(taken.iter().collect::<HashSet<_>>().len(), taken.len(), "{:?}", F::KIND);
}

fn a_child_is_renewed_once() {
    for_each_format!(renewed_once());
}

/// Formats with fresh random bits in every id go on as they are; the others draw a nonce, in the next millisecond.
fn renewed_once<F: Known>() {
    let ids = build::<F, _>(still());
    let unix_ms = |id: F::Id| idtest::formats::split(F::KIND, F::number(id)).unix_ms;
    let before = ids.next_id().unwrap();
    let is_renewed = F::KIND.step().is_some();
    let child = fork(|| {
        let first = unix_ms(ids.next_id().unwrap());
        assert_eq!(unix_ms(ids.next_id().unwrap()), first);
        assert_eq!(ids.stats().renewals, u64::from(is_renewed));
        vec![u64::try_from(first).unwrap()]
    });
    let skipped = u64::from(is_renewed);
    assert_eq!(child.join(), [u64::try_from(unix_ms(before)).unwrap() + skipped], "{:?}", F::KIND);
    assert_eq!((unix_ms(ids.next_id().unwrap()), ids.stats().renewals), (unix_ms(before), 0));
    assert!(Kind::ALL.iter().filter(|kind| kind.step().is_some()).count() == 3);
}

fn a_handle_in_a_child_drops_its_block() {
    for_each_format!(drops_its_block());
}

/// What a block is based on is its parent's; formats without a base have fresh random bits, and may keep it.
fn drops_its_block<F: Known>() {
    let mut local = holding(build::<F, _>(still()));
    let mut next = || F::number(local.next_id().unwrap());
    let unix_ms = |number: u128| u64::try_from(idtest::formats::split(F::KIND, number).unix_ms).unwrap();
    let before = next();
    let child = fork(|| vec![unix_ms(next()), unix_ms(next())]);
    let skipped = u64::from(F::KIND.step().is_some());
    assert_eq!(child.join(), [unix_ms(before) + skipped; 2], "{:?}", F::KIND);
    assert_eq!(unix_ms(next()), unix_ms(before));
}

fn entropy_of_a_child_is_its_own() {
    let draw = || (0..IDS).map(|_| ThreadEntropy.next_u64().unwrap()).collect::<Vec<_>>();
    let fill = || {
        let mut bytes = [0; 8 * IDS];
        ThreadEntropy.fill(&mut bytes).unwrap();
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect::<Vec<_>>()
    };
    let mut all = draw();
    for round in 0..20 {
        // Once by words and once by buffers, in the middle of a pool.
        let take = || if round % 2 == 0 { [draw(), fill()].concat() } else { [fill(), draw()].concat() };
        let child = fork(take);
        all.extend(take());
        all.extend(child.join());
    }
    assert_eq!(all.len(), IDS * (1 + 20 * 4));
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}
