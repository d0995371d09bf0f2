//! The target `zip` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::zip(data));
