//! Fuzzes [`azulejo_fuzz::protocol`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::protocol(text));
