//! Fuzzes [`azulejo_fuzz::resumed`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::resumed(text));
