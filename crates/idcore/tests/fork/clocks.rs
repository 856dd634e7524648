//! Clocks over a fork: a ticker has lost its thread, a monotonic clock perhaps the one that looked at the wall clock.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    Clock, Dyn, DynSnowflake, Field, Generator, IssueError, Layout, MonotonicClock, SystemClock, TickerClock, Times,
    UnixMillis, UnixTime,
};

use idtest::process::fork;

tests![
    a_forked_ticker_starts_again_once_for_all_clones,
    a_forked_ticker_does_not_stall_a_generator,
    a_forked_tickers_time_does_not_go_back,
    a_forked_monotonic_clock_goes_on,
    a_fork_during_a_look_stops_no_further_looks,
];

const MS: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(20);

type Ids = Generator<Dyn, TickerClock>;

/// Four ids a millisecond, so that a few of them take several ticks; each test has its epoch.
fn layout(epoch_ms: i64) -> Layout {
    let fields = [Field::timestamp(42), Field::node("worker", 10), Field::sequence(2)];
    Layout::new(UnixMillis::new(epoch_ms), 1, &fields).unwrap()
}

fn build(layout: Layout, clock: &TickerClock, node: u64) -> Ids {
    layout.generator_with(clock.clone()).node(node).build().unwrap()
}

fn take(ids: &Ids, count: usize) -> Vec<DynSnowflake> {
    let taken: Vec<_> = (0..count).map(|_| ids.next_id().unwrap()).collect();
    assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
    taken
}

fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        thread::sleep(MS);
    }
}

/// The threads of this process that tick; none can be told where there is no list of threads.
fn tickers() -> Option<usize> {
    let names = fs::read_dir("/proc/self/task").ok()?.filter_map(|task| {
        // A thread may end between the listing and the look.
        fs::read_to_string(task.ok()?.path().join("comm")).ok()
    });
    Some(names.filter(|name| name.trim_end() == "idcore-ticker").count())
}

fn expect_tickers(count: usize) {
    until("the number of tickers", || tickers().is_none_or(|found| found == count));
}

/// That the time moves without anybody asking for the exact one.
fn expect_ticking(clock: &TickerClock) {
    let before = clock.now();
    until("the time moves", || clock.now() > before);
}

fn a_forked_ticker_starts_again_once_for_all_clones() {
    expect_tickers(0);
    let clock = TickerClock::start().unwrap();
    let ids = build(layout(1), &clock, 0);
    expect_tickers(1);
    let child = fork(|| {
        expect_tickers(0);
        let stands = clock.now();
        thread::sleep(10 * MS);
        assert_eq!(clock.now(), stands, "nobody ticks yet");
        let own = build(layout(1), &clock, 1);
        expect_tickers(1);
        expect_ticking(&clock);
        let others: Vec<_> = (2..6).map(|node| build(layout(1), &clock, node)).collect();
        for own in others.iter().chain([&own]) {
            take(own, 10);
        }
        expect_tickers(1);
        let grandchild = fork(|| {
            expect_tickers(0);
            let own = build(layout(1), &clock, 6);
            expect_tickers(1);
            expect_ticking(&clock);
            vec![take(&own, 64).len() as u64]
        });
        let said = grandchild.join();
        expect_ticking(&clock);
        expect_tickers(1);
        said
    });
    expect_ticking(&clock);
    take(&ids, 64);
    assert_eq!(child.join(), [64]);
    drop((ids, clock));
    expect_tickers(0);
}

fn a_forked_ticker_does_not_stall_a_generator() {
    let clock = TickerClock::start().unwrap();
    let ids = build(layout(2), &clock, 0);
    for round in 0..20 {
        take(&ids, 3);
        let child = fork(|| {
            assert_eq!(ids.next_id(), Err(IssueError::Forked));
            let own = build(layout(2), &clock, 1 + round);
            let begun = Instant::now();
            let mut taken = take(&own, 64);
            taken.resize(128, DynSnowflake::ZERO);
            own.fill(&mut taken[64..]).unwrap();
            // 128 ids are 32 ticks.
            assert!(begun.elapsed() < PATIENCE);
            taken.iter().map(|id| id.get()).collect()
        });
        let mut all = take(&ids, 64).iter().map(|id| id.get()).collect::<Vec<_>>();
        all.extend(child.join());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 64 + 128);
    }
}

