//! The weights of the value of a state worked into tables: [`SummerPavilionJudge`].

use azulejo::summer_pavilion::{
    Board, BoardSide, CENTER_STAR, COLORS, Feature, FeatureKind, STAR_SLOTS, SummerPavilionRules,
};

use super::geometry::{FULL, MISSING, MOST, NUMBERS, TOUCHING, layout_of};
use super::kind::{Kind, kind_of};
use super::value_weights::SummerPavilionValueWeights;
use crate::heuristic::{Millipoints, millipoints};

/// The most rounds to come for which there are weights; more count as so many.
pub(super) const MOST_LEFT: usize = 5;
/// Plain stars by color, stars of different colors, undecided stars.
const KINDS: usize = COLORS + 2;
/// Slots of one number that are looked at; more count as so many.
const MOST_MISSING: usize = 12;

/// The promise of a star by the ring of its filled slots.
#[derive(Clone, Debug)]
pub(super) struct StarTable([Millipoints; FULL + 1]);

impl StarTable {
    /// The promise of a star with these slots filled.
    #[inline]
    pub fn worth(&self, ring: usize) -> Millipoints {
        self.0[ring & FULL]
    }
}

/// The weights as tables of whole numbers.
#[derive(Clone, Debug)]
pub struct SummerPavilionJudge {
    rules: &'static SummerPavilionRules,
    /// The tiles that are dealt for a round.
    pub(super) deal: i32,
    /// By rounds to come, outer star or center, and kind.
    stars: Vec<[[StarTable; KINDS]; 2]>,
    /// By rounds to come, number less 1 and slots that it lacks.
    numbers: [[[Millipoints; MOST_MISSING + 1]; STAR_SLOTS]; MOST_LEFT + 1],
    /// By rounds to come, kind of feature and filled slots: its promise.
    features: [[[Millipoints; 5]; 3]; MOST_LEFT + 1],
    /// The same with the bonus tiles of complete ones.
    earned: [[[Millipoints; 5]; 3]; MOST_LEFT + 1],
    /// By rounds to come: a tile at the end of a round, and how much more it is if it will be wild.
    keep: [Millipoints; MOST_LEFT + 1],
    keep_wild: [Millipoints; MOST_LEFT + 1],
    plan: [Millipoints; MOST_LEFT + 1],
    /// By rounds to come: a tile, a wild tile, one that is wild in the round after, before tiles are taken.
    pub(super) tile: [Millipoints; MOST_LEFT + 1],
    pub(super) wild: [Millipoints; MOST_LEFT + 1],
    pub(super) next_wild: Millipoints,
    pub(super) start: Millipoints,
}

/// The number of a star's kind: its color, [`CENTER_STAR`] for different colors, one more while it is undecided.
#[inline]
pub(super) fn kind_index(side: BoardSide, board: &Board, star: usize) -> usize {
    match kind_of(side, board, star) {
        Kind::Plain(color) => color,
        Kind::Mixed => CENTER_STAR,
        Kind::Open(_) => CENTER_STAR + 1,
    }
}

impl SummerPavilionValueWeights {
    /// The promise of a star of a kind.
    fn star(&self, rules: &SummerPavilionRules, left: usize, layout: usize, kind: usize, ring: usize) -> f32 {
        let (points, factor) = match kind {
            CENTER_STAR => (rules.mixed_star_points, self.mixed),
            _ if kind < COLORS => (rules.star_points[kind], self.star),
            _ => return 0.0,
        };
        if ring == FULL {
            return points.into();
        }
        let chance =
            |missing: f32| 1.0 / (1.0 + ((missing - self.reach[left - 1]) / self.spread[left - 1]).exp());
        let missing = f32::from(MISSING[layout][ring]);
        factor * f32::from(points + i16::from(MOST[ring])) * (chance(missing) - chance(21.0)).max(0.0)
    }
}

