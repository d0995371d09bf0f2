//! The target `zip` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::write_seeds("zip"), |data: &[u8]| targets::zip(data));
