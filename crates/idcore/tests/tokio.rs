//! Waiting without blocking a thread of the runtime.
//!
//! - A future that waits has one slot of the next tick kept for it. Dropping it at any point loses one id at most and leaves
//!   nobody behind for whom a slot is kept.
//! - Answers and bounds are those of `next_id`, and nothing blocks: no call sleeps on the generator's clock. A bound is one of
//!   time, however fast the runtime turns, and a clock that stands still ends a wait too.
//! - A task that takes many ids lets others run.
//! - Also on a runtime of one thread, and with a clock that follows tokio's own.
//!
//! How those that wait stand in line: `line.rs`. 10,000 tasks: `tokio_load.rs`. Forks: `fork`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use idcore::{
    Builder, Clock, Exhaustion, Generator, IssueError, Layout, ManualClock, OnSleep, Rollback, Snowflake, Standard,
    StaticLayout, Twitter, UnixMillis, UnixTime,
};
use idtest::{Event, Recorder, Rng, Seed};
use tokio::runtime::{self, Runtime};
use tokio::{task, time};

const MS: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
const DAY_MS: i64 = 86_400_000;
const TICK: usize = 4_096;

type Ids = Generator<Standard, Arc<Recorder<ManualClock>>>;
type Answer = Result<Snowflake<Standard>, IssueError>;

/// A clock that reads a day after the layout's epoch, and writes down how it is used.
fn clock() -> Arc<Recorder<ManualClock>> {
    let now = UnixMillis::new(Standard::LAYOUT.epoch().get() + DAY_MS);
    Arc::new(Recorder::new(ManualClock::new(now)))
}

/// Settings of a generator whose mark is at the start of the clock's tick.
fn settings(clock: &Arc<Recorder<ManualClock>>) -> Builder<Standard, Arc<Recorder<ManualClock>>> {
    let now = clock.inner().now().millis();
    Standard::generator_with(Arc::clone(clock)).node(17).unregistered().start_at(now)
}

fn nobody_slept(clock: &Recorder<ManualClock>) -> bool {
    clock.take().iter().all(|event| matches!(event, Event::Read(_)))
}

/// Uses up what the tick has for those who do not wait: how many that was.
fn use_up(ids: &Ids) -> usize {
    let rest = ids.reserve(u64::MAX).map_or(0, |reserved| usize::try_from(reserved.remaining()).unwrap());
    assert!(matches!(ids.try_next_id(), Err(IssueError::Exhausted { .. })));
    rest
}

/// A waiting call that is moved on by hand.
struct Call<'a>(Pin<Box<dyn Future<Output = Answer> + Send + 'a>>);

impl<'a> Call<'a> {
    fn new(ids: &'a Ids) -> Self {
        Self(Box::pin(ids.next_id_async()))
    }

