//! CPU time, user and system together, and which processor a thread runs on.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of all threads of this process so far.
pub(crate) fn process() -> Duration {
    read(ClockId::ProcessCPUTime)
}

/// CPU time of the calling thread so far.
pub(crate) fn thread() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// CPUs kept busy: CPU time over wall time.
pub(crate) fn busy(cpu: Duration, wall: Duration) -> f64 {
    cpu.as_secs_f64() / wall.as_secs_f64()
}

/// Keeps the calling thread on one processor: the one at place `nth` of those that it may run on, counted round.
///
/// Changes nothing where the operating system does not allow that.
#[cfg(target_os = "linux")]
pub(crate) fn pin(nth: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return };
    let places = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu));
    let Some(cpu) = places.cycle().nth(nth) else { return };
    let mut one = CpuSet::new();
    one.set(cpu);
    // Refused where a thread may not choose: then it runs where it did.
    let _ = sched_setaffinity(None, &one);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_nth: usize) {}

fn read(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).expect("a CPU clock starts at zero and only rises")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn pinned_threads_are_spread_over_the_processors_in_turn() {
        use rustix::thread::{CpuSet, sched_getaffinity};

        let count = usize::try_from(sched_getaffinity(None).unwrap().count()).unwrap();
        let place = |nth: usize| {
            let pinned = move || {
                pin(nth);
                let cpus = sched_getaffinity(None).unwrap();
                (0..CpuSet::MAX_CPU).filter(|cpu| cpus.is_set(*cpu)).collect::<Vec<_>>()
            };
            std::thread::spawn(pinned).join().unwrap()
        };
        let places: Vec<_> = (0..2 * count).map(place).collect();
        assert!(places.iter().all(|cpus| cpus.len() == 1), "{places:?}");
        assert_eq!(places[..count], places[count..]);
        assert!(places[..count].is_sorted_by(|one, next| one < next), "{places:?}");
    }

    #[test]
    fn a_spinning_thread_is_charged_and_a_sleeping_one_is_not() {
        let before = thread();
        std::thread::sleep(Duration::from_millis(50));
        let slept = thread().saturating_sub(before);
        assert!(slept < Duration::from_millis(10), "sleeping 50 ms took {slept:?} of CPU");

        // The process first, so that it is charged for whatever the thread is.
        let all = process();
        let before = thread();
        let wanted = Duration::from_millis(20);
        let begun = Instant::now();
        while thread().saturating_sub(before) < wanted {
            assert!(begun.elapsed() < Duration::from_secs(10), "the CPU clock of the thread stands still");
        }
        let charged = process().saturating_sub(all);
        // The clock of a process may be a scheduler's tick behind those of its threads.
        assert!(charged >= wanted / 2, "{charged:?} of {wanted:?}");
    }
}
