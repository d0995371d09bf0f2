//! The target `lesson` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::lesson(data));
