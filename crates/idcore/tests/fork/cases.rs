//! Generators, handles and reserved ids over a fork.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;

use idcore::{
    BuildError, Clock, Dyn, DynSnowflake, Field, Generator, IssueError, Layout, Local, Reserved, SystemClock,
    UnixMillis,
};

use idtest::process::fork;

tests![
    a_hundred_forks_repeat_no_id,
    a_fork_is_told_by_every_call_and_for_good,
    grandchildren_are_forks_of_both,
    a_handle_that_owns_its_generator_is_forked_too,
    the_parents_node_is_in_use_in_the_child,
    forked_comes_before_closed_and_the_parent_is_not_closed,
    forks_while_threads_hand_out_ids,
    forks_while_threads_build_generators,
];

type Ids = Generator<Dyn, SystemClock>;

const FORKED: Result<DynSnowflake, IssueError> = Err(IssueError::Forked);

/// Ticks of ten minutes, so that a block that is held stays good; each test has its epoch, and so its own layout.
fn layout(epoch_ms: i64) -> Layout {
    let fields = [Field::timestamp(30), Field::node("worker", 10), Field::sequence(20)];
    Layout::new(UnixMillis::new(epoch_ms), 600_000, &fields).unwrap()
}

fn build(layout: Layout, node: u64) -> Ids {
    layout.generator().node(node).build().unwrap()
}

/// A handle that holds at least 100 ids of a block.
fn holding(ids: &Ids) -> Local<&Ids> {
    let mut local = ids.local();
    // 1 and 2 and 4 and so on to 128, and the first of 256.
    for _ in 0..256 {
        local.next_id().unwrap();
    }
    local
}

fn raw(ids: &[DynSnowflake]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}

/// Every way to ask for an id, and each must say the same.
fn expect_forked<C: Clock>(ids: &Generator<Dyn, C>, local: &mut Local<&Generator<Dyn, C>>) {
    let mut buffer = [DynSnowflake::ZERO; 5];
    assert_eq!(ids.next_id(), FORKED);
    assert_eq!(ids.try_next_id(), FORKED);
    assert_eq!(local.next_id(), FORKED, "a handle, whatever its block has");
    assert_eq!(local.try_next_id(), FORKED);
    assert_eq!(ids.local().next_id(), FORKED, "a new handle");
    assert_eq!(ids.reserve(3).map(|_| DynSnowflake::ZERO), FORKED);
    for error in [ids.fill(&mut buffer), local.fill(&mut buffer)].map(Result::unwrap_err) {
        assert_eq!((error.filled, error.error), (0, IssueError::Forked));
    }
    assert_eq!(buffer, [DynSnowflake::ZERO; 5]);
    let future = pin!(ids.next_id_async());
    let Poll::Ready(answer) = future.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("no wait helps in a fork");
    };
    assert_eq!(answer, FORKED);
}

fn a_hundred_forks_repeat_no_id() {
    const FORKS: u64 = 100;
    const IDS: usize = 64;
    let layout = layout(1);
    let ids = build(layout, 0);
    let mut local = holding(&ids);
    let mut reserved = ids.reserve(FORKS * 8).unwrap();
    let (mut parents, mut childrens) = (Vec::new(), Vec::new());
    for round in 1..=FORKS {
        let child = fork(|| {
            for _ in 0..IDS {
                expect_forked(&ids, &mut local);
            }
            assert_eq!(reserved.next(), Some(FORKED));
            assert_eq!((reserved.next(), reserved.remaining()), (None, 0));
            let own = build(layout, round);
            let mut own_local = own.local();
            let mut taken = vec![DynSnowflake::ZERO; IDS / 4];
            own.fill(&mut taken).unwrap();
            taken.extend((0..IDS / 4).map(|_| own.next_id().unwrap()));
            taken.extend((0..IDS / 4).map(|_| own_local.next_id().unwrap()));
            taken.extend(own.reserve(IDS as u64 / 4).unwrap().map(Result::unwrap));
            raw(&taken)
        });
        // At the same time, and with slots that the child knows.
        let mut taken = vec![DynSnowflake::ZERO; IDS / 4];
        taken.extend(reserved.by_ref().take(8).map(Result::unwrap));
        taken.extend((0..IDS / 2).map(|_| local.next_id().unwrap()));
        taken.extend((0..IDS - IDS / 4 - IDS / 2 - 8).map(|_| ids.next_id().unwrap()));
        ids.fill(&mut taken[..IDS / 4]).unwrap();
        parents.extend(raw(&taken));
        childrens.extend(child.join());
    }
    assert_eq!((parents.len(), childrens.len()), (6_400, 6_400));
    assert!(childrens.iter().all(|id| layout.decode(*id).unwrap().node() > 0));
    let distinct: HashSet<u64> = parents.into_iter().chain(childrens).collect();
    assert_eq!(distinct.len(), 12_800);
}

fn a_fork_is_told_by_every_call_and_for_good() {
    let ids = build(layout(2), 0);
    let mut local = holding(&ids);
    let before = ids.mark();
    let child = fork(|| {
        for _ in 0..1_000 {
            expect_forked(&ids, &mut local);
        }
        let own = build(layout(2), 1);
        own.next_id().unwrap();
        expect_forked(&ids, &mut local);
        drop(own);
        expect_forked(&ids, &mut local);
        assert_eq!(ids.next_id().unwrap_err().retry_after(), None, "time does not help");
        vec![ids.mark().get()]
    });
    assert_eq!(child.join(), [before.get()], "nothing was taken in the child");
    assert!(local.next_id().is_ok() && ids.next_id().is_ok(), "the parent goes on");
}

