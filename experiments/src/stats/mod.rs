//! Statistics: intervals by the bootstrap over seed blocks, and ratings by maximum likelihood.
//!
//! Formulas and their sources are in `docs/statistics.md`.

mod bootstrap;
mod interval;
mod rating;

pub use bootstrap::{RESAMPLES, Stratum, Totals, bootstrap};
pub use interval::Interval;
pub use rating::{Contest, ELO, PRIOR, rate};
