//! What a record must say about where it comes from.

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{cpu, stats};

/// The head of a record.
#[derive(Debug, Serialize)]
pub(crate) struct Header {
    /// Where it ran.
    pub(crate) machine: Machine,
    /// The commit of the working directory, with `-dirty` when there are changes on top of it.
    pub(crate) commit: String,
    /// The compiler that built the benchmarks.
    pub(crate) rustc: &'static str,
    /// What was typed.
    pub(crate) command: String,
    /// Rounds that count.
    pub(crate) rounds: usize,
    /// Seconds that a contender ran in a round.
    pub(crate) seconds: f64,
    /// CPUs that other processes and the hypervisor kept busy meanwhile: the less, the better the
    /// figures.
    pub(crate) others_cpus: f64,
}

/// Watches what the rest of the machine does.
pub(crate) struct Others {
    begun: Instant,
    all: Duration,
    own: Duration,
}

/// A machine.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The model of its processor.
    pub(crate) cpu: String,
    /// How many threads it runs at once.
    pub(crate) cores: usize,
    /// Its operating system and architecture.
    pub(crate) system: String,
}

impl Header {
    /// The head of a record of this run.
    pub(crate) fn new(rounds: usize, seconds: f64, others_cpus: f64) -> Self {
        let arguments = std::env::args().skip(1);
        Self {
            machine: Machine::here(),
            commit: commit(),
            rustc: env!("IDBENCH_RUSTC"),
            command: std::iter::once("idbench".to_owned()).chain(arguments).collect::<Vec<_>>().join(" "),
            rounds,
            seconds,
            others_cpus,
        }
    }
}

impl Machine {
    fn here() -> Self {
        let cpu = fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| cpu_model(&text))
            .unwrap_or_else(|| "unknown".to_owned());
        Self {
            cpu,
            cores: thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

impl Others {
    /// Begins to watch.
    pub(crate) fn watch() -> Self {
        Self { begun: Instant::now(), all: busy_time(), own: cpu::process() }
    }

    /// CPUs that anything but this process kept busy since then; 0 where the system does not say.
    pub(crate) fn cpus(&self) -> f64 {
        let all = busy_time().saturating_sub(self.all);
        let own = cpu::process().saturating_sub(self.own);
        cpu::busy(all.saturating_sub(own), self.begun.elapsed())
    }
}

fn busy_time() -> Duration {
    let ticks = fs::read_to_string("/proc/stat").ok().and_then(|text| busy_ticks(&text));
    Duration::from_secs_f64(stats::float(ticks.unwrap_or(0)) / stats::float(rustix::param::clock_ticks_per_second()))
}

/// Ticks of all processors that were neither idle nor waiting for a disk.
fn busy_ticks(stat: &str) -> Option<u64> {
    let fields: Vec<u64> = stat
        .lines()
        .find_map(|line| line.strip_prefix("cpu "))?
        .split_whitespace()
        .map_while(|field| field.parse().ok())
        .collect();
    // user nice system idle iowait irq softirq steal; what guests use is in `user` already.
    let [user, nice, system, _idle, _iowait, irq, softirq, steal] = *fields.first_chunk()?;
    Some(user + nice + system + irq + softirq + steal)
}

fn cpu_model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn commit() -> String {
    let Some(head) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    match git(&["status", "--porcelain"]) {
        Some(changes) if changes.is_empty() => head,
        _ => format!("{head}-dirty"),
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_model_among_the_fields() {
        let text = "processor\t: 0\nmodel\t\t: 207\nmodel name\t: Some CPU @ 2.10GHz\nflags\t: fpu";
        assert_eq!(cpu_model(text).as_deref(), Some("Some CPU @ 2.10GHz"));
        assert_eq!(cpu_model("processor: 0\n"), None);
    }

    #[test]
    fn busy_ticks_leave_out_idle_and_guests() {
        let text = "cpu  1 20 300 4000 50000 600000 7000000 80000000 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(busy_ticks(text), Some(87_600_321));
        assert_eq!(busy_ticks("cpu  1 2 3\n"), None);
        assert_eq!(busy_ticks(""), None);
    }
}
