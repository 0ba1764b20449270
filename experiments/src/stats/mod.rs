//! Statistics: intervals by the bootstrap over seed blocks, ratings by maximum likelihood, cycles,
//! sequential tests.
//!
//! Formulas and their sources are in `docs/statistics.md`.

mod bootstrap;
mod cycles;
mod estimate;
mod histogram;
mod interval;
mod moments;
mod rating;
mod sprt;

pub use bootstrap::{RESAMPLES, Resamples, Stratum, Sums, bootstrap};
pub use cycles::Triads;
pub use estimate::Estimate;
pub(crate) use estimate::estimate_keys;
pub use histogram::{Bins, Histogram};
pub use interval::Interval;
pub use moments::Moments;
pub use rating::{Contest, ELO, Member, rate, rate_with_seats};
pub use sprt::{NORMALIZED_ELO, Scale, Sprt, SprtSettings, Verdict, expected_share};
