//! The wall clock's time on the monotonic clock.
//!
//! - It never goes back, whatever the wall clock does and however long a thread is paused between two readings: under random
//!   steps, held against what can be said without knowing how it works.
//! - A step ahead of up to a second is followed at once. A jump of an hour or a year is suspect: generators say so, with its
//!   size and when it will be believed. It is followed only when it stays, and forgotten when it is taken back.
//! - A step back is absorbed: ids go on, and `lead` says by how much.
//! - `retry_after` is when the jump is believed: who waits that long finds it so.
//!
//! The order of the readings, and threads: `ratchet.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]
#![allow(clippy::unchecked_time_subtraction, reason = "one that overflows fails its test too")]

mod steered;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    Clock, ClockSuspect, DynSnowflake, Generator, IssueError, Layout, MonotonicClock, Snowflake, Standard,
    StaticLayout, Times,
};
use proptest::prelude::*;
use steered::{BEGIN_NS, Steered, ns, unix_ns};

const MS: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);
const YEAR: Duration = Duration::from_secs(365 * 86_400);
const BELIEVE_AFTER: Duration = Duration::from_secs(10);

/// What the clock says, which is asked as a generator does it.
fn ask<S: Times>(clock: &MonotonicClock<S>) -> (u64, Option<ClockSuspect>) {
    let now = unix_ns(clock.now());
    (now, clock.suspicion())
}

fn generator<'a>(clock: &'a MonotonicClock<&'a Steered>) -> Generator<Standard, &'a MonotonicClock<&'a Steered>> {
    Standard::generator_with(clock).node(17).unregistered().build().unwrap()
}

fn id_ms(id: Snowflake<Standard>) -> u64 {
    u64::try_from(id.time().get()).unwrap()
}

#[test]
fn it_is_the_wall_clock_to_the_nanosecond_and_the_raw_ones_can_be_read() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    for pass_ns in [0, 1, 999_999, 1_000_000, 123_456_789] {
        times.pass(Duration::from_nanos(pass_ns));
        assert_eq!(ask(&clock), (times.wall(), None));
        assert_eq!(unix_ns(clock.now_exact()), times.wall());
        assert_eq!(unix_ns(clock.wall()), times.wall());
        assert_eq!(ns(clock.monotonic()), times.monotonic());
    }
    times.step_back(HOUR);
    times.pass(MS);
    assert_eq!(unix_ns(clock.wall()), times.wall(), "as it is, also when it is not followed");
    assert_eq!(ask(&clock).0, times.wall() + ns(HOUR));
}

#[test]
fn a_step_ahead_of_up_to_a_second_is_followed_at_once() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    for step in [Duration::from_nanos(1), MS, 20 * MS, SECOND, SECOND] {
        times.step(step);
        // The wall clock is looked at every millisecond.
        times.pass(MS);
        assert_eq!(ask(&clock), (times.wall(), None), "{step:?}");
    }
    let over = SECOND + Duration::from_nanos(1);
    times.step(over);
    times.pass(MS);
    assert_eq!(ask(&clock), (times.wall() - ns(over), Some(ClockSuspect::new(over, BELIEVE_AFTER))));
}

#[test]
fn a_jump_of_an_hour_or_a_year_is_suspect_and_ids_are_refused() {
    for jump in [HOUR, YEAR] {
        let times = Steered::new();
        let clock = MonotonicClock::on(&times);
        let ids = generator(&clock);
        let (mut local, mut buffer) = (ids.local(), [Snowflake::ZERO; 3]);
        // The handle holds the second slot of a block.
        let last = (0..2).map(|_| local.next_id().unwrap()).max().unwrap();
        times.step(jump);
        times.pass(MS);
        let suspect = |retry_after| Err(IssueError::ClockSuspect(ClockSuspect::new(jump, retry_after)));
        assert_eq!(ids.next_id(), suspect(BELIEVE_AFTER));
        times.pass(3 * SECOND);
        let later = BELIEVE_AFTER - 3 * SECOND;
        assert_eq!(ids.next_id(), suspect(later));
        assert_eq!(ids.try_next_id(), suspect(later));
        assert_eq!(local.next_id(), suspect(later), "though its block has a slot");
        assert_eq!(local.try_next_id(), suspect(later));
        assert_eq!(ids.reserve(5).map(|_| Snowflake::ZERO), suspect(later));
        let unfilled = [ids.fill(&mut buffer), local.fill(&mut buffer)].map(Result::unwrap_err);
        assert_eq!(unfilled.map(|error| (error.filled, Err(error.error))), [(0, suspect(later)); 2]);
        assert_eq!(ids.next_id().unwrap_err().retry_after(), Some(later));
        assert_eq!(ids.mark().get() % 4_096, 3, "nothing was taken meanwhile: one slot, and a block of two");
        assert!(last < ids_after(&ids, &times, later), "{jump:?}");
    }
}

