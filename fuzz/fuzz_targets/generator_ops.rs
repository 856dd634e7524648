//! Operations on a generator under a clock moved at random: no id twice, none out of order.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| idtest::fuzz::generator_ops(data));
