//! 10,000 tasks on two threads of a runtime reach the layout's limit, and another task's timer of a millisecond is on time
//! meanwhile.
//!
//! What the machine takes for other things is measured, by threads that only sleep and by what this process waited for
//! processors; a round that falls short is repeated. The figures are printed; those that count are of an optimised build.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

mod machine;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use idcore::{Clock, Field, Generator, Layout, StaticLayout, SystemClock, Twitter};
use machine::{Sleepers, Times};
use tokio::runtime::{self, Runtime};
use tokio::{task, time};

const MS: Duration = Duration::from_millis(1);

fn two_threads() -> Runtime {
    runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap()
}

/// What the threads of this process got of the processors since they began.
#[derive(Clone, Copy, Debug)]
struct Cpu {
    ran_ns: u64,
    waited_ns: u64,
}

impl Cpu {
    /// Of all threads that live now; nothing where the system does not say.
    fn of_threads() -> Self {
        let mut sum = Self { ran_ns: 0, waited_ns: 0 };
        let Ok(tasks) = fs::read_dir("/proc/self/task") else { return sum };
        for task in tasks {
            // A thread may end between the listing and the look.
            let Ok(stat) = fs::read_to_string(task.unwrap().path().join("schedstat")) else { continue };
            let mut numbers = stat.split_whitespace().map_while(|number| number.parse::<u64>().ok());
            sum.ran_ns += numbers.next().unwrap_or(0);
            sum.waited_ns += numbers.next().unwrap_or(0);
        }
        sum
    }

    /// Of the time that they could have run since `earlier`, the share for which a processor was there.
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    fn share_since(self, earlier: Self) -> f64 {
        let ran = self.ran_ns.saturating_sub(earlier.ran_ns) as f64;
        let waited = self.waited_ns.saturating_sub(earlier.waited_ns) as f64;
        if ran + waited > 0.0 { ran / (ran + waited) } else { 1.0 }
    }
}

/// What tasks took, and how a timer of a millisecond fared meanwhile.
struct Load {
    /// Of the ids that the layout has.
    share: f64,
    timer: Times,
    /// Of the time that threads of the process could have run, the share for which a processor was there.
    cpu: f64,
    /// How late threads woke that did nothing else.
    machine: Times,
}

/// Tasks that take ids for `time`, as fast as they can.
fn load(tasks: usize, time: Duration, layout: Layout) -> Load {
    let ids = Arc::new(layout.generator().node(3).unregistered().build().unwrap());
    let done = Arc::new(AtomicBool::new(false));
    let take = |ids: Arc<Generator<_, _>>, done: Arc<AtomicBool>| async move {
        let mut mine = Vec::new();
        while !done.load(Ordering::Relaxed) {
            mine.push(ids.next_id_async().await.unwrap());
        }
        mine
    };
    two_threads().block_on(async {
        let takers: Vec<_> = (0..tasks).map(|_| task::spawn(take(Arc::clone(&ids), Arc::clone(&done)))).collect();
        // Until all of them are under way.
        time::sleep(100 * MS).await;
        let sleepers = Sleepers::start(2);
        let before = Cpu::of_threads();
        let timer = task::spawn(async move {
            let (begun, mut sleeps) = (Instant::now(), Times::new());
            let from = SystemClock.now().millis();
            while begun.elapsed() < time {
                let asleep = Instant::now();
                time::sleep(MS).await;
                sleeps.note(asleep.elapsed());
            }
            (sleeps, from, SystemClock.now().millis())
        });
        let (timer, from, until) = timer.await.unwrap();
        let cpu = Cpu::of_threads().share_since(before);
        done.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for taker in takers {
            let mine = taker.await.unwrap();
            assert!(mine.windows(2).all(|pair| pair[0] < pair[1]));
            all.extend(mine);
        }
        let window = layout.range_of_node(3, from, until).unwrap().unwrap();
        let count = all.iter().filter(|id| (window.lowest..=window.highest).contains(&id.get())).count();
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = count as f64 / (until.saturating_since(from).as_secs_f64() * layout.ids_per_second());
        let taken = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), taken, "ids were handed out twice");
        Load { share, timer, cpu, machine: sleepers.stop() }
    })
}

#[test]
fn ten_thousand_tasks_reach_the_limit_and_leave_the_runtime_to_others() {
    // Twitter's layout. Without optimisation an id costs many times as much: a sixteenth of all, in the same proportion.
    let (tasks, bits) = if cfg!(debug_assertions) { (625, 8) } else { (10_000, 12) };
    let fields = [Field::timestamp(41), Field::node("worker", 10), Field::sequence(bits)];
    let layout = Layout::new(Twitter::LAYOUT.epoch(), 1, &fields).unwrap();
    let wanted = if cfg!(debug_assertions) { 0.9 } else { 0.99 };
    let met = (0..8).any(|_| {
        let Load { share, timer, cpu, machine } = load(tasks, Duration::from_millis(1_500), layout);
        let [median, p99] = [500, 990].map(|per_mille| timer.per_mille(per_mille));
        let [median_late, p99_late] = [500, 990].map(|per_mille| machine.per_mille(per_mille));
        println!(
            "{tasks} tasks: {:.1} % of the limit with {:.0} % of the processors they could have used; timer of 1 ms: \
             median {median:?}, p99 {p99:?}, max {:?}; threads that only sleep were late by {median_late:?}, {p99_late:?}, {:?}",
            share * 100.0,
            cpu * 100.0,
            timer.max(),
            machine.max(),
        );
        // What the machine takes for other things is not the code's fault.
        share >= wanted * cpu && median < 3 * MS + median_late && p99 < 5 * MS + p99_late
    });
    assert!(met, "see above: too few ids, or too late a timer, each time");
}
