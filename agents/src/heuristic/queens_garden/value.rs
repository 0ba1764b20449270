//! What a state of Queen's Garden is worth: the points that each seat is expected to end with.
//!
//! A seat's value is what it is sure of (points so far, its groups, what its garden brings in the scorings to
//! come) and what its [`Features`] promise, which is linear in the weights. Most of it depends on the seat's
//! board and the round alone.

use std::cell::RefCell;

use azulejo::queens_garden::{Action, Phase, QueensGarden, QueensGardenRules, ROUNDS, Side, TOP_TILES};
use azulejo::{Game, PerPlayer, Seat};

use super::features::{Features, QueensGardenValueWeights, SEAT_INSIGHTS, prospects};
use super::keys::{board_key, value_key};
use super::{KNOWN_RULES, QueensGardenWeights, joker_surplus};
use crate::cache::Cache;
use crate::heuristic::{Candidate, Heuristic, Insights, Millipoints, POINT, StateValue, millipoints};

/// The weights of the value, those by which places and actions are rated, and what boards were found to be worth.
#[derive(Clone, Debug)]
pub struct QueensGardenJudge {
    weights: QueensGardenValueWeights,
    /// For placements.
    prospects: QueensGardenWeights,
    /// For actions.
    rating: QueensGardenWeights,
    /// By [`board_key`]: leaves of one search share most of their boards. Made for the first of them, as who only
    /// lists candidates needs none.
    boards: RefCell<Option<Cache<BoardWorth>>>,
}

/// Boards whose worth is kept, as a power of 2.
const BOARDS_BITS: u32 = 11;

/// What a board is worth in a round.
#[derive(Clone, Copy, Debug, Default)]
struct BoardWorth {
    /// The points that it is sure of.
    sure: f32,
    features: Features,
    share: QueensGardenShare,
}

impl BoardWorth {
    /// That of a seat's board, worked out from nothing.
    fn of(judge: &QueensGardenJudge, state: &QueensGarden, seat: Seat) -> Self {
        let round = state.round() as usize - 1;
        let (sure, features) = Features::of_board(state.rules(), &judge.prospects, state.board(seat), round);
        BoardWorth { sure, features, share: QueensGardenShare::new(&judge.weights, round, sure, &features) }
    }
}

impl QueensGardenJudge {
    /// What `look` takes from the worth of a seat's board.
    fn at_board<T>(&self, state: &QueensGarden, seat: Seat, look: impl FnOnce(&BoardWorth) -> T) -> T {
        let key = board_key(state.rules(), state.board(seat), state.round() as usize - 1);
        let mut boards = self.boards.borrow_mut();
        let boards = boards.get_or_insert_with(|| Cache::new(BOARDS_BITS, BoardWorth::default()));
        if let Some(known) = boards.get(key) {
            return look(known);
        }
        let worth = BoardWorth::of(self, state, seat);
        boards.insert(key, worth);
        look(&worth)
    }
}

/// What a board is worth as at the start of the round and as at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueensGardenShare([Millipoints; 2]);

impl QueensGardenShare {
    /// The share of a board in a round, from 0, that is sure of some points.
    fn new(weights: &QueensGardenValueWeights, round: usize, sure: f32, features: &Features) -> Self {
        QueensGardenShare([round, round + 1].map(|stage| millipoints(sure + features.worth(weights, stage))))
    }
}

impl StateValue for QueensGarden {
    type ValueWeights = QueensGardenValueWeights;
    type Judge = QueensGardenJudge;
    type Share = QueensGardenShare;

