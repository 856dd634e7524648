//! Memory for the ids of a run: set aside and touched before the clock starts.
//!
//! Threads take it in chunks, so that one that mints most of the ids does not run out while the
//! others have room, and no page fault falls into the timed region.

use std::{
    marker::PhantomData,
    sync::{Mutex, PoisonError},
};

use crate::id::Id;

/// Words in a chunk: 64 KiB, and ids of one word or two fit it evenly.
const CHUNK_WORDS: usize = 8192;

/// Chunks that no thread holds.
pub(crate) struct Pool {
    free: Mutex<Vec<Box<[u64]>>>,
}

/// The ids of one thread, in the order in which it got them.
pub(crate) struct Stream<I> {
    chunks: Vec<Box<[u64]>>,
    /// Words in the last chunk; the ones before it are full.
    last_len: usize,
    ids: PhantomData<fn() -> I>,
}

impl<I> Default for Stream<I> {
    fn default() -> Self {
        Self { chunks: Vec::new(), last_len: 0, ids: PhantomData }
    }
}

impl Pool {
    /// Room for ids of so many words, at least for one chunk each of 64 threads.
    pub(crate) fn new(words: usize) -> Self {
        let chunks = words.div_ceil(CHUNK_WORDS).max(64);
        // A value other than zero, so that the pages are really written.
        let free = (0..chunks).map(|_| vec![u64::MAX; CHUNK_WORDS].into_boxed_slice()).collect();
        Self { free: Mutex::new(free) }
    }

    /// A chunk, or nothing when all are taken.
    fn take(&self) -> Option<Box<[u64]>> {
        self.lock().pop()
    }

    /// Takes the chunks of a thread in a checked run back.
    pub(crate) fn give_back<I>(&self, stream: Stream<I>) {
        self.lock().extend(stream.chunks);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Box<[u64]>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Id> Stream<I> {
    /// A further chunk to write words to, or nothing when the pool is empty. The one before counts as
    /// full.
    pub(crate) fn grow(&mut self, pool: &Pool) -> Option<&mut [u64]> {
        let chunk = pool.take()?;
        self.last_len = chunk.len();
        self.chunks.push(chunk);
        self.chunks.last_mut().map(|chunk| &mut chunk[..])
    }

    /// Says that only `len` words of the last chunk were written.
    pub(crate) fn end_at(&mut self, len: usize) {
        self.last_len = len;
    }

    /// The ids, in the order in which they were written.
    pub(crate) fn ids(&self) -> impl Iterator<Item = I> + '_ {
        let last = self.chunks.len().saturating_sub(1);
        self.chunks.iter().enumerate().flat_map(move |(at, chunk)| {
            let len = if at == last { self.last_len } else { chunk.len() };
            chunk[..len].chunks_exact(I::WORDS).map(I::load)
        })
    }
}

#[cfg(test)]
impl<I: Id> Stream<I> {
    /// A stream that holds `ids`.
    pub(crate) fn of(ids: &[I]) -> Self {
        let mut words = vec![0; ids.len() * I::WORDS];
        for (id, words) in ids.iter().zip(words.chunks_exact_mut(I::WORDS)) {
            id.store(words);
        }
        Self { last_len: words.len(), chunks: vec![words.into()], ids: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_keeps_order_over_chunks_and_drops_the_unwritten_rest() {
        let pool = Pool::new(1);
        let mut stream = Stream::<u64>::default();
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
        assert_eq!(Stream::<u64>::default().ids().count(), 0);
    }

    #[test]
    fn ids_of_two_words_are_kept_whole() {
        let ids = [5 << 80, (5 << 80) + 1, u128::MAX];
        assert_eq!(Stream::of(&ids).ids().collect::<Vec<_>>(), ids);
    }

    #[test]
    fn a_pool_ends_and_is_refilled() {
        let pool = Pool::new(1);
        let mut stream = Stream::<u128>::default();
        let mut chunks = 0;
        while stream.grow(&pool).is_some() {
            chunks += 1;
        }
        assert_eq!(chunks, 64);
        pool.give_back(stream);
        assert!(Stream::<u64>::default().grow(&pool).is_some());
    }
}
