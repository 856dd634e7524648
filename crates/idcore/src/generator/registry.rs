//! Which worker numbers are in use in this process.
//!
//! Two live generators of one layout and one node would hand out the same ids, and so would one after another within a
//! tick: a generator for every request is the commonest way to get duplicates. So a second one is refused, and a later one
//! starts above its forerunner's mark. Locked when a generator is built or dropped, never for an id.

use core::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use crate::layout::Layout;

static REGISTRY: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Entries are never removed, so that a place stays valid: there are no more than a process has had worker numbers.
struct Entry {
    layout: Layout,
    node: u64,
    live: bool,
    /// The first slot that no generator of this process has handed out.
    mark_slot: u64,
}

/// The right to be the one generator of a layout and a node in this process.
#[derive(Debug)]
pub(super) struct Claim {
    /// One more than the entry's index, so that no claim takes no space beside one.
    place: NonZeroU32,
}

impl Claim {
    /// The claim, and the slot to start at or above; none while another generator holds it.
    pub(super) fn acquire(layout: &Layout, node: u64) -> Option<(Self, u64)> {
        let mut entries = lock();
        let place =
            entries.iter().position(|entry| entry.node == node && entry.layout == *layout).unwrap_or_else(|| {
                entries.push(Entry { layout: *layout, node, live: false, mark_slot: 0 });
                entries.len() - 1
            });
        let entry = &mut entries[place];
        if entry.live {
            return None;
        }
        entry.live = true;
        let place = u32::try_from(place + 1).ok().and_then(NonZeroU32::new);
        let place = place.expect("a process has fewer than 2^32 worker numbers");
        Some((Self { place }, entry.mark_slot))
    }

    /// Gives the claim back, with the first slot that was not handed out.
    pub(super) fn release(self, mark_slot: u64) {
        let entry = &mut lock()[self.place.get() as usize - 1];
        entry.mark_slot = entry.mark_slot.max(mark_slot);
        entry.live = false;
    }
}

fn lock() -> MutexGuard<'static, Vec<Entry>> {
    // Nothing panics between two writes that belong together.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}
