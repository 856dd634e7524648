//! No allocation after a generator is built: counted by the allocator of this process.
//!
//! One test, since others of the same process would be counted too.

#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use idcore::{SystemClock, UnixMillis};
use idformats::{Generator, RandomUlid, RandomUuid, ThreadEntropy, ulid, uuidv4, uuidv7};
use idtest::for_each_format;
use idtest::formats::Known;
use ulid::Ulid;
use uuid::Uuid;

struct Counting;

thread_local! {
    /// Of this thread: the harness has others.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is the system allocator's; a counter of the thread's own needs no allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `body` allocates.
fn allocations(body: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    body();
    COUNT.get() - before
}

const IDS: usize = 3_000;

fn none_by<F: Known>() {
    let ids = F::on(SystemClock).build().unwrap();
    let mut buffer = vec![F::of_number(0); IDS];
    // The thread's first use of its pool and of the process's generation.
    ids.next_id().unwrap();
    let mut local = ids.local();
    let count = allocations(|| {
        for _ in 0..IDS {
            ids.next_id().unwrap();
            ids.try_next_id().unwrap();
            local.next_id().unwrap();
            ids.at(UnixMillis::new(5)).unwrap();
        }
        ids.fill(&mut buffer).unwrap();
        local.fill(&mut buffer).unwrap();
        let mut of_then = ids.back_fill(UnixMillis::new(5)).unwrap();
        for _ in 0..IDS {
            of_then.next_id().unwrap();
        }
        ids.stats();
    });
    assert_eq!(count, 0, "{:?}", F::KIND);
}

#[test]
fn no_id_allocates() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1, "allocations are counted");
    for_each_format!(none_by());
    let (mut of_v4, mut of_ulid) = (vec![Uuid::nil(); IDS], vec![Ulid(0); IDS]);
    let of_functions = || {
        let of_now = RandomUlid::new(SystemClock, ThreadEntropy);
        for _ in 0..IDS {
            uuidv7().unwrap();
            uuidv4().unwrap();
            ulid().unwrap();
            of_now.next_id().unwrap();
        }
        RandomUuid::new(ThreadEntropy).fill(&mut of_v4).unwrap();
        of_now.fill(&mut of_ulid).unwrap();
    };
    uuidv7().unwrap();
    ulid().unwrap();
    assert_eq!(allocations(of_functions), 0);
    assert!(size_of::<Generator<idformats::UlidRandom, SystemClock, ThreadEntropy>>() <= 512);
}
