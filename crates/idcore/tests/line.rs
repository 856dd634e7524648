//! How asynchronous calls stand in line for the ids of the next tick.
//!
//! - First come, first served: slots go to calls in the order in which they came, whichever is polled first.
//! - A call that is dropped gives way: what was not handed to it yet goes to the next, the lead is passed on.
//! - A call that leads and is not polled holds up the others for less than a second, in another runtime too.
//! - Bounds and closing hold for calls in line.
//! - Threads that wait and tasks that wait both get on.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    Clock, Dyn, DynSnowflake, Exhaustion, Field, Generator, IssueError, Layout, ManualClock, SystemClock, UnixMillis,
};
use tokio::runtime::{self, Runtime};
use tokio::{task, time};

const MS: Duration = Duration::from_millis(1);
const DAY_MS: i64 = 86_400_000;
/// Ids of a tick.
const TICK: u64 = 16;

type Answer = Result<DynSnowflake, IssueError>;

fn runtime() -> Runtime {
    runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

/// Sixteen ids in ticks of `tick_ms`.
fn layout(tick_ms: u32) -> Layout {
    Layout::new(UnixMillis::new(0), tick_ms, &[Field::timestamp(41), Field::sequence(4)]).unwrap()
}

/// A generator whose tick is used up, half a millisecond before the next.
fn used_up(clock: &ManualClock, exhaustion: Exhaustion) -> Generator<Dyn, &ManualClock> {
    clock.advance(MS / 2);
    let builder = layout(1).generator_with(clock).unregistered().on_exhausted(exhaustion);
    let ids = builder.start_at(clock.now().millis()).build().unwrap();
    assert_eq!(ids.reserve(u64::MAX).unwrap().remaining(), TICK);
    ids
}

fn clock() -> ManualClock {
    ManualClock::new(UnixMillis::new(DAY_MS))
}

/// A call that is moved on by hand.
struct Call<'a>(Pin<Box<dyn Future<Output = Answer> + Send + 'a>>);

impl<'a> Call<'a> {
    /// One that waits.
    fn waiting<C: Clock + Sync>(ids: &'a Generator<Dyn, C>) -> Self {
        let mut call = Self(Box::pin(ids.next_id_async()));
        assert!(call.poll().is_none());
        call
    }

    fn poll(&mut self) -> Option<Answer> {
        match self.0.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Some(answer),
            Poll::Pending => None,
        }
    }

    fn sequence(&mut self) -> u64 {
        self.poll().expect("it has an id").unwrap().get() % TICK
    }
}

#[test]
fn slots_go_to_calls_in_the_order_in_which_they_came() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::default());
    let mut calls: Vec<_> = (0..10).map(|_| Call::waiting(&ids)).collect();
    clock.advance(MS);
    assert!(calls[1..].iter_mut().rev().all(|call| call.poll().is_none()), "the first leads");
    assert_eq!(calls[0].sequence(), 0);
    let sequences: Vec<_> = calls[1..].iter_mut().rev().map(Call::sequence).collect();
    assert_eq!(sequences, (1..10).rev().collect::<Vec<_>>());
    assert_eq!(ids.next_id().unwrap().get() % TICK, 10, "one each");
}

#[test]
fn the_lead_is_passed_on_when_its_owner_is_dropped() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::default());
    let mut calls: Vec<_> = (0..6).map(|_| Call::waiting(&ids)).collect();
    // The one that leads, one that was given the lead and was not polled since, and one that is just in line.
    drop(calls.remove(0));
    drop(calls.remove(0));
    drop(calls.remove(1));
    clock.advance(MS);
    assert_eq!(calls.iter_mut().map(Call::sequence).collect::<Vec<_>>(), [0, 1, 2], "the dropped lose none");
    drop(calls);
    assert_eq!(ids.reserve(u64::MAX).unwrap().remaining(), TICK - 3, "and nobody is left in line");
}

#[test]
fn a_call_that_is_dropped_with_its_id_loses_that_one() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::default());
    let mut calls: Vec<_> = (0..4).map(|_| Call::waiting(&ids)).collect();
    clock.advance(MS);
    assert_eq!(calls[0].sequence(), 0);
    drop(calls.remove(1));
    assert_eq!(calls[1..].iter_mut().map(Call::sequence).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(ids.next_id().unwrap().get() % TICK, 4);
}

#[test]
fn who_came_after_the_ids_were_taken_gets_a_later_one() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::default());
    let mut first = Call::waiting(&ids);
    let mut second = Call::waiting(&ids);
    clock.advance(MS);
    assert_eq!(first.sequence(), 0);
    let between = ids.next_id().unwrap();
    ids.reserve(u64::MAX).unwrap();
    let mut late = Call::waiting(&ids);
    assert_eq!(second.sequence(), 1);
    clock.advance(MS);
    assert!(late.poll().unwrap().unwrap() > between);
}

