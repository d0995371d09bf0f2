//! The target `link` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::write_seeds("link"), |data: &[u8]| targets::link(data));
