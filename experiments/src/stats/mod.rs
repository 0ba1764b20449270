//! Statistics: intervals by the bootstrap over seed blocks, ratings by maximum likelihood, cycles,
//! sequential tests.
//!
//! Formulas and their sources are in `docs/statistics.md`.

mod bootstrap;
mod cycles;
mod estimate;
mod half_blocks;
mod handicap;
mod histogram;
mod interval;
mod moments;
mod rating;
mod sprt;

pub(crate) use bootstrap::{Resamples, Stratum, Sums, bootstrap, gamma};
pub(crate) use cycles::Triads;
pub use estimate::Estimate;
pub(crate) use estimate::estimate_keys;
pub(crate) use half_blocks::HalfBlocks;
pub use handicap::{HandicapPoint, even_handicap, neighbors};
pub use histogram::{Bins, Histogram};
pub use interval::Interval;
pub(crate) use moments::Moments;
pub(crate) use rating::{Contest, ELO, Member, rate, rate_with_seats};
pub use sprt::{Scale, SprtSettings, Verdict};
pub(crate) use sprt::{Sprt, expected_share};