    fn poll(&mut self) -> Poll<Answer> {
        self.0.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    /// What it answers within `polls` turns.
    fn within(&mut self, polls: usize) -> Option<Answer> {
        (0..polls).find_map(|_| if let Poll::Ready(answer) = self.poll() { Some(answer) } else { None })
    }
}

fn one_thread() -> Runtime {
    runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

fn two_threads() -> Runtime {
    runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap()
}

#[test]
fn an_id_that_is_there_is_given_at_once() {
    let clock = clock();
    let ids = settings(&clock).build().unwrap();
    for sequence in 0..5 {
        let Poll::Ready(answer) = Call::new(&ids).poll() else { panic!("there was an id") };
        assert_eq!(answer.map(Snowflake::sequence), Ok(sequence));
    }
}

#[test]
fn a_slot_of_the_next_tick_is_kept_for_each_that_waits() {
    let clock = clock();
    clock.inner().advance(MS / 2);
    let ids = settings(&clock).build().unwrap();
    let runtime = one_thread();
    let _inside = runtime.enter();
    assert_eq!(use_up(&ids), TICK);
    let mut calls: Vec<_> = (0..20).map(|_| Call::new(&ids)).collect();
    assert!(calls.iter_mut().all(|call| call.poll().is_pending() && call.poll().is_pending()));
    clock.inner().advance(MS / 2);
    assert_eq!(use_up(&ids), TICK - 20, "one each, and no more");
    let taken: Vec<_> = calls.iter_mut().map(|call| call.within(1).unwrap().unwrap().sequence()).collect();
    assert_eq!(taken, (4_076..4_096).collect::<Vec<_>>());
    drop(calls);
    clock.inner().advance(MS);
    assert_eq!(use_up(&ids), TICK, "nobody waits any more");
    assert!(nobody_slept(&clock));
}

#[test]
fn a_dropped_wait_keeps_no_slot() {
    let clock = clock();
    clock.inner().advance(MS / 2);
    let ids = settings(&clock).build().unwrap();
    let runtime = one_thread();
    let _inside = runtime.enter();
    for polls in [0, 1, 2, 10] {
        use_up(&ids);
        let mut calls: Vec<_> = (0..50).map(|_| Call::new(&ids)).collect();
        for call in &mut calls {
            assert!(call.within(polls).is_none());
        }
        drop(calls);
        clock.inner().advance(MS);
        assert_eq!(use_up(&ids), TICK, "after {polls} polls");
        clock.inner().advance(MS);
    }
}

#[test]
fn dropping_a_call_at_any_point_loses_one_id_at_most() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let layout: Layout = "epoch=0,timestamp:41,sequence:3".parse().unwrap();
    let clock = ManualClock::new(UnixMillis::new(DAY_MS));
    clock.advance(MS / 2);
    let ids = layout.generator_with(&clock).unregistered().start_at(UnixMillis::new(DAY_MS)).build().unwrap();
    let runtime = one_thread();
    let _inside = runtime.enter();
    let mut waker = Context::from_waker(Waker::noop());
    let mut calls = Vec::new();
    let (mut given, mut unused, mut dropped) = (0_u64, 0_u64, 0);
    for _ in 0..30_000 {
        match rng.below(16) {
            0 => {
                // What is left of the tick is given to nobody.
                let (mark, now) = (ids.mark().get(), u64::try_from(clock.now().millis().get()).unwrap());
                unused += ((now + 1) << 3) - mark.max(now << 3);
                clock.advance(MS);
            }
            1..6 if calls.len() < 30 => calls.push(Box::pin(ids.next_id_async())),
            6 if !calls.is_empty() => {
                drop(calls.swap_remove(usize::try_from(rng.below(calls.len() as u64)).unwrap()));
                dropped += 1;
            }
            _ if !calls.is_empty() => {
                let place = usize::try_from(rng.below(calls.len() as u64)).unwrap();
                if let Poll::Ready(answer) = calls[place].as_mut().poll(&mut waker) {
                    answer.unwrap();
                    given += 1;
                    drop(calls.swap_remove(place));
                }
            }
            _ => {}
        }
    }
    let begun = u64::try_from(DAY_MS).unwrap() << 3;
    let now = u64::try_from(clock.now().millis().get()).unwrap();
    let gone = ids.mark().get().max(now << 3) - begun;
    assert!(given > 2_000 && dropped > 500, "{given} given, {dropped} dropped");
    // Those that were dropped, and those that are still handed over.
    let lost = gone - (given + unused);
    assert!(lost <= dropped + calls.len() as u64, "{lost} lost after {dropped} drops");
}

#[test]
fn a_clock_that_is_back_is_an_error_at_once_or_waited_out() {
    let clock = clock();
    let ids = settings(&clock).build().unwrap();
    let runtime = one_thread();
    runtime.block_on(async {
        let first = ids.next_id_async().await.unwrap();
        for step in [6 * MS, HOUR] {
            clock.inner().step_back(step);
            let Poll::Ready(answer) = Call::new(&ids).poll() else { panic!("no wait helps") };
            assert_eq!(answer, Err(IssueError::ClockBehind { behind: step, retry_after: step }));
            clock.inner().advance(step);
        }
        // A bound for several sleeps, should the machine be slow to run the other half of the join.
        let patient = settings(&clock).on_rollback(Rollback::Wait { max: Duration::from_secs(9) }).build().unwrap();
        let first = first.max(patient.next_id_async().await.unwrap());
        clock.inner().step_back(3 * MS);
        let begun = Instant::now();
        let (waited, ()) = join(patient.next_id_async(), async {
            time::sleep(MS).await;
            clock.inner().advance(3 * MS);
        })
        .await;
        assert!(waited.unwrap() > first && begun.elapsed() >= MS);
        assert_eq!(ids.stats().clock_behind_max, HOUR);
    });
    assert!(nobody_slept(&clock));
}

/// Both, side by side.
async fn join<A, B>(a: impl Future<Output = A>, b: impl Future<Output = B>) -> (A, B) {
    let (mut a, mut b) = (Box::pin(a), Box::pin(b));
    let (mut a_done, mut b_done) = (None, None);
    std::future::poll_fn(move |context| {
        if a_done.is_none() {
            a_done = ready(a.as_mut().poll(context));
        }
        if b_done.is_none() {
            b_done = ready(b.as_mut().poll(context));
        }
        match (a_done.take(), b_done.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (a_done, b_done) = (a, b);
                Poll::Pending
            }
        }
    })
    .await
}

