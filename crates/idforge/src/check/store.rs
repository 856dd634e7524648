//! All ids in the order of the input, in no more memory than they need.

use std::mem;

use super::format::Id;

/// Ids in one chunk: half a mebibyte, or a whole one of wide ids.
const CHUNK_LEN: usize = 1 << 16;
/// So that the number of a line fits 32 bits.
const LEN_MAX: u64 = u32::MAX as u64;

/// Ids as they come, in chunks of one size: they never move, so there is no moment when they are held twice.
#[derive(Debug)]
pub(crate) struct IdStore<I> {
    full: Vec<Chunk<I>>,
    current: Vec<I>,
    chunk_len: usize,
    last: Option<I>,
    is_increasing: bool,
}

/// Ids that follow each other in the input, and the ends of where their values lie.
#[derive(Debug)]
pub(crate) struct Chunk<I> {
    pub(crate) ids: Vec<I>,
    pub(crate) lowest: I,
    pub(crate) highest: I,
}

/// All ids, when no more are to come.
#[derive(Debug)]
pub(crate) struct Ids<I> {
    /// Each but the last holds [`chunk_len`](Self::chunk_len) ids, and none is empty.
    pub(crate) chunks: Vec<Chunk<I>>,
    pub(crate) chunk_len: usize,
    pub(crate) len: u64,
    /// Whether every id is above the one before: then none is there twice.
    pub(crate) is_increasing: bool,
}

/// The store takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    /// How many it holds.
    pub(crate) len: u64,
}

impl<I: Id> IdStore<I> {
    pub(crate) fn new() -> Self {
        Self::with_chunk_len(CHUNK_LEN)
    }

    pub(crate) fn with_chunk_len(chunk_len: usize) -> Self {
        Self { full: Vec::new(), current: Vec::with_capacity(chunk_len), chunk_len, last: None, is_increasing: true }
    }

    /// Puts one more id at the end.
    #[inline]
    pub(crate) fn push(&mut self, id: I) -> Result<(), TooMany> {
        if self.current.len() == self.chunk_len {
            self.next_chunk()?;
        }
        self.is_increasing &= self.last.is_none_or(|last| last < id);
        self.last = Some(id);
        self.current.push(id);
        Ok(())
    }

    /// The number of ids.
    pub(crate) fn len(&self) -> u64 {
        (self.full.len() * self.chunk_len + self.current.len()) as u64
    }

    /// Ends the input.
    pub(crate) fn finish(mut self) -> Ids<I> {
        let len = self.len();
        self.seal();
        Ids { chunks: self.full, chunk_len: self.chunk_len, len, is_increasing: self.is_increasing }
    }

    #[cold]
    fn next_chunk(&mut self) -> Result<(), TooMany> {
        if self.len() + self.chunk_len as u64 > LEN_MAX {
            return Err(TooMany { len: self.len() });
        }
        self.seal();
        self.current.reserve_exact(self.chunk_len);
        Ok(())
    }

    fn seal(&mut self) {
        let ids = mem::take(&mut self.current);
        if let (Some(&lowest), Some(&highest)) = (ids.iter().min(), ids.iter().max()) {
            self.full.push(Chunk { ids, lowest, highest });
        }
    }
}

impl<I: Id> Ids<I> {
    /// The id at `index`, counted from 0.
    pub(crate) fn get(&self, index: u64) -> I {
        let index = usize::try_from(index).expect("ids are in memory");
        self.chunks[index / self.chunk_len].ids[index % self.chunk_len]
    }

    pub(crate) fn lowest(&self) -> Option<I> {
        self.chunks.iter().map(|chunk| chunk.lowest).min()
    }

    pub(crate) fn highest(&self) -> Option<I> {
        self.chunks.iter().map(|chunk| chunk.highest).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(ids: &[u64]) -> Ids<u64> {
        let mut store = IdStore::with_chunk_len(3);
        for (index, id) in ids.iter().enumerate() {
            assert_eq!(store.len(), index as u64);
            store.push(*id).expect("there is room");
        }
        store.finish()
    }

    #[test]
    fn ids_keep_their_order() {
        for len in 0..10 {
            let ids: Vec<u64> = (0..len).map(|id| (id * 7) % 10).collect();
            let stored = stored(&ids);
            assert_eq!(stored.len, len);
            assert_eq!((0..len).map(|index| stored.get(index)).collect::<Vec<_>>(), ids);
            assert_eq!((stored.lowest(), stored.highest()), (ids.iter().copied().min(), ids.iter().copied().max()));
        }
    }

    #[test]
    fn increasing_is_strictly_above_the_one_before() {
        assert!(stored(&[]).is_increasing);
        assert!(stored(&[0, 1, 2, 3, u64::MAX]).is_increasing);
        assert!(!stored(&[0, 1, 2, 2]).is_increasing);
        assert!(!stored(&[0, 2, 1, 3]).is_increasing);
        assert!(!stored(&[u64::MAX, 0]).is_increasing);
    }
}
