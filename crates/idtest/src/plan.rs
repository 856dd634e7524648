//! A layout as a list of widths: ids are made by multiplication and taken apart by division.

use std::fmt;

use idcore::{Field, Layout, LayoutError, UnixMillis};

use crate::Bytes;
use crate::spec::{SpecVerdict, read_spec};

const NS_PER_MS: i128 = 1_000_000;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Ticks since the epoch.
    Timestamp,
    /// A digit of the worker number.
    Node,
    /// The place within the tick.
    Sequence,
}

/// A field: a name, what it holds, a width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanField {
    /// `timestamp`, `sequence`, or the name of a node field.
    pub name: String,
    /// What it holds.
    pub part: Part,
    /// The width.
    pub bits: u32,
}

/// A layout: what it says, without any derived number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The time that ticks are counted from.
    pub epoch_ms: i64,
    /// The length of a tick.
    pub tick_ms: u32,
    /// The fields, most significant first.
    pub fields: Vec<PlanField>,
}

/// The parts of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Ticks since the epoch.
    pub tick: u128,
    /// The worker number.
    pub node: u128,
    /// The place within the tick.
    pub sequence: u128,
}

impl Plan {
    /// The plan that a text with an epoch in milliseconds stands for.
    ///
    /// # Panics
    ///
    /// When it stands for none.
    pub fn of(spec: &str) -> Self {
        match read_spec(spec) {
            SpecVerdict::Layout(plan) => plan,
            other => panic!("{spec}: {other:?}"),
        }
    }

    /// The layout under test.
    ///
    /// # Errors
    ///
    /// When there can be no such layout.
    pub fn try_layout(&self) -> Result<Layout, LayoutError> {
        let fields: Vec<_> = self
            .fields
            .iter()
            .map(|field| match field.part {
                Part::Timestamp => Field::timestamp(field.bits),
                Part::Node => Field::node(&field.name, field.bits),
                Part::Sequence => Field::sequence(field.bits),
            })
            .collect();
        Layout::new(UnixMillis::new(self.epoch_ms), self.tick_ms, &fields)
    }

