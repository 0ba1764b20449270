//! Fuzzes [`azulejo_fuzz::spec`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::spec(text));
