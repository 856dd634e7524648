//! A program for bare metal that makes, prints, reads back and decodes ids.
//!
//! It is built and never run. The panic handler below clashes with the one of std if any dependency
//! brings std along, and an allocation would ask for an allocator that is not there.

#![no_std]

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicI64, Ordering};
use core::time::Duration;

use idcore::{Clock, Layout, Snowflake, Standard, StaticLayout, UnixMillis, UnixTime};

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

#[panic_handler]
fn panic(_info: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
