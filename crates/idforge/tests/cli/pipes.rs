//! A reader that has seen enough is no error; a disk that is full is one.

use std::io::{Read, Write};
use std::process::Stdio;

use super::run::command;

#[test]
fn a_reader_of_ids_may_go_away() {
    let formats = [
        &["snowflake", "--node", "1"][..],
        &["snowflake", "--node", "1", "--threads", "8"],
        &["uuidv7"],
        &["uuidv7", "--handles", "--threads", "8"],
        &["uuidv4", "--threads", "8"],
        &["ulid", "--threads", "8"],
        &["ulid", "--method", "random"],
    ];
    for format in formats {
        for json in [&[][..], &["--json"]] {
            // As many as there can be: nothing may be set aside for them.
            let args = [&["gen"], format, &["-n", "18446744073709551615"], json].concat();
            let mut child = command(&args).spawn().expect("the binary runs");
            let mut stdout = child.stdout.take().expect("standard output is a pipe");
            let mut some = [0; 1_000];
            stdout.read_exact(&mut some).expect("there are more ids than that");
            drop(stdout);
            let output = child.wait_with_output().expect("the binary ends");
            assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
        }
    }
}

#[test]
fn a_reader_of_reports_may_go_away() {
    let (fine, doubled) = ("5\n", "5\n5\n");
    for (args, input, status) in [
        (["inspect"].as_slice(), fine, 0),
        (&["inspect", "--json"], fine, 0),
        (&["check"], fine, 0),
        // What was found is in the status still.
        (&["check"], doubled, 1),
        (&["check", "--json"], doubled, 1),
    ] {
        let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the binary runs");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        stdin.write_all(input.as_bytes()).expect("the binary reads");
        drop(stdin);
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(status), &b""[..]), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for args in [
        ["layout"].as_slice(),
        &["inspect", "5"],
        &["gen", "snowflake", "--node", "1"],
        &["gen", "snowflake", "--node", "1", "--json"],
        &["gen", "uuidv7"],
        &["gen", "uuidv4", "--json"],
        &["gen", "ulid"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let output = command(args).stdout(full).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stderr.starts_with(b"error: standard output: "), "{args:?}: {}", output.stderr.escape_ascii());
    }
}
