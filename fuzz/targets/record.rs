//! Fuzzes [`azulejo_fuzz::record`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::record(text));
