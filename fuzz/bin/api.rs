//! The target `api` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::write_seeds("api"), |data: &[u8]| targets::api(data));
