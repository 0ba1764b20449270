//! Fuzzes [`azulejo_fuzz::state`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::state(text));
