//! Faults that users of other generators have reported, each as a test that this one does not have it.
//!
//! A name is repository, number and fault. Twitter's is that of twitter-archive/snowflake. Reports that are not about a
//! generator, an id or a layout belong elsewhere:
//!
//! - The worker number, its lease and its source: sonyflake 57 and 52, corteza 15 (no private address), zitadel 9075 and 10484
//!   (equal internal addresses), Leaf 26 (numbers used up by containers), Leaf 97 (store down), yitter 110 and hyperf 7057 (a
//!   counter that wraps; the layout's part of it is below), and the halves of twitter 12, Leaf 216 and idworker 4 that need
//!   several processes: with the leases. So do the faults found in Leaf while reading (a time check that is swallowed, two
//!   nodes that both see an empty store).
//! - shardingsphere 3422 and 7750 (low rates give sequence 0 only): with the random start of the sequence.
//! - baidu 105 also as every interleaving: `one_id_each` in `loom.rs`.
//! - A ULID of 26 `Z`: with the other formats.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test, which is what a test is for")]

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use idcore::{
    BuildError, Clock, Discord, DynSnowflake, Exhaustion, Field, Generator, Instagram, IssueError, Layout, ManualClock,
    Mark, OnSleep, Rollback, Snowflake, Sonyflake, Standard, StaticLayout, SystemClock, Tsid, Twitter, UnixMillis,
};
use idtest::{Event, Recorder, vectors};

const MS: Duration = Duration::from_millis(1);
const HOUR: Duration = Duration::from_secs(3_600);
/// 2027-01-15.
const NOW: UnixMillis = UnixMillis::new(1_800_000_000_000);

type Ids<'a, T> = Generator<T, &'a ManualClock>;

fn ms(millis: i64) -> UnixMillis {
    UnixMillis::new(millis)
}

fn generator<T: StaticLayout>(clock: &ManualClock) -> Ids<'_, T> {
    T::generator_with(clock).node(1).unregistered().build().unwrap()
}

fn assert_distinct<T>(ids: &[Snowflake<T>]) {
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

// twitter-archive/snowflake #6: the sequence was reset before the clock was checked.
#[test]
fn twitter_snowflake_6_sequence_reset_before_clock_check() {
    let clock = ManualClock::new(NOW);
    let ids = Twitter::generator_with(&clock).node(1).unregistered().on_rollback(Rollback::Fail).build().unwrap();
    let mut issued = Vec::new();
    for step in [10, 9, 10, 9, 10] {
        clock.set(ms(NOW.get() + step));
        issued.extend((0..3).filter_map(|_| ids.next_id().ok()));
    }
    assert_eq!(issued.len(), 9);
    assert_distinct(&issued);
}

// twitter-archive/snowflake #11 and #12: all workers came to have one number. Here: no number is ever taken for granted.
#[test]
fn twitter_snowflake_11_12_no_worker_number_by_default() {
    let clock = ManualClock::new(NOW);
    assert_eq!(Twitter::generator_with(&clock).build().unwrap_err(), BuildError::NodeMissing { count: 1_024 });
    assert_eq!(Sonyflake::generator_with(&clock).build().unwrap_err(), BuildError::NodeMissing { count: 65_536 });
}

// bwmarrin/snowflake PR #8: JSON of one character panicked.
#[test]
fn bwmarrin_8_json_of_one_character() {
    assert_eq!(serde_json::from_str::<DynSnowflake>("1").unwrap().get(), 1);
    for json in ["\"", "\"\"", "", "-", "x", "\"x\""] {
        assert!(serde_json::from_str::<DynSnowflake>(json).is_err(), "{json}");
    }
}

// bwmarrin/snowflake PR #67: a JSON number was refused.
#[test]
fn bwmarrin_67_json_number_and_string() {
    for json in ["123", "\"123\""] {
        let id: DynSnowflake = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"123\"");
    }
}

// bwmarrin/snowflake #26: ids of two layouts were taken for each other. That it does not compile: `StaticLayout`'s docs.
#[test]
fn bwmarrin_26_two_layouts_are_two_types() {
    assert_ne!(TypeId::of::<Snowflake<Twitter>>(), TypeId::of::<Snowflake<Discord>>());
    assert_ne!(TypeId::of::<Snowflake<Twitter>>(), TypeId::of::<Snowflake<Standard>>(), "same widths, another epoch");
    assert_ne!(TypeId::of::<Snowflake<Twitter>>(), TypeId::of::<DynSnowflake>());
}