#[test]
fn a_handle_is_refused_though_it_has_ids_whose_tick_has_not_passed() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let layout: Layout = "epoch=0,tick=3600s,timestamp:30,sequence:12".parse().unwrap();
    let ids = layout.generator_with(&clock).unregistered().build().unwrap();
    let mut local = ids.local();
    let held: Vec<_> = (0..10).map(|_| local.next_id().unwrap()).collect();
    times.step(YEAR);
    times.pass(MS);
    let suspect = ClockSuspect::new(YEAR, BELIEVE_AFTER);
    assert_eq!(local.next_id(), Err(IssueError::ClockSuspect(suspect)));
    assert_eq!(local.try_next_id(), Err(IssueError::ClockSuspect(suspect)));
    let mark = ids.mark();
    times.step_back(YEAR);
    times.pass(MS);
    assert_eq!(local.next_id().map(DynSnowflake::get), Ok(held[9].get() + 1), "and kept");
    assert_eq!(ids.mark(), mark);
}

/// The first id once the jump has stayed for `later`: it has the new time.
fn ids_after(
    ids: &Generator<Standard, &MonotonicClock<&Steered>>,
    times: &Steered,
    later: Duration,
) -> Snowflake<Standard> {
    times.pass(later - MS);
    assert_eq!(ids.next_id(), Err(IssueError::ClockSuspect(ClockSuspect::new(jump_of(ids, times), MS))));
    times.pass(MS);
    let id = ids.next_id().expect("believed");
    assert_eq!(id_ms(id), times.wall() / 1_000_000);
    id
}

fn jump_of(ids: &Generator<Standard, &MonotonicClock<&Steered>>, times: &Steered) -> Duration {
    Duration::from_nanos(times.wall() - unix_ns(ids.clock().now()))
}

#[test]
fn who_waits_for_retry_after_finds_the_jump_believed() {
    for first_look in [3 * SECOND, BELIEVE_AFTER - Duration::from_micros(300), BELIEVE_AFTER - Duration::from_nanos(1)]
    {
        let times = Steered::new();
        let clock = MonotonicClock::on(&times);
        let ids = generator(&clock);
        times.step(HOUR);
        times.pass(MS);
        ids.next_id().unwrap_err();
        times.pass(first_look);
        let retry_after = ids.next_id().unwrap_err().retry_after().unwrap();
        assert_eq!(retry_after, BELIEVE_AFTER - first_look);
        times.pass(retry_after);
        assert_eq!(ids.next_id().map(id_ms), Ok(times.wall() / 1_000_000), "after {first_look:?} and {retry_after:?}");
    }
}

#[test]
fn a_jump_that_is_taken_back_is_forgotten() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let ids = generator(&clock);
    for round in 0..3 {
        // Nearly believed, each time anew.
        times.step(YEAR);
        times.pass(MS);
        assert!(ids.next_id().is_err(), "round {round}");
        times.pass(BELIEVE_AFTER - MS);
        assert!(ids.next_id().is_err());
        times.step_back(YEAR);
        times.pass(MS);
        assert_eq!(ids.next_id().map(id_ms), Ok(times.wall() / 1_000_000));
        assert_eq!(clock.lead(), Duration::ZERO);
    }
}

#[test]
fn another_jump_has_to_stay_for_as_long_itself() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let begun = times.offset();
    times.step(HOUR);
    times.pass(MS);
    ask(&clock);
    times.pass(9 * SECOND);
    // A clock that is slewed meanwhile is the same jump; another hour is not.
    times.step(900 * MS);
    times.pass(MS);
    assert_eq!(ask(&clock).1.unwrap().retry_after, SECOND - MS);
    times.step(HOUR);
    times.pass(MS);
    assert_eq!(ask(&clock).1, Some(ClockSuspect::new(2 * HOUR + 900 * MS, BELIEVE_AFTER)));
    times.pass(9 * SECOND);
    let (now, suspicion) = ask(&clock);
    assert_eq!((now, suspicion.is_some()), (times.monotonic() + begun, true));
    times.pass(SECOND);
    assert_eq!(ask(&clock), (times.wall(), None));
}

#[test]
fn both_bounds_can_be_chosen() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times).forward_jump_max(10 * MS).believe_after(100 * MS);
    times.step(10 * MS);
    times.pass(MS);
    assert_eq!(ask(&clock), (times.wall(), None));
    times.step(11 * MS);
    times.pass(MS);
    assert_eq!(ask(&clock).1, Some(ClockSuspect::new(11 * MS, 100 * MS)));
    times.pass(100 * MS);
    assert_eq!(ask(&clock), (times.wall(), None));

    let times = Steered::new();
    let trusting = MonotonicClock::on(&times).forward_jump_max(Duration::MAX);
    times.step(YEAR);
    times.pass(MS);
    assert_eq!(ask(&trusting), (times.wall(), None));
}

