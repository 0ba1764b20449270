//! Fuzzes [`azulejo_fuzz::network`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::network(text));
