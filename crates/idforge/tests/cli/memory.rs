//! `check` holds 8 bytes an id, 16 a wide one, and a fixed rest.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use uuid::Uuid;

use super::run::{command, feed};

const REST_MAX_KIB: u64 = 64 << 10;

/// The most memory that a process has had so far; none when it has ended.
fn peak_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Numbers of which none comes twice: a full period modulo 2^64.
fn numbers() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1u64), |state| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    })
}

#[test]
fn five_million_random_snowflakes() {
    check(5_000_000, 8, |id| id.to_string());
}

#[test]
fn two_million_random_uuids() {
    check(2_000_000, 16, |id| Uuid::from_u64_pair(id, !id).to_string());
}

/// Feeds so many ids, of so many bytes each.
fn check(ids: u64, id_len: u64, text: impl Fn(u64) -> String) {
    let mut input = Vec::new();
    for (id, _) in numbers().zip(0..ids) {
        input.extend_from_slice(text(id).as_bytes());
        input.push(b'\n');
    }
    let mut child = command(&["check", "--json"]).stdin(Stdio::piped()).spawn().expect("the binary runs");
    feed(&mut child, input);
    let mut peak = 0;
    while let Some(kib) = peak_kib(child.id()) {
        peak = kib;
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("the binary ends");
    let report = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(report.contains(&format!("\"count\":{ids},\"duplicates\":0")), "{report}");
    let ids_kib = ids * id_len / 1_024;
    assert!(peak > ids_kib, "{peak} KiB: less than the ids, so it was not measured");
    assert!(peak <= ids_kib + REST_MAX_KIB, "{peak} KiB, of which {ids_kib} are ids");
}
