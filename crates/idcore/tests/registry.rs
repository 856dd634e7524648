//! Which worker numbers are in use in the process.
//!
//! - A second live generator of a layout and node is refused, whoever builds it, typed or not; of many threads that build it
//!   at once exactly one gets it.
//! - Another node or another layout is allowed; dropping the generator frees the node; an attempt that fails holds nothing.
//! - The next one starts above its forerunner's mark: a generator for every id, in one millisecond, repeats none.
//! - `unregistered` neither looks nor leaves a trace.
//!
//! Each test has an epoch of its own, and so a layout that no other test has.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;

use idcore::{BuildError, Dyn, Field, Generator, Layout, ManualClock, Mark, StaticLayout, UnixMillis};

const NOW: UnixMillis = UnixMillis::new(1_800_000_000_000);

fn layout(epoch_ms: i64) -> Layout {
    let fields = [Field::timestamp(41), Field::node("worker", 10), Field::sequence(12)];
    Layout::new(UnixMillis::new(epoch_ms), 1, &fields).unwrap()
}

fn build(layout: Layout, node: u64) -> Result<Generator<Dyn, ManualClock>, BuildError> {
    layout.generator_with(ManualClock::new(NOW)).node(node).build()
}

#[test]
fn a_second_live_generator_is_refused() {
    let first = build(layout(1), 3).unwrap();
    let error = build(layout(1), 3).unwrap_err();
    assert_eq!(error, BuildError::NodeInUse { node: 3 });
    assert_eq!(
        error.to_string(),
        "node 3 has a live generator with this layout in this process: expected it to be shared, or dropped first"
    );
    assert!(build(layout(1), 3).is_err(), "being refused frees nothing");
    drop(first);
    assert!(build(layout(1), 3).is_ok());
}

#[test]
fn a_closed_generator_is_live_until_it_is_dropped() {
    let first = build(layout(2), 3).unwrap();
    let id = first.next_id().unwrap();
    first.close();
    assert!(build(layout(2), 3).is_err());
    drop(first);
    let second = build(layout(2), 3).unwrap();
    assert!(second.next_id().unwrap() > id);
}

#[test]
fn another_node_or_layout_is_allowed() {
    let _first = build(layout(3), 3).unwrap();
    let _other_node = build(layout(3), 4).unwrap();
    let _other_layout = build(layout(4), 3).unwrap();
    let other_tick = Layout::new(UnixMillis::new(3), 2, &[Field::timestamp(41), Field::node("worker", 10)]).unwrap();
    let _other_tick = build(other_tick, 3).unwrap();
}

#[test]
fn a_type_and_a_value_of_one_layout_exclude_each_other() {
    struct Own;
    impl StaticLayout for Own {
        const LAYOUT: Layout =
            match Layout::new(UnixMillis::new(5), 1, &[Field::timestamp(41), Field::node("worker", 10)]) {
                Ok(layout) => layout,
                Err(error) => error.panic(),
            };
    }
    let _typed = Own::generator_with(ManualClock::new(NOW)).node(9).build().unwrap();
    assert_eq!(build(Own::LAYOUT, 9).unwrap_err(), BuildError::NodeInUse { node: 9 });
}

#[test]
fn a_layout_without_nodes_has_one_generator() {
    let layout = Layout::new(UnixMillis::new(6), 1, &[Field::timestamp(41), Field::sequence(22)]).unwrap();
    let first = layout.generator_with(ManualClock::new(NOW)).build().unwrap();
    let second = layout.generator_with(ManualClock::new(NOW)).build().unwrap_err();
    assert_eq!(second, BuildError::NodeInUse { node: 0 });
    drop(first);
}

#[test]
fn a_generator_for_every_id_repeats_none() {
    let layout = layout(7);
    let mut issued = HashSet::new();
    for call in 0..100 {
        // A fresh clock each time, always in the same millisecond.
        let id = build(layout, 3).unwrap().next_id().unwrap();
        assert!(issued.insert(id), "call {call} repeats {id}");
        assert_eq!(layout.decode(id.get()).unwrap().sequence(), call);
    }
}

