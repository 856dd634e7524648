//! Ranges of time as ranges of ids.
//!
//! - A range holds exactly the ids whose time is in [from, to): every id of small layouts is tried, with nodes below,
//!   between and above, and every range of their times.
//! - With a node above the time it needs the node.
//! - A number is passed from the first tick on whose ids all reach it.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{IdRange, Layout, Mastodon, RangeError, StaticLayout, Twitter, UnixMillis};
use idtest::{Part, Plan, calendar};

fn layout(spec: &str) -> Layout {
    Plan::of(spec).layout()
}

/// Layouts whose ids can all be tried, with nodes below, between and above.
const SMALL: [&str; 7] = [
    "epoch=5,timestamp:3,node:1,sequence:1",
    "epoch=-9,tick=7ms,timestamp:2,sequence:1,node:2",
    "epoch=0,tick=3ms,timestamp:3",
    "epoch=5,timestamp:3,sequence:2",
    "epoch=5,tick=2ms,node:2,timestamp:2,sequence:1",
    "epoch=5,node:1,timestamp:3",
    "epoch=-1,region:1,timestamp:2,rack:1,sequence:1,worker:1",
];

/// The ids with `above` in the bits above the time, whose time is in the range: lowest and highest.
fn brute_force(plan: &Plan, above_of: &dyn Fn(u64) -> u64, above: u64, from: i64, to: i64) -> Option<IdRange> {
    let mut inside = (0..=plan.id_max())
        .filter(|id| above_of(*id) == above && (from..to).contains(&plan.start_ms(plan.parts(*id).tick)));
    let lowest = inside.next()?;
    Some(IdRange { lowest, highest: inside.last().unwrap_or(lowest) })
}

#[test]
fn a_range_holds_exactly_the_ids_whose_time_is_in_it() {
    let mut empty = 0;
    for spec in SMALL {
        let (plan, layout) = (Plan::of(spec), layout(spec));
        let first = plan.start_ms(0);
        let end = plan.start_ms(plan.count_of(Part::Timestamp));
        let has_node_above = plan.fields[0].part == Part::Node;
        let below_bits: u32 = plan.fields.iter().skip(usize::from(has_node_above)).map(|field| field.bits).sum();
        let above_of = move |id: u64| if has_node_above { id >> below_bits } else { 0 };
        for from in first - 3..end + 3 {
            for to in from..end + 3 {
                let (from_ms, to_ms) = (UnixMillis::new(from), UnixMillis::new(to));
                for node in 0..layout.node_count() {
                    let above = above_of(layout.compose(layout.epoch(), node, 0).unwrap());
                    let expected = brute_force(&plan, &above_of, above, from, to);
                    empty += u32::from(expected.is_none());
                    assert_eq!(
                        layout.range_of_node(node, from_ms, to_ms),
                        Ok(expected),
                        "node {node}, {from} to {to} in {spec}"
                    );
                }
                let of_all = layout.range(from_ms, to_ms);
                if has_node_above {
                    assert_eq!(of_all, Err(RangeError::NodeNeeded));
                } else {
                    // What lies between the ends is all of that time, and what is of that time lies between the ends.
                    assert_eq!(of_all, Ok(brute_force(&plan, &above_of, 0, from, to)), "{from} to {to} in {spec}");
                    let between = of_all.unwrap().map_or(0..0, |range| range.lowest..range.highest + 1);
                    assert!(between.into_iter().all(|id| (from..to).contains(&plan.start_ms(plan.parts(id).tick))));
                }
            }
        }
    }
    assert!(empty > 100, "ranges without ids were among them");
}

#[test]
fn ranges_of_the_extremes_hold_everything() {
    let all = |layout: Layout| layout.range(UnixMillis::new(i64::MIN), UnixMillis::new(i64::MAX)).unwrap().unwrap();
    assert_eq!(all(Twitter::LAYOUT), IdRange { lowest: 0, highest: (1 << 63) - 1 });
    assert_eq!(all(Mastodon::LAYOUT), IdRange { lowest: 0, highest: u64::MAX });
    assert_eq!(all(layout("epoch=0,timestamp:1")), IdRange { lowest: 0, highest: 1 });
    let noon = UnixMillis::new(calendar::unix_millis("2022-06-28T12:00:00.000Z"));
    assert_eq!(Twitter::LAYOUT.range(noon, noon), Ok(None), "half-open");
    let one = Twitter::LAYOUT.range(noon, UnixMillis::new(noon.get() + 1)).unwrap().unwrap();
    assert_eq!(one.highest - one.lowest, (1 << 22) - 1);
    let before = Twitter::LAYOUT.range(UnixMillis::new(0), Twitter::LAYOUT.epoch());
    assert_eq!(before, Ok(None));
    let after = Twitter::LAYOUT.range(Twitter::LAYOUT.lifetime().end, UnixMillis::new(i64::MAX));
    assert_eq!(after, Ok(None));
}

#[test]
fn range_errors_say_what_was_expected() {
    let reversed = Twitter::LAYOUT.range(UnixMillis::new(7), UnixMillis::new(6)).unwrap_err();
    assert_eq!(reversed, RangeError::Reversed { from: UnixMillis::new(7), to: UnixMillis::new(6) });
    assert_eq!(reversed.to_string(), "range from 7 ms to 6 ms: expected an end that is not before the start");
    let above = layout("epoch=0,shard:8,timestamp:41,sequence:12");
    assert_eq!(
        above.range(UnixMillis::new(6), UnixMillis::new(7)).unwrap_err().to_string(),
        "no node given: expected one, since a node field of this layout is above the timestamp"
    );
    assert_eq!(
        above.range_of_node(256, UnixMillis::new(6), UnixMillis::new(7)).unwrap_err().to_string(),
        "node 256: expected 0 to 255 in this layout"
    );
    assert_eq!(
        above.range_of_node(255, UnixMillis::new(6), UnixMillis::new(7)),
        Ok(Some(IdRange { lowest: (255 << 53) | (6 << 12), highest: (255 << 53) | (6 << 12) | 4_095 }))
    );
    assert!(matches!(above.range_of_node(0, UnixMillis::new(7), UnixMillis::new(6)), Err(RangeError::Reversed { .. })));
}

#[test]
fn a_number_is_passed_from_the_first_tick_whose_ids_all_reach_it() {
    for spec in
        ["epoch=5,tick=7ms,timestamp:3,node:1,sequence:2", "epoch=-9,timestamp:4,sequence:2", "epoch=0,timestamp:2"]
    {
        let (plan, layout) = (Plan::of(spec), layout(spec));
        let ids: Vec<u64> = (0..=layout.id_max()).collect();
        for raw in 0..=layout.id_max() + 2 {
            let reached = (0..plan.tick_count())
                .find(|tick| ids.iter().filter(|id| plan.parts(**id).tick == *tick).all(|id| *id >= raw));
            assert_eq!(
                layout.passes(raw).map(UnixMillis::get),
                reached.map(|tick| plan.start_ms(tick)),
                "{raw} in {spec}"
            );
        }
    }
}
