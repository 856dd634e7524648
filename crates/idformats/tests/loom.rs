//! Every interleaving of small cases of the shared state, under loom: `cargo xtask loom`.
//!
//! - No slot goes to two threads: over the seeding of a millisecond, over a carry, by addition against exchange, at the end of
//!   what the gate lets through, while the clock of one thread is behind.
//! - A slot that was taken by addition is of the clock's millisecond; what each thread takes increases.
//! - A clock that is one relaxed load is never found behind a word that another thread moved by it.
//! - After a fork all threads of the child use one new nonce, and only for slots of a later millisecond.
//!
//! The word is set close to its edges, which the public API would take millions of ids to reach: so the state is compiled in
//! here. `cargo xtask sabotage` breaks it in the ways these models are there for.
#![cfg(idcore_loom)]
#![allow(dead_code, unreachable_pub, unused_imports, reason = "the models use a part of the state")]

#[path = "../src/state/mod.rs"]
mod state;
#[path = "../src/sync.rs"]
mod sync;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;
use state::{Bounds, COUNTER_BITS, Gate, Lineage, Nonce, Refused, State, Taken, Word};

const LAST_COUNTER: u64 = (1 << COUNTER_BITS) - 1;

/// What all threads of a model share.
struct Shared {
    state: State,
    gate: Gate,
    lineage: Lineage,
    clock_ms: AtomicU64,
}

const fn slot(ms: u64, counter: u64) -> u64 {
    Word::slot_of_ms(ms) + counter
}

fn shared(next: u64, clock_ms: u64) -> Arc<Shared> {
    Arc::new(Shared {
        state: State::new(Word::at_slot(next)),
        gate: Gate::new(),
        lineage: Lineage::new(Nonce::new(0, u64::MAX).unwrap()),
        clock_ms: AtomicU64::new(clock_ms),
    })
}

fn bounds(now_ms: u64, seed: u64) -> Bounds {
    Bounds {
        now_ms,
        now_slot: Word::slot_of_ms(now_ms),
        unit_bits: COUNTER_BITS,
        seed,
        ahead_ms_max: 5,
        rollback_ms_max: 5,
    }
}

fn spawn<R: 'static>(shared: &Arc<Shared>, body: impl FnOnce(&Shared) -> R + 'static) -> thread::JoinHandle<R> {
    let shared = Arc::clone(shared);
    thread::spawn(move || body(&shared))
}

impl Shared {
    /// As a generator takes one slot at the time `now_ms`: by addition if it can, by exchange if not.
    fn take(&self, now_ms: u64, seed: u64) -> u64 {
        let open = self.state.take_open(&self.gate, now_ms);
        if let Some(slot) = open {
            assert_eq!(Word::ms_of_slot(slot), now_ms, "a slot of another millisecond");
            return slot;
        }
        self.state.take(&self.gate, 1, bounds(now_ms, seed)).expect("there is room in every model").first
    }

    /// As a generator takes one slot for certain, by a clock that is one relaxed load and may not be behind at all.
    fn take_strictly(&self) -> Result<Taken, Refused> {
        self.state.take_exact(&self.gate, 1, || {
            let now_ms = self.clock_ms.load(Ordering::Relaxed);
            Ok(Bounds { ahead_ms_max: 0, rollback_ms_max: 0, ..bounds(now_ms, 3) })
        })
    }
}

/// All slots are different; each thread's increase.
fn check(threads: &[Vec<u64>]) -> Vec<u64> {
    for slots in threads {
        assert!(slots.windows(2).all(|pair| pair[0] < pair[1]), "a thread's slots do not increase: {slots:?}");
    }
    let mut all = threads.concat();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "a slot was taken twice: {all:?}");
    all
}

#[test]
fn a_millisecond_is_seeded_once() {
    loom::model(|| {
        let shared = shared(slot(9, 77), 10);
        let other = spawn(&shared, |shared| vec![shared.take(10, 5), shared.take(10, 5)]);
        let mine = vec![shared.take(10, 40)];
        let all = check(&[mine, other.join().unwrap()]);
        let first = all[0];
        assert!([slot(10, 5), slot(10, 40)].contains(&first), "the first slot is a seed");
        assert_eq!(all, [first, first + 1, first + 2], "one seed for all");
    });
}

#[test]
fn a_carry_is_seeded_once() {
    loom::model(|| {
        let shared = shared(slot(10, LAST_COUNTER), 10);
        let other = spawn(&shared, |shared| vec![shared.take(10, 5), shared.take(10, 5)]);
        let mine = vec![shared.take(10, 40)];
        let all = check(&[mine, other.join().unwrap()]);
        assert_eq!(all[0], slot(10, LAST_COUNTER));
        assert!([slot(11, 5), slot(11, 40)].contains(&all[1]), "the carry is seeded: {all:?}");
        assert_eq!(all[2], all[1] + 1);
    });
}

