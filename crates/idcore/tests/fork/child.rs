//! A process that is forked, does something, and says what came of it.

#![allow(unsafe_code, reason = "there is no other way to fork")]

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::panic::{self, AssertUnwindSafe};

/// A child that hangs is ended after this time, and so fails its test.
const SECONDS_MAX: u32 = 60;

/// A child process, until it is waited for.
pub(crate) struct Child {
    pid: libc::pid_t,
    numbers: UnixStream,
}

/// Runs `body` in a child. What it returns is what [`Child::join`] gives; a panic in it fails the test there.
pub(crate) fn fork(body: impl FnOnce() -> Vec<u64>) -> Child {
    let (numbers, mut out) = UnixStream::pair().unwrap();
    // SAFETY: no precondition in a process of one thread. Where a test has others, the C library sees to its own locks, and the
    // child takes none that they could hold.
    match unsafe { libc::fork() } {
        -1 => panic!("no fork: {}", std::io::Error::last_os_error()),
        0 => {
            drop(numbers);
            // SAFETY: sets a timer of this process, whose signal nobody handles.
            unsafe { libc::alarm(SECONDS_MAX) };
            let said = panic::catch_unwind(AssertUnwindSafe(|| {
                let bytes: Vec<u8> = body().into_iter().flat_map(u64::to_le_bytes).collect();
                out.write_all(&bytes).unwrap();
            }));
            // SAFETY: ends the process without what the parent has registered to run at its own end.
            unsafe { libc::_exit(if said.is_ok() { 0 } else { 101 }) }
        }
        pid => Child { pid, numbers },
    }
}

impl Child {
    /// What the child returned.
    pub(crate) fn join(mut self) -> Vec<u64> {
        let mut bytes = Vec::new();
        self.numbers.read_to_end(&mut bytes).unwrap();
        let mut status = 0;
        // SAFETY: `status` is a place to write to, and the child is this process's own and was not waited for before.
        let waited_for = unsafe { libc::waitpid(self.pid, &raw mut status, 0) };
        assert_eq!(waited_for, self.pid);
        assert!(!libc::WIFSIGNALED(status), "the child died of signal {}", libc::WTERMSIG(status));
        assert_eq!(libc::WEXITSTATUS(status), 0, "the child panicked");
        bytes.chunks_exact(8).map(|number| u64::from_le_bytes(number.try_into().unwrap())).collect()
    }
}
