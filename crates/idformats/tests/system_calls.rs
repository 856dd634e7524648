//! No id costs a system call: counted in a child that its parent traces.
//!
//! Before that the child makes one id of each kind: a thread's entropy and a process's first id do ask the system.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{MonotonicClock, SystemClock};
use idformats::{
    Entropy as _, Format as _, RandomUlid, RandomUuid, SubMsClock, ThreadEntropy, V7Counter, ulid, uuidv4, uuidv7,
};
use idtest::for_each_format;
use idtest::formats::Known;
use idtest::process::system_calls;
use ulid::Ulid;
use uuid::Uuid;

/// More than a pool of entropy and a block have, many times.
const IDS: usize = 5_000;

fn none_for<F: Known, C: SubMsClock>(clock: C) {
    let prepare = || {
        let ids: &_ = Box::leak(Box::new(F::on(clock).build().unwrap()));
        let mut local = ids.local();
        let buffer = vec![ids.next_id().unwrap().max(local.next_id().unwrap()); IDS];
        (ids, local, buffer)
    };
    let calls = system_calls(prepare, |(ids, mut local, mut buffer)| {
        for _ in 0..IDS {
            ids.next_id().unwrap();
            ids.try_next_id().unwrap();
            local.next_id().unwrap();
        }
        ids.fill(&mut buffer).unwrap();
        local.fill(&mut buffer).unwrap();
        std::mem::forget(buffer);
    });
    assert_eq!(calls, [0; 0], "{:?}", F::KIND);
}

fn none_with_the_systems_clock<F: Known>() {
    none_for::<F, _>(SystemClock);
}

fn none_with_a_monotonic_clock<F: Known>() {
    none_for::<F, _>(MonotonicClock::new());
}

#[test]
fn no_id_of_a_generator_is_a_system_call() {
    for_each_format!(none_with_the_systems_clock());
    for_each_format!(none_with_a_monotonic_clock());
}

#[test]
fn no_id_of_a_function_is_a_system_call() {
    let random = RandomUlid::new(SystemClock, ThreadEntropy);
    let one_each = move |of_v4: &mut [Uuid], of_ulid: &mut [Ulid]| {
        for _ in 0..IDS {
            uuidv7().unwrap();
            uuidv4().unwrap();
            ulid().unwrap();
            random.next_id().unwrap();
        }
        RandomUuid::new(ThreadEntropy).fill(of_v4).unwrap();
        random.fill(of_ulid).unwrap();
    };
    let prepare = move || {
        let (mut of_v4, mut of_ulid) = (vec![Uuid::nil(); IDS], vec![Ulid(0); IDS]);
        one_each(&mut of_v4, &mut of_ulid);
        (of_v4, of_ulid)
    };
    let calls = system_calls(prepare, |(mut of_v4, mut of_ulid)| {
        one_each(&mut of_v4, &mut of_ulid);
        std::mem::forget((of_v4, of_ulid));
    });
    assert_eq!(calls, [0; 0]);
}

/// What is counted is there to be counted: a thread's first entropy, and a generator's start.
#[test]
fn the_first_id_of_a_child_is_one_call_for_entropy() {
    ThreadEntropy.next_u64().unwrap();
    let ids = V7Counter::generator().build().unwrap();
    ids.next_id().unwrap();
    let calls = system_calls(|| (), |()| assert!(ids.next_id().is_ok()));
    assert_eq!(calls.len(), 1, "{calls:?}: a new key for the pool, and nothing else");
}
