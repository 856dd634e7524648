//! Layouts: what can be one, and what it says of itself.
//!
//! - Every fault of a layout has its error, naming what is wrong and what was expected, and its message for the compiler.
//! - Widths of 1 to 64 bits, any order with the sequence below the timestamp, names, at most eight fields.
//! - Lifetimes and figures: Twitter ends on 2080-07-10, 41 bits from 1970 on 2039-09-07, Sonyflake after 174 years;
//!   the standard layout passes 2^53 after 24.855 days. A layout that needs all 63 bits of the state loses its last tick.
//!
//! Ids of a layout: `compose.rs`. Ranges of time: `range.rs`. Layouts as text: `spec.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::collections::HashSet;
use std::panic;

use idcore::{
    Field, FieldKind, Instagram, JavaScript, Layout, LayoutError, Mastodon, Sonyflake, Standard, StaticLayout, Tsid,
    Twitter, UnixMillis, Wide, presets,
};
use idtest::{Plan, calendar, quietly};

const EPOCH: UnixMillis = UnixMillis::new(0);

fn error(tick_ms: u32, fields: &[Field<'_>]) -> LayoutError {
    Layout::new(EPOCH, tick_ms, fields).expect_err("no layout")
}

fn layout(spec: &str) -> Layout {
    Plan::of(spec).layout()
}

fn at(text: &str) -> UnixMillis {
    UnixMillis::new(calendar::unix_millis(text))
}

fn node(name: &str) -> Field<'_> {
    Field::node(name, 1)
}

/// Faults with their text and what the compiler says of each: of a width, of a name, of the whole.
fn faults() -> Vec<(LayoutError, String, &'static str)> {
    let mut all: Vec<_> =
        faults_of_widths_and_wholes().into_iter().map(|(error, text, panic)| (error, text.to_owned(), panic)).collect();
    let rule =
        "1 to 15 of a-z, 0-9, _ and -, starting with a letter, and `timestamp` or `sequence` only for those fields";
    let panic =
        "a field's name is 1 to 15 of a-z, 0-9, _ and -, starts with a letter, and is not timestamp or sequence";
    for (name, shown) in [
        ("", "``"),
        ("sixteen-letters-", "`sixteen-letters-`"),
        ("Worker", "`Worker`"),
        ("9lives", "`9lives`"),
        ("-a", "`-a`"),
        ("wörker", "`wörker`"),
        ("a b", "`a b`"),
        ("a:b", "`a:b`"),
        ("timestamp", "`timestamp`"),
        ("sequence", "`sequence`"),
        ("a name of more than thirty bytes in all", "`a name of more than thirty byt…`"),
    ] {
        let error = error(1, &[Field::timestamp(41), node(name)]);
        all.push((error, format!("name {shown} of field 2: expected {rule}"), panic));
    }
    all
}

fn faults_of_widths_and_wholes() -> Vec<(LayoutError, &'static str, &'static str)> {
    let time = Field::timestamp(41);
    vec![
        (error(0, &[time]), "tick of 0 ms: expected 1 to 3600000 ms", "a tick is 1 to 3,600,000 ms"),
        (error(3_600_001, &[time]), "tick of 3600001 ms: expected 1 to 3600000 ms", "a tick is 1 to 3,600,000 ms"),
        (error(1, &[]), "0 fields: expected 1 to 8", "a layout has 1 to 8 fields"),
        (error(1, &[node("a"); 9]), "9 fields: expected 1 to 8", "a layout has 1 to 8 fields"),
        (error(1, &[time, Field::sequence(0)]), "field 2 has 0 bits: expected 1 to 64", "a field has 1 to 64 bits"),
        (error(1, &[Field::timestamp(65)]), "field 1 has 65 bits: expected 1 to 64", "a field has 1 to 64 bits"),
        (
            error(1, &[Field::timestamp(u32::MAX), Field::sequence(u32::MAX)]),
            "field 1 has 4294967295 bits: expected 1 to 64",
            "a field has 1 to 64 bits",
        ),
        (
            error(1, &[time, Field::sequence(24)]),
            "65 bits in all: expected at most 64",
            "the fields of a layout have at most 64 bits together",
        ),
        (
            error(1, &[time, node("a"), node("b"), node("a")]),
            "field 4 is named `a`, as field 2 is: expected a name of its own",
            "each field of a layout has a name of its own",
        ),
        (
            error(1, &[time, Field::timestamp(1)]),
            "field 2 is named `timestamp`, as field 1 is: expected a name of its own",
            "each field of a layout has a name of its own",
        ),
        (
            error(1, &[time, Field::sequence(1), node("a"), Field::sequence(1)]),
            "field 4 is named `sequence`, as field 2 is: expected a name of its own",
            "each field of a layout has a name of its own",
        ),
        (
            error(1, &[node("a"), Field::sequence(1)]),
            "no timestamp among the fields: expected one",
            "a layout has a timestamp",
        ),
        (error(1, &[Field::node("a", 64)]), "no timestamp among the fields: expected one", "a layout has a timestamp"),
        (
            error(1, &[Field::sequence(12), node("a"), time]),
            "sequence above the timestamp: expected it below, so that ids sort by time",
            "the sequence is below the timestamp",
        ),
        (
            error(1, &[Field::timestamp(1), Field::sequence(63)]),
            "sequence of 63 bits leaves no tick in the 63 bits of the state: expected fewer bits",
            "timestamp and sequence leave at least one tick in 63 bits",
        ),
        (
            error(1, &[Field::timestamp(64)]),
            "timestamp of 64 bits ends more than 2^63 ms after 1970: expected fewer bits or a shorter tick",
            "the timestamp ends within 2^63 ms of 1970",
        ),
        (
            error(1_000, &[Field::timestamp(54)]),
            "timestamp of 54 bits ends more than 2^63 ms after 1970: expected fewer bits or a shorter tick",
            "the timestamp ends within 2^63 ms of 1970",
        ),
    ]
}