    /// The layout under test, of a plan that has one.
    ///
    /// # Panics
    ///
    /// When there can be no such layout.
    pub fn layout(&self) -> Layout {
        self.try_layout().unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// The width of a field; 0 when there is none.
    pub fn bits_of(&self, part: Part) -> u32 {
        self.fields.iter().filter(|field| field.part == part).map(|field| field.bits).sum()
    }

    /// The width of an id.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// The number of values of a field.
    pub fn count_of(&self, part: Part) -> u128 {
        two_to(self.bits_of(part))
    }

    /// The largest id.
    pub fn id_max(&self) -> u64 {
        u64::try_from(two_to(self.bits()) - 1).expect("at most 64 bits")
    }

    /// The number of ticks that a generator issues: all of the field, unless tick and sequence do not fit 63 bits with one
    /// slot to spare.
    pub fn tick_count(&self) -> u128 {
        let slots_max = two_to(63) - 1;
        self.count_of(Part::Timestamp).min(slots_max / self.count_of(Part::Sequence))
    }

    /// The tick of a time; none before the epoch.
    pub fn tick_of(&self, now_ns: i128) -> Option<u128> {
        let since_ns = now_ns - i128::from(self.epoch_ms) * NS_PER_MS;
        u128::try_from(since_ns).ok().map(|since_ns| since_ns / self.tick_ns().unsigned_abs())
    }

    /// The start of a tick, in nanoseconds since 1970.
    pub fn start_ns(&self, tick: u128) -> i128 {
        let tick = i128::try_from(tick).expect("fewer than 2^64 ticks");
        i128::from(self.epoch_ms) * NS_PER_MS + tick * self.tick_ns()
    }

    /// The start of a tick, in milliseconds since 1970.
    pub fn start_ms(&self, tick: u128) -> i64 {
        i64::try_from(self.start_ns(tick) / NS_PER_MS).expect("a layout ends before 2^63 ms")
    }

    /// The id with these parts.
    pub fn compose(&self, parts: Parts) -> u64 {
        let mut node_count_left = self.count_of(Part::Node);
        let mut node_left = parts.node;
        let mut id = 0u128;
        for field in &self.fields {
            let count = two_to(field.bits);
            let value = match field.part {
                Part::Timestamp => parts.tick,
                Part::Sequence => parts.sequence,
                Part::Node => {
                    node_count_left /= count;
                    let digit = node_left / node_count_left;
                    node_left %= node_count_left;
                    digit
                }
            };
            assert!(value < count, "{self}: {value} in {field:?}");
            id = id * count + value;
        }
        u64::try_from(id).expect("at most 64 bits")
    }

    /// The value of each field, in the order of the fields.
    pub fn values(&self, id: u64) -> Vec<u64> {
        let mut rest = u128::from(id);
        let mut values = Vec::new();
        for field in self.fields.iter().rev() {
            let count = two_to(field.bits);
            values.push(u64::try_from(rest % count).expect("at most 64 bits"));
            rest /= count;
        }
        assert_eq!(rest, 0, "{self}: {id} has bits above the layout");
        values.reverse();
        values
    }

    /// The parts of an id.
    pub fn parts(&self, id: u64) -> Parts {
        let mut parts = Parts { tick: 0, node: 0, sequence: 0 };
        for (field, value) in self.fields.iter().zip(self.values(id)) {
            match field.part {
                Part::Timestamp => parts.tick = u128::from(value),
                Part::Sequence => parts.sequence = u128::from(value),
                Part::Node => parts.node = parts.node * two_to(field.bits) + u128::from(value),
            }
        }
        parts
    }

    /// A layout chosen by `bytes`: any order that is allowed, 1 to 64 bits, with and without sequence and nodes.
    pub fn arbitrary(bytes: &mut Bytes<'_>) -> Self {
        let tick_ms = bytes.pick(&[1, 10, 1_000, 1, 7, 3_600_000]);
        let epoch_ms = bytes.pick(&[0, 1_704_067_200_000, 1_288_834_974_657, -86_400_123, i64::MIN / 2]);
        let sequence_bits = bytes.pick(&[0, 1, 2, 3, 5, 8, 12, 22, 40, 62]);
        let timestamp_bits = bytes.pick(&[1, 2, 3, 5, 9, 20, 39, 41, 42, 48, 55]).min(64 - sequence_bits);
        let mut fields = vec![PlanField { name: "timestamp".into(), part: Part::Timestamp, bits: timestamp_bits }];
        if sequence_bits > 0 {
            fields.push(PlanField { name: "sequence".into(), part: Part::Sequence, bits: sequence_bits });
        }
        let mut left = 64 - sequence_bits - timestamp_bits;
        for name in ["region", "rack-2", "worker_id"].into_iter().take(usize::from(bytes.byte() % 4)) {
            let bits = match bytes.pick(&[1, 3, 5, 10, 16, 64]) {
                64 => left,
                bits => left.min(bits),
            };
            if bits > 0 {
                let place = bytes.below(fields.len() as u64 + 1);
                let field = PlanField { name: name.into(), part: Part::Node, bits };
                fields.insert(usize::try_from(place).expect("a place in the list"), field);
                left -= bits;
            }
        }
        let mut plan = Self { epoch_ms, tick_ms, fields };
        // A layout ends before 2^63 ms.
        while plan.start_ns(plan.count_of(Part::Timestamp)) / NS_PER_MS > i128::from(i64::MAX) {
            plan.shorten_timestamp();
        }
        plan
    }

    fn shorten_timestamp(&mut self) {
        let timestamp = self.fields.iter_mut().find(|field| field.part == Part::Timestamp);
        timestamp.expect("every plan has a timestamp").bits -= 1;
    }
}

/// The layout as text, as the layout under test should print it.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch={},tick={}ms", self.epoch_ms, self.tick_ms)?;
        self.fields.iter().try_for_each(|field| write!(f, ",{}:{}", field.name, field.bits))
    }
}

impl Plan {
    fn tick_ns(&self) -> i128 {
        i128::from(self.tick_ms) * NS_PER_MS
    }
}

fn two_to(bits: u32) -> u128 {
    2u128.pow(bits)
}
