//! Which formats 128 bits may be of, when their text does not say.

use idcore::UnixMillis;
use ulid::Ulid;
use uuid::Uuid;

use super::{Look, WideId};

const DAY_MS: i64 = 86_400_000;

/// 2010-01-01: none of the formats whose times are guessed by was made much earlier.
const FIRST_LIKELY: UnixMillis = UnixMillis::new(1_262_304_000_000);

/// The formats that the bits may be of, the likeliest first; never none.
///
/// - A UUID's own forms are a UUID. If it is of no version, but as a ULID has a likely time, it is more likely a ULID that a
///   `uuid` column held.
/// - 26 characters are a ULID, or else a UUID of a version, if it tells no unlikely time.
/// - 32 hex digits and numbers are a UUID of a version, or else a ULID with a likely time.
pub(crate) fn candidates(look: Look, bits: u128, now: UnixMillis) -> Vec<WideId> {
    let (uuid, as_ulid) = (WideId::Uuid(Uuid::from_u128(bits)), WideId::Ulid(Ulid(bits)));
    match look {
        Look::Uuid if !uuid.is_defined() && is_likely(as_ulid, now) => vec![as_ulid, uuid],
        Look::Uuid => vec![uuid],
        Look::Crockford if uuid.is_defined() && (uuid.time().is_none() || is_likely(uuid, now)) => {
            vec![as_ulid, uuid]
        }
        Look::Crockford => vec![as_ulid],
        Look::Hex | Look::Decimal => match (uuid.is_defined(), is_likely(as_ulid, now)) {
            (true, true) => vec![uuid, as_ulid],
            (false, true) => vec![as_ulid, uuid],
            (_, false) => vec![uuid],
        },
    }
}

/// Whether the id has a time between 2010 and tomorrow.
fn is_likely(id: WideId, now: UnixMillis) -> bool {
    let tomorrow = UnixMillis::new(now.get().saturating_add(DAY_MS));
    id.time().is_some_and(|time| FIRST_LIKELY <= time && time <= tomorrow)
}