impl SummerPavilionJudge {
    /// The tables for these rules, number of players and weights.
    pub(super) fn new(
        rules: &'static SummerPavilionRules,
        players: usize,
        weights: &SummerPavilionValueWeights,
    ) -> Self {
        let star = |left: usize, layout: usize, kind: usize| {
            StarTable(std::array::from_fn(|ring| match left {
                0 if ring != FULL => 0,
                _ => millipoints(weights.star(rules, left.max(1), layout, kind, ring)),
            }))
        };
        let stars = (0..=MOST_LEFT).map(|left| {
            let layouts = [layout_of(rules.side, 0), layout_of(rules.side, CENTER_STAR)];
            layouts.map(|layout| std::array::from_fn(|kind| star(left, layout, kind)))
        });
        let per_left = |worth: &[f32; MOST_LEFT], none: f32| -> [Millipoints; MOST_LEFT + 1] {
            std::array::from_fn(|left| millipoints(if left == 0 { none } else { worth[left - 1] }))
        };
        let number = |left: usize, cost: usize, missing: usize| {
            let share = match (left, missing) {
                (_, 0) => 1.0,
                (0, _) => 0.0,
                _ => weights.number[left - 1] * (1.0 - missing as f32 / weights.number_slots).max(0.0),
            };
            millipoints(share * f32::from(rules.number_points[cost]))
        };
        let feature = |left: usize, kind: usize, done: usize, complete: f32| {
            let kind = [FeatureKind::Pillar, FeatureKind::Statue, FeatureKind::Window][kind];
            let share = match (kind, done) {
                (_, 0) => 0.0,
                (FeatureKind::Window, 1) => weights.window,
                (FeatureKind::Window, _) | (_, 4..) => complete,
                _ => weights.feature[done - 1],
            };
            let share = if left == 0 && share != complete { weights.feature_last * share } else { share };
            millipoints(share * f32::from(rules.bonus_tiles(kind)))
        };
        let features = |complete: [f32; MOST_LEFT + 1]| {
            std::array::from_fn(|left| {
                std::array::from_fn(|kind| {
                    std::array::from_fn(|done| feature(left, kind, done, complete[left]))
                })
            })
        };
        let keep = per_left(&weights.keep, rules.discard_penalty.into());
        SummerPavilionJudge {
            rules,
            deal: i32::from(rules.factories[players - 2]) * 4,
            stars: stars.collect(),
            numbers: std::array::from_fn(|left| {
                std::array::from_fn(|cost| std::array::from_fn(|missing| number(left, cost, missing)))
            }),
            features: features([0.0; MOST_LEFT + 1]),
            earned: features(std::array::from_fn(
                |left| if left == 0 { weights.bonus_last } else { weights.bonus },
            )),
            keep,
            keep_wild: per_left(&[weights.keep_wild; MOST_LEFT], 0.0),
            plan: per_left(&weights.plan, weights.plan_last),
            tile: per_left(&weights.tile, 0.0),
            wild: per_left(&weights.wild, 0.0),
            next_wild: millipoints(weights.next_wild),
            start: millipoints(weights.start),
        }
    }

    #[inline]
    pub(super) fn side(&self) -> BoardSide {
        self.rules.side
    }

    #[inline]
    pub(super) fn keep_limit(&self) -> u8 {
        self.rules.keep_limit
    }

    /// What it costs to discard a tile, at least 0.
    #[inline]
    pub(super) fn discard(&self) -> Millipoints {
        -Millipoints::from(self.rules.discard_penalty) * crate::heuristic::POINT
    }

    /// The worth of a tile that is left at the end of a round.
    #[inline]
    pub(super) fn price(&self, left: usize, next_wild: bool) -> Millipoints {
        self.keep[left] + if next_wild { self.keep_wild[left] } else { 0 }
    }

    /// What a gain that a plan promises counts.
    #[inline]
    pub(super) fn share_of_plan(&self, left: usize, gain: Millipoints) -> Millipoints {
        (i64::from(gain) * i64::from(self.plan[left]) / 1000) as Millipoints
    }

    /// The promise of a star of a kind.
    #[inline]
    pub(super) fn star(&self, left: usize, star: usize, kind: usize) -> &StarTable {
        &self.stars[left][usize::from(star == CENTER_STAR)][kind]
    }

    /// What both slots of a window together earn beyond twice the first one's promise.
    #[inline]
    pub(super) fn whole_window(&self, left: usize) -> Millipoints {
        let earned = &self.earned[left][FeatureKind::Window as usize];
        earned[2] - 2 * earned[1]
    }

    /// The promise of a board: its stars, numbers and features.
    #[inline]
    pub(super) fn promise(&self, board: &Board, left: usize) -> Millipoints {
        let mut sum = 0;
        for star in 0..=CENTER_STAR {
            let ring = FULL & !usize::from(board.free(star));
            let kind = kind_index(self.side(), board, star);
            sum += self.star(left, star, kind).worth(ring);
        }
        let filled = board.filled();
        for cost in 0..STAR_SLOTS {
            sum += self.numbers[left][cost][self.missing(cost, filled)];
        }
        for feature in &Feature::ALL {
            let done = (filled & feature.slots).count_ones() as usize;
            sum += self.features[left][feature.kind as usize][done];
        }
        sum
    }

    /// The free slots of a number (less 1).
    #[inline]
    fn missing(&self, cost: usize, filled: u64) -> usize {
        let side = usize::from(self.side() == BoardSide::Gray);
        ((NUMBERS[side][cost + 1] & !filled).count_ones() as usize).min(MOST_MISSING)
    }

    /// What one more slot of each printed cost adds to the promise of numbers.
    #[inline]
    pub(super) fn number_steps(&self, filled: u64, left: usize) -> [Millipoints; STAR_SLOTS + 1] {
        let mut steps = [0; STAR_SLOTS + 1];
        for cost in 0..STAR_SLOTS {
            let missing = self.missing(cost, filled);
            if missing > 0 {
                let numbers = &self.numbers[left][cost];
                steps[cost + 1] = numbers[missing - 1] - numbers[missing];
            }
        }
        steps
    }

    /// What filling a slot adds to the promise of the features around it, or earns.
    #[inline]
    pub(super) fn feature_step(&self, star: usize, position: usize, filled: u64, left: usize) -> Millipoints {
        let mut sum = 0;
        for feature in TOUCHING[star * STAR_SLOTS + position] {
            if let Some(feature) = Feature::ALL.get(feature) {
                let done = (filled & feature.slots).count_ones() as usize;
                let earned = &self.earned[left][feature.kind as usize];
                sum += earned[(done + 1).min(4)] - earned[done];
            }
        }
        sum
    }
}
