//! A program for bare metal that makes, prints, reads back and decodes ids.
//!
//! It is built and never run. The panic handler below clashes with the one of std if any dependency
//! brings std along, and an allocation would ask for an allocator that is not there.

#![no_std]

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicI64, Ordering};
use core::time::Duration;

use idcore::{Clock, Layout, Snowflake, Standard, StaticLayout, UnixMillis, UnixTime};
use idformats::text::{TypeId, base62, crockford, hyphenated};
use idformats::{Entropy, EntropyError, Format, UlidMonotonic, V7Counter};

/// A clock of the platform's own, here a counter of milliseconds that an interrupt would advance.
struct Uptime {
    unix_ms: AtomicI64,
}

impl Clock for Uptime {
    fn now(&self) -> UnixTime {
        // Relaxed: a counter that publishes nothing.
        UnixTime::new(UnixMillis::new(self.unix_ms.load(Ordering::Relaxed)), 0)
    }

    fn sleep(&self, duration: Duration) {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        self.unix_ms.fetch_add(millis, Ordering::Relaxed);
    }
}

/// Entropy of the platform's own, here a counter where a program would read its generator of random bits.
struct Noise {
    next: AtomicI64,
}

impl Entropy for Noise {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        for byte in bytes {
            *byte = self.next.fetch_add(1, Ordering::Relaxed).to_le_bytes()[0];
        }
        Ok(())
    }
}

/// A UUID and a ULID of one time.
fn use_the_formats(start: UnixMillis) -> Option<u128> {
    let clock = Uptime { unix_ms: AtomicI64::new(start.get()) };
    let noise = Noise { next: AtomicI64::new(0) };
    let uuids = V7Counter::generator_with(&clock).entropy(&noise).build().ok()?;
    let ulids = UlidMonotonic::generator_with(&clock).entropy(&noise).build().ok()?;
    let uuid = uuids.next_id().ok()?.max(uuids.local().next_id().ok()?);
    let ulid = ulids.next_id().ok()?;
    let read_back = [
        hyphenated::parse(hyphenated::text(uuid).as_str()).ok()?.as_u128(),
        TypeId::parse(TypeId::new("user", uuid).ok()?.text().as_str()).ok()?.uuid().as_u128(),
        base62::parse(base62::text(uuid.as_u128()).as_str()).ok()?,
    ];
    let all_equal = read_back.iter().all(|copy| *copy == uuid.as_u128());
    let copy = crockford::parse(crockford::text(ulid).as_str()).ok()?;
    (all_equal && copy == ulid).then_some(uuid.as_u128() ^ ulid.0)
}

/// The sum of what the API gives, so that no call of it is left out of the library; `None` on any error.
fn use_the_api(start: UnixMillis) -> Option<u64> {
    let clock = Uptime { unix_ms: AtomicI64::new(start.get()) };
    let ids = Standard::generator_with(clock).node(17).build().ok()?;
    let mut batch = [Snowflake::<Standard>::ZERO; 8];
    ids.fill(&mut batch).ok()?;
    let id = ids.next_id().ok()?.max(ids.try_next_id().ok()?);
    ids.close();

    let layout: Layout = Standard::LAYOUT;
    let range = layout.range(start, UnixMillis::new(start.get() + 1_000)).ok()??;
    let composed = layout.compose(id.time(), id.node(), id.sequence()).ok()?;
    let worker = layout.decode(composed).ok()?.field("worker")?;

    let read_back = [
        Snowflake::<Standard>::from_decimal(&id.decimal()).ok()?,
        Snowflake::from_crockford(&id.crockford()).ok()?,
        Snowflake::from_base62(&id.base62()).ok()?,
    ];
    let all_equal = read_back.iter().all(|copy| copy.get() == composed);
    let within = (range.lowest..=range.highest).contains(&batch[0].get());
    (all_equal && within).then_some(composed.wrapping_add(worker))
}

/// Exported, so that the above is part of the library.
#[unsafe(no_mangle)]
pub extern "C" fn idcore_without_std(unix_ms: i64) -> u64 {
    use_the_api(UnixMillis::new(unix_ms)).unwrap_or(0)
}

/// As above, for UUIDs and ULIDs; the bits that differ.
#[unsafe(no_mangle)]
pub extern "C" fn idformats_without_std(unix_ms: i64) -> u32 {
    use_the_formats(UnixMillis::new(unix_ms)).map_or(0, u128::count_ones)
}

#[panic_handler]
fn panic(_info: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
