//! UUIDs, ULIDs and TypeIDs from untrusted bytes: what is accepted prints back as it was, and sorts like its number.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| idtest::fuzz::formats_text(data));
