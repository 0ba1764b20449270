//! One test for each sentence of the rules, on positions written down for it.

mod changed;
mod drafting;
mod ending;
mod gray;
mod refilling;
mod tiling;
