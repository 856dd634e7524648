//! Finds ids that are there twice, with the exact lines, in little more memory than the ids themselves.
//!
//! The ids stay where they are, in the order of the input. Each pass takes those of one range of values, with their lines,
//! into a table of fixed size, sorts it and compares neighbours. Ranges are planned from a sample so that one just about
//! fills the table. When a table is full early, equal ids in it are folded into one; if that does not help, the range is
//! cut at the middle of what is there, and the next pass begins behind it. So every pass ends with at least half a table of
//! different ids or with the whole of its range, whatever the input is.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;

use super::format::Id;
use super::store::{Chunk, Ids};
use crate::output::id;

/// The table of a pass.
const TABLE_BYTES: usize = 48 << 20;
/// How many ids are looked at to plan the ranges.
const SAMPLES_MAX: usize = 1 << 16;
/// How many repeated lines are named.
const EXAMPLES_MAX: usize = 10;

/// What was found.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(bound = "I: Display")]
pub(crate) struct Duplicates<I> {
    /// The number of lines whose id is on an earlier line.
    #[serde(rename = "duplicates")]
    pub(crate) count: u64,
    /// The first of these lines, in the order of the input.
    #[serde(rename = "firstDuplicates")]
    pub(crate) first: Vec<Duplicate<I>>,
}

/// A line whose id is on an earlier line. Lines are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", bound = "I: Display")]
pub(crate) struct Duplicate<I> {
    #[serde(serialize_with = "id")]
    pub(crate) id: I,
    pub(crate) line: u64,
    /// The first line with this id.
    pub(crate) first_line: u64,
}

/// Finds all duplicates; calls `on_pass` with the share of the ids that is done, in percent.
pub(crate) fn find<I: Id>(ids: &Ids<I>, on_pass: impl FnMut(u64)) -> Duplicates<I> {
    find_in_tables(ids, TABLE_BYTES / size_of::<Entry<I>>(), on_pass)
}

fn find_in_tables<I: Id>(ids: &Ids<I>, entries_max: usize, mut on_pass: impl FnMut(u64)) -> Duplicates<I> {
    let (Some(mut low), false) = (ids.lowest(), ids.is_increasing) else {
        return Duplicates { count: 0, first: Vec::new() };
    };
    let len = usize::try_from(ids.len).expect("ids are in memory");
    let plan = plan(ids, entries_max);
    let mut table = Table::new(entries_max.min(len), ids.chunk_len);
    let mut examples = Examples::new();
    let (mut count, mut done) = (0, 0);
    loop {
        let planned = plan.iter().copied().find(|end| *end >= low).unwrap_or(I::MAX);
        let pass = table.pass(ids, low, planned, &mut examples);
        count += pass.repeats;
        done += pass.ids;
        on_pass(done * 100 / ids.len.max(1));
        match pass.high.next() {
            Some(next) => low = next,
            None => return Duplicates { count, first: examples.into_vec() },
        }
    }
}

/// The last values of the ranges, ascending, such that each range but the last holds a bit less than a table.
fn plan<I: Id>(ids: &Ids<I>, entries_max: usize) -> Vec<I> {
    let entries_wanted = entries_max as u64 / 8 * 7;
    if ids.len <= entries_max as u64 {
        return Vec::new();
    }
    let samples_len = ids.len.min(SAMPLES_MAX as u64);
    let mut samples: Vec<_> = (0..samples_len).map(|index| ids.get(index * ids.len / samples_len)).collect();
    samples.sort_unstable();
    let step = usize::try_from(entries_wanted * samples_len / ids.len).expect("less than the samples").max(1);
    samples.iter().copied().skip(step - 1).step_by(step).collect()
}

/// An id in the table: the first line that it is on, and how often it came again.
#[derive(Clone, Copy, Debug)]
struct Entry<I> {
    id: I,
    /// Counted from 0.
    line: u32,
    repeats: u32,
}

struct Table<I> {
    entries: Vec<Entry<I>>,
    entries_max: usize,
}

/// What a pass has seen: all ids from where it began up to `high`.
struct Pass<I> {
    high: I,
    ids: u64,
    repeats: u64,
}

