//! Layouts as text, and the ids of whatever layout comes of it.

use idcore::{Layout, UnixMillis};

use crate::plan::{Part, Parts, Plan};
use crate::spec::{SpecVerdict, read_spec};
use crate::{Bytes, Rng};

/// Reads `data` as a layout's text, and makes a layout of it in another way too; composes and decodes ids of both.
///
/// # Panics
///
/// When a text is accepted that the oracle refuses or the other way round, when a layout's text is not read back as an
/// equal layout, or when an id's parts are not those it was made of.
pub fn layout_spec(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let read = text.parse::<Layout>();
    match read_spec(&text) {
        SpecVerdict::Layout(plan) => {
            let layout = read.unwrap_or_else(|error| panic!("{text:?} was refused: {error}"));
            holds_what_it_says(&plan, layout, data);
        }
        SpecVerdict::Refused => assert!(read.is_err(), "{text:?} was read as {read:?}"),
        SpecVerdict::NotKnown => {}
    }
    if let Ok(layout) = read {
        prints_what_it_reads(layout);
    }
    let plan = Plan::arbitrary(&mut Bytes::new(data));
    let layout = plan.layout();
    prints_what_it_reads(layout);
    holds_what_it_says(&plan, layout, data);
}

fn prints_what_it_reads(layout: Layout) {
    let text = layout.to_string();
    assert_eq!(text.parse(), Ok(layout), "{text}");
    let SpecVerdict::Layout(plan) = read_spec(&text) else { panic!("the oracle does not read {text}") };
    assert_eq!(plan.try_layout(), Ok(layout));
    assert_eq!(plan.to_string(), text);
}

/// The widths, the lifetime, and a few ids and ranges chosen by `data`.
fn holds_what_it_says(plan: &Plan, layout: Layout, data: &[u8]) {
    assert_eq!(plan.try_layout(), Ok(layout));
    assert_eq!(layout.bits(), plan.bits());
    assert_eq!(layout.id_max(), plan.id_max());
    assert_eq!(u128::from(layout.node_count()), plan.count_of(Part::Node));
    assert_eq!(u128::from(layout.sequence_count()), plan.count_of(Part::Sequence));
    assert_eq!(u128::from(layout.lifetime().ticks), plan.tick_count());
    assert_eq!(layout.lifetime().end.get(), plan.start_ms(plan.tick_count()));
    let seed = data.iter().fold(0, |seed: u64, byte| seed.wrapping_mul(257).wrapping_add(u64::from(*byte)));
    let mut rng = Rng::new(seed);
    for _ in 0..4 {
        let id = rng.any_width() & plan.id_max();
        decodes_like_the_oracle(plan, layout, id);
        let other = rng.any_width() & plan.id_max();
        ranges_hold_their_ids(plan, layout, id, other);
    }
}

fn decodes_like_the_oracle(plan: &Plan, layout: Layout, id: u64) {
    let decoded = layout.decode(id).expect("within the layout's bits");
    let Parts { tick, node, sequence } = plan.parts(id);
    assert_eq!(u128::from(decoded.tick()), tick, "the tick of {id} in {plan}");
    assert_eq!(u128::from(decoded.node()), node, "the node of {id} in {plan}");
    assert_eq!(u128::from(decoded.sequence()), sequence, "the sequence of {id} in {plan}");
    assert_eq!(decoded.time().get(), plan.start_ms(tick), "the time of {id} in {plan}");
    let fields: Vec<(&str, u64)> = decoded.fields().collect();
    let expected: Vec<(&str, u64)> = plan.fields.iter().map(|field| field.name.as_str()).zip(plan.values(id)).collect();
    assert_eq!(fields, expected, "the fields of {id} in {plan}");
    assert_eq!(layout.compose_fields(&fields), Ok(id), "{fields:?} in {plan}");
    assert_eq!(layout.compose(decoded.time(), decoded.node(), decoded.sequence()), Ok(id), "{decoded:?}");
    assert_eq!(plan.compose(Parts { tick, node, sequence }), id, "the oracle itself");
}

/// Two ids against a range that begins at the earlier one's time: each is between its ends when its time is in the range.
fn ranges_hold_their_ids(plan: &Plan, layout: Layout, a: u64, b: u64) {
    let time = |id| plan.start_ms(plan.parts(id).tick);
    let (from, to) = (time(a).min(time(b)), time(a).max(time(b)));
    for id in [a, b] {
        let node = u64::try_from(plan.parts(id).node).expect("fewer than 64 bits");
        let range = layout
            .range_of_node(node, UnixMillis::new(from), UnixMillis::new(to))
            .expect("a node of the layout, and times in order");
        let inside = range.is_some_and(|range| (range.lowest..=range.highest).contains(&id));
        assert_eq!(inside, (from..to).contains(&time(id)), "{id} in {from} to {to} of {plan}: {range:?}");
    }
}
