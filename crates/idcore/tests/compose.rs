//! Ids put together and taken apart.
//!
//! - An id is what its parts are, both ways, in random layouts of all shapes.
//! - A part that does not fit is an error and never masked; parts by name must be all there, known, and given once.
//! - A worker number is its parts, most significant first, wherever they lie in the id.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{FieldError, Mastodon, Standard, StaticLayout, Twitter, UnixMillis};
use idtest::{Bytes, Part, Plan, Rng, Seed, calendar, fuzz};

#[test]
fn ids_of_random_layouts_are_what_their_parts_are() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    for _ in 0..1_000 {
        // Text that is no layout, but bytes that choose one: the body checks ids, fields, ranges and the layout's text.
        fuzz::layout_spec(&rng.bytes(64));
    }
}

#[test]
fn random_layouts_come_in_all_shapes() {
    let mut rng = Rng::new(5);
    let plans: Vec<Plan> = (0..2_000).map(|_| Plan::arbitrary(&mut Bytes::new(&rng.bytes(64)))).collect();
    let count = |is: &dyn Fn(&Plan) -> bool| plans.iter().filter(|plan| is(plan)).count();
    assert!(count(&|plan| plan.bits() == 64) > 100);
    assert!(count(&|plan| plan.bits_of(Part::Sequence) == 0) > 100);
    assert!(count(&|plan| plan.bits_of(Part::Node) == 0) > 100);
    assert!(count(&|plan| plan.fields[0].part == Part::Node) > 100);
    assert!(count(&|plan| plan.fields.last().unwrap().part == Part::Node) > 100);
    assert!(count(&|plan| plan.tick_ms == 10) > 100);
    assert!(count(&|plan| plan.tick_ms == 1_000) > 100);
    assert!(count(&|plan| plan.epoch_ms < 0) > 100);
}

#[test]
fn values_that_do_not_fit_are_errors_and_never_masked() {
    let twitter = Twitter::LAYOUT;
    let time = UnixMillis::new(calendar::unix_millis("2022-06-28T16:07:40.105Z"));
    let text = |composed: Result<u64, FieldError>| composed.unwrap_err().to_string();
    assert_eq!(twitter.compose(time, 1_023, 4_095).map(|id| id & 0x3F_FFFF), Ok(0x3F_FFFF));
    assert_eq!(text(twitter.compose(time, 1_024, 0)), "node 1024: expected 0 to 1023 in this layout");
    assert_eq!(
        text(twitter.compose(time, u64::MAX, 0)),
        "node 18446744073709551615: expected 0 to 1023 in this layout"
    );
    assert_eq!(text(twitter.compose(time, 0, 4_096)), "sequence 4096: expected 0 to 4095 in this layout");
    assert_eq!(
        text(twitter.compose(UnixMillis::new(1_288_834_974_656), 0, 0)),
        "time 1288834974656 ms: expected the layout's epoch, 1288834974657 ms, or later"
    );
    assert_eq!(
        text(twitter.compose(UnixMillis::new(3_487_858_230_209), 0, 0)),
        "time 3487858230209 ms: expected a time before 3487858230209 ms, where the layout's timestamp ends"
    );
    assert_eq!(twitter.compose(UnixMillis::new(3_487_858_230_208), 1_023, 4_095), Ok((1 << 63) - 1));
    assert!(text(twitter.compose(UnixMillis::new(i64::MAX), 0, 0)).contains("expected a time before"));
    assert!(text(twitter.compose(UnixMillis::new(i64::MIN), 0, 0)).contains("or later"));
    assert_eq!(
        twitter.decode(1 << 63).unwrap_err().to_string(),
        "id 9223372036854775808: expected at most 9223372036854775807 in this layout"
    );
}

#[test]
fn fields_by_name_must_be_all_there_known_and_fit() {
    let twitter = Twitter::LAYOUT;
    let text = |values: &[(&str, u64)]| twitter.compose_fields(values).unwrap_err().to_string();
    let good = [("timestamp", 1), ("datacenter", 2), ("worker", 3), ("sequence", 4)];
    let id = twitter.compose_fields(&good).unwrap();
    let reversed: Vec<_> = good.iter().rev().copied().collect();
    assert_eq!(twitter.compose_fields(&reversed), Ok(id));
    assert_eq!(text(&good[..3]), "no value for sequence: expected one for each field");
    assert_eq!(text(&[]), "no value for timestamp: expected one for each field");
    assert_eq!(text(&[good[0], good[1], good[2], good[3], good[1]]), "two values for datacenter: expected one");
    assert_eq!(
        text(&[good[0], good[1], good[2], good[3], ("node", 1)]),
        "`node` is not a field of this layout that takes a value here"
    );
    assert_eq!(text(&[good[0], good[1], ("worker", 32), good[3]]), "worker 32: expected 0 to 31 in this layout");
    assert_eq!(
        text(&[("timestamp", 1 << 41), good[1], good[2], good[3]]),
        "timestamp 2199023255552: expected 0 to 2199023255551 in this layout"
    );
}

#[test]
fn worker_numbers_are_made_of_their_parts() {
    let standard = Standard::LAYOUT;
    assert_eq!(standard.node_of(&[("datacenter", 3), ("worker", 17)]), Ok(3 * 32 + 17));
    assert_eq!(standard.node_of(&[("worker", 17), ("datacenter", 3)]), Ok(3 * 32 + 17));
    let parts: Vec<_> = standard.node_parts(3 * 32 + 17).unwrap().collect();
    assert_eq!(parts, [("datacenter", 3), ("worker", 17)]);
    let text = |values: &[(&str, u64)]| standard.node_of(values).unwrap_err().to_string();
    assert_eq!(text(&[("datacenter", 3)]), "no value for worker: expected one for each field");
    assert_eq!(text(&[("datacenter", 32), ("worker", 0)]), "datacenter 32: expected 0 to 31 in this layout");
    assert_eq!(
        text(&[("datacenter", 3), ("worker", 1), ("sequence", 0)]),
        "`sequence` is not a field of this layout that takes a value here"
    );
    assert_eq!(standard.node_parts(1_024).err().unwrap().to_string(), "node 1024: expected 0 to 1023 in this layout");
    assert_eq!(Mastodon::LAYOUT.node_of(&[]), Ok(0));
    assert_eq!(Mastodon::LAYOUT.node_parts(0).unwrap().count(), 0);
    // Parts that do not lie together, one above the time and one below.
    let split = Plan::of("epoch=0,region:2,timestamp:5,rack:3,sequence:2,worker:1").layout();
    assert_eq!(split.node_of(&[("region", 2), ("rack", 5), ("worker", 1)]), Ok((2 << 4) | (5 << 1) | 1));
    let id = split.compose(UnixMillis::new(9), (2 << 4) | (5 << 1) | 1, 3).unwrap();
    assert_eq!(id, (2 << 11) | (9 << 6) | (5 << 3) | (3 << 1) | 1);
    assert_eq!(split.decode(id).unwrap().node(), (2 << 4) | (5 << 1) | 1);
}
