//! A process that is forked, does something, and says what came of it; and what it asks of the system meanwhile.

#![allow(unsafe_code, reason = "there is no other way to fork")]

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::panic::{self, AssertUnwindSafe};

/// A child that hangs is ended after this time, and so fails its test.
const SECONDS_MAX: u32 = 60;

/// A child process, until it is waited for.
#[derive(Debug)]
#[must_use = "a child that nobody waits for stays behind"]
pub struct Child {
    pid: libc::pid_t,
    numbers: UnixStream,
}

/// Runs `body` in a child. What it returns is what [`Child::join`] gives; a panic in it fails the test there.
///
/// # Panics
///
/// When there is no fork to be had.
pub fn fork(body: impl FnOnce() -> Vec<u64>) -> Child {
    let (numbers, mut out) = UnixStream::pair().expect("two sockets");
    // SAFETY: no precondition in a process of one thread. Where a test has others, the C library sees to its own locks, and the
    // child takes none that they could hold.
    match unsafe { libc::fork() } {
        -1 => panic!("no fork: {}", io::Error::last_os_error()),
        0 => {
            drop(numbers);
            let said = panic::catch_unwind(AssertUnwindSafe(|| {
                set_alarm();
                let bytes: Vec<u8> = body().into_iter().flat_map(u64::to_le_bytes).collect();
                out.write_all(&bytes).expect("the parent reads");
            }));
            exit(said.is_ok())
        }
        pid => Child { pid, numbers },
    }
}

impl Child {
    /// What the child returned.
    ///
    /// # Panics
    ///
    /// When the child panicked, died or hung.
    pub fn join(mut self) -> Vec<u64> {
        let mut bytes = Vec::new();
        self.numbers.read_to_end(&mut bytes).expect("a socket can be read");
        assert_is_well(wait_for(self.pid));
        bytes.chunks_exact(8).map(|number| u64::from_le_bytes(number.try_into().expect("eight bytes"))).collect()
    }
}

fn set_alarm() {
    // SAFETY: sets a timer of this process, whose signal nobody handles.
    unsafe { libc::alarm(SECONDS_MAX) };
}

fn exit(is_well: bool) -> ! {
    // SAFETY: ends the process without what the parent has registered to run at its own end.
    unsafe { libc::_exit(if is_well { 0 } else { 101 }) }
}

/// The child's status when it stops or ends.
fn wait_for(pid: libc::pid_t) -> libc::c_int {
    let mut status = 0;
    // SAFETY: `status` is a place to write to, and the child is this process's own and was not seen to its end before.
    let waited_for = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(waited_for, pid, "{}", io::Error::last_os_error());
    status
}

fn assert_is_well(status: libc::c_int) {
    assert!(!libc::WIFSIGNALED(status), "the child died of signal {}", libc::WTERMSIG(status));
    assert_eq!(libc::WEXITSTATUS(status), 0, "the child panicked");
}

/// The numbers of the system calls that `body` makes, in order, in a child that runs `prepare` before.
///
/// # Panics
///
/// When the child cannot be traced, or when it panics.
#[cfg(target_os = "linux")]
pub fn system_calls<T>(prepare: impl FnOnce() -> T, body: impl FnOnce(T)) -> Vec<u64> {
    // SAFETY: as in `fork`.
    match unsafe { libc::fork() } {
        -1 => panic!("no fork: {}", io::Error::last_os_error()),
        0 => {
            let said = panic::catch_unwind(AssertUnwindSafe(|| {
                set_alarm();
                traced::ask_for_it();
                let prepared = prepare();
                traced::stop();
                body(prepared);
                traced::stop();
            }));
            exit(said.is_ok())
        }
        pid => traced::calls(pid),
    }
}

#[cfg(target_os = "linux")]
mod traced {
    use std::mem::MaybeUninit;
    use std::{io, ptr};

    use super::{assert_is_well, wait_for};

    /// The parent of this process is to see its system calls.
    pub(super) fn ask_for_it() {
        // SAFETY: takes no pointers, and changes nothing in this process but that it stops for its parent.
        let answer = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
        assert_eq!(answer, 0, "cannot be traced: {}", io::Error::last_os_error());
    }

    /// Stops this process by a single system call, until the parent lets it go on.
    pub(super) fn stop() {
        // SAFETY: a signal that this process sends to itself, and whose only effect is that it stops.
        unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
    }

    /// The calls between two stops of the child, which is then let go to its end.
    pub(super) fn calls(pid: libc::pid_t) -> Vec<u64> {
        let has_stopped = |status| libc::WIFSTOPPED(status) && libc::WSTOPSIG(status) == libc::SIGSTOP;
        let status = wait_for(pid);
        assert!(has_stopped(status), "the child ended before it began: status {status:#x}");
        ask(pid, libc::PTRACE_SETOPTIONS, libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL);
        let mut calls = Vec::new();
        loop {
            ask(pid, libc::PTRACE_SYSCALL, 0);
            let status = wait_for(pid);
            if has_stopped(status) {
                break;
            }
            assert!(libc::WIFSTOPPED(status), "the child ended on its way: status {status:#x}");
            calls.extend(entered(pid));
        }
        ask(pid, libc::PTRACE_CONT, 0);
        assert_is_well(wait_for(pid));
        // The last are those that stopped the child.
        for expected in [libc::SYS_kill, libc::SYS_getpid] {
            assert_eq!(calls.pop().and_then(|call| i64::try_from(call).ok()), Some(expected));
        }
        calls
    }

    /// The call that the child has stopped at, if it is on its way in.
    fn entered(pid: libc::pid_t) -> Option<u64> {
        let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
        let len = size_of_val(&info);
        // SAFETY: the kernel writes at most `len` bytes to `info`, all of whose fields are numbers.
        let (answer, info) = unsafe {
            let answer = libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, len, info.as_mut_ptr());
            (answer, info.assume_init())
        };
        assert!(answer > 0, "which call: {}", io::Error::last_os_error());
        // SAFETY: all fields of the union are numbers, and this is the one that the kernel has written if it says so.
        let number = unsafe { info.u.entry.nr };
        (info.op == libc::PTRACE_SYSCALL_INFO_ENTRY).then_some(number)
    }

    fn ask(pid: libc::pid_t, request: libc::c_uint, data: libc::c_int) {
        // SAFETY: these requests take a number and no pointers.
        let answer = unsafe { libc::ptrace(request, pid, ptr::null_mut::<libc::c_void>(), libc::c_long::from(data)) };
        assert_eq!(answer, 0, "request {request:#x}: {}", io::Error::last_os_error());
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn every_system_call_is_counted() {
        let none = system_calls(|| (), |()| ());
        assert_eq!(none, [0; 0]);
        // SAFETY: takes nothing and changes nothing.
        let ask_thrice = |()| (0..3).for_each(|_| assert_ne!(unsafe { libc::getppid() }, 0));
        let expected = u64::try_from(libc::SYS_getppid).expect("a number of a call");
        assert_eq!(system_calls(|| (), ask_thrice), [expected; 3]);
    }

    #[test]
    #[should_panic(expected = "the child panicked")]
    fn a_panic_of_the_child_is_the_parents() {
        fork(|| panic!("on purpose")).join();
    }
}
