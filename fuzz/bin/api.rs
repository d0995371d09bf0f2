//! The target `api` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::api(data));