fn a_forked_tickers_time_does_not_go_back() {
    let clock = TickerClock::start().unwrap();
    let before = clock.now_exact();
    let child = fork(|| {
        let mut last = clock.now();
        assert!(last.millis() >= before.millis());
        let _own = build(layout(3), &clock, 1);
        for round in 0..20_000 {
            let now = if round % 100 == 0 { clock.now_exact() } else { clock.now() };
            assert!(now.millis() >= last.millis());
            last = now;
        }
        assert!(last.millis() <= SystemClock.now().millis());
        Vec::new()
    });
    child.join();
}

fn a_forked_monotonic_clock_goes_on() {
    let clock = MonotonicClock::new();
    let before = clock.now();
    let child = fork(|| {
        let own = layout(4).generator_with(&clock).node(1).build().unwrap();
        assert!((0..64).all(|_| own.next_id().is_ok()));
        assert!(clock.now().millis() >= UnixTime::millis(before));
        assert_eq!(clock.lead().as_secs(), 0);
        Vec::new()
    });
    child.join();
}

/// The machine's monotonic clock, and a wall clock that is set by hand and may hold up whoever reads it.
struct Held {
    origin: Instant,
    offset_ns: AtomicU64,
    hold: AtomicBool,
    looking: AtomicBool,
}

impl Times for &Held {
    fn wall_ns(&self) -> u64 {
        while self.hold.load(Ordering::SeqCst) {
            self.looking.store(true, Ordering::SeqCst);
            thread::sleep(MS);
        }
        self.monotonic_ns() + self.offset_ns.load(Ordering::SeqCst)
    }

    fn monotonic_ns(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_nanos()).unwrap()
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

impl Held {
    fn new() -> Self {
        Self {
            origin: Instant::now(),
            offset_ns: AtomicU64::new(1_800_000_000_000_000_000),
            hold: AtomicBool::new(false),
            looking: AtomicBool::new(false),
        }
    }
}

/// What `in_child` does in a child that is forked while another thread of this process looks at the wall clock. The child
/// has no such thread, and whatever it held would be held for good.
fn fork_during_a_look(times: &Held, clock: &MonotonicClock<&Held>, in_child: impl FnOnce() -> Vec<u64>) {
    times.hold.store(true, Ordering::SeqCst);
    let child = thread::scope(|scope| {
        scope.spawn(|| {
            while !times.looking.load(Ordering::SeqCst) {
                clock.now();
            }
        });
        until("the other thread looks", || times.looking.load(Ordering::SeqCst));
        let child = fork(|| {
            times.hold.store(false, Ordering::SeqCst);
            times.looking.store(false, Ordering::SeqCst);
            in_child()
        });
        times.hold.store(false, Ordering::SeqCst);
        child
    });
    child.join();
}

fn expect_a_step_to_be_followed(times: &Held, clock: &MonotonicClock<&Held>) {
    times.offset_ns.fetch_add(500_000_000, Ordering::SeqCst);
    thread::sleep(5 * MS);
    clock.now();
    let behind = (clock.wall(), clock.now());
    assert!(behind.0.millis().get() - behind.1.millis().get() < 100, "a step is not followed: {behind:?}");
}

fn a_fork_during_a_look_stops_no_further_looks() {
    let times = Held::new();
    let clock = MonotonicClock::on(&times);
    fork_during_a_look(&times, &clock, || {
        expect_a_step_to_be_followed(&times, &clock);
        // A child of the child, of the same kind.
        fork_during_a_look(&times, &clock, || {
            expect_a_step_to_be_followed(&times, &clock);
            Vec::new()
        });
        expect_a_step_to_be_followed(&times, &clock);
        Vec::new()
    });
}