// bwmarrin/snowflake #17 and #64: two generators of one node in a process.
#[test]
fn bwmarrin_17_64_second_generator_of_a_node() {
    let clock = ManualClock::new(NOW);
    let first = Twitter::generator_with(&clock).node(640).build().unwrap();
    assert_eq!(Twitter::generator_with(&clock).node(640).build().unwrap_err(), BuildError::NodeInUse { node: 640 });
    drop(first);
}

// sony/sonyflake #12, sonyflake-rs #17, hutool #949, shardingsphere #17055: a generator for every call.
#[test]
fn sonyflake_12_hutool_949_generator_for_every_call() {
    let clock = ManualClock::new(NOW);
    let issued: Vec<_> =
        (0..100).map(|_| Sonyflake::generator_with(&clock).node(12).build().unwrap().next_id().unwrap()).collect();
    assert_distinct(&issued);
    assert_eq!(clock.slept(), Duration::ZERO, "all in one tick");
}

// sony/sonyflake PR #9: at full speed a generator said that it was over its time limit.
#[test]
fn sonyflake_9_full_speed_is_no_end_of_time() {
    let clock = ManualClock::new(NOW);
    let ids = generator::<Sonyflake>(&clock);
    let mut issued = vec![Snowflake::ZERO; 256_000];
    for chunk in issued.chunks_mut(1_000) {
        let (last, most) = chunk.split_last_mut().unwrap();
        ids.fill(most).unwrap();
        *last = ids.next_id().unwrap();
    }
    assert!(issued.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(clock.slept(), 9_990 * MS, "256 in each of a thousand ticks of 10 ms");
}

// sony/sonyflake #31 and PR #48: unsigned and signed numbers.
#[test]
fn sonyflake_31_48_signed_and_unsigned() {
    let clock = ManualClock::new(NOW);
    let ids = generator::<Sonyflake>(&clock);
    for _ in 0..1_000 {
        let id = ids.next_id().unwrap();
        let signed = i64::try_from(id).unwrap();
        assert_eq!(Snowflake::<Sonyflake>::try_from(signed), Ok(id));
    }
    assert!(Sonyflake::LAYOUT.id_max() <= i64::MAX.unsigned_abs());
    assert!(Snowflake::<Sonyflake>::try_from(-1i64).is_err());
    assert!(i64::try_from(DynSnowflake::new(1 << 63).unwrap()).is_err());
}

// baidu/uid-generator #100: the default ran out and ids went negative.
#[test]
fn baidu_100_past_the_last_time_is_an_error() {
    let end = Standard::LAYOUT.lifetime().end;
    let clock = ManualClock::new(ms(end.get() - 1));
    let ids = generator::<Standard>(&clock);
    assert!(i64::try_from(ids.next_id().unwrap()).is_ok());
    for past in [0, 1, 1 << 41, i64::MAX - end.get()] {
        clock.set(ms(end.get() + past));
        assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now: ms(end.get() + past), end }));
    }
}

// baidu/uid-generator #29: 23 bits of time had already run out.
#[test]
fn baidu_29_a_layout_that_has_run_out_is_refused() {
    let fields = [Field::timestamp(23), Field::node("worker", 22), Field::sequence(18)];
    let layout = Layout::new(ms(1_463_673_600_000), 1_000, &fields).unwrap(); // 2016-05-20, in seconds
    let end = layout.lifetime().end;
    assert!(end < NOW);
    let clock = ManualClock::new(NOW);
    assert_eq!(layout.generator_with(&clock).node(0).build().unwrap_err(), BuildError::EpochEnded { now: NOW, end });
}

// baidu/uid-generator #105: two threads took one item.
#[test]
fn baidu_105_two_takers_of_the_last_id() {
    for _ in 0..200 {
        let clock = ManualClock::new(NOW);
        let ids = generator::<Standard>(&clock);
        ids.fill(&mut vec![Snowflake::ZERO; 4_095]).unwrap();
        let start = Barrier::new(2);
        let both: Vec<_> = thread::scope(|scope| {
            let takers = [0; 2].map(|_| {
                scope.spawn(|| {
                    start.wait();
                    ids.try_next_id()
                })
            });
            takers.into_iter().map(|taker| taker.join().unwrap()).collect()
        });
        assert_eq!(both.iter().filter(|taken| taken.is_ok()).count(), 1, "{both:?}");
        assert!(both.contains(&Err(IssueError::Exhausted { retry_after: MS })), "{both:?}");
    }
}