#[test]
fn the_next_one_starts_above_its_forerunner_even_when_the_clock_is_back() {
    let layout = layout(8);
    let first = build(layout, 3).unwrap();
    let last = first.next_id().unwrap();
    drop(first);
    let earlier = ManualClock::new(UnixMillis::new(NOW.get() - 5));
    let second = layout.generator_with(&earlier).node(3).build().unwrap();
    assert!(second.next_id().unwrap() > last);
    assert_eq!(earlier.sleeps(), 1, "the step back is waited out");
    drop(second);
    // A mark of one's own counts too, when it is the higher one.
    let third = layout.generator_with(ManualClock::new(NOW)).node(3).not_before(Mark::new(5)).build().unwrap();
    assert!(third.mark() > Mark::new(5));
}

#[test]
fn a_build_that_fails_holds_no_node() {
    let layout = layout(9);
    let too_early = ManualClock::new(UnixMillis::new(0));
    assert!(layout.generator_with(&too_early).node(3).build().is_err());
    assert!(layout.generator_with(ManualClock::new(NOW)).node(3).ceiling(UnixMillis::new(i64::MAX)).build().is_err());
    assert!(layout.generator_with(ManualClock::new(NOW)).node(3).not_before(Mark::new(u64::MAX)).build().is_err());
    assert!(build(layout, 3).is_ok());
}

#[test]
fn unregistered_generators_neither_look_nor_leave_a_trace() {
    let layout = layout(10);
    let unregistered = || layout.generator_with(ManualClock::new(NOW)).node(3).unregistered().build().unwrap();
    let outside = unregistered();
    outside.next_id().unwrap();
    let first = build(layout, 3).expect("the other one is not registered");
    assert_eq!(layout.decode(first.next_id().unwrap().get()).unwrap().sequence(), 0);
    let again = unregistered();
    assert_eq!(layout.decode(again.next_id().unwrap().get()).unwrap().sequence(), 0, "its own risk");
    drop((outside, again));
    assert!(build(layout, 3).is_err(), "dropping them frees nothing");
}

#[test]
fn of_many_threads_that_build_at_once_exactly_one_wins() {
    for round in 0..20 {
        let layout = layout(1_000 + round);
        let start = Barrier::new(32);
        let built: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..32)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        build(layout, 3)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(built.iter().filter(|built| built.is_ok()).count(), 1);
        assert!(built.iter().all(|built| !matches!(built, Err(error) if *error != BuildError::NodeInUse { node: 3 })));
    }
}

#[test]
fn threads_that_take_turns_repeat_no_id() {
    let layout = layout(2_000);
    let issued: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    // A bound on the tries, should the node never become free.
                    for _ in 0..1_000_000 {
                        if let Ok(ids) = build(layout, 3) {
                            mine.push(ids.next_id().unwrap());
                        }
                        if mine.len() == 50 {
                            break;
                        }
                        thread::yield_now();
                    }
                    mine
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(issued.iter().collect::<HashSet<_>>().len(), 400);
}

#[test]
fn layouts_that_pack_the_same_bits_are_one_to_the_register() {
    // Other names, and other parts of the same ten node bits: node 1023 is the same number in all of them.
    let build = |fields: &str| {
        let layout: Layout = format!("epoch=1700000000000,timestamp:41,{fields},sequence:12").parse().unwrap();
        layout.generator().node(1_023).build()
    };
    let first = build("worker:10").unwrap();
    for fields in ["machine:10", "datacenter:5,worker:5", "a:1,b:9"] {
        assert_eq!(build(fields).unwrap_err(), BuildError::NodeInUse { node: 1_023 }, "{fields}");
    }
    drop(first);
    assert!(build("machine:10").is_ok());
    // Nine node bits put the timestamp elsewhere: other ids.
    let _again = build("worker:10").unwrap();
    assert!(build("worker:9").unwrap_err() != BuildError::NodeInUse { node: 1_023 }, "1023 has ten bits");
}
