//! Memory for the ids of a run: set aside and touched before the clock starts.
//!
//! Threads take it in chunks, so that one that mints most of the ids does not run out while the
//! others have room, and no page fault falls into the timed region.

use std::sync::{Mutex, PoisonError};

/// Ids in a chunk: 64 KiB.
const CHUNK_IDS: usize = 8192;

/// Chunks that no thread holds.
pub(crate) struct Pool {
    free: Mutex<Vec<Box<[u64]>>>,
}

/// The ids of one thread, in the order in which it got them.
#[derive(Default)]
pub(crate) struct Stream {
    chunks: Vec<Box<[u64]>>,
    /// Ids in the last chunk; the ones before it are full.
    last_len: usize,
}

impl Pool {
    /// Room for `ids` ids, at least for one chunk each of 64 threads.
    pub(crate) fn new(ids: usize) -> Self {
        let chunks = ids.div_ceil(CHUNK_IDS).max(64);
        // A value other than zero, so that the pages are really written.
        let free = (0..chunks).map(|_| vec![u64::MAX; CHUNK_IDS].into_boxed_slice()).collect();
        Self { free: Mutex::new(free) }
    }

    /// A chunk, or nothing when all are taken.
    fn take(&self) -> Option<Box<[u64]>> {
        self.lock().pop()
    }

    /// Takes the chunks of a checked run back.
    pub(crate) fn give_back(&self, streams: Vec<Stream>) {
        let mut free = self.lock();
        for stream in streams {
            free.extend(stream.chunks);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Box<[u64]>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    /// A further chunk to write to, or nothing when the pool is empty. The one before counts as
    /// full.
    pub(crate) fn grow(&mut self, pool: &Pool) -> Option<&mut [u64]> {
        let chunk = pool.take()?;
        self.last_len = chunk.len();
        self.chunks.push(chunk);
        self.chunks.last_mut().map(|chunk| &mut chunk[..])
    }

    /// Says that only `len` ids of the last chunk were written.
    pub(crate) fn end_at(&mut self, len: usize) {
        self.last_len = len;
    }

    /// The ids, in the order in which they were written.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        let last = self.chunks.len().saturating_sub(1);
        self.chunks.iter().enumerate().flat_map(move |(at, chunk)| {
            let len = if at == last { self.last_len } else { chunk.len() };
            chunk[..len].iter().copied()
        })
    }
}

#[cfg(test)]
impl Stream {
    /// A stream that holds `ids`.
    pub(crate) fn of(ids: &[u64]) -> Self {
        Self { chunks: vec![ids.into()], last_len: ids.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_keeps_order_over_chunks_and_drops_the_unwritten_rest() {
        let pool = Pool::new(1);
        let mut stream = Stream::default();
        let mut next = 0;
        for _ in 0..2 {
            for slot in stream.grow(&pool).unwrap() {
                *slot = next;
                next += 1;
            }
        }
        stream.grow(&pool).unwrap()[..3].copy_from_slice(&[next, next + 1, next + 2]);
        stream.end_at(3);
        let expected: Vec<u64> = (0..next + 3).collect();
        assert_eq!(stream.ids().collect::<Vec<_>>(), expected);
        assert_eq!(Stream::default().ids().count(), 0);
    }

    #[test]
    fn a_pool_ends_and_is_refilled() {
        let pool = Pool::new(1);
        let mut stream = Stream::default();
        let mut chunks = 0;
        while stream.grow(&pool).is_some() {
            chunks += 1;
        }
        assert_eq!(chunks, 64);
        pool.give_back(vec![stream]);
        assert!(Stream::default().grow(&pool).is_some());
    }
}
