//! Fuzzes [`azulejo_fuzz::balance`].
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| azulejo_fuzz::balance(text));
