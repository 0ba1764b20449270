//! Games looked at again: every decision judged by an agent, blunders marked.
//!
//! An [`Analyst`] says what a position is worth; [`judge`] finds a [`MoveVerdict`] on each decision of a game, and
//! [`SeatReview`] sums them up, mistakes by kind. The terminal, the page and records have them from here.

mod analyst;
mod judge;
mod mistake;
mod seat_review;
mod verdict;

pub use analyst::{Analyst, AnalystError, Outlook};
pub use judge::{JudgeError, Judging, judge, judging_agent};
pub use mistake::{KindReview, mistake_kind};
pub use seat_review::{JudgedDecision, SeatReview};
pub use verdict::{Mark, MoveVerdict};
