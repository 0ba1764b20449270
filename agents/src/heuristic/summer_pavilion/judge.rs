//! The weights of the value of a state worked into tables: [`SummerPavilionJudge`].

use azulejo::summer_pavilion::{
    Board, BoardSide, CENTER_STAR, COLORS, Color, Feature, FeatureKind, STAR_SLOTS, STARS,
    SummerPavilionRules,
};
use azulejo::tiles::Tiles;

use super::geometry::{FULL, MISSING, MOST, NUMBERS, layout_of};
use super::kind::{StarKind, kind_of};
use super::value_weights::SummerPavilionValueWeights;
use crate::arithmetic::exp;
use crate::heuristic::{Millipoints, millipoints};

/// The most rounds to come for which there are weights; more count as so many.
pub(super) const ROUNDS: usize = 5;
/// Plain stars by color, stars of different colors, undecided stars.
const KINDS: usize = COLORS + 2;
/// What a star costs altogether, except in the center of the gray side.
const WHOLE_STAR: f32 = 21.0;
/// The slots of one number that are counted; more make no difference.
const SLOTS_OF_NUMBER: usize = 12;
/// The slots around a feature.
const SLOTS_OF_FEATURE: usize = 4;

/// The weights as tables of whole numbers, for the deals with one to five rounds to come.
#[derive(Clone, Debug)]
pub struct SummerPavilionJudge {
    rules: &'static SummerPavilionRules,
    tables: [Tables; ROUNDS],
    start: Millipoints,
}

/// What things promise at one deal.
#[derive(Clone, Debug)]
struct Tables {
    /// For outer stars and the center, by kind and filled positions.
    stars: [[[Millipoints; FULL + 1]; KINDS]; 2],
    /// By printed cost less 1 and the slots of this cost that are free.
    numbers: [[Millipoints; SLOTS_OF_NUMBER + 1]; STAR_SLOTS],
    /// By [`FeatureKind`] and filled slots.
    features: [[Millipoints; SLOTS_OF_FEATURE + 1]; 3],
    tile: Millipoints,
    wild: Millipoints,
    next_wild: Millipoints,
}

impl Tables {
    /// The tables for `come` rounds to come less 1.
    fn new(rules: &SummerPavilionRules, weights: &SummerPavilionValueWeights, come: usize) -> Self {
        let star = |layout, kind| {
            std::array::from_fn(|ring| millipoints(weights.star_promise(rules, come, layout, kind, ring)))
        };
        let number = |points: i16, missing: usize| match missing {
            0 => points.into(),
            _ => {
                let share = (1.0 - missing as f32 / weights.number_slots).max(0.0);
                weights.number[come] * share * f32::from(points)
            }
        };
        let feature = |kind: FeatureKind, filled: usize| match (kind, filled) {
            (FeatureKind::Window, 1) => weights.window,
            (FeatureKind::Pillar | FeatureKind::Statue, 1..=3) => weights.feature[filled - 1],
            _ => 0.0,
        };
        let kinds = [FeatureKind::Pillar, FeatureKind::Statue, FeatureKind::Window];
        Tables {
            stars: [0, CENTER_STAR].map(|star_number| {
                let layout = layout_of(rules.side, star_number);
                std::array::from_fn(|kind| star(layout, kind))
            }),
            numbers: rules
                .number_points
                .map(|points| std::array::from_fn(|missing| millipoints(number(points, missing)))),
            features: kinds.map(|kind| {
                let tiles = f32::from(rules.bonus_tiles(kind));
                std::array::from_fn(|filled| millipoints(tiles * feature(kind, filled)))
            }),
            tile: millipoints(weights.tile[come]),
            wild: millipoints(weights.wild[come]),
            next_wild: millipoints(weights.next_wild),
        }
    }
}

