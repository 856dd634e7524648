//! Writes the seeds of the fuzz targets to `fuzz/corpus`: `cargo run -p idtest --example seeds`.
//!
//! Texts are written down here. Scenarios are chosen among many at random: one is kept when it shows something that those
//! before it do not, and is then cut as short as it can be while it still shows it. The same seeds come out each time; they
//! are to be written again when the bytes of a scenario change their meaning.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use idcore::{Exhaustion, Rollback};
use idtest::formats::{FormatOp, FormatScenario};
use idtest::{Op, Part, Rng, Scenario, Seen};

const TRIES: u32 = 20_000;
const TRIES_OF_FORMATS: u32 = 3_000;
const BYTES_MAX: u64 = 160;

const ID_TEXTS: &[(&str, &str)] = &[
    ("zero", "0"),
    ("leading_zero", "007"),
    ("sign_plus", "+5"),
    ("sign_minus", "-1"),
    ("space_before", " 1"),
    ("newline_after", "1\n"),
    ("underscore", "1_000"),
    ("hexadecimal", "0x1F"),
    ("exponent", "1e3"),
    ("discord", "175928847299117063"),
    ("i64_max", "9223372036854775807"),
    ("i64_overflow", "9223372036854775808"),
    ("u64_max", "18446744073709551615"),
    ("u64_overflow", "18446744073709551616"),
    ("twenty_nines", "99999999999999999999"),
    ("twenty_one_digits", "100000000000000000000"),
    ("not_ascii_digits", "１２３"),
    ("crockford", "1ASD13XH1F800"),
    ("crockford_max", "FZZZZZZZZZZZZ"),
    ("crockford_first_too_large", "G000000000001"),
    ("crockford_all_z", "ZZZZZZZZZZZZZ"),
    ("crockford_lower_case", "1asd13xh1f800"),
    ("crockford_alias", "1ASD13XH1F8O0"),
    ("crockford_13_bytes_not_ascii", "00000000000é"),
    ("crockford_13_characters_not_ascii", "éééééééééé€€€"),
    ("base62", "1q4yNGdZQ2W"),
    ("base62_max", "LygHa16AHYF"),
    ("base62_overflow", "LygHa16AHYG"),
    ("base62_all_z", "zzzzzzzzzzz"),
    ("json_string", "\"9007199254740993\""),
    ("json_escape", "\"\\u0031\""),
    ("json_quote_alone", "\""),
    ("json_float", "1.0"),
    ("json_null", "null"),
];

