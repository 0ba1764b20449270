//! Fuzzes [`azulejo_fuzz::manifest`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::manifest(text));