// Meituan-Dianping/Leaf #216: a restart with the clock a second back repeated ids. The mark is what a store would keep.
#[test]
fn leaf_216_restart_with_the_clock_back() {
    let clock = ManualClock::new(NOW);
    let first = generator::<Standard>(&clock);
    let mut issued = vec![Snowflake::ZERO; 100];
    first.fill(&mut issued).unwrap();
    let stored: u64 = first.mark().get();
    drop(first);
    clock.step_back(Duration::from_secs(1));
    let second = Standard::generator_with(&clock).node(1).unregistered().not_before(Mark::new(stored)).build().unwrap();
    let second_behind = Duration::from_secs(1);
    assert_eq!(second.next_id(), Err(IssueError::ClockBehind { behind: second_behind, retry_after: second_behind }));
    clock.advance(Duration::from_secs(1));
    issued.push(second.next_id().unwrap());
    assert_distinct(&issued);
}

// Meituan-Dianping/Leaf #106: 41 bits of time overflowed into a negative number.
#[test]
fn leaf_106_overflow_of_41_bits() {
    let epoch = Twitter::LAYOUT.epoch().get();
    let clock = ManualClock::new(NOW);
    let ids = generator::<Twitter>(&clock);
    clock.set(ms(epoch + (1 << 41)));
    assert_eq!(ids.next_id(), Err(IssueError::EpochEnded { now: ms(epoch + (1 << 41)), end: ms(epoch + (1 << 41)) }));
    assert!(Twitter::LAYOUT.compose(ms(epoch + (1 << 41)), 0, 0).is_err());
}

// f4b6a3/tsid-creator #25 and #26, hypersistence-tsid #5: of a million ids from 100 threads, 996,438 were unique.
#[test]
fn tsid_creator_25_26_a_hundred_threads() {
    let ids = Tsid::generator().node(26).unregistered().on_exhausted(Exhaustion::Wait { max: 60 * 1_000 * MS });
    let ids = ids.on_rollback(Rollback::Wait { max: 60 * 1_000 * MS }).build().unwrap();
    let issued: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..100).map(|_| scope.spawn(|| (0..10_000).map(|_| ids.next_id().unwrap()).collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(issued.len(), 1_000_000);
    assert_distinct(&issued);
}

// f4b6a3/tsid-creator #31: a character of several bytes was an index out of bounds.
#[test]
fn tsid_creator_31_characters_of_several_bytes() {
    for c in ['é', '€', '🦀', '\u{301}'] {
        for text in [
            c.to_string().repeat(13),
            format!("{c}{}", "0".repeat(13 - c.len_utf8())),
            format!("{}{c}", "0".repeat(13)),
        ] {
            assert!(DynSnowflake::from_crockford(&text).is_err(), "{text}");
            assert!(DynSnowflake::from_base62(&text).is_err(), "{text}");
            assert!(text.parse::<DynSnowflake>().is_err(), "{text}");
        }
    }
}

// RobThree/IdGen #53: a wait for the next millisecond took 15. No sleep is longer than to the end of the tick, and half of
// the waits at least are over within 2 ms, on a machine that may be busy.
#[test]
fn idgen_53_a_wait_is_for_the_tick_and_no_longer() {
    let clock = Recorder::new(SystemClock);
    // Few enough ids in a tick for any machine to use them up.
    let layout = Layout::new(ms(0), 1, &[Field::timestamp(41), Field::sequence(4)]).unwrap();
    let ids = layout.generator_with(&clock).unregistered().build().unwrap();
    let mut waits = Vec::new();
    // Most tries find the tick used up: a bound on the tries, should none do.
    for _ in 0..300 {
        while ids.try_next_id().is_ok() {}
        clock.take();
        let begun = Instant::now();
        ids.next_id().unwrap();
        let took = begun.elapsed();
        let asked = clock
            .take()
            .into_iter()
            .filter_map(|event| if let Event::Sleep(asked) = event { Some(asked) } else { None });
        let asked: Vec<_> = asked.collect();
        assert!(asked.iter().all(|asked| *asked <= MS), "{asked:?}");
        if !asked.is_empty() {
            waits.push(took);
        }
    }
    assert!(waits.len() > 100, "{} of 300 tries had to wait", waits.len());
    waits.sort_unstable();
    let median = waits[waits.len() / 2];
    assert!(median <= 2 * MS, "the median of the waits is {median:?}");
}

// yitter/IdGenerator #29: the first calls of several threads gave equal ids.
#[test]
fn yitter_29_first_calls_of_ten_threads() {
    for _ in 0..100 {
        let ids = Standard::generator().node(29).unregistered().build().unwrap();
        let start = Barrier::new(10);
        let issued: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..10)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        ids.next_id().unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_distinct(&issued);
    }
}

