//! What a round makes of weights and rules: [`Stage`].

use azulejo::summer_pavilion::{COLORS, FeatureKind, STAR_SLOTS, SummerPavilionRules};

use super::SummerPavilionWeights;
use super::kind::StarKind;

/// What rating takes from the round alone, the same for all seats.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub rules: &'static SummerPavilionRules,
    pub round: u8,
    pub wild: usize,
    /// The color that will be wild in the next round; [`COLORS`] if there is none.
    pub next_wild: usize,
    /// The tiles of one color that are expected to come in later rounds.
    pub reach: f32,
    /// The same for a star of different colors.
    pub mixed_reach: f32,
    /// The same for a star of one color while tiles are acquired.
    pub draft_reach: f32,
    pub draft_tile: f32,
    pub draft_wild: f32,
    pub token: f32,
    /// The points of a complete star of each color.
    star_points: [f32; COLORS],
    mixed_star_points: f32,
    /// The worth of a tile of each color while it can be spent, first where it has a home, then where it has none.
    pub prices: [[f32; COLORS]; 2],
    /// The worth of a tile of each color in the next round, or if there is none at the end; in the same order.
    pub kept_worth: [[f32; COLORS]; 2],
    /// By [`FeatureKind`] and the filled slots of a feature, what one more brings it nearer to its bonus tiles.
    pub feature_steps: [[f32; STAR_SLOTS]; 3],
    /// Slots of one number that may still be filled.
    number_span: f32,
}

impl Stage {
    /// The stage of a round, counted from 1.
    pub(super) fn new(
        rules: &'static SummerPavilionRules,
        round: u8,
        weights: &SummerPavilionWeights,
    ) -> Self {
        let rounds_left = rules.rounds - round;
        let early = f32::from(rounds_left) / f32::from(rules.rounds.max(2) - 1);
        let between = |early_value: f32, late_value: f32| late_value + (early_value - late_value) * early;
        let left = f32::from(rounds_left);
        let wild = rules.wild(round).index();
        let next_wild = if rounds_left > 0 { rules.wild(round + 1).index() } else { COLORS };
        let tile = between(weights.tile_early, weights.tile_late);
        Stage {
            rules,
            round,
            wild,
            next_wild,
            reach: weights.reach * left,
            mixed_reach: weights.mixed_reach * left,
            draft_reach: weights.draft_reach + weights.reach * left,
            draft_tile: between(weights.draft_tile_early, weights.draft_tile_late),
            draft_wild: between(weights.draft_wild_early, weights.draft_wild_late),
            token: if rounds_left > 0 { weights.token } else { 0.0 },
            star_points: rules.star_points.map(f32::from),
            mixed_star_points: rules.mixed_star_points.into(),
            prices: [tile, tile * weights.homeless].map(|price| {
                let mut prices = [price; COLORS];
                prices[wild] = tile + weights.wild;
                if next_wild < COLORS {
                    prices[next_wild] += weights.next_wild;
                }
                prices
            }),
            kept_worth: [weights.keep, weights.keep * weights.homeless].map(|keep| {
                if next_wild == COLORS {
                    return [last_kept(rules); COLORS];
                }
                let mut worth = [keep; COLORS];
                worth[next_wild] = weights.keep + weights.keep_wild;
                worth
            }),
            feature_steps: feature_steps(rules, weights, between(weights.bonus_early, weights.bonus_late)),
            number_span: (weights.number_now + weights.number_reach * left).max(1.0),
        }
    }

    /// What one more slot of a printed cost adds where `missing` of them are free.
    #[inline]
    pub(super) fn number_step(&self, weights: &SummerPavilionWeights, cost: usize, missing: u32) -> f32 {
        let points = self.rules.number_points[cost - 1];
        if points == 0 || missing == 0 {
            return 0.0;
        }
        let share = |missing: f32| {
            let share = (1.0 - missing / self.number_span).max(0.0);
            share * share
        };
        let missing = missing as f32;
        weights.number * f32::from(points) * (share(missing - 1.0) - share(missing))
    }

    /// The points of a complete star of this kind; 0 while it is undecided.
    #[inline]
    pub(super) fn star_points(&self, kind: StarKind) -> f32 {
        match kind {
            StarKind::Plain(color) => self.star_points[color],
            StarKind::Mixed => self.mixed_star_points,
            StarKind::Open(_) => 0.0,
        }
    }

    /// Whether any tile is worth keeping.
    #[inline]
    pub(super) fn keeps(&self) -> bool {
        self.next_wild < COLORS || keeps_at_the_end(self.rules)
    }
}

/// The worth of a star's points when it lacks `missing` tiles of `reach` that may still come.
#[inline]
pub(super) fn star_worth(points: f32, missing: f32, reach: f32) -> f32 {
    let share = if missing <= 0.0 { 1.0 } else { larger(1.0 - missing / larger(reach, 0.1), 0.0) };
    points * share * share
}

/// The larger of two numbers: one instruction, since neither is NaN.
#[inline]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The worth of a tile kept in the last round. Where it costs no less than a discarded one, it also costs time.
fn last_kept(rules: &SummerPavilionRules) -> f32 {
    f32::from(rules.kept_penalty) - if keeps_at_the_end(rules) { 0.0 } else { 1.0 }
}

/// Whether a tile that is kept at the end costs less than a discarded one.
fn keeps_at_the_end(rules: &SummerPavilionRules) -> bool {
    rules.kept_penalty > rules.discard_penalty
}

/// By kind and filled slots: the step from (m / n)² to ((m + 1) / n)², and to 1 at the end; `tile` is the worth of a
/// bonus tile.
fn feature_steps(
    rules: &SummerPavilionRules,
    weights: &SummerPavilionWeights,
    tile: f32,
) -> [[f32; STAR_SLOTS]; 3] {
    [(FeatureKind::Pillar, 4), (FeatureKind::Statue, 4), (FeatureKind::Window, 2)].map(
        |(kind, size): (FeatureKind, usize)| {
            let worth = tile * f32::from(rules.bonus_tiles(kind));
            let mut steps = [0.0; STAR_SLOTS];
            for (done, step) in steps[..size].iter_mut().enumerate() {
                let progress = weights.feature * (2 * done + 1) as f32 / (size * size) as f32;
                let last = if done + 1 == size { 1.0 - weights.feature } else { 0.0 };
                *step = worth * (progress + last);
            }
            steps
        },
    )
}
