//! Fuzzes [`azulejo_fuzz::weights`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::weights(text));