// yitter/IdGenerator #110, hyperf #7057: a worker number past the last one wrapped to the first.
#[test]
fn yitter_110_hyperf_7057_worker_number_does_not_wrap() {
    let clock = ManualClock::new(NOW);
    for node in [1_024, 1_025, 1 << 32, u64::MAX] {
        let built = Standard::generator_with(&clock).node(node).unregistered().build();
        assert!(matches!(built, Err(BuildError::Node(_))), "{node}");
        assert!(Standard::LAYOUT.compose(NOW, node, 0).is_err(), "{node}");
    }
}

// aevitas/flakeid #23: the counter wrapped within a millisecond.
#[test]
fn flakeid_23_4097_ids_of_a_frozen_millisecond() {
    let clock = ManualClock::new(NOW);
    clock.on_sleep(OnSleep::Freeze);
    let ids = Standard::generator_with(&clock).node(1).unregistered().on_exhausted(Exhaustion::Wait { max: 3 * MS });
    let ids = ids.build().unwrap();
    let issued: Vec<_> = (0..4_096).map(|_| ids.next_id().unwrap()).collect();
    assert_distinct(&issued);
    assert_eq!(ids.next_id(), Err(IssueError::Exhausted { retry_after: MS }));
    assert_eq!(ids.try_next_id(), Err(IssueError::Exhausted { retry_after: MS }));
}

// s-yadav/FlakeId PR #10: the time was not read again after the wait.
#[test]
fn flakeid_10_three_ticks_of_ids() {
    let clock = ManualClock::new(NOW);
    let ids = generator::<Standard>(&clock);
    let issued: Vec<_> = (0..3 * 4_096).map(|_| ids.next_id().unwrap()).collect();
    assert_distinct(&issued);
    assert_eq!(issued.last().map(|id| id.time()), Some(ms(NOW.get() + 2)));
}

// imadcn/idworker #4: after its session was lost it went on. Reserved time that is not renewed is a ceiling.
#[test]
fn idworker_4_reserved_time_that_is_not_renewed() {
    let clock = ManualClock::new(NOW);
    let until = ms(NOW.get() + 10);
    let ids = Standard::generator_with(&clock).node(1).unregistered().ceiling(until).build().unwrap();
    for _ in 0..10 {
        let id = ids.next_id().unwrap();
        assert!(id.time() < until);
        clock.advance(MS);
    }
    assert_eq!(ids.next_id(), Err(IssueError::ReservationEnded { until }));
}

// luizkowalski/snowflaked PR #25: an epoch that was not set was 1970, and nobody saw that it ends in 2039.
#[test]
fn snowflaked_25_the_epoch_is_asked_for_and_the_end_told() {
    let error = "timestamp:41,worker:10,sequence:12".parse::<Layout>().unwrap_err();
    assert!(error.to_string().starts_with("no epoch in the layout"), "{error}");
    let of_1970: Layout = "epoch=0,timestamp:41,worker:10,sequence:12".parse().unwrap();
    assert_eq!(of_1970.lifetime().end, ms(1 << 41), "2039-09-07");
    let past = ManualClock::new(ms(1 << 41));
    let built = of_1970.generator_with(&past).node(0).unregistered().build();
    assert!(matches!(built, Err(BuildError::EpochEnded { .. })));
}

