//! Ids from untrusted text: what is accepted prints back as it was, and sorts like its number.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| idtest::fuzz::id_text(data));
