//! How a seat has played: [`SeatReview`].

use azulejo::{Seat, Turn};
use serde::Serialize;

use super::mistake::{KindReview, by_kind};
use super::verdict::{Mark, MoveVerdict};
use crate::words::MistakeKind;

/// A decision: whose it was, its verdict, and if it was a mistake, of which kind.
pub type JudgedDecision<'a> = (Turn, &'a MoveVerdict, Option<MistakeKind>);

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
    /// Its mistakes by kind, the kind by which most was lost first.
    pub kinds: Vec<KindReview>,
}

impl SeatReview {
    /// What the verdicts on a game's decisions say of a seat.
    pub fn of<'a>(seat: Seat, decisions: impl Iterator<Item = JudgedDecision<'a>>) -> Self {
        let (own, kinds): (Vec<_>, Vec<_>) = decisions
            .filter(|(turn, ..)| *turn == Turn::Player(seat))
            .map(|(_, verdict, kind)| (verdict, kind))
            .unzip();
        let mistakes = kinds.into_iter().zip(&own).filter_map(|(kind, verdict)| Some((kind?, *verdict)));
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
            kinds: by_kind(mistakes),
        }
    }
}