fn ready<T>(poll: Poll<T>) -> Option<T> {
    if let Poll::Ready(value) = poll { Some(value) } else { None }
}

#[test]
fn a_close_ends_every_wait() {
    let clock = clock();
    clock.inner().advance(MS / 2);
    let ids = settings(&clock).build().unwrap();
    let runtime = one_thread();
    let _inside = runtime.enter();
    use_up(&ids);
    let mut calls: Vec<_> = (0..10).map(|_| Call::new(&ids)).collect();
    assert!(calls.iter_mut().all(|call| call.poll().is_pending()));
    ids.close();
    assert!(calls.iter_mut().all(|call| call.within(1) == Some(Err(IssueError::Closed))));
}

#[test]
fn with_policy_fail_nothing_waits() {
    let clock = clock();
    let ids = settings(&clock).on_exhausted(Exhaustion::Fail).on_rollback(Rollback::Fail).build().unwrap();
    use_up(&ids);
    assert_eq!(Call::new(&ids).within(1), Some(Err(IssueError::Exhausted { retry_after: MS })));
    clock.inner().step_back(MS);
    assert_eq!(Call::new(&ids).within(1), Some(Err(IssueError::ClockBehind { behind: MS, retry_after: 2 * MS })));
    assert!(nobody_slept(&clock));
}

#[test]
fn a_bound_is_one_of_time_however_fast_the_runtime_turns() {
    for nanos_per_turn in [150, 300, 1_000, 10_000] {
        let clock = clock();
        clock.inner().advance(MS / 10);
        let ids = settings(&clock).on_exhausted(Exhaustion::Wait { max: MS });
        let ids = ids.on_rollback(Rollback::Wait { max: MS }).build().unwrap();
        use_up(&ids);
        clock.inner().drift(nanos_per_turn);
        let waited = Call::new(&ids).within(10_000).expect("the next tick is 0.9 ms away");
        assert!(waited.is_ok(), "{waited:?}: the bound is 1 ms, with {nanos_per_turn} ns a turn");
        clock.inner().drift(0);
        clock.inner().step_back(MS * 9 / 10);
        clock.inner().drift(nanos_per_turn);
        let waited = Call::new(&ids).within(10_000).expect("the clock catches up within 0.9 ms");
        assert!(waited.is_ok(), "{waited:?}: the bound is 1 ms, with {nanos_per_turn} ns a turn");
    }
}

#[test]
fn a_clock_that_stands_still_ends_a_wait_too() {
    for already in [Duration::ZERO, MS / 2, Duration::from_nanos(999_999)] {
        let clock = clock();
        clock.inner().on_sleep(OnSleep::Freeze);
        clock.inner().advance(already);
        let ids = settings(&clock).on_exhausted(Exhaustion::Wait { max: 5 * MS }).build().unwrap();
        use_up(&ids);
        let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let answer = runtime.block_on(ids.next_id_async());
        assert_eq!(answer, Err(IssueError::Exhausted { retry_after: MS.saturating_sub(already) }));
        assert!(nobody_slept(&clock));
    }
}

/// A clock that is tokio's: in tests its time is paused, and moves when all tasks sleep.
struct TokioClock {
    begun: time::Instant,
}

