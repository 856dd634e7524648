//! Operations on generators of UUIDs and ULIDs under a clock moved at random: no id twice, none out of order.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| idtest::fuzz::formats_ops(data));
