//! One test for each sentence of the rules, each named after the sentence that it checks.

mod acquiring;
mod chance;
mod ending;
mod passing;
mod paying;
mod placing;
