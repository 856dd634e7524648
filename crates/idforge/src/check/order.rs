//! Whether ids come in order: each above the one before, or none much later than one that was made after it.

use std::fmt::Display;

use idcore::UnixMillis;
use serde::Serialize;

use super::format::Id;
use crate::output::id;

/// How many violations are named.
const EXAMPLES_MAX: usize = 10;

/// Looks for ids that are below the one on the line before. (Equal ones are duplicates, and named as such.)
#[derive(Debug, Serialize)]
#[serde(bound = "I: Display")]
pub(crate) struct Ordered<I> {
    #[serde(skip)]
    last: Option<I>,
    pub(crate) violations: u64,
    pub(crate) first: Vec<Descent<I>>,
}

/// An id that is below the one on the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(bound = "I: Display")]
pub(crate) struct Descent<I> {
    pub(crate) line: u64,
    #[serde(serialize_with = "id")]
    pub(crate) id: I,
    #[serde(serialize_with = "id")]
    pub(crate) before: I,
}

impl<I: Id> Ordered<I> {
    pub(crate) fn new() -> Self {
        Self { last: None, violations: 0, first: Vec::new() }
    }

    pub(crate) fn see(&mut self, id: I, line: u64) {
        if let Some(before) = self.last.replace(id).filter(|before| id < *before) {
            self.violations += 1;
            if self.first.len() < EXAMPLES_MAX {
                self.first.push(Descent { line, id, before });
            }
        }
    }
}

/// Looks for ids that are later in the input than an id made more than `k_ms` after them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", bound = "I: Display")]
pub(crate) struct KSorted<I> {
    #[serde(skip)]
    latest: Option<UnixMillis>,
    #[serde(rename = "withinMs")]
    pub(crate) k_ms: u64,
    pub(crate) violations: u64,
    /// The most that any id came late.
    pub(crate) worst_ms: u64,
    pub(crate) first: Vec<Late<I>>,
}

/// An id that came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(bound = "I: Display")]
pub(crate) struct Late<I> {
    pub(crate) line: u64,
    #[serde(serialize_with = "id")]
    pub(crate) id: I,
    #[serde(rename = "lateMs")]
    pub(crate) by_ms: u64,
}

impl<I: Id> KSorted<I> {
    pub(crate) fn new(k_ms: u64) -> Self {
        Self { latest: None, k_ms, worst_ms: 0, violations: 0, first: Vec::new() }
    }

    /// Looks at an id that was made at `time`.
    pub(crate) fn see(&mut self, id: I, time: UnixMillis, line: u64) {
        let latest = self.latest.map_or(time, |latest| latest.max(time));
        self.latest = Some(latest);
        let late_ms = latest.get().abs_diff(time.get());
        self.worst_ms = self.worst_ms.max(late_ms);
        if late_ms > self.k_ms {
            self.violations += 1;
            if self.first.len() < EXAMPLES_MAX {
                self.first.push(Late { line, id, by_ms: late_ms });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_below_the_one_before_is_named() {
        let mut ordered = Ordered::<u64>::new();
        for (id, line) in [5, 6, 6, 4, 9, 8].into_iter().zip(1..) {
            ordered.see(id, line);
        }
        assert_eq!(ordered.violations, 2);
        assert_eq!(ordered.first, [Descent { line: 4, id: 4, before: 6 }, Descent { line: 6, id: 8, before: 9 }]);
    }

    #[test]
    fn lateness_is_held_against_the_latest_id_so_far() {
        let mut sorted = KSorted::<u64>::new(5);
        for ((ms, line), id) in [0, 10, 5, 4, 20, 15, 20].into_iter().zip(1..).zip(100..) {
            sorted.see(id, UnixMillis::new(1_500_000_000_000 + ms), line);
        }
        assert_eq!((sorted.violations, sorted.worst_ms), (1, 6));
        assert_eq!(sorted.first, [Late { line: 4, id: 103, by_ms: 6 }]);
    }

    #[test]
    fn only_so_many_are_named() {
        let mut ordered = Ordered::<u64>::new();
        (0..100u64).rev().zip(1..).for_each(|(id, line)| ordered.see(id, line));
        assert_eq!((ordered.violations, ordered.first.len()), (99, EXAMPLES_MAX));
    }
}
