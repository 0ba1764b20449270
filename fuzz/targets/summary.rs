//! Fuzzes [`azulejo_fuzz::summary`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::summary(text));