impl<I: Id> Table<I> {
    /// A table that can take a whole chunk after it was made room in.
    fn new(entries_max: usize, chunk_len: usize) -> Self {
        let entries_max = entries_max.max(4 * chunk_len);
        Self { entries: Vec::with_capacity(entries_max), entries_max }
    }

    /// Counts the repeats of all ids from `low` to `high`, or to a lower end if there are too many.
    fn pass(&mut self, ids: &Ids<I>, low: I, mut high: I, examples: &mut Examples<I>) -> Pass<I> {
        self.entries.clear();
        let mut line = 0;
        for chunk in &ids.chunks {
            if chunk.lowest <= high && low <= chunk.highest {
                if self.entries_max - self.entries.len() < chunk.ids.len() {
                    high = self.make_room(high, examples);
                }
                self.take(chunk, line, low, high);
            }
            line += u32::try_from(chunk.ids.len()).expect("the store counts lines in 32 bits");
        }
        self.fold(examples);
        let repeats = self.entries.iter().map(|entry| u64::from(entry.repeats)).sum();
        Pass { high, ids: repeats + self.entries.len() as u64, repeats }
    }

    /// Takes the ids of a chunk that are in the range. Not inlined: this loop is to have the registers to itself.
    #[inline(never)]
    fn take(&mut self, chunk: &Chunk<I>, first_line: u32, low: I, high: I) {
        assert!(self.entries.len() + chunk.ids.len() <= self.entries_max, "room was made for the chunk");
        for (index, id) in chunk.ids.iter().enumerate() {
            if (low..=high).contains(id) {
                let index = u32::try_from(index).expect("the store counts lines in 32 bits");
                self.entries.push(Entry { id: *id, line: first_line + index, repeats: 0 });
            }
        }
    }

    /// Frees a quarter of the table or more: by folding equal ids, or by giving up the upper half of the range. Gives the
    /// new end of the range.
    fn make_room(&mut self, high: I, examples: &mut Examples<I>) -> I {
        self.fold(examples);
        if self.entries.len() <= self.entries_max / 4 * 3 {
            return high;
        }
        // After folding all ids differ, so what is above the middle one is less than what was there.
        let middle = self.entries.len() / 2;
        self.entries.truncate(middle + 1);
        self.entries[middle].id
    }

    /// Sorts, and makes one entry of those with the same id.
    fn fold(&mut self, examples: &mut Examples<I>) {
        self.entries.sort_unstable_by_key(|entry| (entry.id, entry.line));
        if self.entries.windows(2).all(|pair| pair[0].id != pair[1].id) {
            return;
        }
        for equal in self.entries.chunk_by(|a, b| a.id == b.id) {
            examples.offer(equal);
        }
        self.entries.dedup_by(|next, kept| {
            let is_equal = next.id == kept.id;
            if is_equal {
                // Only the entry with the first line can stand for repeats already, and it is the one that is kept.
                kept.repeats += 1;
            }
            is_equal
        });
    }
}

/// The repeated lines that come first in the input.
///
/// A line is offered again when a pass gives up the part of its range that the line is in: it is kept once.
#[derive(Debug)]
struct Examples<I>(BTreeMap<u32, Entry<I>>);

impl<I: Id> Examples<I> {
    fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Takes the repeated lines among entries of one id, in the order of their lines. The first of them is the first in the
    /// input: passes read it in order, from its beginning.
    fn offer(&mut self, equal: &[Entry<I>]) {
        let Some((first, repeated)) = equal.split_first() else { return };
        for entry in repeated {
            if self.0.len() < EXAMPLES_MAX || self.0.last_key_value().is_some_and(|(line, _)| entry.line < *line) {
                self.0.insert(entry.line, *first);
                if self.0.len() > EXAMPLES_MAX {
                    self.0.pop_last();
                }
            }
        }
    }

    fn into_vec(self) -> Vec<Duplicate<I>> {
        let number = |line: u32| u64::from(line) + 1;
        let found = self.0.into_iter().map(|(line, first)| Duplicate {
            id: first.id,
            line: number(line),
            first_line: number(first.line),
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests;