#[test]
fn every_fault_has_its_text() {
    for (error, text, _) in faults() {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn every_fault_has_its_message_for_the_compiler() {
    let mut messages = HashSet::new();
    for (error, text, message) in faults() {
        assert_eq!(panic_message(error), message, "{text}");
        messages.insert(message);
    }
    assert_eq!(messages.len(), 10, "one message for each kind of fault");
}

fn panic_message(error: LayoutError) -> &'static str {
    let said = quietly(|| {
        let payload = panic::catch_unwind(|| error.panic()).expect_err("it panics");
        payload.downcast_ref::<&str>().copied()
    });
    said.flatten().expect("a message that the compiler can print")
}

#[test]
fn the_limits_themselves_are_layouts() {
    let shortest = layout("epoch=0,tick=1ms,timestamp:1");
    assert_eq!((shortest.bits(), shortest.id_max(), shortest.node_count(), shortest.sequence_count()), (1, 1, 1, 1));
    assert_eq!(shortest.lifetime().end, UnixMillis::new(2));

    let full = layout("epoch=0,tick=3600000ms,timestamp:30,a:1,b:1,c:1,d:1,e:1,exactly-15-chrs:28,sequence:1");
    assert_eq!((full.bits(), full.id_max()), (64, u64::MAX));
    assert_eq!(full.fields().len(), 8);
    assert_eq!((full.timestamp_bits(), full.node_bits(), full.sequence_bits()), (30, 33, 1));

    let widest_node = layout("epoch=0,timestamp:1,node:63");
    assert_eq!(widest_node.node_count(), 1 << 63);
    assert_eq!(widest_node.compose(UnixMillis::new(1), (1 << 63) - 1, 0), Ok(u64::MAX));

    let widest_sequence = layout("epoch=0,timestamp:2,sequence:62");
    assert_eq!(widest_sequence.sequence_count(), 1 << 62);
    assert_eq!(widest_sequence.lifetime().ticks, 1, "the state has room for one tick of that length");
    assert_eq!(widest_sequence.compose(UnixMillis::new(3), 0, (1 << 62) - 1), Ok(u64::MAX));

    // The last millisecond of the type, and one less than the field could count.
    let longest = layout("epoch=-1,timestamp:63");
    assert_eq!(longest.lifetime().end, UnixMillis::new(i64::MAX - 1));
    assert_eq!(longest.decode((1 << 63) - 1).unwrap().time(), UnixMillis::new(i64::MAX - 1));
    assert!(Layout::new(UnixMillis::new(0), 1, &[Field::timestamp(63)]).is_err());
    assert!(Layout::new(UnixMillis::new(i64::MAX), 1, &[Field::timestamp(1)]).is_err());
    assert!(Layout::new(UnixMillis::new(i64::MIN), 1, &[Field::timestamp(1)]).is_ok());
}

#[test]
fn fields_are_in_their_places() {
    let sonyflake = Sonyflake::LAYOUT;
    let shown: Vec<_> =
        sonyflake.fields().iter().map(|field| (field.name(), field.kind(), field.bits(), field.shift())).collect();
    assert_eq!(
        shown,
        [
            ("timestamp", FieldKind::Timestamp, 39, 24),
            ("sequence", FieldKind::Sequence, 8, 16),
            ("machine", FieldKind::Node, 16, 0),
        ]
    );
    let [_, sequence, machine] = sonyflake.fields() else { panic!("three fields") };
    assert_eq!((sequence.max(), machine.max()), (255, 65_535));
    assert_eq!((sequence.of(838_861_161), machine.of(838_861_161)), (0, 361));
    assert_eq!(format!("{sonyflake:?}"), "Layout(epoch=1409529600000,tick=10ms,timestamp:39,sequence:8,machine:16)");
}

#[test]
fn lifetimes_are_those_that_are_published() {
    let twitter = Twitter::LAYOUT.lifetime();
    assert_eq!(twitter.first, UnixMillis::new(1_288_834_974_657));
    assert_eq!(twitter.end, at("2080-07-10T17:30:30.209Z"));
    assert_eq!(twitter.ticks, 1 << 41);
    let unix_41 = layout("epoch=0,timestamp:41,node:10,sequence:12").lifetime();
    assert_eq!(unix_41.end, at("2039-09-07T15:47:35.552Z"));
    let sonyflake = Sonyflake::LAYOUT.lifetime();
    let years = sonyflake.end.saturating_since(sonyflake.first).as_secs_f64() / (365.25 * 86_400.0);
    assert!((174.0..174.4).contains(&years), "{years} years");
    assert_eq!(Standard::LAYOUT.lifetime().end, at("2093-09-06T15:47:35.552Z"));
    assert_eq!(Instagram::LAYOUT.lifetime().end.get(), 1_314_220_021_721 + (1i64 << 41));
    assert_eq!(Mastodon::LAYOUT.lifetime().ticks, (1 << 47) - 1, "48 and 16 bits do not fit the state");
    // Tick and sequence take all 63 bits: the slot after the last must fit too.
    assert_eq!(Wide::LAYOUT.lifetime().ticks, (1 << 41) - 1);
    assert_eq!(JavaScript::LAYOUT.lifetime().ticks, 1 << 38);
}

#[test]
fn figures_are_those_that_are_published() {
    let per_second = |layout: Layout| layout.ids_per_second();
    assert!((per_second(Twitter::LAYOUT) - 4_096_000.0).abs() < 0.5);
    assert!((per_second(Sonyflake::LAYOUT) - 25_600.0).abs() < 0.5);
    assert!((per_second(layout("epoch=0,tick=1s,timestamp:29,worker:21,sequence:13")) - 8_192.0).abs() < 0.5);
    assert!((per_second(layout("epoch=0,tick=1s,timestamp:29")) - 1.0).abs() < 1e-9);
    assert_eq!(Twitter::LAYOUT.node_count(), 1_024);
    assert_eq!(Sonyflake::LAYOUT.sequence_count(), 256);
    assert_eq!(Sonyflake::LAYOUT.bits(), 63);
    assert_eq!(JavaScript::LAYOUT.bits(), 53);
    assert_eq!(JavaScript::LAYOUT.id_max(), (1 << 53) - 1, "Number.MAX_SAFE_INTEGER");
    assert_eq!(Tsid::LAYOUT.id_max(), u64::MAX);
}

#[test]
fn two_to_53_is_passed_when_it_is_said() {
    let standard = Standard::LAYOUT.passes(1 << 53).unwrap();
    let days = standard.saturating_since(Standard::LAYOUT.epoch()).as_secs_f64() / 86_400.0;
    assert!((days - 24.855).abs() < 0.001, "{days} days");
    assert_eq!(standard, at("2024-01-25T20:31:23.648Z"));
    assert_eq!(JavaScript::LAYOUT.passes(1 << 53), None, "never");
    assert_eq!(JavaScript::LAYOUT.passes((1 << 53) - 1), None);
    assert_eq!(Tsid::LAYOUT.passes(1 << 63), Some(at("2089-09-06T15:47:35.552Z")));
    assert_eq!(Twitter::LAYOUT.passes(1 << 63), None);
    assert_eq!(Twitter::LAYOUT.passes(0), Some(Twitter::LAYOUT.epoch()));
    // Ids just below are of the tick before.
    let below = Standard::LAYOUT.decode((1 << 53) - 1).unwrap().time();
    assert_eq!(below.get(), standard.get() - 1);
}

#[test]
fn presets_are_found_by_their_names() {
    let names: HashSet<&str> = presets::ALL.iter().map(|preset| preset.name).collect();
    assert_eq!(names.len(), presets::ALL.len());
    for preset in presets::ALL {
        assert_eq!(presets::by_name(preset.name), Some(preset));
        assert!(!preset.about.is_empty());
    }
    for name in [
        "standard",
        "javascript",
        "wide",
        "twitter",
        "discord",
        "instagram",
        "mastodon",
        "sonyflake",
        "sonyflake2",
        "tsid",
    ] {
        assert!(names.contains(name), "{name}");
    }
    for name in ["", "Twitter", "twitter ", "nonsense"] {
        assert_eq!(presets::by_name(name), None);
    }
    assert_eq!(
        Standard::LAYOUT.to_string(),
        "epoch=1704067200000,tick=1ms,timestamp:41,datacenter:5,worker:5,sequence:12"
    );
}
