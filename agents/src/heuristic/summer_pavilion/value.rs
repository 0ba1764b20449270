//! What a state of SummerPavilion is worth.

use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Game, PerPlayer, Seat};

use crate::heuristic::{Millipoints, POINT, StateValue};

impl StateValue for SummerPavilion {
    type ValueWeights = ();
    type Judge = ();
    type Share = Millipoints;

    fn judge(_rules: &'static Self::Rules, _players: usize, _weights: &()) {}

    fn share(&self, _judge: &(), seat: Seat) -> Millipoints {
        Millipoints::from(self.scores()[seat]) * POINT
    }

    fn values(&self, _judge: &(), shares: &PerPlayer<Millipoints>) -> PerPlayer<Millipoints> {
        *shares
    }
}
