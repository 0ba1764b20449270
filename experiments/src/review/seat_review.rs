//! How a seat has played: [`SeatReview`].

use azulejo::{Seat, Turn};
use serde::Serialize;

use super::verdict::{Mark, MoveVerdict};

/// How often a seat's moves were marked, and what they lost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatReview {
    /// The seat.
    pub seat: Seat,
    /// Its decisions with a verdict.
    pub moves: usize,
    /// The mean loss of the win a decision.
    pub loss: f32,
    /// The mean loss in points a decision; `None` if none is known, as in older reviews.
    pub points_lost: Option<f32>,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
}

impl SeatReview {
    /// What verdicts, each with whose decision it was about, say of a seat.
    pub fn of<'a>(seat: Seat, verdicts: impl Iterator<Item = (Turn, &'a MoveVerdict)>) -> Self {
        let own = verdicts.filter(|(turn, _)| *turn == Turn::Player(seat));
        let own: Vec<&MoveVerdict> = own.map(|(_, verdict)| verdict).collect();
        let mean = |sum: f32| sum / own.len().max(1) as f32;
        let marked = |mark| own.iter().filter(|verdict| verdict.mark() == Some(mark)).count();
        let points = own.iter().filter_map(|verdict| verdict.points_lost);
        SeatReview {
            seat,
            moves: own.len(),
            loss: mean(own.iter().filter_map(|verdict| verdict.loss).sum()),
            points_lost: points.reduce(|sum, points| sum + points).map(mean),
            inaccuracies: marked(Mark::Inaccuracy),
            mistakes: marked(Mark::Mistake),
            blunders: marked(Mark::Blunder),
        }
    }
}
