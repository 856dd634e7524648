//! Threads that take batches of ids and make text of them, and the one that writes it.
//!
//! Every thread writes its batches in the order in which it took them; those of several threads interleave. The channel is
//! bounded, so that a slow reader holds up the threads and not the memory.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::frame::Frame;

/// Batches of text that wait to be written.
const BATCHES_WAITING_MAX: usize = 16;

/// Where ids come from.
pub(crate) trait Source: Sync {
    /// Why there are no more ids.
    type Error: Send;

    /// What a thread keeps between its batches.
    type Thread<'a>
    where
        Self: 'a;

    /// The number of ids to take at a time.
    fn batch_len(&self) -> usize;

    /// What a new thread begins with.
    fn thread(&self) -> Self::Thread<'_>;

    /// Puts `count` new ids at the end of `text`. On an error it holds those that were made before.
    fn append(
        &self,
        thread: &mut Self::Thread<'_>,
        count: usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Interrupted<Self::Error>>;

    /// Makes every batch end at once with [`Stop::Closed`], those that wait for their ids too. Nothing to do for sources
    /// that do not wait: a closed pool begins no batch.
    fn close(&self) {}
}

/// A batch that is shorter than asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Interrupted<E> {
    pub(crate) made: usize,
    pub(crate) stop: Stop<E>,
}

/// Why a batch ended early.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// The source was closed, for a reason that is known already.
    Closed,
    Failed(E),
}

/// Why not all ids were written.
#[derive(Debug)]
pub(crate) enum PoolError<E> {
    /// The source has no more.
    Source(E),
    Write(io::Error),
    /// The system has no more threads.
    Spawn(io::Error),
}

/// How much to make, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) count: u64,
    pub(crate) threads: usize,
    pub(crate) frame: Frame,
}

/// Text of `count` ids.
struct Batch {
    text: Vec<u8>,
    count: usize,
}

/// Writes `job.count` ids to `writer`; calls `on_written` with the number of each batch.
pub(crate) fn run<S: Source>(
    source: &S,
    job: Job,
    writer: &mut impl Write,
    mut on_written: impl FnMut(usize),
) -> Result<(), PoolError<S::Error>> {
    let batches = job.count.div_ceil(source.batch_len() as u64);
    let threads = usize::try_from(batches).unwrap_or(usize::MAX).min(job.threads);
    let left = Mutex::new(job.count);
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(BATCHES_WAITING_MAX);
        let spawned = spawn(scope, source, &left, threads, &sender);
        // The receiver is to see the end when the threads are done.
        drop(sender);
        let written = if spawned.error.is_none() {
            write_all(receiver, job.frame, writer, &mut on_written)
        } else {
            // Threads that were spawned may wait for room in the channel.
            drop(receiver);
            Ok(())
        };
        if written.is_err() || spawned.error.is_some() {
            close(source, &left);
        }
        let mut failed = None;
        for handle in spawned.handles {
            failed = handle.join().expect("a thread of the pool returns its errors").err().or(failed);
        }
        match (spawned.error, written, failed) {
            (Some(error), ..) => Err(PoolError::Spawn(error)),
            (None, Err(error), _) => Err(PoolError::Write(error)),
            (None, Ok(()), Some(error)) => Err(PoolError::Source(error)),
            (None, Ok(()), None) => Ok(()),
        }
    })
}

type Handle<'scope, E> = ScopedJoinHandle<'scope, Result<(), E>>;

struct Spawned<'scope, E> {
    handles: Vec<Handle<'scope, E>>,
    error: Option<io::Error>,
}

fn spawn<'scope, 'env, S: Source>(
    scope: &'scope Scope<'scope, 'env>,
    source: &'env S,
    left: &'scope Mutex<u64>,
    threads: usize,
    sender: &SyncSender<Batch>,
) -> Spawned<'scope, S::Error> {
    let mut spawned = Spawned { handles: Vec::with_capacity(threads), error: None };
    for _ in 0..threads {
        let sender = sender.clone();
        match thread::Builder::new().spawn_scoped(scope, move || make_batches(source, left, &sender)) {
            Ok(handle) => spawned.handles.push(handle),
            Err(error) => {
                spawned.error = Some(error);
                break;
            }
        }
    }
    spawned
}

/// Makes batches until nothing is left to make, the source ends, or nobody reads them.
fn make_batches<S: Source>(source: &S, left: &Mutex<u64>, sender: &SyncSender<Batch>) -> Result<(), S::Error> {
    let mut thread = source.thread();
    let mut text_len_max = 0;
    loop {
        let count = take(left, source.batch_len());
        if count == 0 {
            return Ok(());
        }
        let mut text = Vec::with_capacity(text_len_max);
        let appended = source.append(&mut thread, count, &mut text);
        text_len_max = text_len_max.max(text.len());
        let made = appended.as_ref().map_or_else(|interrupted| interrupted.made, |()| count);
        let is_read = sender.send(Batch { text, count: made }).is_ok();
        match appended {
            Ok(()) if is_read => {}
            Err(Interrupted { stop: Stop::Failed(error), .. }) => {
                close(source, left);
                return Err(error);
            }
            Ok(()) | Err(Interrupted { stop: Stop::Closed, .. }) => return Ok(()),
        }
    }
}

/// Takes a batch, or the rest, from what is left to make.
fn take(left: &Mutex<u64>, batch_len: usize) -> usize {
    let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
    let count = usize::try_from(*left).unwrap_or(usize::MAX).min(batch_len);
    *left -= count as u64;
    count
}

/// Leaves nothing to make, and wakes those who are making it.
fn close<S: Source>(source: &S, left: &Mutex<u64>) {
    *left.lock().unwrap_or_else(PoisonError::into_inner) = 0;
    source.close();
}

fn write_all(
    batches: Receiver<Batch>,
    frame: Frame,
    writer: &mut impl Write,
    on_written: &mut impl FnMut(usize),
) -> io::Result<()> {
    let mut is_first = true;
    for batch in batches {
        let text = if is_first { frame.first(&batch.text) } else { &batch.text };
        is_first &= batch.count == 0;
        writer.write_all(text)?;
        on_written(batch.count);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
