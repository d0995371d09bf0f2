//! The target `lesson` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::write_seeds("lesson"), |data: &[u8]| targets::lesson(data));
