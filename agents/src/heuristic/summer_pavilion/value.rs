//! What a state of Summer Pavilion is worth: the points that each seat is expected to end with.
//!
//! The parts are those from which actions are rated: what stars, numbers and features promise by the tiles that may
//! still come, and what the tiles in the hand are worth when spent or kept. The weights are the same, too.

use azulejo::summer_pavilion::{
    Action, CENTER, COLORS, Feature, FeatureKind, Phase, STAR_SLOTS, STARS, SummerPavilion,
    SummerPavilionRules,
};
use azulejo::{Game, PerPlayer, Seat};

use super::SummerPavilionWeights;
use super::drafter::Drafter;
use super::geometry::{FULL, MOST, NUMBERS, RUN};
use super::kind::Kind;
use super::placer::Placer;
use super::rater::Rater;
use crate::heuristic::{Candidate, Heuristic, Millipoints, StateValue, millipoints};

/// `BUILT[ring]`: the most points that filling a star's slots up to these can have scored.
const BUILT: [u8; FULL + 1] = {
    let mut table = [0; FULL + 1];
    let mut ring = 1;
    while ring <= FULL {
        let mut position = 0;
        while position < STAR_SLOTS {
            if ring >> position & 1 == 1 {
                let before = ring & !(1 << position);
                let points = table[before] + RUN[before][position];
                table[ring] = if points > table[ring] { points } else { table[ring] };
            }
            position += 1;
        }
        ring += 1;
    }
    table
};

impl StateValue for SummerPavilion {
    type ValueWeights = SummerPavilionWeights;
    type Judge = SummerPavilionWeights;
    type Share = Millipoints;

    fn judge(
        _rules: &'static SummerPavilionRules,
        _players: usize,
        weights: &SummerPavilionWeights,
    ) -> SummerPavilionWeights {
        weights.clone()
    }

    fn share(&self, weights: &SummerPavilionWeights, seat: Seat) -> Millipoints {
        let rater = Rater::of(self, seat, weights);
        let placer = Placer::new(&rater);
        let board = rater.board;
        let hand = if self.phase() == Phase::Acquire { drafted(&placer) } else { tiles(&placer) };
        let promise = stars(&placer) + numbers(&rater) + features(&rater) + hand;
        let token = if self.token() == Some(seat) { rater.token } else { 0.0 };
        millipoints(f32::from(board.score()) + promise + token)
    }

    fn values(&self, _: &SummerPavilionWeights, shares: &PerPlayer<Millipoints>) -> PerPlayer<Millipoints> {
        *shares
    }

    /// Bonus tiles and tiles to keep are taken before anything else happens.
    fn is_settled(&self) -> bool {
        !matches!(self.phase(), Phase::Bonus | Phase::Keep)
    }

    fn list(
        &self,
        weights: &SummerPavilionWeights,
        candidates: &mut Vec<Candidate<Action>>,
        actions: &mut Vec<Action>,
        ratings: &mut Vec<f32>,
    ) {
        self.legal_actions(actions);
        self.rate_actions(weights, actions, ratings);
        candidates.clear();
        let rated = actions.iter().zip(ratings.iter());
        let alike = |action: &Action| match *action {
            Action::Acquire { source, .. } => {
                let source = usize::from(source);
                (CENTER + 1..source).any(|other| self.source(other) == self.source(source))
            }
            _ => false,
        };
        candidates.extend(
            rated
                .filter(|(action, _)| !alike(action))
                .map(|(&action, &rating)| Candidate { action, rating: millipoints(rating) }),
        );
    }
}

/// What the stars promise: their points, and those of runs that can still be laid without gaps.
///
/// Tiles that several stars may use (wild ones, and for stars of different colors all) count for the star alone that
/// they bring furthest.
fn stars(placer: &Placer<'_>) -> f32 {
    let (rater, weights) = (placer.rater, placer.rater.weights);
    let (mut sum, mut furthest) = (0.0, 0.0f32);
    for star in 0..STARS {
        let rated = placer.star(star);
        let lost = f32::from(MOST[0]) - f32::from(MOST[rated.ring]) - f32::from(BUILT[rated.ring]);
        sum -= weights.apart * lost;
        // While tiles are acquired it is the hand that counts those that it brings nearer.
        if rater.state.phase() != Phase::Acquire {
            let alone = rater.star_worth(rated.kind, rated.missing, own_reach(rater, rated.kind));
            sum += weights.star * alone;
            furthest = furthest.max(weights.star * (rated.before - alone));
        }
    }
    sum + furthest
}

/// The tiles that may still come to a star, those that other stars may use as well left out.
fn own_reach(rater: &Rater<'_>, kind: Kind) -> f32 {
    match kind {
        Kind::Plain(color) => f32::from(rater.board.hand().count(color)) + rater.weights.reach * rater.left,
        _ => rater.weights.mixed_reach * rater.left,
    }
}

/// What the tiles in the hand are worth while tiles are acquired.
fn drafted(placer: &Placer<'_>) -> f32 {
    let rater = placer.rater;
    let worth = |color: usize| {
        let held = f32::from(rater.board.hand().count(color));
        if color == rater.wild {
            return rater.draft_wild * held;
        }
        rater.draft_tile * held + Drafter::new(placer, color).before
    };
    (0..COLORS).map(worth).sum()
}

/// What complete numbers promise.
fn numbers(rater: &Rater<'_>) -> f32 {
    let weights = rater.weights;
    let span = (weights.number_now + weights.number_reach * rater.left).max(1.0);
    let side = &NUMBERS[usize::from(rater.rules.side == azulejo::summer_pavilion::BoardSide::Gray)];
    let worth = |(points, cost): (&i16, usize)| {
        let missing = (side[cost] & !rater.board.filled()).count_ones() as f32;
        let share = (1.0 - missing / span).max(0.0);
        let factor = if missing == 0.0 { 1.0 } else { weights.number * share * share };
        factor * f32::from(*points)
    };
    rater.rules.number_points.iter().zip(1..).map(worth).sum()
}

/// What features promise that are not complete.
fn features(rater: &Rater<'_>) -> f32 {
    let weights = rater.weights;
    let tile = rater.between(weights.bonus_early, weights.bonus_late);
    let worth = |feature: &Feature| {
        let (all, done) = (feature.slots.count_ones(), (rater.board.filled() & feature.slots).count_ones());
        if done == all {
            return 0.0;
        }
        let share = done as f32 / all as f32;
        let kind: FeatureKind = feature.kind;
        weights.feature * share * share * tile * f32::from(rater.rules.bonus_tiles(kind))
    };
    Feature::ALL.iter().map(worth).sum()
}

/// What the tiles in the hand, kept and owed are worth.
fn tiles(placer: &Placer<'_>) -> f32 {
    let rater = placer.rater;
    let (state, board) = (rater.state, rater.board);
    let hand = board.hand();
    let spent: f32 = (0..COLORS).map(|color| placer.prices[color] * f32::from(hand.count(color))).sum();
    let kept: f32 =
        (0..COLORS).map(|color| rater.kept_worth(color) * f32::from(board.kept().count(color))).sum();
    let owed = match state.turn() {
        azulejo::Turn::Player(seat) if seat == rater.seat => f32::from(state.owed()),
        _ => 0.0,
    };
    let tile = rater.between(rater.weights.tile_early, rater.weights.tile_late);
    // In the last round nothing can be kept, and what is left costs points.
    let unspendable = board.passed() && rater.left == 0.0;
    if unspendable { rater.discard(hand) } else { spent + kept + owed * tile }
}