#[test]
fn a_call_in_line_is_closed_too_also_with_an_id_in_hand() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::default());
    let mut calls: Vec<_> = (0..40).map(|_| Call::waiting(&ids)).collect();
    clock.advance(MS);
    assert_eq!(calls[0].sequence(), 0);
    let mark = ids.close();
    assert!(mark.get() > 0);
    let answers = calls[1..].iter_mut().map(Call::poll);
    assert!(answers.eq((1..40).map(|_| Some(Err(IssueError::Closed)))));
}

#[test]
fn closing_wakes_all_that_are_in_line() {
    const TASKS: usize = 300;
    let ids = Arc::new(layout(200).generator().unregistered().build().unwrap());
    let runtime = runtime();
    runtime.block_on(async {
        let take = |ids: Arc<Generator<_, _>>| async move { while ids.next_id_async().await.is_ok() {} };
        let tasks: Vec<_> = (0..TASKS).map(|_| task::spawn(take(Arc::clone(&ids)))).collect();
        time::sleep(20 * MS).await;
        ids.close();
        let begun = Instant::now();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    });
}

#[test]
fn a_leader_that_is_not_polled_holds_up_nobody_for_long() {
    let ids = layout(1).generator().unregistered().build().unwrap();
    let runtime = runtime();
    let _inside = runtime.enter();
    // Leads, and is neither polled nor dropped.
    let mut lazy = Box::pin(ids.next_id_async());
    let mut waker = Context::from_waker(Waker::noop());
    while lazy.as_mut().poll(&mut waker).is_ready() {
        lazy = Box::pin(ids.next_id_async());
    }
    let begun = Instant::now();
    runtime.block_on(async {
        for _ in 0..2 * TICK {
            ids.next_id_async().await.unwrap();
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let Poll::Ready(answer) = lazy.as_mut().poll(&mut waker) else { return };
    assert!(answer.is_ok(), "it goes on where it left off");
}

#[test]
fn a_runtime_that_stands_still_holds_up_no_other_for_long() {
    let ids = Arc::new(layout(10).generator_with(SystemClock).unregistered().build().unwrap());
    let (still, other) = (runtime(), runtime());
    let taken = Arc::new(AtomicU64::new(0));
    for _ in 0..3 * TICK {
        let (ids, taken) = (Arc::clone(&ids), Arc::clone(&taken));
        still.spawn(async move {
            ids.next_id_async().await.unwrap();
            taken.fetch_add(1, Ordering::Relaxed);
        });
    }
    still.block_on(async { time::sleep(MS).await });
    assert!(taken.load(Ordering::Relaxed) < 3 * TICK, "some are in line");
    let begun = Instant::now();
    other.block_on(async {
        for _ in 0..TICK {
            ids.next_id_async().await.unwrap();
        }
    });
    // Each time that the one that stands still is given the lead, some 100 ms pass.
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    still.block_on(async {
        while taken.load(Ordering::Relaxed) < 3 * TICK {
            time::sleep(MS).await;
        }
    });
}

#[test]
fn a_bound_holds_in_line_too() {
    let (clock, runtime) = (clock(), runtime());
    let _inside = runtime.enter();
    let ids = used_up(&clock, Exhaustion::Wait { max: 5 * MS });
    let leads = Call::waiting(&ids);
    let begun = Instant::now();
    let answer = runtime.block_on(ids.next_id_async());
    assert_eq!(answer, Err(IssueError::Exhausted { retry_after: MS / 2 }));
    assert!(begun.elapsed() >= 4 * MS && begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    drop(leads);
}

#[test]
fn threads_and_tasks_that_wait_both_get_on() {
    const TASKS: usize = 200;
    const THREADS: usize = 4;
    let ids = Arc::new(layout(1).generator().unregistered().build().unwrap());
    let done = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (ids, done) = (Arc::clone(&ids), Arc::clone(&done));
            thread::spawn(move || {
                let mut mine = Vec::new();
                while !done.load(Ordering::Relaxed) {
                    mine.push(ids.next_id().unwrap());
                }
                mine
            })
        })
        .collect();
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let mut all: Vec<Vec<_>> = runtime.block_on(async {
        let take = |ids: Arc<Generator<_, _>>, done: Arc<AtomicBool>| async move {
            let mut mine = Vec::new();
            while !done.load(Ordering::Relaxed) {
                mine.push(ids.next_id_async().await.unwrap());
            }
            mine
        };
        let tasks: Vec<_> = (0..TASKS).map(|_| task::spawn(take(Arc::clone(&ids), Arc::clone(&done)))).collect();
        time::sleep(Duration::from_secs(2)).await;
        done.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for task in tasks {
            all.push(task.await.unwrap());
        }
        all
    });
    all.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
    let fewest = all.iter().map(Vec::len).min().unwrap();
    assert!(fewest >= 3, "the last of them got {fewest} ids of some 32,000");
    assert!(all.iter().all(|mine| mine.windows(2).all(|pair| pair[0] < pair[1])));
    let mut all: Vec<_> = all.into_iter().flatten().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}
