//! Mistakes by kind: [`KindReview`].

use azulejo::Move;
use serde::Serialize;

use super::verdict::MoveVerdict;
use crate::words::{GameWords, MistakeKind};

/// Points that a move loses to be a mistake, though it may lose little of a win that is decided.
const POINTS: f32 = 1.0;

/// What a seat lost by mistakes of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindReview {
    /// The kind.
    #[serde(flatten)]
    pub kind: MistakeKind,
    /// How often it was made.
    pub moves: usize,
    /// The sum of what was lost of the win.
    pub loss: f32,
    /// The sum of the points lost; of older reviews nothing.
    pub points_lost: f32,
}

/// The kind of a mistake that was made in a state; `None` if the move is none: it lost less than a mark stands for and less
/// than a point.
pub fn mistake_kind<G: GameWords>(state: &G, played: &Move<G>, verdict: &MoveVerdict) -> Option<MistakeKind> {
    let lost = verdict.points_lost.is_some_and(|points| points >= POINTS);
    let (Move::Action(played), Some(best)) = (played, verdict.best()) else { return None };
    let better: G::Action = best.parse().ok()?;
    let is_mistake = better != *played && (lost || verdict.mark().is_some());
    (is_mistake && state.is_legal(better)).then(|| state.mistake_kind(*played, better))
}

/// Sums up mistakes by kind, the kind by which most was lost first.
pub(super) fn by_kind<'a>(mistakes: impl Iterator<Item = (MistakeKind, &'a MoveVerdict)>) -> Vec<KindReview> {
    let mut kinds: Vec<KindReview> = Vec::new();
    for (kind, verdict) in mistakes {
        let known = kinds.iter().position(|known| known.kind == kind).unwrap_or_else(|| {
            kinds.push(KindReview { kind, moves: 0, loss: 0.0, points_lost: 0.0 });
            kinds.len() - 1
        });
        let review = &mut kinds[known];
        review.moves += 1;
        review.loss += verdict.loss.unwrap_or_default();
        review.points_lost += verdict.points_lost.unwrap_or_default();
    }
    kinds.sort_by(|one, other| {
        let order = other.points_lost.total_cmp(&one.points_lost);
        order.then(other.loss.total_cmp(&one.loss)).then(one.kind.cmp(&other.kind))
    });
    kinds
}
