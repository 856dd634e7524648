//! `collide`: the published table, tiny and large chances, and what is refused.

use serde_json::Value;

use super::run::idforge;

fn json(args: &[&str]) -> Value {
    idforge(&[&["collide", "--json"], args].concat()).json()
}

fn is_near(value: &Value, expected: f64) -> bool {
    (value.as_f64().expect("a number") / expected - 1.0).abs() < 0.01
}

#[test]
fn the_table_of_a_million_a_second_for_a_year() {
    let text = idforge(&["collide"]).fine();
    for row in ["1 in 10.7 billion", "1 in 76.7 million", "1 in 1.2 million", "none, while worker ids are unique"] {
        assert!(text.contains(row), "{row} in\n{text}");
    }
    let rows = json(&[]);
    let one_in: Vec<_> = rows.as_array().expect("a table").iter().map(|row| &row["oneIn"]).collect();
    assert!(is_near(one_in[0], 10.69e9) && is_near(one_in[1], 76.67e6) && is_near(one_in[2], 1.198e6), "{rows}");
}

#[test]
fn each_row_of_the_table_by_itself() {
    let of = |bits, within| json(&["--bits", bits, "--rate", "1000000", "--for", "1y", "--within", within]);
    assert!(is_near(&of("122", "forever")["oneIn"], 10.69e9));
    assert!(is_near(&of("80", "1ms")["oneIn"], 76.67e6));
    assert!(is_near(&of("74", "1ms")["oneIn"], 1.198e6));
    let text = idforge(&["collide", "--bits", "74", "--within", "1ms"]).fine();
    assert!(
        text.starts_with("1 in 1.2 million\n") && text.contains("within   1 millisecond: 1000 ids in each"),
        "{text}"
    );
    assert!(text.contains("formula  1 - "), "{text}");
}

#[test]
fn chances_too_small_and_too_large_for_percent() {
    let tiny = json(&["--bits", "512", "--rate", "1", "--for", "1s"]);
    assert!(tiny["chance"].as_f64().is_some_and(|chance| chance > 0.0 && chance < 1e-150), "{tiny}");
    let text = idforge(&["collide", "--bits", "16", "--rate", "1M", "--for", "1s"]).fine();
    assert!(text.starts_with("certain: none is alike with a chance of 10^-"), "{text}");
    let even = idforge(&["collide", "--bits", "32", "--rate", "77163", "--for", "1s"]).fine();
    assert!(even.starts_with("49.9998 %\n"), "{even}");
}

#[test]
fn one_monotonic_generator_never_repeats_itself_and_two_may() {
    let of = |generators| json(&["--bits", "80", "--within", "1ms", "--monotonic", "--generators", generators]);
    let one = of("1");
    assert_eq!((one["chance"].as_f64(), &one["oneIn"]), (Some(0.0), &Value::Null));
    // 31,536,000,000 windows, one pair, two runs of 500 ids: 999 places among 2^80.
    assert!(is_near(&of("2")["oneIn"], 2.0_f64.powi(80) / (999.0 * 31_536e6)));
    let text = idforge(&["collide", "--bits", "80", "--within", "1ms", "--monotonic"]).fine();
    assert!(text.starts_with("none\n"), "{text}");
}

#[test]
fn wrong_values_are_named() {
    for (args, named) in [
        (["--bits", "513"], "513"),
        (["--bits", "-1"], "-1"),
        (["--rate", "fast"], "fast"),
        (["--rate", "0"], "0"),
        (["--for", "0s"], "0s"),
        (["--for", "soon"], "soon"),
    ] {
        let rest: &[&str] = if args[0] == "--bits" { &[] } else { &["--bits", "64"] };
        let run = idforge(&[&["collide"], rest, &args].concat());
        let said = run.error(2);
        assert!(said.contains(named), "{args:?}: {said}");
    }
    for args in [["--within", "1ms"], ["--within", "0ms"], ["--generators", "2"]] {
        idforge(&[&["collide"], &args[..]].concat()).error(2);
    }
}
