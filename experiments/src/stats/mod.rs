//! Statistics: intervals by the bootstrap over seed blocks, ratings by maximum likelihood, sequential tests.
//!
//! Formulas and their sources are in `docs/statistics.md`.

mod bootstrap;
mod interval;
mod rating;
mod sprt;

pub use bootstrap::{RESAMPLES, Stratum, Totals, bootstrap};
pub use interval::Interval;
pub use rating::{Contest, ELO, rate};
pub use sprt::{NORMALIZED_ELO, Scale, Sprt, SprtSettings, Verdict, expected_share};
