//! How many forks there are between the first process and this one.
//!
//! Each generation's mark is made by whoever asks first in it; the list grows with the depth of forks, not with their number.

#[cfg(feature = "std")]
use std::{boxed::Box, cell::RefCell, thread_local};

#[cfg(feature = "std")]
use idcore::ForkGuard;
#[cfg(feature = "std")]
use once_cell::race::OnceBox;

#[cfg(feature = "std")]
struct Mark {
    /// Taken in the generation of the mark.
    guard: ForkGuard,
    next: OnceBox<Mark>,
}

#[cfg(feature = "std")]
impl Mark {
    fn new() -> Self {
        Self { guard: ForkGuard::new(), next: OnceBox::new() }
    }
}

#[cfg(feature = "std")]
static FIRST: OnceBox<Mark> = OnceBox::new();

#[cfg(feature = "std")]
thread_local! {
    /// The last answer, and the guard that says whether it still holds.
    static LAST: RefCell<Option<(ForkGuard, u64)>> = const { RefCell::new(None) };
}

/// The number of forks between the first process that asked and this one; 0 where forks are not detected.
#[cfg(feature = "std")]
#[inline]
pub(crate) fn generation() -> u64 {
    LAST.with(|last| {
        if let Ok(last) = last.try_borrow() {
            if let Some((guard, generation)) = &*last {
                if !guard.is_forked() {
                    return *generation;
                }
            }
        }
        let (guard, generation) = count();
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = Some((guard.clone(), generation));
        }
        generation
    })
}

#[cfg(not(feature = "std"))]
pub(crate) const fn generation() -> u64 {
    0
}

#[cfg(feature = "std")]
#[cold]
fn count() -> (&'static ForkGuard, u64) {
    let mut mark = FIRST.get_or_init(|| Box::new(Mark::new()));
    let mut generation = 0;
    while mark.guard.is_forked() {
        mark = mark.next.get_or_init(|| Box::new(Mark::new()));
        generation += 1;
    }
    (&mark.guard, generation)
}