// sapphiredev/framework #521, andersfylling/disgord #36: wrong epochs.
#[test]
fn sapphire_521_disgord_36_epochs() {
    let epochs = [
        (Discord::LAYOUT, 1_420_070_400_000),
        (Twitter::LAYOUT, 1_288_834_974_657),
        (Instagram::LAYOUT, 1_314_220_021_721),
        (Sonyflake::LAYOUT, 1_409_529_600_000),
        (Tsid::LAYOUT, 1_577_836_800_000),
    ];
    for (layout, epoch) in epochs {
        assert_eq!(layout.epoch(), ms(epoch));
    }
    // And by ids whose times are known.
    for vector in &vectors::Snowflake::load().ids {
        let layout: Layout = vector.layout.parse().unwrap();
        let raw = vector.id.parse::<DynSnowflake>().unwrap().get();
        assert_eq!(layout.decode(raw).map(|id| id.time()), Ok(ms(vector.unix_ms)), "{}", vector.id);
    }
}

// powercontext #91: a float rounded an id. discord-api-docs PR #1157: a negative number was an id.
#[test]
fn powercontext_91_discord_1157_floats_and_negative_numbers() {
    let id: Snowflake<Discord> = "175928847299117063".parse().unwrap();
    let json = serde_json::to_value(id).unwrap();
    assert_eq!(json.as_f64(), None, "no number that somebody could hold as a float");
    assert_eq!(serde_json::from_value::<Snowflake<Discord>>(json).unwrap(), id);
    assert!(serde_json::from_str::<Snowflake<Discord>>("1.75928847299117063e17").is_err());
    assert!(serde_json::from_str::<Snowflake<Discord>>("-175928847299117063").is_err());
    assert!("-175928847299117063".parse::<Snowflake<Discord>>().is_err());
}

// Faults that were found by reading or trying other crates.

// rs-snowflake, tsid, ferroid: machine 40 became 8, node 300 became 44, a worker number was cut to its field.
#[test]
fn found_node_masked_to_its_field() {
    let fields = [Field::timestamp(41), Field::node("machine", 5), Field::node("node", 8), Field::sequence(9)];
    let layout = Layout::new(ms(0), 1, &fields).unwrap();
    assert!(layout.node_of(&[("machine", 40), ("node", 0)]).is_err());
    assert!(layout.node_of(&[("machine", 0), ("node", 300)]).is_err());
    assert!(layout.compose_fields(&[("timestamp", 1), ("machine", 40), ("node", 0), ("sequence", 0)]).is_err());
    let clock = ManualClock::new(NOW);
    assert!(layout.generator_with(&clock).node(1 << 13).unregistered().build().is_err());
}

// snowflaked: a sequence of 5,000 ran over into the instance.
#[test]
fn found_sequence_that_bleeds_into_the_node() {
    assert!(Standard::LAYOUT.compose(NOW, 0, 5_000).is_err());
    let values = [("timestamp", 1), ("datacenter", 0), ("worker", 0), ("sequence", 5_000)];
    assert!(Standard::LAYOUT.compose_fields(&values).is_err());
}

// snowflaked panicked at an epoch in the future, ferroid issued time zero.
#[test]
fn found_epoch_in_the_future() {
    let clock = ManualClock::new(NOW);
    let layout = Layout::new(ms(NOW.get() + 1), 1, &[Field::timestamp(41), Field::sequence(12)]).unwrap();
    let error = layout.generator_with(&clock).unregistered().build().unwrap_err();
    assert_eq!(error, BuildError::ClockBeforeEpoch { now: NOW, epoch: ms(NOW.get() + 1) });
}

// ferroid, snowflaked: past the end of the time field duplicates, or a silent wrap.
#[test]
fn found_silent_wrap_of_the_time_field() {
    let layout = Layout::new(ms(0), 1, &[Field::timestamp(4), Field::sequence(2)]).unwrap();
    let clock = ManualClock::new(ms(14));
    let ids = layout.generator_with(&clock).unregistered().build().unwrap();
    let mut issued = Vec::new();
    for now in 14..70 {
        clock.set(ms(now));
        issued.extend((0..4).map_while(|_| ids.try_next_id().ok()));
    }
    assert_eq!(issued.iter().map(|id| id.get()).collect::<Vec<_>>(), (56..64).collect::<Vec<_>>());
}