const FORMATS_TEXTS: &[(&str, &[u8])] = &[
    ("empty", b""),
    ("hyphenated", b"67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ("hyphenated_mixed_case", b"F9168C5E-CEB2-4faa-B6BF-329BF39FA1E4"),
    ("hyphenated_not_hex", b"F9168C5E-CEB2-4faa-BGBF-329BF39FA1E4"),
    ("hyphenated_hyphen_missing", b"231231212212423424324323477343246663"),
    ("hyphenated_not_ascii", "0189f965-7b27-7dc0-8f96-1d8eb\u{17f}6b7e2".as_bytes()),
    ("hyphenated_not_utf8", b"67e55044-10b1-426f-9247-bb680e5fe0c\xff"),
    ("simple", b"67e5504410b1426f9247bb680e5fe0c8"),
    ("simple_not_hex", b"67e5504410b1426f9247bb680e5fe0c@"),
    ("simple_one_short", b"67e5504410b1426f9247bb680e5fe0c"),
    ("urn", b"urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ("urn_upper_case", b"URN:UUID:67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ("urn_other", b"urn:uuld:0189f965-7b27-7dc0-8f96-1d8eb026b7e2"),
    ("braced", b"{6d93bade-bd9f-4e13-8914-9474e1e3567b}"),
    ("braced_one", b"{6d93bade-bd9f-4e13-8914-9474e1e3567b-"),
    ("braces", b"{}"),
    ("ulid", b"01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    ("ulid_lower_case", b"01arz3ndektsv4rrffq69g5fav"),
    ("ulid_max", b"7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
    ("ulid_overflow", b"80000000000000000000000000"),
    ("ulid_u", b"01ARZ3NDEKTSV4RRFFQ69G5FAU"),
    ("ulid_not_ascii", "01ARZ3NDEKTSV4RRFFQ69G5F\u{c0}".as_bytes()),
    ("ulid_lenient", b"oLARYZ6-S41TSV4RRF-FQ69G5FAV"),
    ("ulid_hyphens_alone", b"--------------------------"),
    ("base62", b"02p5oQZoHTv0zeY5yG21K3"),
    ("base62_max", b"7n42DGM5Tflk9n8mt7Fhc7"),
    ("base62_overflow", b"7n42DGM5Tflk9n8mt7Fhc8"),
    ("base62_all_z", b"zzzzzzzzzzzzzzzzzzzzzz"),
    ("base62_underscore", b"02p5oQZoHTv0zeY5yG21K_"),
    ("typeid", b"prefix_01h455vb4pex5vsknk084sn02q"),
    ("typeid_no_prefix", b"7zzzzzzzzzzzzzzzzzzzzzzzzz"),
    ("typeid_underscore", b"pre_fix_00000000000000000000000000"),
    ("typeid_longest", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_00000000000000000000000000"),
    ("typeid_too_long", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_00000000000000000000000000"),
    ("typeid_prefix_empty", b"_00000000000000000000000000"),
    ("typeid_prefix_edge", b"prefix__00000000000000000000000000"),
    ("typeid_upper_case", b"prefix_0123456789ABCDEFGHJKMNPQRS"),
    ("typeid_suffix_overflow", b"prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz"),
    ("typeid_suffix_empty", b"prefix_"),
];

const LAYOUTS: &[(&str, &str)] = &[
    ("twitter", "twitter"),
    ("unknown_name", "tweeter"),
    ("issue", "epoch=2016-09-20T00:00:00Z,tick=1s,timestamp:29,worker:21,sequence:13"),
    ("sonyflake", "epoch=2014-09-01T00:00:00Z,tick=10ms,timestamp:39,sequence:8,machine:16"),
    ("millis", "epoch=1288834974657,tick=1ms,timestamp:41,datacenter:5,worker:5,sequence:12"),
    ("offset", "epoch=2024-01-01T01:00:00+01:00,timestamp:41,sequence:12"),
    ("below_a_millisecond", "epoch=2024-01-01T00:00:00.0001Z,timestamp:41"),
    ("no_offset", "epoch=2024-01-01T00:00:00,timestamp:41"),
    ("before_1970", "epoch=-1,timestamp:63"),
    ("earliest_epoch", "epoch=-9223372036854775808,timestamp:1"),
    ("epoch_overflow", "epoch=9223372036854775808,timestamp:1"),
    ("epoch_missing", "timestamp:41,sequence:12"),
    ("epoch_twice", "epoch=0,timestamp:41,epoch=0"),
    ("timestamp_twice", "epoch=0,timestamp:41,timestamp:2"),
    ("one_bit", "epoch=0,timestamp:1"),
    ("sixty_four_bits", "epoch=0,timestamp:42,node:10,sequence:12"),
    ("sixty_five_bits", "epoch=0,timestamp:41,node:12,sequence:12"),
    ("past_2_to_63_ms", "epoch=0,timestamp:64"),
    ("widest_sequence", "epoch=0,timestamp:2,sequence:62"),
    ("sequence_without_a_tick", "epoch=0,timestamp:1,sequence:63"),
    ("sequence_above", "epoch=0,sequence:12,timestamp:41"),
    ("node_above_and_below", "epoch=5,region:2,timestamp:20,rack:3,sequence:4,worker:1"),
    ("eight_fields", "epoch=0,timestamp:41,a:1,b:1,c:1,d:1,e:1,f:1,g:1"),
    ("nine_fields", "epoch=0,timestamp:41,a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1"),
    ("field_named_epoch", "epoch=0,timestamp:41,epoch:5,tick:5"),
    ("upper_case_name", "epoch=0,timestamp:41,Worker:5"),
    ("spaces", "epoch=0, timestamp:41"),
    ("comma_at_the_end", "epoch=0,timestamp:41,"),
    ("tick_of_an_hour", "epoch=0,tick=3600s,timestamp:20"),
    ("tick_too_long", "epoch=0,tick=3601s,timestamp:20"),
    ("tick_without_unit", "epoch=0,tick=1,timestamp:41"),
    ("not_ascii", "epoch=0,timestamp:41,wörker:5"),
];

/// What a scenario's bytes show.
type Marks = fn(&[u8]) -> BTreeSet<String>;

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    write_texts(&corpus.join("id_text"), ID_TEXTS);
    for (name, text) in FORMATS_TEXTS {
        write(&corpus.join("formats_text").join(name), text);
    }
    write_texts(&corpus.join("layout_spec"), LAYOUTS);
    write_scenarios(&corpus.join("generator_ops"), TRIES, marks);
    write_scenarios(&corpus.join("formats_ops"), TRIES_OF_FORMATS, marks_of_format);
}

fn write_texts(folder: &Path, texts: &[(&str, &str)]) {
    for (name, text) in texts {
        write(&folder.join(name), text.as_bytes());
    }
}

fn write_scenarios(folder: &Path, tries: u32, marks: Marks) {
    let mut rng = Rng::new(62);
    let mut shown = BTreeSet::new();
    let mut kept = 0;
    for _ in 0..tries {
        let len = usize::try_from(rng.below(BYTES_MAX)).expect("a short length");
        let data = rng.bytes(len);
        let new: BTreeSet<String> = marks(&data).difference(&shown).cloned().collect();
        if new.is_empty() {
            continue;
        }
        let data = cut(data, &new, marks);
        kept += 1;
        let name = format!("{kept:02}_{}", new.iter().take(3).cloned().collect::<Vec<_>>().join("_"));
        shown.extend(marks(&data));
        write(&folder.join(name), &data);
    }
    println!("{} marks: {}", shown.len(), shown.into_iter().collect::<Vec<_>>().join(" "));
}

fn write(path: &Path, data: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("the folder can be made");
    fs::write(path, data).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The shortest data found that still shows all of `wanted`: without its end, then without single bytes, then with zeros.
fn cut(mut data: Vec<u8>, wanted: &BTreeSet<String>, marks: Marks) -> Vec<u8> {
    let shows = |data: &[u8]| wanted.is_subset(&marks(data));
    while data.split_last().is_some_and(|(_, rest)| shows(rest)) {
        data.pop();
    }
    let mut at = 0;
    while at < data.len() {
        let mut shorter = data.clone();
        shorter.remove(at);
        if shows(&shorter) {
            data = shorter;
        } else {
            at += 1;
        }
    }
    data
}

/// What a scenario shows: the shape of its layout, its settings, and what came of each.
fn marks(data: &[u8]) -> BTreeSet<String> {
    let scenario = Scenario::from_bytes(data);
    let seen = scenario.run();
    let mut marks = BTreeSet::new();
    if seen.build_refused {
        marks.insert("refused".to_owned());
        return marks;
    }
    if seen.ids == 0 {
        return marks;
    }
    for shape in shapes(&scenario) {
        for outcome in outcomes(&scenario, &seen) {
            marks.insert(format!("{shape}-{outcome}"));
        }
    }
    marks
}

/// The same for UUIDs and ULIDs: the format, and what came of it.
fn marks_of_format(data: &[u8]) -> BTreeSet<String> {
    let scenario = FormatScenario::from_bytes(data);
    let seen = scenario.run();
    if seen.build_refused {
        return BTreeSet::from(["refused".to_owned()]);
    }
    let outcomes = [
        ("blocks", seen.of_blocks > 4),
        ("slept", seen.sleeps > 0),
        ("ahead", seen.ahead > 0),
        ("carried", seen.carries > 0),
        ("behind", seen.clock_behind),
        ("exhausted", seen.exhausted),
        ("outofrange", seen.out_of_range),
        ("partfilled", seen.part_filled),
        ("wentback", seen.went_back),
        ("wentbackblocks", seen.went_back && seen.of_blocks > 0),
        ("behindahead", seen.clock_behind && seen.ahead > 0),
        ("frozen", seen.sleeps > 0 && scenario.ops.contains(&FormatOp::Freeze)),
    ];
    let shown = outcomes.into_iter().filter(|(_, is)| *is && seen.ids > 0);
    shown.map(|(outcome, _)| format!("{:?}-{outcome}", scenario.kind)).collect()
}

fn shapes(scenario: &Scenario) -> Vec<&'static str> {
    let plan = &scenario.plan;
    let timestamp = plan.fields.iter().position(|field| field.part == Part::Timestamp).expect("a timestamp");
    let shapes = [
        ("any", true),
        ("64bits", plan.bits() == 64),
        ("nodeabove", timestamp > 0),
        ("coarse", plan.tick_ms >= 1_000),
        ("single", plan.bits_of(Part::Sequence) == 0),
    ];
    shapes.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect()
}

fn outcomes(scenario: &Scenario, seen: &Seen) -> Vec<&'static str> {
    let has = |wanted: fn(&Op) -> bool| scenario.ops.iter().any(wanted);
    let waits_for_clock = scenario.rollback != Rollback::Fail;
    let waits_for_tick = scenario.exhaustion != Exhaustion::Fail;
    let outcomes = [
        ("closed", seen.closed),
        ("reservation", seen.reservation_ended),
        ("raised", seen.reservation_ended && has(|op| matches!(op, Op::RaiseCeiling(_)))),
        ("end", seen.epoch_ended),
        ("behind", seen.clock_behind && !waits_for_clock),
        ("behindwait", seen.clock_behind && waits_for_clock && seen.sleeps > 0),
        ("exhausted", seen.exhausted && !waits_for_tick),
        ("exhaustedwait", seen.exhausted && waits_for_tick && seen.sleeps > 0),
        ("partfilled", seen.part_filled),
        ("borrowed", seen.borrowed > 0),
        ("slept", seen.sleeps > 1),
        ("drift", seen.sleeps > 0 && has(|op| matches!(op, Op::DriftNs(_)))),
        ("stepinsleep", seen.sleeps > 0 && has(|op| matches!(op, Op::StepAtSleepMs(_)))),
        ("frozen", seen.sleeps > 0 && has(|op| *op == Op::Freeze)),
    ];
    outcomes.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect()
}
