//! Fuzzes [`azulejo_fuzz::rules`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::rules(text));
