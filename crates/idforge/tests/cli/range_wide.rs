//! `range uuidv7` and `range ulid`: half-open, both ends exact, and an empty one is a finding.

use serde_json::{Value, json};

use super::run::{Run, idforge};

fn range(format: &str, args: &[&str]) -> Run {
    idforge(&[&["range", format], args].concat())
}

#[test]
fn a_day_of_each() {
    let v7 = ("019b76da-a800-7000-8000-000000000000", "019b7c01-03ff-7fff-bfff-ffffffffffff");
    let ulid = ("01KDVDNA000000000000000000", "01KDY020ZZZZZZZZZZZZZZZZZZ");
    for (format, (lowest, highest)) in [("uuidv7", v7), ("ulid", ulid)] {
        for to in [["--to", "2026-01-02"], ["--for", "1d"], ["--to", "1767312000000"]] {
            let args = [["--from", "2026-01-01"], to].concat();
            let text = range(format, &args).fine();
            assert_eq!(
                text,
                format!(
                    "{format}  from 2026-01-01 UTC\n{}  to   2026-01-02 UTC, not included\n\nlowest   {lowest}\n\
                     highest  {highest}\nsql      WHERE id BETWEEN '{lowest}' AND '{highest}'\n",
                    " ".repeat(format.len())
                )
            );
            let found = range(format, &[args.as_slice(), &["--json"]].concat()).json();
            let expected = json!({
                "format": format, "layout": null, "from": "2026-01-01T00:00:00.000Z", "to": "2026-01-02T00:00:00.000Z",
                "fromUnixMs": 1_767_225_600_000_u64, "toUnixMs": 1_767_312_000_000_u64, "lowest": lowest, "highest": highest,
            });
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn an_id_is_in_the_range_of_its_time() {
    for format in ["uuidv7", "ulid"] {
        let id = idforge(&["gen", format]).fine();
        let made =
            idforge(&["inspect", id.trim(), "--format", if format == "ulid" { "ulid" } else { "uuid" }, "--json"])
                .json();
        let time = made["createdAt"].as_str().expect("a time");
        let found = range(format, &["--from", time, "--for", "1ms", "--json"]).json();
        let [lowest, highest] = ["lowest", "highest"].map(|end| found[end].as_str().expect("an id"));
        assert!(lowest <= id.trim() && id.trim() <= highest, "{id}: {found}");
    }
}

#[test]
fn no_id_in_the_range_is_a_finding() {
    for (format, times) in [
        ("uuidv7", ["--from", "2026-01-01", "--to", "2026-01-01"]),
        ("uuidv7", ["--from", "1960-01-01", "--to", "1970-01-01"]),
        ("ulid", ["--from", "281474976710656", "--for", "1h"]),
    ] {
        let run = range(format, &times);
        assert!(run.error(1).starts_with(&format!("no id of {format} from ")), "{run:#?}");
        assert!(
            run.error(1).ends_with(
                ": its ids begin at 1970-01-01T00:00:00.000Z and end at 281474976710656 ms, one time every ms"
            ),
            "{run:#?}"
        );
        assert_eq!(run.stdout, "");
        let run = range(format, &[times.as_slice(), &["--json"]].concat());
        let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((run.status, &found["lowest"], &found["highest"]), (1, &Value::Null, &Value::Null));
    }
}

#[test]
fn wrong_usage_is_refused() {
    for format in ["uuidv7", "ulid"] {
        let run = range(format, &["--from", "2026-01-02", "--to", "2026-01-01"]);
        assert_eq!(
            run.error(2),
            "--to 2026-01-01T00:00:00.000Z: expected a time that is not before --from 2026-01-02T00:00:00.000Z"
        );
        assert!(range(format, &["--from", "2026-01-01"]).error(2).contains("required"));
        assert!(range(format, &["--from", "2026-01-01", "--for", "1h", "--node", "1"]).error(2).contains("--node"));
        let run = range(format, &["--from", "9223372036854775807", "--for", "1h"]);
        assert!(run.error(2).contains("expected an end within 2^63 ms of 1970"), "{run:#?}");
    }
    assert_eq!(range("uuidv4", &["--from", "2026-01-01", "--for", "1h"]).status, 2);
}
