//! CPU time, user and system together.

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

fn read(clock: ClockId) -> Duration {
    Duration::try_from(clock_gettime(clock)).expect("a CPU clock starts at zero and only rises")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_spinning_thread_is_charged_and_a_sleeping_one_is_not() {
        let before = thread();
        std::thread::sleep(Duration::from_millis(50));
        let slept = thread().saturating_sub(before);
        assert!(slept < Duration::from_millis(10), "sleeping 50 ms took {slept:?} of CPU");

        let (before, all) = (thread(), process());
        let wanted = Duration::from_millis(20);
        let begun = Instant::now();
        while thread().saturating_sub(before) < wanted {
            assert!(begun.elapsed() < Duration::from_secs(10), "the CPU clock of the thread stands still");
        }
        assert!(process().saturating_sub(all) >= wanted);
    }
}