impl SummerPavilionValueWeights {
    /// The promise of a star of a kind with some positions filled, `come` being the rounds to come less 1.
    fn star_promise(
        &self,
        rules: &SummerPavilionRules,
        come: usize,
        layout: usize,
        kind: usize,
        ring: usize,
    ) -> f32 {
        let (points, factor) = match kind {
            CENTER_STAR => (rules.mixed_star_points, self.mixed),
            _ if kind < COLORS => (rules.star_points[kind], self.star),
            _ => (rules.mixed_star_points, self.open),
        };
        if ring == FULL {
            return points.into();
        }
        let chance = |cost: f32| 1.0 / (1.0 + exp((cost - self.reach[come]) / self.spread[come].max(0.1)));
        let gain = (chance(MISSING[layout][ring].into()) - chance(WHOLE_STAR)).max(0.0);
        factor * f32::from(points + i16::from(MOST[ring])) * gain
    }
}

/// The number of a star's kind: its color, [`CENTER_STAR`] for different colors, one more while it is
/// undecided.
#[inline]
fn kind_number(side: BoardSide, board: &Board, star: usize) -> usize {
    match kind_of(side, board, star) {
        StarKind::Plain(color) => color,
        StarKind::Mixed => CENTER_STAR,
        StarKind::Open(_) => CENTER_STAR + 1,
    }
}

impl SummerPavilionJudge {
    /// The tables for these rules and weights.
    pub(super) fn new(rules: &'static SummerPavilionRules, weights: &SummerPavilionValueWeights) -> Self {
        SummerPavilionJudge {
            rules,
            tables: std::array::from_fn(|come| Tables::new(rules, weights, come)),
            start: millipoints(weights.start),
        }
    }

    /// The worth of starting a round.
    pub(super) fn start(&self) -> Millipoints {
        self.start
    }

    /// What a board promises before the deal of a round: its stars, numbers and features.
    pub(super) fn promise(&self, round: u32, board: &Board) -> Millipoints {
        let stars: Millipoints = self.stars(round, board).iter().sum();
        let numbers: Millipoints = self.numbers(round, board).iter().sum();
        stars + numbers + self.features(round, board)
    }

    /// What each star promises.
    pub(super) fn stars(&self, round: u32, board: &Board) -> [Millipoints; STARS] {
        let tables = self.tables(round);
        std::array::from_fn(|star| {
            let kinds = &tables.stars[usize::from(star == CENTER_STAR)];
            kinds[kind_number(self.rules.side, board, star)][FULL & !usize::from(board.free(star))]
        })
    }

    /// What each printed cost promises.
    pub(super) fn numbers(&self, round: u32, board: &Board) -> [Millipoints; STAR_SLOTS] {
        let tables = self.tables(round);
        let slots = &NUMBERS[usize::from(self.rules.side == BoardSide::Gray)];
        std::array::from_fn(|number| {
            let missing = (slots[number + 1] & !board.filled()).count_ones() as usize;
            tables.numbers[number][missing.min(SLOTS_OF_NUMBER)]
        })
    }

    /// What pillars, statues and windows promise.
    pub(super) fn features(&self, round: u32, board: &Board) -> Millipoints {
        let tables = self.tables(round);
        let filled = |feature: &Feature| (board.filled() & feature.slots).count_ones() as usize;
        Feature::ALL.iter().map(|feature| tables.features[feature.kind as usize][filled(feature)]).sum()
    }

    /// What kept tiles are worth before the deal of a round.
    pub(super) fn kept(&self, round: u32, tiles: Tiles) -> Millipoints {
        let tables = self.tables(round);
        let count = |color: Color| Millipoints::from(tiles.count(color.index()));
        let next = match self.to_come(round) {
            1 => 0,
            _ => tables.next_wild * count(self.rules.wild(round as u8 + 1)),
        };
        tables.tile * Millipoints::from(tiles.total())
            + tables.wild * count(self.rules.wild(round as u8))
            + next
    }

    /// The rounds to come before the deal of one: itself and those after it.
    fn to_come(&self, round: u32) -> usize {
        usize::from(self.rules.rounds) + 1 - round as usize
    }

    fn tables(&self, round: u32) -> &Tables {
        &self.tables[self.to_come(round).clamp(1, ROUNDS) - 1]
    }
}