#[test]
fn a_thread_whose_clock_is_behind_keeps_to_the_last_time() {
    loom::model(|| {
        let shared = shared(slot(9, 0), 10);
        let other = spawn(&shared, |shared| vec![shared.take(8, 5), shared.take(8, 5)]);
        let mine = vec![shared.take(10, 40), shared.take(10, 40)];
        let all = check(&[mine, other.join().unwrap()]);
        assert!(all.iter().all(|slot| (9..=10).contains(&Word::ms_of_slot(*slot))), "{all:?}");
    });
}

#[test]
fn gate_against_exchange() {
    loom::model(|| {
        let shared = shared(slot(9, 0), 10);
        // The gate of 10 is open when the other thread finds the clock at 11.
        let opened = shared.take(10, 7);
        let other = spawn(&shared, |shared| vec![shared.take(11, 5), shared.take(11, 5)]);
        let late = shared.state.take_open(&shared.gate, 10);
        if let Some(slot) = late {
            assert_eq!(Word::ms_of_slot(slot), 10, "a slot of another millisecond");
        }
        let mine = [Some(opened), late, Some(shared.take(11, 40))].into_iter().flatten().collect();
        check(&[mine, other.join().unwrap()]);
    });
}

#[test]
fn additions_that_pass_the_end_of_a_millisecond_are_given_up() {
    loom::model(|| {
        let shared = shared(slot(9, 0), 10);
        shared.take(10, 7);
        // All but one slot go, as to a large `fill`, while others have the gate open.
        let other = spawn(&shared, |shared| vec![shared.take(10, 5), shared.take(10, 5)]);
        let most = shared.state.take(&shared.gate, LAST_COUNTER - 8, bounds(10, 3)).expect("they are free");
        let mine = vec![most.first, most.first + most.len - 1, shared.take(10, 40)];
        check(&[mine, other.join().unwrap()]);
    });
}

#[test]
fn many_against_one() {
    loom::model(|| {
        let shared = shared(slot(10, LAST_COUNTER - 2), 10);
        let other = spawn(&shared, |shared| {
            let taken = shared.state.take(&shared.gate, 9, bounds(10, 5)).unwrap();
            assert_eq!(Word::ms_of_slot(taken.first), Word::ms_of_slot(taken.first + taken.len - 1), "one millisecond");
            (taken.first..taken.first + taken.len).collect::<Vec<_>>()
        });
        let mine = vec![shared.take(10, 40), shared.take(10, 40)];
        check(&[mine, other.join().unwrap()]);
    });
}

#[test]
fn clock_is_never_behind() {
    loom::model(|| {
        let shared = shared(slot(10, 7), 10);
        let other = spawn(&shared, |shared| {
            shared.clock_ms.store(11, Ordering::Relaxed);
            shared.take(11, 5)
        });
        let mine = shared.take_strictly().map(|taken| taken.first);
        assert!(mine.is_ok(), "a clock step that never happened: {mine:?}");
        check(&[vec![mine.unwrap()], vec![other.join().unwrap()]]);
    });
}

#[test]
fn clock_is_never_behind_an_addition() {
    loom::model(|| {
        let shared = shared(slot(9, 0), 10);
        let other = spawn(&shared, |shared| {
            shared.clock_ms.store(11, Ordering::Relaxed);
            vec![shared.take(11, 5), shared.take(11, 5)]
        });
        let mine = shared.take_strictly().map(|taken| taken.first);
        assert!(mine.is_ok(), "a clock step that never happened: {mine:?}");
        check(&[vec![mine.unwrap()], other.join().unwrap()]);
    });
}

/// A thread of a forked child: the nonce of its generation first, then two slots.
fn in_child(shared: &Shared, random: u64) -> (Nonce, Vec<u64>) {
    const GENERATION: u64 = 1;
    if shared.lineage.load().generation() != GENERATION {
        shared.lineage.renew(&shared.state, Nonce::new(GENERATION, random).unwrap());
    }
    let nonce = shared.lineage.load();
    assert_eq!(nonce.generation(), GENERATION);
    (nonce, vec![shared.take(10, 5), shared.take(10, 5)])
}

#[test]
fn renewal_keeps_order() {
    loom::model(|| {
        // What the parent has taken, up to here, is based on the nonce that the child inherits.
        let shared = shared(slot(10, 100), 10);
        let other = spawn(&shared, |shared| in_child(shared, 1 << 20));
        let (my_nonce, mine) = in_child(&shared, 2 << 20);
        let (nonce, others) = other.join().unwrap();
        assert_eq!(my_nonce, nonce, "one nonce for all threads of the child");
        let all = check(&[mine, others]);
        assert!(Word::ms_of_slot(all[0]) > 10, "based on two nonces in one millisecond: {all:?}");
    });
}
