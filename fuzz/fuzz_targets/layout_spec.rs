//! Layouts from untrusted text: what is accepted prints back as an equal layout.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| idtest::fuzz::layout_spec(data));
