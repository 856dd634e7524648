//! The pool writes each id once, each thread's in order, and ends when the source or the reader does.

use std::collections::BTreeSet;

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

    fn batch_len(&self) -> usize {
        BATCH_LEN
    }

    fn append(&self, count: usize, text: &mut Vec<u8>) -> Result<(), Interrupted<Self::Error>> {
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
