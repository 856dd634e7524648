//! Everything that makes ids, behind one closure each.

use idcore::{ManualClock, SystemClock, UnixMillis};
use idformats::{Generator, Local, RandomUlid, RandomUuid, SubMsClock, ThreadEntropy, ulid, uuidv4, uuidv7};
use idtest::for_each_format;
use idtest::formats::Known;
use ulid::Ulid;
use uuid::Uuid;

/// One maker of ids.
pub(crate) struct Source {
    pub(crate) name: String,
    /// Whether its ids have an order of their own.
    pub(crate) is_ordered: bool,
    make: Box<dyn FnMut(usize) -> Vec<u128>>,
}

impl Source {
    fn new(name: impl Into<String>, is_ordered: bool, make: impl FnMut(usize) -> Vec<u128> + 'static) -> Self {
        Self { name: name.into(), is_ordered, make: Box::new(make) }
    }

    /// The next ids; in order if they have one.
    pub(crate) fn take(&mut self, n: usize) -> Vec<u128> {
        let ids = (self.make)(n);
        assert_eq!(ids.len(), n, "{}", self.name);
        assert!(!self.is_ordered || ids.windows(2).all(|pair| pair[0] < pair[1]), "{}: order", self.name);
        ids
    }
}

/// Every generator with both clocks, each by `next_id`, by `fill` and by a handle that holds a block; and what has no order.
pub(crate) fn all() -> Vec<Source> {
    let mut sources = Vec::new();
    for_each_format!(add_format(&mut sources));
    sources.push(Source::new("uuidv7()", true, |n| (0..n).map(|_| uuidv7().unwrap().as_u128()).collect()));
    sources.push(Source::new("ulid()", true, |n| (0..n).map(|_| ulid().unwrap().0).collect()));
    sources.push(Source::new("uuidv4()", false, |n| (0..n).map(|_| uuidv4().unwrap().as_u128()).collect()));
    sources.push(Source::new("RandomUuid::fill", false, |n| {
        let mut ids = vec![Uuid::nil(); n];
        RandomUuid::new(ThreadEntropy).fill(&mut ids).unwrap();
        ids.iter().map(Uuid::as_u128).collect()
    }));
    let still = RandomUlid::new(still(), ThreadEntropy);
    sources.push(Source::new("RandomUlid", false, move |n| (0..n).map(|_| still.next_id().unwrap().0).collect()));
    sources.push(Source::new("RandomUlid::fill", false, move |n| {
        let mut ids = vec![Ulid(0); n];
        still.fill(&mut ids).unwrap();
        ids.iter().map(|id| id.0).collect()
    }));
    sources
}

/// A generator that lives as long as the process.
pub(crate) fn build<F: Known, C: SubMsClock>(clock: C) -> &'static Generator<F, C, ThreadEntropy> {
    Box::leak(Box::new(F::on(clock).build().unwrap()))
}

/// A clock that stands still.
pub(crate) fn still() -> &'static ManualClock {
    Box::leak(Box::new(ManualClock::new(UnixMillis::new(1_800_000_000_000))))
}

/// A handle that holds at least 100 ids, if its clock stands still.
pub(crate) fn holding<F: Known, C: SubMsClock>(
    ids: &'static Generator<F, C, ThreadEntropy>,
) -> Local<&'static Generator<F, C, ThreadEntropy>> {
    let mut local = ids.local();
    // 1 and 2 and 4 and so on; method 3 has 16 ids in a block at most.
    for _ in 0..256 {
        local.next_id().unwrap();
    }
    local
}

fn add_format<F: Known>(sources: &mut Vec<Source>) {
    add_with_clock::<F, _>(sources, "still", still());
    add_with_clock::<F, _>(sources, "system", SystemClock);
}

fn add_with_clock<F: Known, C: SubMsClock + Copy + 'static>(sources: &mut Vec<Source>, clock_name: &str, clock: C) {
    let name = |how: &str| format!("{:?}, {clock_name} clock, {how}", F::KIND);
    let ids = build::<F, C>(clock);
    sources.push(Source::new(name("next_id"), true, |n| (0..n).map(|_| F::number(ids.next_id().unwrap())).collect()));
    let ids = build::<F, C>(clock);
    sources.push(Source::new(name("fill"), true, |n| {
        let mut buffer = vec![F::of_number(0); n];
        ids.fill(&mut buffer).unwrap();
        buffer.into_iter().map(F::number).collect()
    }));
    let mut local = holding(build::<F, C>(clock));
    sources.push(Source::new(name("handle"), true, move |n| {
        (0..n).map(|_| F::number(local.next_id().unwrap())).collect()
    }));
}