// snowflake_me: next_ids(usize::MAX) panicked. A buffer is the caller's here; the counts beside it do not overflow.
#[test]
fn found_counts_that_overflow() {
    let clock = ManualClock::new(ms(5));
    let layout = Layout::new(ms(0), 1, &[Field::timestamp(3), Field::sequence(60)]).unwrap();
    let ids = layout.generator_with(&clock).unregistered().ahead_max(Duration::MAX).build().unwrap();
    ids.fill(&mut []).unwrap();
    ids.fill(&mut [DynSnowflake::ZERO; 3]).unwrap();
    assert_eq!(ids.mark(), Mark::new((5 << 60) + 3));
    let waits_forever = Standard::generator_with(&clock).node(0).unregistered();
    let waits_forever = waits_forever.on_exhausted(Exhaustion::Wait { max: Duration::MAX });
    clock.set(NOW);
    let waits_forever = waits_forever.on_rollback(Rollback::Wait { max: Duration::MAX }).build().unwrap();
    waits_forever.next_id().unwrap();
    clock.step_back(1_000_000 * HOUR);
    assert!(waits_forever.next_id().is_ok(), "a century is waited out when that is asked for");
}

// snowflake_me: "+5" was a number.
#[test]
fn found_plus_five() {
    assert!("+5".parse::<DynSnowflake>().is_err());
    assert!(serde_json::from_str::<DynSnowflake>("\"+5\"").is_err());
}

// ferroid: G000000000001 was read as 1. tsid: ZZZZZZZZZZZZZ was accepted.
#[test]
fn found_thirteen_characters_above_64_bits() {
    for text in ["G000000000001", "G000000000000", "ZZZZZZZZZZZZZ", "HZZZZZZZZZZZZ"] {
        assert!(DynSnowflake::from_crockford(text).is_err(), "{text}");
    }
    assert_eq!(DynSnowflake::from_crockford("FZZZZZZZZZZZZ").map(DynSnowflake::get), Ok(u64::MAX));
}

// rs-snowflake: ids of a bucket came out descending, and 5 million ran 1.2 s ahead of the clock.
#[test]
fn found_ids_descending_or_far_ahead() {
    let clock = ManualClock::new(NOW);
    let ids = generator::<Standard>(&clock);
    let mut issued = vec![Snowflake::ZERO; 50_000];
    ids.fill(&mut issued).unwrap();
    assert!(issued.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(issued.last().map(|id| id.time()), Some(clock.now().millis()), "none ahead when nothing is allowed");
}

// yitter: times of its back-steps were counted down, and the fifth overlapping one repeated ids.
#[test]
fn found_overlapping_steps_back() {
    for (rollback, ahead_max) in [(Rollback::Fail, HOUR), (Rollback::Wait { max: HOUR }, Duration::ZERO)] {
        let clock = ManualClock::new(NOW);
        let ids = Standard::generator_with(&clock).node(1).unregistered().on_rollback(rollback).ahead_max(ahead_max);
        let ids = ids.build().unwrap();
        let mut issued = Vec::new();
        for _ in 0..12 {
            issued.extend((0..100).map(|_| ids.next_id().unwrap()));
            clock.step_back(3 * MS);
        }
        assert_distinct(&issued);
        assert!(issued.is_sorted());
    }
}

// sonyflake: after a large step back the first full tick slept for the whole step.
#[test]
fn found_sleep_for_a_whole_step_back() {
    let clock = ManualClock::new(NOW);
    let ids = Sonyflake::generator_with(&clock).node(1).unregistered().ahead_max(20 * MS).build().unwrap();
    ids.fill(&mut vec![Snowflake::ZERO; 256]).unwrap();
    clock.step_back(HOUR);
    let error = ids.fill(&mut [Snowflake::ZERO; 300]).unwrap_err();
    assert!(matches!(error.error, IssueError::ClockBehind { .. }), "{error}");
    assert_eq!(clock.slept(), Duration::ZERO);
}

// idgenerator: the first id cost a second of sleep, and a width that was set later did not change the sequence's limit.
#[test]
fn found_sleep_when_building_and_limits_left_behind() {
    let clock = ManualClock::new(NOW);
    for bits in [8, 12] {
        let layout = Layout::new(ms(0), 1, &[Field::timestamp(41), Field::sequence(bits)]).unwrap();
        let ids = layout.generator_with(&clock).unregistered().on_exhausted(Exhaustion::Fail).build().unwrap();
        let error = ids.fill(&mut vec![DynSnowflake::ZERO; 5_000]).unwrap_err();
        assert_eq!(error.filled, 1 << bits);
    }
    assert_eq!(clock.sleeps(), 0);
}
