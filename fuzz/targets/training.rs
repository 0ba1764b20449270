//! Fuzzes [`azulejo_fuzz::training`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::training(text));
