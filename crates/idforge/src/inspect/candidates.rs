//! Which layouts an id may be of, when nobody says, and which of them is the most likely.

use idcore::UnixMillis;

use crate::decode::Decode;
use crate::layouts::NamedLayout;

const DAY_MS: i64 = 86_400_000;

/// Where the ids that people meet come from, the most widespread first; what is not listed comes after.
const WIDESPREAD: [&str; 7] = ["discord", "twitter", "mastodon", "instagram", "sonyflake", "sonyflake2", "tsid"];

/// How [`candidates`] ranks, in words.
pub(crate) const RANKING: &str =
    "ranked: made within the last day, then more leading zeros in the sequence, then the more widespread layout";

/// The readings of an id by several layouts.
#[derive(Debug)]
pub(crate) struct Candidates<'a> {
    /// Those whose time is not later than a day from now, the most likely first.
    pub(crate) plausible: Vec<Decode<'a>>,
    /// Those whose time is later, soonest first: ids are made in the past.
    pub(crate) implausible: Vec<Decode<'a>>,
}

/// All readings of `raw`; layouts that it has too many bits for have none.
///
/// An id that was just made is most often the one that is looked at, so a time within the last day comes first. Then, most
/// ids are made when little is going on and so have a low sequence: each leading zero in it halves the chance that the bits
/// are of something else. What is left is decided by how widespread a layout is.
pub(crate) fn candidates(layouts: &[NamedLayout], raw: u64, now: UnixMillis) -> Candidates<'_> {
    let tomorrow = UnixMillis::new(now.get().saturating_add(DAY_MS));
    let readings = layouts.iter().filter_map(|named| Decode::new(named, raw).ok());
    let (mut plausible, mut implausible): (Vec<_>, Vec<_>) = readings.partition(|decode| decode.time() <= tomorrow);
    plausible.sort_by_key(|decode| {
        let is_old = decode.time().get() < now.get().saturating_sub(DAY_MS);
        (is_old, -leading_zeros(decode), rank(&decode.named.name))
    });
    implausible.sort_by_key(Decode::time);
    Candidates { plausible, implausible }
}

/// The number of leading zeros in the sequence's bits.
fn leading_zeros(decode: &Decode) -> i64 {
    let used_bits = u64::BITS - decode.decoded.sequence().leading_zeros();
    i64::from(decode.named.layout.sequence_bits()) - i64::from(used_bits)
}

fn rank(name: &str) -> usize {
    WIDESPREAD.iter().position(|widespread| *widespread == name).unwrap_or(WIDESPREAD.len())
}

#[cfg(test)]
mod tests {
    use idcore::presets;

    use super::*;

    /// 2026-01-01.
    const NOW: UnixMillis = UnixMillis::new(1_767_225_600_000);

    fn all() -> Vec<NamedLayout> {
        presets::ALL.iter().map(NamedLayout::from).collect()
    }

    fn names(decodes: &[Decode]) -> Vec<String> {
        decodes.iter().map(|decode| decode.named.name.clone()).collect()
    }

    #[test]
    fn a_fresh_id_of_any_layout_is_known() {
        let layouts = all();
        for named in &layouts {
            let made = UnixMillis::new(NOW.get() - 60_000);
            let raw = named.layout.compose(made, 0, 0).expect("a time within the layout");
            let candidates = candidates(&layouts, raw, NOW);
            let fresh: Vec<_> =
                candidates.plausible.iter().take_while(|c| c.time().get() >= NOW.get() - DAY_MS).collect();
            assert!(
                fresh.iter().any(|decode| decode.named == named),
                "{}: {:?}",
                named.name,
                names(&candidates.plausible)
            );
        }
    }

    #[test]
    fn ids_with_a_low_sequence_are_known() {
        let layouts = all();
        let of = |raw| names(&candidates(&layouts, raw, NOW).plausible);
        assert_eq!(of(175_928_847_299_117_063)[0], "discord");
        // A sequence of 7 is low in 12 bits; with the worker's bits before it, it is not low in 22.
        let at = |first: &str, second: &str, names: &[String]| {
            names.iter().position(|name| name == first) < names.iter().position(|name| name == second)
        };
        assert!(at("discord", "wide", &of(175_928_847_299_117_063)));
    }

    #[test]
    fn a_time_later_than_tomorrow_is_not_plausible() {
        let layouts = all();
        let twitter = layouts.iter().find(|named| named.name == "twitter").expect("a preset");
        let at = |ms| twitter.layout.compose(UnixMillis::new(NOW.get() + ms), 1, 1).expect("a time within the layout");
        let is_plausible = |raw| names(&candidates(&layouts, raw, NOW).plausible).contains(&"twitter".to_owned());
        assert!(is_plausible(at(DAY_MS)));
        assert!(!is_plausible(at(DAY_MS + 1)));
    }

    #[test]
    fn every_layout_that_is_wide_enough_has_a_reading() {
        let layouts = all();
        let count = |raw: u64| {
            let found = candidates(&layouts, raw, NOW);
            found.plausible.len() + found.implausible.len()
        };
        assert_eq!(count(0), layouts.len());
        assert_eq!(count(u64::MAX), layouts.iter().filter(|named| named.layout.bits() == 64).count());
        // Nothing overflows at the ends of time.
        assert_eq!(candidates(&layouts, 0, UnixMillis::new(i64::MAX)).implausible.len(), 0);
        assert_eq!(candidates(&layouts, 0, UnixMillis::new(i64::MIN)).plausible.len(), 0);
    }
}