#[test]
fn a_step_back_is_absorbed_and_lead_says_by_how_much() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let ids = generator(&clock);
    let mut last = ids.next_id().unwrap();
    for (back, lead) in [(MS, MS), (HOUR - MS, HOUR), (YEAR, HOUR + YEAR)] {
        let before = times.wall() + ns(clock.lead());
        times.step_back(back);
        assert_eq!(clock.lead(), lead);
        for passed in 1..=3 {
            times.pass(MS);
            let id = ids.next_id().expect("ids go on");
            assert_eq!(id_ms(id), before / 1_000_000 + passed);
            assert!(id > last);
            last = id;
        }
    }
    assert_eq!((ids.stats().clock_behind, ids.stats().waits), (0, 0));
    // The wall clock catches up by small steps, as when it is slewed, and then leads again.
    times.step(HOUR + YEAR - 10 * MS);
    assert_eq!(clock.lead(), 10 * MS);
    times.step(15 * MS);
    times.pass(MS);
    assert_eq!(ask(&clock), (times.wall(), None));
    assert_eq!(clock.lead(), Duration::ZERO);
}

#[test]
fn a_jump_is_measured_from_the_clock_and_not_from_the_step() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    times.step_back(HOUR);
    times.pass(MS);
    ask(&clock);
    // An hour ahead, and half a second more: for the clock no more than that.
    times.step(HOUR + 500 * MS);
    times.pass(MS);
    assert_eq!(ask(&clock), (times.wall(), None));
}

#[test]
fn closed_comes_before_suspect() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let ids = generator(&clock);
    let mut local = ids.local();
    let mut reserved = ids.reserve(2).unwrap();
    let held = [local.next_id(), local.next_id()];
    assert!(held.iter().all(Result::is_ok), "the handle holds the second slot of a block");
    times.step(YEAR);
    times.pass(MS);
    assert!(matches!(ids.next_id(), Err(IssueError::ClockSuspect(_))));
    assert!(matches!(local.next_id(), Err(IssueError::ClockSuspect(_))));
    ids.close();
    assert_eq!(ids.next_id(), Err(IssueError::Closed));
    assert_eq!(ids.try_next_id(), Err(IssueError::Closed));
    assert_eq!(local.next_id(), Err(IssueError::Closed));
    assert_eq!(local.try_next_id(), Err(IssueError::Closed));
    assert_eq!(ids.reserve(1).unwrap_err(), IssueError::Closed);
    assert_eq!(reserved.next(), Some(Err(IssueError::Closed)));
    assert_eq!(ids.fill(&mut [Snowflake::ZERO]).unwrap_err().error, IssueError::Closed);
}

#[test]
fn an_exhausted_tick_is_waited_out_on_it() {
    let times = Steered::new();
    let clock = MonotonicClock::on(&times);
    let ids = generator(&clock);
    let mut all = vec![Snowflake::ZERO; 4_096 * 5];
    ids.fill(&mut all).unwrap();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(times.monotonic(), 5_004_000_000, "four sleeps of a millisecond");
}

#[derive(Clone, Debug)]
enum Op {
    Ahead(Duration),
    Back(Duration),
    Pass(Duration),
    Pause(Duration),
}

/// Nanoseconds to hours, all sizes equally often.
fn any_time() -> impl Strategy<Value = Duration> {
    (0..44_u32, any::<u64>()).prop_map(|(bits, number)| Duration::from_nanos(number & ((1 << bits) - 1)))
}

fn any_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        2 => any_time().prop_map(Op::Ahead),
        2 => any_time().prop_map(Op::Back),
        5 => any_time().prop_map(Op::Pass),
        1 => (0..50_000_000_u64).prop_map(|pause_ns| Op::Pause(Duration::from_nanos(pause_ns))),
        1 => Just(Op::Pause(Duration::ZERO)),
    ]
}

