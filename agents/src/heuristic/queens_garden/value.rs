//! What a state of Queen's Garden is worth: the points that each seat is expected to end with.
//!
//! The parts are those from which actions are rated: what the garden's groups, the round scorings to come, room and
//! elements are worth, and what the storage is. The weights are the same, too.

use azulejo::queens_garden::{
    AREAS, AROUND_GAP, Action, Area, Board, Ornament, Phase, QueensGarden, QueensGardenRules, ROUNDS, ring,
};
use azulejo::{Game, PerPlayer, Seat};

use super::ground::{bits, pavilion_points, room_gain};
use super::hand::Hand;
use super::{QueensGardenWeights, TurnRater};
use crate::heuristic::{Candidate, Heuristic, Millipoints, StateValue, millipoints};

/// All kinds of hexagons.
const ALL_KINDS: u64 = (1 << azulejo::queens_garden::KINDS) - 1;

impl StateValue for QueensGarden {
    type ValueWeights = QueensGardenWeights;
    type Judge = QueensGardenWeights;
    type Share = Millipoints;

    fn judge(
        _rules: &'static QueensGardenRules,
        _players: usize,
        weights: &QueensGardenWeights,
    ) -> QueensGardenWeights {
        weights.clone()
    }

    fn share(&self, weights: &QueensGardenWeights, seat: Seat) -> Millipoints {
        let mut rater = TurnRater::new(self, seat, weights);
        rater.take_stock();
        let board = self.board(seat);
        let points = f32::from(board.score()) + garden(&rater, board) + storage(&rater, board);
        let starts = self.marker() == Some(seat) && rater.stage.round + 1 < ROUNDS;
        // Who has not passed may still acquire what is left.
        let waiting = if board.passed() { 0.0 } else { weights.leaving * rater.stage.left() };
        millipoints(points + waiting + if starts { weights.marker } else { 0.0 })
    }

    fn values(&self, _: &QueensGardenWeights, shares: &PerPlayer<Millipoints>) -> PerPlayer<Millipoints> {
        *shares
    }

    /// A turn whose place, payment or discards are still asked for is finished first.
    fn is_settled(&self) -> bool {
        !matches!(self.phase(), Phase::Take | Phase::Place | Phase::Pay | Phase::Discard)
    }

    fn list(
        &self,
        weights: &QueensGardenWeights,
        candidates: &mut Vec<Candidate<Action>>,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) {
        self.legal_actions(actions);
        self.rate_actions(weights, actions, ratings);
        candidates.clear();
        let rated = actions.iter().zip(ratings.iter());
        // An action that the evaluation takes for impossible has the rating −∞; the conversion makes it very low.
        candidates.extend(
            rated.map(|(&action, &rating)| Candidate { action, rating: millipoints(rating.max(-1000.0)) }),
        );
    }
}

impl TurnRater<'_> {
    /// Finds what the garden holds and what the storage is worth, whoever is to move.
    fn take_stock(&mut self) {
        let (garden, hand) = (self.board.garden(), self.hand);
        let among = garden.free() | garden.expansion_ground();
        self.ground.explore(self.state.rules(), self.weights, self.stage, ALL_KINDS, among);
        let (free, weights, stage) = (garden.free().count_ones(), self.weights, self.stage);
        self.rate_tiles(hand.tiles.kinds().mask(), room_gain(weights, stage, free, -1.0));
        self.rate_expansions(hand.expansions.mask(), room_gain(weights, stage, free, 5.0));
        self.keep(hand);
    }
}

/// What a garden promises beside the points so far.
fn garden(rater: &TurnRater<'_>, board: &Board) -> f32 {
    let (rules, weights, stage) = (rater.state.rules(), rater.weights, rater.stage);
    let garden = board.garden();
    let ground = &rater.ground;
    let wheel: f32 = garden.hexagons().map(|(_, kind)| ground.wheel_gain(kind)).sum();
    let pavilion = pavilion_points(rules, stage.round) + stage.pick(&weights.pavilion);
    let contacts: u32 =
        garden.hexagons().map(|(place, _)| (place.neighbors() & garden.filled()).count_ones()).sum();
    let contact = 0.5 * weights.contact * contacts as f32;
    let room = room_gain(weights, stage, garden.free().count_ones(), PLENTY);
    ground.worth_of_groups() + wheel + contact + elements(rater, board) + garden.pavilions() as f32 * pavilion
        - room
}

/// So many free places more are as many as could ever be of use.
const PLENTY: f32 = 100.0;

/// What elements that are partly surrounded promise: jokers.
fn elements(rater: &TurnRater<'_>, board: &Board) -> f32 {
    let (rules, weights) = (rater.state.rules(), rater.weights);
    let (garden, joker) = (board.garden(), rater.stage.pick(&weights.joker));
    let filled = garden.filled();
    let promise = |around: u64, jokers: u8| {
        let full = (around & filled).count_ones();
        if full == 6 {
            0.0
        } else {
            weights.element * (full * full) as f32 / 36.0 * joker * f32::from(jokers)
        }
    };
    let awards = &rules.joker_awards;
    let ornaments = AROUND_GAP.into_iter().zip(rules.ornaments).map(|(around, ornament)| match ornament {
        Ornament::Statue => promise(around, awards.statue),
        Ornament::Bench => promise(around, awards.bench),
        Ornament::None => 0.0,
    });
    let pavilions = (1..AREAS).filter(|&area| garden.area(area) != Area::FaceDown);
    promise(ring(0), awards.fountain)
        + ornaments.sum::<f32>()
        + pavilions.map(|area| promise(ring(area), awards.pavilion)).sum::<f32>()
}

/// What a storage is worth.
fn storage(rater: &TurnRater<'_>, board: &Board) -> f32 {
    let hand = Hand::of(board);
    let (worths, purse) = (&rater.worths, &rater.purse);
    let tiles: f32 = hand
        .tiles
        .kinds()
        .iter()
        .map(|kind| {
            let others = f32::from(hand.tiles.count(kind)) - 1.0;
            worths.tiles[kind.index()] + others * worths.duplicate()
        })
        .sum();
    let expansions: f32 = bits(hand.expansions.mask()).map(|kind| worths.expansions[kind]).sum();
    let jokers = purse.joker * f32::from(hand.jokers);
    tiles + expansions + jokers - purse.crowding(hand.tiles.total() + hand.jokers)
}
