//! What rating placements needs to know: [`Placer`].

use azulejo::summer_pavilion::{BoardSide, COLORS, Feature, FeatureKind, STAR_SLOTS};

use super::geometry::NUMBERS;
use super::kind::HOMELESS;
use super::rater::Rater;

/// What rating placements needs to know.
pub(super) struct Placer<'a> {
    pub rater: &'a Rater<'a>,
    /// What one more slot of each printed cost adds.
    pub number_step: [f32; STAR_SLOTS + 1],
    /// The worth of a tile of each color while it can be spent.
    pub prices: [f32; COLORS],
    /// What one more tile around each feature brings it nearer to its bonus tiles; 0 for no feature.
    pub feature_step: [f32; Feature::ALL.len() + 1],
}

impl<'a> Placer<'a> {
    pub(super) fn new(rater: &'a Rater<'a>) -> Self {
        let weights = rater.weights;
        let tile = rater.between(weights.tile_early, weights.tile_late);
        let mut prices =
            rater.homes.map(|home| if home == HOMELESS { tile * weights.homeless } else { tile });
        prices[rater.wild] = tile + weights.wild;
        if rater.next_wild < COLORS {
            prices[rater.next_wild] += weights.next_wild;
        }
        Placer { rater, number_step: number_steps(rater), feature_step: feature_steps(rater), prices }
    }

    #[inline]
    pub(super) fn price(&self, color: usize, own: u8, wilds: u8) -> f32 {
        self.prices[color] * f32::from(own) + self.prices[self.rater.wild] * f32::from(wilds)
    }

    /// What changes when all tiles in the hand are kept or discarded instead of spent.
    pub(super) fn pass(&self) -> f32 {
        let hand = self.rater.board.hand();
        let spendable: f32 = (0..COLORS).map(|color| self.prices[color] * f32::from(hand.count(color))).sum();
        self.rater.kept_hand(hand, self.rater.rules.keep_limit) - spendable
    }
}

/// What one more slot of each printed cost adds.
#[inline]
fn number_steps(rater: &Rater<'_>) -> [f32; STAR_SLOTS + 1] {
    let weights = rater.weights;
    let span = (weights.number_now + weights.number_reach * rater.left).max(1.0);
    let side = usize::from(rater.rules.side == BoardSide::Gray);
    let share = |missing: f32| {
        let share = (1.0 - missing / span).max(0.0);
        share * share
    };
    let mut steps = [0.0; STAR_SLOTS + 1];
    for (points, cost) in rater.rules.number_points.iter().zip(1..) {
        let missing = (NUMBERS[side][cost] & !rater.board.filled()).count_ones() as f32;
        if *points != 0 && missing > 0.0 {
            steps[cost] = weights.number * f32::from(*points) * (share(missing - 1.0) - share(missing));
        }
    }
    steps
}

/// What one more tile around each feature brings it nearer to its bonus tiles; 0 for no feature.
#[inline]
fn feature_steps(rater: &Rater<'_>) -> [f32; Feature::ALL.len() + 1] {
    let (weights, filled) = (rater.weights, rater.board.filled());
    let tile = rater.between(weights.bonus_early, weights.bonus_late);
    // By the kind and the filled slots: the step from (m / n)² to ((m + 1) / n)², and to 1 at the end.
    let by_kind = [(FeatureKind::Pillar, 4), (FeatureKind::Statue, 4), (FeatureKind::Window, 2)].map(
        |(kind, size): (FeatureKind, usize)| {
            let worth = tile * f32::from(rater.rules.bonus_tiles(kind));
            let mut steps = [0.0; STAR_SLOTS];
            for (done, step) in steps[..size].iter_mut().enumerate() {
                let progress = weights.feature * (2 * done + 1) as f32 / (size * size) as f32;
                let last = if done + 1 == size { 1.0 - weights.feature } else { 0.0 };
                *step = worth * (progress + last);
            }
            steps
        },
    );
    let mut steps = [0.0; Feature::ALL.len() + 1];
    for (step, feature) in steps.iter_mut().zip(&Feature::ALL) {
        let mut done = 0;
        let mut rest = filled & feature.slots;
        while rest != 0 {
            rest &= rest - 1;
            done += 1;
        }
        *step = by_kind[feature.kind as usize][done];
    }
    steps
}