/// A moment when the clock looked at the wall clock, with nothing between its readings.
struct Look {
    at_ns: u64,
    offset_ns: u64,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_never_goes_back_and_follows_only_what_it_may(ops in prop::collection::vec(any_op(), 1..60)) {
        let times = Steered::new();
        let clock = MonotonicClock::on(&times);
        let mut last_ns = 0;
        let mut offset_max_ns = times.offset();
        for op in ops {
            match op {
                Op::Ahead(by) => times.step(by),
                Op::Back(by) => times.step_back(by.min(Duration::from_nanos(times.offset() / 2))),
                Op::Pass(by) => times.pass(by),
                Op::Pause(by) => times.pause_after_readings(by),
            }
            offset_max_ns = offset_max_ns.max(times.offset());
            let now_ns = unix_ns(clock.now());
            prop_assert!(now_ns >= last_ns, "back from {last_ns} to {now_ns}");
            prop_assert!(now_ns <= times.monotonic() + offset_max_ns, "ahead of all that the wall clock ever said");
            last_ns = now_ns;
        }
    }

    #[test]
    fn what_it_says_is_the_wall_clock_or_a_lead_or_a_suspicion(ops in prop::collection::vec(any_op(), 1..60)) {
        let times = Steered::new();
        let clock = MonotonicClock::on(&times);
        let mut offset_ns = times.offset();
        let mut looks: Vec<Look> = Vec::new();
        for op in ops {
            match op {
                Op::Ahead(by) => times.step(by),
                Op::Back(by) => times.step_back(by.min(Duration::from_nanos(times.offset() / 2))),
                Op::Pass(by) => times.pass(by),
                // Nothing comes between the readings here, so that all of this is exact.
                Op::Pause(_) => {}
            }
            times.pass(MS);
            let (now_ns, suspicion) = ask(&clock);
            looks.push(Look { at_ns: times.monotonic(), offset_ns: times.offset() });
            if let Some(suspect) = suspicion {
                prop_assert_eq!(now_ns, times.monotonic() + offset_ns, "runs on as it was");
                prop_assert_eq!(suspect.jump, Duration::from_nanos(times.offset() - offset_ns));
                prop_assert!(suspect.jump > SECOND && suspect.retry_after <= BELIEVE_AFTER);
            } else {
                prop_assert_eq!(now_ns, times.monotonic() + offset_ns.max(times.offset()));
                prop_assert_eq!(clock.lead(), Duration::from_nanos(offset_ns.saturating_sub(times.offset())));
            }
            if suspicion.is_none() && times.offset() > offset_ns + ns(SECOND) {
                prop_assert!(has_stayed(&looks), "a jump was believed that had not stayed");
            }
            offset_ns = now_ns - times.monotonic();
        }
    }
}

/// Whether the wall clock has stayed within two seconds of the last look for as long as a jump must; the step that was
/// within a second of the first look may be as far again from the last.
fn has_stayed(looks: &[Look]) -> bool {
    let last = looks.last().unwrap();
    let near = |look: &&Look| look.offset_ns.abs_diff(last.offset_ns) <= 2 * ns(SECOND);
    let first = looks.iter().rev().take_while(near).last().unwrap();
    last.at_ns - first.at_ns >= ns(BELIEVE_AFTER)
}

/// The machine's clocks, a year apart after the first look; whoever reads the wall clock can be held up.
struct HeldUp {
    origin: Instant,
    looks: AtomicU64,
    hold: AtomicBool,
    held: AtomicBool,
}

impl Times for &HeldUp {
    fn wall_ns(&self) -> u64 {
        let jump_ns = if self.looks.fetch_add(1, Ordering::SeqCst) == 0 { 0 } else { ns(YEAR) };
        while self.hold.load(Ordering::SeqCst) {
            self.held.store(true, Ordering::SeqCst);
            thread::sleep(MS);
        }
        BEGIN_NS + jump_ns + self.monotonic_ns()
    }

    fn monotonic_ns(&self) -> u64 {
        ns(self.origin.elapsed())
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

#[test]
fn retry_after_counts_down_also_while_another_thread_looks_at_the_wall_clock() {
    let times = HeldUp {
        origin: Instant::now(),
        looks: AtomicU64::new(0),
        hold: AtomicBool::new(false),
        held: AtomicBool::new(false),
    };
    let clock = MonotonicClock::on(&times);
    thread::sleep(2 * MS);
    let (_, first) = ask(&clock);
    assert!(first.unwrap().jump > YEAR - SECOND);
    times.hold.store(true, Ordering::SeqCst);
    let (meanwhile, waited) = thread::scope(|scope| {
        scope.spawn(|| {
            while !times.held.load(Ordering::SeqCst) {
                clock.now();
            }
        });
        while !times.held.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        let begun = Instant::now();
        thread::sleep(100 * MS);
        let meanwhile = clock.suspicion();
        times.hold.store(false, Ordering::SeqCst);
        (meanwhile.unwrap(), begun.elapsed())
    });
    assert!(waited >= 100 * MS);
    assert!(meanwhile.retry_after <= BELIEVE_AFTER - 100 * MS, "{meanwhile:?} after {waited:?}");
}