impl Clock for TokioClock {
    fn now(&self) -> UnixTime {
        let ms = i64::try_from(self.begun.elapsed().as_millis()).unwrap();
        UnixMillis::new(Twitter::LAYOUT.epoch().get() + DAY_MS + ms).into()
    }

    fn sleep(&self, _: Duration) {
        unreachable!("an asynchronous call blocks no thread");
    }
}

#[test]
fn a_thousand_tasks_on_tokios_own_clock_take_turns() {
    const TASKS: usize = 1_000;
    let runtime = runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let all: Vec<_> = runtime.block_on(async {
        let clock = TokioClock { begun: time::Instant::now() };
        let layout: Layout = "epoch=2010-11-04T01:42:54.657Z,timestamp:41,sequence:8".parse().unwrap();
        let ids = Arc::new(layout.generator_with(clock).unregistered().build().unwrap());
        let tasks: Vec<_> = (0..TASKS)
            .map(|_| {
                let ids = Arc::clone(&ids);
                tokio::spawn(async move {
                    let first = ids.next_id_async().await.unwrap();
                    let second = ids.next_id_async().await.unwrap();
                    assert!(first < second);
                    [first, second]
                })
            })
            .collect();
        let mut all = Vec::new();
        for task in tasks {
            all.extend(task.await.unwrap());
        }
        // 2,000 ids of 256 a millisecond, and what the timer's grain costs.
        let took = ids.clock().begun.elapsed();
        assert!(took >= 7 * MS && took < 100 * MS, "{took:?}");
        all
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 2 * TASKS);
}

#[test]
fn a_task_that_takes_many_ids_lets_others_run() {
    let clock = clock();
    let ids = Arc::new(settings(&clock).ahead_max(HOUR).build().unwrap());
    let turns = one_thread().block_on(async {
        let (taking, turns) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU64::new(0)));
        let others = task::spawn({
            let (taking, turns) = (Arc::clone(&taking), Arc::clone(&turns));
            async move {
                while taking.load(Ordering::Relaxed) {
                    turns.fetch_add(1, Ordering::Relaxed);
                    task::yield_now().await;
                }
            }
        });
        task::spawn(async move {
            for _ in 0..100_000 {
                ids.next_id_async().await.unwrap();
            }
            taking.store(false, Ordering::Relaxed);
        })
        .await
        .unwrap();
        others.await.unwrap();
        turns.load(Ordering::Relaxed)
    });
    assert!(turns > 100, "{turns} turns of another task while one took 100,000 ids that were all there");
}

#[test]
fn calls_dropped_at_random_on_a_runtime_leave_nobody_behind() {
    const TASKS: usize = 200;
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let layout: Layout = "epoch=2010-11-04T01:42:54.657Z,timestamp:41,sequence:5".parse().unwrap();
    let ids = Arc::new(layout.generator().unregistered().build().unwrap());
    let runtime = two_threads();
    let (mut all, dropped) = runtime.block_on(async {
        let take = |ids: Arc<Generator<_, _>>, mut rng: Rng| async move {
            let (mut taken, mut dropped) = (Vec::new(), 0);
            for _ in 0..50 {
                // From none at all to several ticks.
                let patience = Duration::from_micros(rng.below(8_000));
                match time::timeout(patience, ids.next_id_async()).await {
                    Ok(answer) => taken.push(answer.unwrap()),
                    Err(_) => dropped += 1,
                }
            }
            (taken, dropped)
        };
        let tasks: Vec<_> = (0..TASKS).map(|_| task::spawn(take(Arc::clone(&ids), Rng::new(rng.next_u64())))).collect();
        let (mut all, mut dropped) = (Vec::new(), 0);
        for (place, task) in tasks.into_iter().enumerate() {
            if place % 10 == 9 {
                task.abort();
            }
            if let Ok((taken, lost)) = task.await {
                all.extend(taken);
                dropped += lost;
            }
        }
        (all, dropped)
    });
    assert!(all.len() > 500 && dropped > 500, "{} taken, {dropped} dropped", all.len());
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    // Nobody else takes any: whoever is first in a tick gets all of it.
    for _ in 0..5 {
        while ids.try_next_id().is_ok() {
            ids.reserve(u64::MAX).unwrap();
        }
        assert_eq!(ids.reserve(u64::MAX).unwrap().remaining(), 32);
    }
}
