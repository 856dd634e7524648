//! Which worker numbers are in use in this process.
//!
//! Two live generators of one layout and one node would hand out the same ids, and so would one after another within a
//! tick: a generator for every request is the commonest way to get duplicates. So a second one is refused, and a later one
//! starts above its forerunner's mark.
//!
//! A table of atomics without a lock, so that a process can be forked at any moment: a child that builds a generator finds
//! the table as it was, and its parent's nodes in use.

// Not loom's atomics: the table is a static, which outlives a model's run.
use core::num::NonZeroU32;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::mix::mix;

/// Worker numbers that a process can have had. The pages of those that it has not had take no memory, where there is an
/// operating system.
pub(crate) const ENTRIES: usize = if cfg!(feature = "std") { 1 << 16 } else { 1 << 8 };
const LIVE: u64 = 1 << 63;

static REGISTER: [Entry; ENTRIES] = [const { Entry { key: AtomicU64::new(0), state: AtomicU64::new(0) } }; ENTRIES];

struct Entry {
    /// The hash of what tells ids apart: see [`Key`]. Set once; 0 while the entry is free.
    key: AtomicU64,
    /// `{ live:1, mark }`: the first slot that no generator of this process has handed out.
    state: AtomicU64,
}

/// What the ids of two generators must differ in: the bits of their layout, and those of the node in their places.
///
/// 64 bits of a hash: two of 2^16 that should differ are taken for one with a chance of 1 in 2^33, and one is refused then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(u64);

/// The right to be the one generator of a layout and a node in this process.
#[derive(Debug)]
pub(crate) struct Claim {
    /// One more than the entry's index, so that no claim takes no space beside one.
    place: NonZeroU32,
}

/// Why there is no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unclaimed {
    /// A live generator has it.
    InUse,
    /// The table is full.
    Full,
}

impl Key {
    pub(crate) fn of(parts: [u64; 3]) -> Self {
        let mixed = parts.into_iter().fold(0, |hash, part| mix(hash ^ part));
        Self(mixed.max(1))
    }
}

impl Claim {
    /// The claim, and the slot to start at or above.
    pub(crate) fn acquire(key: Key) -> Result<(Self, u64), Unclaimed> {
        let place = find_or_insert(key).ok_or(Unclaimed::Full)?;
        // ORDERING: AcqRel, so that a generator that goes on at a mark sees what its forerunner did. Uniqueness needs none:
        // the bit is set by one of those that found it clear.
        let before = REGISTER[place].state.fetch_or(LIVE, Ordering::AcqRel);
        if before & LIVE != 0 {
            return Err(Unclaimed::InUse);
        }
        let place =
            u32::try_from(place + 1).ok().and_then(NonZeroU32::new).expect("the table has fewer than 2^32 entries");
        Ok((Self { place }, before))
    }

    /// Gives the claim back, with the first slot that was not handed out.
    pub(crate) fn release(self, mark_slot: u64) {
        // A generator starts at or above the mark, so its own is never lower.
        // ORDERING: Release, see `acquire`.
        REGISTER[self.place.get() as usize - 1].state.store(mark_slot & !LIVE, Ordering::Release);
    }
}

/// The place of a key: the first after its own that has it, or that is free and is made to have it.
fn find_or_insert(key: Key) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, reason = "cut to the table's size anyway")]
    let first = key.0 as usize % ENTRIES;
    (first..ENTRIES).chain(0..first).find(|place| {
        // ORDERING: Relaxed, a key publishes nothing but itself.
        match REGISTER[*place].key.compare_exchange(0, key.0, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(seen) => seen == key.0,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_claim_at_a_time_and_the_mark_is_kept() {
        let key = Key::of([1, 2, 3]);
        let (claim, mark) = Claim::acquire(key).expect("nobody has it");
        assert_eq!(mark, 0);
        assert_eq!(Claim::acquire(key).err(), Some(Unclaimed::InUse));
        claim.release(77);
        let (claim, mark) = Claim::acquire(key).expect("it was given back");
        assert_eq!(mark, 77);
        claim.release(78);
        assert!(Claim::acquire(Key::of([1, 2, 4])).is_ok());
    }

    #[test]
    fn order_and_value_of_the_parts_matter() {
        let keys = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]].map(|parts| Key::of(parts).0);
        let distinct: std::collections::HashSet<_> = keys.into();
        assert_eq!(distinct.len(), keys.len());
    }
}