    const KNOWN_RULES: &'static [&'static str] = KNOWN_RULES;

    fn judge(
        rules: &'static QueensGardenRules,
        _: usize,
        weights: &QueensGardenValueWeights,
    ) -> QueensGardenJudge {
        let mut weights = weights.clone();
        weights.joker = weights.joker.map(|worth| worth + joker_surplus(rules));
        QueensGardenJudge {
            weights,
            prospects: prospects(),
            rating: QueensGardenWeights::default(),
            boards: RefCell::default(),
        }
    }

    fn share(&self, judge: &QueensGardenJudge, seat: Seat) -> QueensGardenShare {
        judge.at_board(self, seat, |board| board.share)
    }

    fn shares_after(
        &self,
        judge: &QueensGardenJudge,
        mover: Seat,
        before: &PerPlayer<QueensGardenShare>,
    ) -> PerPlayer<QueensGardenShare> {
        if matches!(self.phase(), Phase::Take | Phase::Place | Phase::Pay) {
            // Nothing moves before the turn's last choice.
            return *before;
        }
        if begins_round(self) {
            return self.shares(judge);
        }
        let mut after = *before;
        after[mover] = self.share(judge, mover);
        after
    }

    fn values(
        &self,
        judge: &QueensGardenJudge,
        shares: &PerPlayer<QueensGardenShare>,
    ) -> PerPlayer<Millipoints> {
        let (round, items) = (self.round() as usize - 1, items_left(self));
        let full = u32::from(self.rules().stack_of(self.players())) * (u32::from(TOP_TILES) + 1);
        let gone = 1.0 - items.min(full) as f32 / full as f32;
        PerPlayer::from_fn(shares.players(), |seat| {
            let features = Features::of_turn(self, seat, items);
            let worth = |stage| features.worth(&judge.weights, stage);
            let [start, end] = shares[seat].0.map(|share| share as f32 / POINT as f32);
            let (start, end) = (start + worth(round), end + worth(round + 1));
            millipoints(start + gone * (end - start))
        })
    }

    const INSIGHTS: Insights = Insights {
        table: &["variant", "round 1", "round 2", "round 3", "round 4", "items / 3", "a round begins"],
        seat: SEAT_INSIGHTS,
    };

    fn table_insights(&self, numbers: &mut Vec<f32>) {
        let told = |is_so: bool| 2.0 * f32::from(u8::from(is_so));
        numbers.push(told(self.rules().side == Side::Variant));
        numbers.extend((1..=ROUNDS).map(|round| told(round == self.round() as usize)));
        numbers.extend([items_left(self) as f32 / 3.0, told(begins_round(self))]);
    }

    fn seat_insights(
        &self,
        judge: &QueensGardenJudge,
        seat: Seat,
        numbers: &mut Vec<f32>,
    ) -> QueensGardenShare {
        let turn = Features::of_turn(self, seat, items_left(self));
        judge.at_board(self, seat, |board| {
            numbers.extend([f32::from(self.board(seat).score()) / 7.0, board.sure / 17.0]);
            numbers.extend(board.features.and(&turn).in_steps());
            board.share
        })
    }

    fn value_key(&self) -> Option<u64> {
        Some(value_key(self))
    }

    /// A turn whose place, payment or discards are still asked for is finished first.
    fn is_settled(&self) -> bool {
        !matches!(self.phase(), Phase::Take | Phase::Place | Phase::Pay | Phase::Discard)
    }

    fn list(
        &self,
        judge: &QueensGardenJudge,
        candidates: &mut Vec<Candidate<Action>>,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) {
        self.legal_actions(actions);
        self.rate_actions(&judge.rating, actions, ratings);
        candidates.clear();
        let rated = actions.iter().zip(ratings.iter());
        // An action that the evaluation takes for impossible has the rating −∞; the conversion makes it very
        // low.
        candidates.extend(
            rated.map(|(&action, &rating)| Candidate { action, rating: millipoints(rating.max(-1000.0)) }),
        );
    }
}

/// Whether the last action ended a round, so that every board was scored.
fn begins_round(state: &QueensGarden) -> bool {
    state.phase() == Phase::Deal && state.slots().len() == 1
}

/// The round's tiles and expansions that can still be acquired.
fn items_left(state: &QueensGarden) -> u32 {
    let tiles: u32 = state.slots().iter().map(|slot| u32::from(slot.tiles().total())).sum();
    let top = u32::from(TOP_TILES);
    let to_fill = if state.phase() == Phase::Deal { top } else { 0 };
    tiles + state.slots().len() as u32 + to_fill + u32::from(state.stack().saturating_sub(1)) * (top + 1)
}
