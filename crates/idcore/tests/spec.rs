//! Layouts as text (feature `spec`).
//!
//! - What a layout prints is read back as an equal layout, at every extreme.
//! - Epochs are times with an offset, exact to the millisecond, or milliseconds; ticks have a unit; presets have names.
//! - An error names what is wrong, the byte where it stands, and what was expected.
//! - Any text is read as the oracle reads it.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use idcore::{Field, Layout, StaticLayout, Twitter, UnixMillis};
use idtest::{Rng, Seed, fuzz};

fn read(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    match text.parse::<Layout>() {
        Ok(layout) => panic!("{text:?} was read as {layout}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let layout = read("epoch=2016-09-20T00:00:00Z,tick=1s,timestamp:29,worker:21,sequence:13");
    assert_eq!(layout.epoch(), UnixMillis::new(1_474_329_600_000));
    assert_eq!(layout.tick_ms(), 1_000);
    assert_eq!((layout.timestamp_bits(), layout.node_bits(), layout.sequence_bits()), (29, 21, 13));
    let by_hand = Layout::new(
        UnixMillis::new(1_474_329_600_000),
        1_000,
        &[Field::timestamp(29), Field::node("worker", 21), Field::sequence(13)],
    );
    assert_eq!(Ok(layout), by_hand);
    assert_eq!(layout.to_string(), "epoch=1474329600000,tick=1000ms,timestamp:29,worker:21,sequence:13");
}

#[test]
fn items_are_in_any_order_but_for_the_fields() {
    let usual = read("epoch=0,tick=10ms,timestamp:39,sequence:8,machine:16");
    assert_eq!(read("timestamp:39,tick=10ms,sequence:8,epoch=0,machine:16"), usual);
    assert_eq!(read("timestamp:39,sequence:8,machine:16,epoch=0,tick=10ms"), usual);
    assert_ne!(read("epoch=0,tick=10ms,timestamp:39,machine:16,sequence:8"), usual);
    assert_eq!(read("epoch=0,timestamp:41"), read("epoch=0,tick=1ms,timestamp:41"), "a millisecond when left out");
}

#[test]
fn epochs_are_times_or_milliseconds() {
    let epoch = |text: &str| read(&format!("epoch={text},timestamp:41")).epoch().get();
    assert_eq!(epoch("0"), 0);
    assert_eq!(epoch("1970-01-01T00:00:00Z"), 0);
    assert_eq!(epoch("2010-11-04T01:42:54.657Z"), Twitter::LAYOUT.epoch().get());
    assert_eq!(epoch("2010-11-04T03:42:54.657+02:00"), Twitter::LAYOUT.epoch().get());
    assert_eq!(epoch("1969-12-31T23:59:59.999Z"), -1);
    assert_eq!(epoch("-1"), -1);
    assert_eq!(epoch("-9223372036854775807"), -i64::MAX);
}

#[test]
fn ticks_have_a_unit() {
    let tick = |text: &str| read(&format!("epoch=0,tick={text},timestamp:20")).tick_ms();
    assert_eq!(tick("1ms"), 1);
    assert_eq!(tick("10ms"), 10);
    assert_eq!(tick("1s"), 1_000);
    assert_eq!(tick("1000ms"), 1_000);
    assert_eq!(tick("3600s"), 3_600_000);
}

#[test]
fn what_is_printed_is_read_back_at_every_extreme() {
    let time = Field::timestamp;
    for (epoch_ms, tick_ms, fields) in [
        (i64::MIN, 1, vec![time(1)]),
        (-i64::MAX, 1, vec![time(62)]),
        (-1, 1, vec![time(63)]),
        (i64::MAX - 2, 1, vec![time(1)]),
        (0, 3_600_000, vec![time(1), Field::sequence(62)]),
        (0, 1, vec![Field::node("epoch", 1), Field::node("tick", 2), time(3), Field::sequence(4)]),
        (0, 1, vec![Field::node("exactly-15-chrs", 22), time(42)]),
    ] {
        let layout = Layout::new(UnixMillis::new(epoch_ms), tick_ms, &fields).unwrap();
        assert_eq!(layout.to_string().parse(), Ok(layout), "{layout}");
    }
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let field = "expected NAME:BITS, epoch=TIME or tick=LENGTH";
    let bits = "expected a number of bits, 1 to 64";
    let time = "expected a time such as 2024-01-01T00:00:00Z, exact to the millisecond, or milliseconds since 1970";
    let tick = "expected a tick such as 1ms, 10ms or 1s";
    for (text, message) in [
        ("epoch=0,timestamp:41,", format!("`` at byte 21 of the layout: {field}")),
        (",epoch=0,timestamp:41", format!("`` at byte 0 of the layout: {field}")),
        ("epoch=0,timestamp=41", format!("`timestamp=41` at byte 8 of the layout: {field}")),
        ("epoch=0, timestamp41", format!("` timestamp41` at byte 8 of the layout: {field}")),
        ("epoch:0", "0 bits".to_owned()),
        ("epoch=0,timestamp:", format!("`` at byte 18 of the layout: {bits}")),
        ("epoch=0,timestamp:+41", format!("`+41` at byte 18 of the layout: {bits}")),
        ("epoch=0,timestamp: 41", format!("` 41` at byte 18 of the layout: {bits}")),
        ("epoch=0,timestamp:4:1", format!("`4:1` at byte 18 of the layout: {bits}")),
        ("epoch=0,timestamp:4294967296", format!("`4294967296` at byte 18 of the layout: {bits}")),
        ("epoch=0,timestamp:٤", format!("`٤` at byte 18 of the layout: {bits}")),
        ("epoch=,timestamp:41", format!("`` at byte 6 of the layout: {time}")),
        ("epoch=2016-09-20,timestamp:41", format!("`2016-09-20` at byte 6 of the layout: {time}")),
        ("epoch=2016-09-20T00:00:00,timestamp:41", format!("`2016-09-20T00:00:00` at byte 6 of the layout: {time}")),
        ("epoch=2016-02-30T00:00:00Z,timestamp:41", format!("`2016-02-30T00:00:00Z` at byte 6 of the layout: {time}")),
        (
            "epoch=2016-09-20T00:00:00.0001Z,timestamp:41",
            format!("`2016-09-20T00:00:00.0001Z` at byte 6 of the layout: {time}"),
        ),
        ("timestamp:41,epoch=+5", format!("`+5` at byte 19 of the layout: {time}")),
        ("epoch=9223372036854775808,timestamp:1", format!("`9223372036854775808` at byte 6 of the layout: {time}")),
        ("epoch=0,tick=1,timestamp:41", format!("`1` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=,timestamp:41", format!("`` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=ms,timestamp:41", format!("`ms` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=1.5s,timestamp:41", format!("`1.5s` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=1m,timestamp:41", format!("`1m` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=-1ms,timestamp:41", format!("`-1ms` at byte 13 of the layout: {tick}")),
        ("epoch=0,tick=4294967296ms,timestamp:41", format!("`4294967296ms` at byte 13 of the layout: {tick}")),
        (
            "epoch=0,tick=18446744073709551615s,timestamp:4",
            format!("`18446744073709551615s` at byte 13 of the layout: {tick}"),
        ),
    ] {
        if text == "epoch:0" {
            // A node field of that name, and so no epoch.
            assert!(error(text).starts_with("no epoch in the layout"), "{}", error(text));
            continue;
        }
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn what_is_missing_twice_or_too_much_is_named() {
    let missing = "no epoch in the layout: expected epoch=TIME, for example epoch=2024-01-01T00:00:00Z";
    assert_eq!(error("timestamp:41,sequence:12"), missing);
    assert_eq!(error("epoch=0,timestamp:41,epoch=0"), "second epoch at byte 21 of the layout: expected one");
    assert_eq!(error("tick=1s,tick=1s,epoch=0"), "second tick at byte 8 of the layout: expected one");
    assert_eq!(
        error("epoch=0,a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1"),
        "ninth field at byte 40 of the layout: expected at most 8"
    );
}

#[test]
fn faults_of_the_layout_are_told_as_such() {
    for (text, message) in [
        ("epoch=0", "0 fields: expected 1 to 8"),
        ("epoch=0,tick=0ms,timestamp:41", "tick of 0 ms: expected 1 to 3600000 ms"),
        ("epoch=0,timestamp:0", "field 1 has 0 bits: expected 1 to 64"),
        ("epoch=0,timestamp:41,sequence:24", "65 bits in all: expected at most 64"),
        (
            "epoch=0,sequence:12,timestamp:41",
            "sequence above the timestamp: expected it below, so that ids sort by time",
        ),
        ("epoch=0,worker:41", "no timestamp among the fields: expected one"),
    ] {
        let read: Result<Layout, _> = text.parse();
        let error = read.unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(std::error::Error::source(&error).map(ToString::to_string).as_deref(), Some(message));
    }
    assert!(error("epoch=0,Worker:5,timestamp:41").starts_with("name `Worker` of field 1: expected 1 to 15 of a-z"));
}

#[test]
fn unknown_names_get_the_list_of_presets() {
    let list = "expected one of standard, javascript, wide, twitter, discord, instagram, mastodon, sonyflake, sonyflake2, \
                tsid, or `epoch=…,tick=…,timestamp:BITS,…`";
    for name in ["tweeter", "Twitter", "", " twitter", "41"] {
        assert_eq!(error(name), format!("no layout named `{name}`: {list}"));
    }
    let long = "x".repeat(1_000_000);
    assert!(error(&long).starts_with("no layout named `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`: "));
    assert!(error("\u{1}\n").starts_with("no layout named `\\u{1}\\n`"));
}

#[test]
fn random_text_is_read_as_the_oracle_reads_it() {
    let seed = Seed::of_this_run();
    let mut rng = seed.rng();
    let mut read = 0;
    for _ in 0..3_000 {
        let text = nearly_a_layout(&mut rng);
        fuzz::layout_spec(text.as_bytes());
        read += u32::from(text.parse::<Layout>().is_ok());
    }
    assert!((300..2_900).contains(&read), "{read} of 3,000 were layouts");
}

/// Items as they could stand in a layout, with one character changed now and then.
fn nearly_a_layout(rng: &mut Rng) -> String {
    let mut items =
        vec![format!("epoch={}", rng.pick(&["0", "1704067200000", "-5", "-9223372036854775808", "+1", "x"]))];
    if rng.below(2) == 0 {
        items.push(format!("tick={}", rng.pick(&["1ms", "10ms", "1s", "3600s", "0s", "1", "007ms"])));
    }
    items.push(format!("timestamp:{}", rng.pick(&["41", "39", "1", "63", "0", "062"])));
    for _ in 0..rng.below(3) {
        let name = rng.pick(&["worker", "datacenter", "a-b_9", "sequence", "sequence", "Worker", "epoch"]);
        items.push(format!("{name}:{}", rng.pick(&["12", "5", "1", "22"])));
    }
    if rng.below(8) == 0 {
        items.rotate_left(1);
    }
    let mut text = items.join(",");
    if rng.below(4) == 0 {
        let at = usize::try_from(rng.below(text.len() as u64)).unwrap();
        text.replace_range(at..=at, rng.pick(&["", ",", ":", "=", " ", "é", "0"]));
    }
    text
}