fn grandchildren_are_forks_of_both() {
    let layout = layout(3);
    let ids = build(layout, 0);
    let mut local = holding(&ids);
    let mut reserved = ids.reserve(10).unwrap();
    let child = fork(|| {
        let own = build(layout, 1);
        let mut own_local = holding(&own);
        let mut own_reserved = own.reserve(10).unwrap();
        let grandchild = fork(|| {
            for _ in 0..64 {
                expect_forked(&ids, &mut local);
                expect_forked(&own, &mut own_local);
            }
            let forked =
                |reserved: &mut Reserved<'_, _, _>| reserved.next() == Some(FORKED) && reserved.next().is_none();
            assert!(forked(&mut reserved) && forked(&mut own_reserved));
            for node in 0..2 {
                assert_eq!(layout.generator().node(node).build().unwrap_err(), BuildError::NodeInUse { node });
            }
            let own = build(layout, 2);
            (0..64).map(|_| own.next_id().unwrap().get()).collect()
        });
        let mut taken: Vec<u64> = (0..32).map(|_| own_local.next_id().unwrap().get()).collect();
        taken.extend(own_reserved.map(|id| id.unwrap().get()));
        expect_forked(&ids, &mut local);
        taken.extend(grandchild.join());
        taken
    });
    let mut taken: Vec<u64> = (0..32).map(|_| local.next_id().unwrap().get()).collect();
    taken.extend(reserved.map(|id| id.unwrap().get()));
    taken.extend(child.join());
    assert_eq!(taken.len(), 2 * (32 + 10) + 64);
    assert_eq!(taken.iter().collect::<HashSet<_>>().len(), taken.len());
}

fn a_handle_that_owns_its_generator_is_forked_too() {
    let ids = Arc::new(build(layout(4), 0));
    let mut local = Local::new(Arc::clone(&ids));
    for _ in 0..300 {
        local.next_id().unwrap();
    }
    drop(ids);
    let child = fork(|| {
        assert_eq!(local.next_id(), FORKED);
        let own = Arc::new(build(layout(4), 1));
        local = Local::new(own);
        vec![local.next_id().unwrap().get()]
    });
    assert_ne!(child.join(), [local.next_id().unwrap().get()]);
}

fn the_parents_node_is_in_use_in_the_child() {
    let layout = layout(5);
    let mut ids = Some(build(layout, 7));
    let first = ids.as_ref().unwrap().next_id().unwrap();
    let in_use = BuildError::NodeInUse { node: 7 };
    let child = fork(|| {
        assert_eq!(layout.generator().node(7).build().unwrap_err(), in_use);
        drop(ids.take());
        assert_eq!(layout.generator().node(7).build().unwrap_err(), in_use, "it is still the parent's");
        let own = build(layout, 8);
        assert!(layout.generator().node(8).build().is_err());
        let id = own.next_id().unwrap();
        drop(own);
        let again = build(layout, 8).next_id().unwrap();
        assert!(again > id, "the child's own node is free again, and starts above");
        assert_eq!(layout.generator().node(7).build().unwrap_err(), in_use);
        vec![again.get()]
    });
    assert_eq!(child.join().len(), 1);
    assert_eq!(layout.generator().node(7).build().unwrap_err(), in_use, "what the child drops is not the parent's");
    drop(ids);
    assert!(build(layout, 7).next_id().unwrap() > first);
}

fn forked_comes_before_closed_and_the_parent_is_not_closed() {
    let ids = build(layout(6), 0);
    let mut local = holding(&ids);
    let child = fork(|| {
        let mark = ids.close();
        expect_forked(&ids, &mut local);
        vec![mark.get()]
    });
    assert_eq!(child.join(), [ids.mark().get()]);
    assert!(ids.next_id().is_ok());
}

fn forks_while_threads_hand_out_ids() {
    let layout = layout(7);
    let ids = &build(layout, 0);
    let done = &AtomicBool::new(false);
    let taken: Vec<Vec<DynSnowflake>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                scope.spawn(move || {
                    let mut local = ids.local();
                    let mut mine = Vec::new();
                    while !done.load(Ordering::Relaxed) && mine.len() < 100_000 {
                        mine.push(if thread % 2 == 0 { local.next_id() } else { ids.next_id() }.unwrap());
                        if mine.len() % 64 == 0 {
                            thread::yield_now();
                        }
                    }
                    mine
                })
            })
            .collect();
        let mut local = holding(ids);
        for _ in 0..20 {
            let child = fork(|| {
                (0..64).for_each(|_| expect_forked(ids, &mut local));
                Vec::new()
            });
            assert!(local.next_id().is_ok());
            child.join();
        }
        done.store(true, Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(taken.iter().all(|mine| mine.windows(2).all(|pair| pair[0] < pair[1])));
    let distinct: HashSet<DynSnowflake> = taken.iter().flatten().copied().collect();
    assert_eq!(distinct.len(), taken.iter().map(Vec::len).sum::<usize>());
}

fn forks_while_threads_build_generators() {
    let layout = layout(8);
    let done = &AtomicBool::new(false);
    thread::scope(|scope| {
        for node in 0..2 {
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    build(layout, node).next_id().unwrap();
                }
            });
        }
        for node in 2..42 {
            // The register is as the fork found it, in the middle of whatever the others did: a lock would stay locked.
            let child = fork(|| vec![build(layout, node).next_id().unwrap().get()]);
            assert_eq!(child.join().len(), 1);
        }
        done.store(true, Ordering::Relaxed);
    });
}
