//! Fuzzes [`azulejo_fuzz::token`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::token(text));
