//! The pool writes each id once, each thread's in order, and ends when the source or the reader does.

use std::collections::BTreeSet;
use std::sync::Condvar;
use std::time::Duration;

use super::*;

const BATCH_LEN: usize = 7;

/// Counts up to an end.
struct Counter {
    next: Mutex<Option<u64>>,
    end: u64,
}

impl Counter {
    fn to(end: u64) -> Self {
        Self { next: Mutex::new(Some(0)), end }
    }
}

impl Source for Counter {
    type Error = &'static str;
    type Thread<'a> = ();

    fn batch_len(&self) -> usize {
        BATCH_LEN
    }

    fn thread(&self) {}

    fn append(&self, (): &mut (), count: usize, text: &mut Vec<u8>) -> Result<(), Interrupted<Self::Error>> {
        for made in 0..count {
            let mut next = self.next.lock().unwrap();
            let Some(id) = *next else { return Err(Interrupted { made, stop: Stop::Closed }) };
            if id == self.end {
                return Err(Interrupted { made, stop: Stop::Failed("at the end") });
            }
            *next = Some(id + 1);
            Frame::Lines.append(text, |text| text.extend_from_slice(id.to_string().as_bytes()));
        }
        Ok(())
    }

    fn close(&self) {
        *self.next.lock().unwrap() = None;
    }
}

fn job(count: u64, threads: usize) -> Job {
    Job { count, threads, frame: Frame::Lines }
}

fn ids(text: &[u8]) -> Vec<u64> {
    String::from_utf8(text.to_vec()).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn each_id_is_written_once() {
    for threads in [1, 2, 8] {
        for count in [0, 1, 6, 7, 8, 1_000] {
            let (mut text, mut written) = (Vec::new(), 0);
            run(&Counter::to(u64::MAX), job(count, threads), &mut text, |count| written += count).unwrap();
            let ids = ids(&text);
            assert_eq!((ids.len() as u64, written as u64), (count, count));
            assert_eq!(ids.iter().copied().collect::<BTreeSet<_>>(), (0..count).collect());
        }
    }
}

#[test]
fn one_thread_writes_in_order() {
    let mut text = Vec::new();
    run(&Counter::to(u64::MAX), job(100, 1), &mut text, |_| ()).unwrap();
    assert_eq!(ids(&text), (0..100).collect::<Vec<_>>());
}

#[test]
fn what_was_made_before_an_error_is_written() {
    for threads in [1, 4] {
        let mut text = Vec::new();
        let error = run(&Counter::to(45), job(u64::MAX, threads), &mut text, |_| ()).unwrap_err();
        assert!(matches!(error, PoolError::Source("at the end")), "{error:?}");
        // Nothing that was counted is lost, though other threads stop in the middle of a batch.
        let ids = ids(&text);
        assert_eq!(ids.iter().copied().collect::<BTreeSet<_>>(), (0..ids.len() as u64).collect());
        assert!(threads > 1 || ids.len() == 45);
    }
}

/// Takes so many bytes, and then nobody is there.
struct Closing {
    left: usize,
}

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.len().min(self.left) {
            0 => Err(io::ErrorKind::BrokenPipe.into()),
            len => {
                self.left -= len;
                Ok(len)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_goes_away_ends_every_thread() {
    for threads in [1, 8] {
        let error =
            run(&Counter::to(u64::MAX), job(u64::MAX, threads), &mut Closing { left: 100 }, |_| ()).unwrap_err();
        assert!(matches!(error, PoolError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe));
    }
}

/// The second batch fails; all others are fine, until the source is closed.
struct FailsOnce {
    batches: Mutex<u64>,
    is_closed: Mutex<bool>,
}

impl FailsOnce {
    const BATCHES_MAX: u64 = 100_000;
}

impl Source for FailsOnce {
    type Error = &'static str;
    type Thread<'a> = ();

    fn batch_len(&self) -> usize {
        1
    }

    fn thread(&self) {}

    fn append(&self, (): &mut (), _: usize, text: &mut Vec<u8>) -> Result<(), Interrupted<Self::Error>> {
        if *self.is_closed.lock().unwrap() {
            return Err(Interrupted { made: 0, stop: Stop::Closed });
        }
        let mut batches = self.batches.lock().unwrap();
        *batches += 1;
        if *batches == 2 || *batches > Self::BATCHES_MAX {
            return Err(Interrupted { made: 0, stop: Stop::Failed("the second batch") });
        }
        text.push(b'\n');
        Ok(())
    }

    fn close(&self) {
        *self.is_closed.lock().unwrap() = true;
    }
}

#[test]
fn an_error_of_one_thread_ends_the_others() {
    let source = FailsOnce { batches: Mutex::new(0), is_closed: Mutex::new(false) };
    let error = run(&source, job(u64::MAX, 4), &mut io::sink(), |_| ()).unwrap_err();
    assert!(matches!(error, PoolError::Source("the second batch")), "{error:?}");
    assert!(*source.batches.lock().unwrap() < FailsOnce::BATCHES_MAX, "the other threads went on");
}

/// The second batch fails; the source goes on, whoever closes it.
struct GoesOn {
    batches: Mutex<u64>,
}

impl Source for GoesOn {
    type Error = &'static str;
    type Thread<'a> = ();

    fn batch_len(&self) -> usize {
        1
    }

    fn thread(&self) {}

    fn append(&self, (): &mut (), _: usize, text: &mut Vec<u8>) -> Result<(), Interrupted<Self::Error>> {
        let mut batches = self.batches.lock().unwrap();
        *batches += 1;
        if *batches == 2 || *batches > FailsOnce::BATCHES_MAX {
            return Err(Interrupted { made: 0, stop: Stop::Failed("the second batch") });
        }
        text.push(b'\n');
        Ok(())
    }
}

#[test]
fn a_source_that_goes_on_is_not_asked_again() {
    let source = GoesOn { batches: Mutex::new(0) };
    let error = run(&source, job(u64::MAX, 4), &mut io::sink(), |_| ()).unwrap_err();
    assert!(matches!(error, PoolError::Source("the second batch")), "{error:?}");
    assert!(*source.batches.lock().unwrap() < FailsOnce::BATCHES_MAX, "the other threads went on");
}

/// The first batch is there at once; the others wait for as long as they are let.
struct Waits {
    batches: Mutex<u64>,
    is_closed: Mutex<bool>,
    closed: Condvar,
}

impl Waits {
    const WAIT_MAX: Duration = Duration::from_secs(30);
}

impl Source for Waits {
    type Error = &'static str;
    type Thread<'a> = ();

    fn batch_len(&self) -> usize {
        1
    }

    fn thread(&self) {}

    fn append(&self, (): &mut (), _: usize, text: &mut Vec<u8>) -> Result<(), Interrupted<Self::Error>> {
        let batch = {
            let mut batches = self.batches.lock().unwrap();
            *batches += 1;
            *batches
        };
        if batch == 1 {
            text.push(b'\n');
            return Ok(());
        }
        let is_closed = self.is_closed.lock().unwrap();
        let waited = self.closed.wait_timeout_while(is_closed, Self::WAIT_MAX, |closed| !*closed).unwrap().1;
        assert!(!waited.timed_out(), "a thread that waits for ids is not told to stop");
        Err(Interrupted { made: 0, stop: Stop::Closed })
    }

    fn close(&self) {
        *self.is_closed.lock().unwrap() = true;
        self.closed.notify_all();
    }
}

#[test]
fn a_reader_that_goes_away_ends_threads_that_wait() {
    let source = Waits { batches: Mutex::new(0), is_closed: Mutex::new(false), closed: Condvar::new() };
    let error = run(&source, job(u64::MAX, 4), &mut Closing { left: 0 }, |_| ()).unwrap_err();
    assert!(matches!(error, PoolError::Write(_)), "{error:?}");
}
