//! A player's board, hand and points.

use super::slot::{Feature, features_at, run_length};
use super::{BoardSide, CENTER_STAR, COLORS, Color, STAR_SLOTS, STARS, Slot, SummerPavilionRules};
use crate::tiles::Tiles;

/// The bits of a star that begins at bit 0.
const STAR: u64 = (1 << STAR_SLOTS) - 1;
/// All colors, bit [`Color::index`].
const ALL_COLORS: u8 = (1 << COLORS) - 1;

/// A player's board with everything else that belongs to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) score: i16,
    pub(super) passed: bool,
    pub(super) hand: Tiles,
    pub(super) kept: Tiles,
    /// For each color its slots.
    colors: [u64; COLORS],
    filled: u64,
    /// For each star the colors that it takes while it has free slots, bit [`Color::index`].
    accepted: [u8; STARS],
}

impl Board {
    /// An empty board with so many points.
    pub(super) fn new(side: BoardSide, score: i16) -> Self {
        let mut accepted = [ALL_COLORS; STARS];
        if side == BoardSide::Colored {
            (0..COLORS).for_each(|star| accepted[star] = 1 << star);
        }
        Board {
            score,
            passed: false,
            hand: Tiles::EMPTY,
            kept: Tiles::EMPTY,
            colors: [0; COLORS],
            filled: 0,
            accepted,
        }
    }

    /// The points so far, at least 0.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// Whether the player has passed in this round.
    #[inline]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// The player's tiles that can be spent.
    #[inline]
    pub fn hand(&self) -> Tiles {
        self.hand
    }

    /// The tiles laid aside for the next round.
    #[inline]
    pub fn kept(&self) -> Tiles {
        self.kept
    }

    /// The set of filled slots, bit [`Slot::index`].
    #[inline]
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The set of slots that hold this color, bit [`Slot::index`].
    #[inline]
    pub fn slots_of(&self, color: Color) -> u64 {
        self.colors[color.index()]
    }

    /// The color of the tile on a slot, if there is one.
    pub fn color_at(&self, slot: Slot) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.slots_of(*color) & slot.bit() != 0)
    }

    /// The free positions of a star (0 to 6), bit `p` for position `p`.
    #[inline]
    pub fn free(&self, star: usize) -> u8 {
        (!self.filled >> (STAR_SLOTS * star) & STAR) as u8
    }

    /// The filled positions of a star (0 to 6), bit `p` for position `p`.
    #[inline]
    fn star(&self, star: usize) -> u8 {
        (self.filled >> (STAR_SLOTS * star) & STAR) as u8
    }

    /// The colors that a star (0 to 6) takes as long as it has free slots, bit [`Color::index`].
    #[inline]
    pub fn accepted(&self, star: usize) -> u8 {
        self.accepted[star]
    }

    /// The colors of the tiles on a star (0 to 6), bit [`Color::index`].
    #[inline]
    pub fn colors_on(&self, star: usize) -> u8 {
        (0..COLORS).fold(0, |all, color| {
            all | u8::from(self.colors[color] >> (STAR_SLOTS * star) & STAR != 0) << color
        })
    }

    /// Puts a tile on a free slot.
    #[inline]
    pub(super) fn fill(&mut self, side: BoardSide, slot: Slot, color: Color) {
        debug_assert!(self.filled & slot.bit() == 0, "{slot} holds a tile already");
        self.filled |= slot.bit();
        self.colors[color.index()] |= slot.bit();
        let star = slot.star();
        match side {
            BoardSide::Colored if star != CENTER_STAR => {}
            BoardSide::Colored => self.accepted[star] &= !(1 << color.index()),
            BoardSide::Gray => self.accepted[star] = self.accepted_gray(star),
        }
    }

    /// Gray side: fewer than two tiles leave everything open, equal tiles bind the star to their color,
    /// different ones to the colors that it lacks.
    #[inline]
    fn accepted_gray(&self, star: usize) -> u8 {
        let colors = self.colors_on(star);
        let tiles = self.star(star);
        if tiles & tiles.wrapping_sub(1) == 0 {
            ALL_COLORS
        } else if colors & (colors - 1) == 0 {
            colors
        } else {
            ALL_COLORS & !colors
        }
    }

    /// The points for the tile that was just put on a slot: the length of its run.
    #[inline]
    pub(super) fn run(&self, slot: Slot) -> i16 {
        run_length(self.star(slot.star()), slot.position())
    }

    /// The bonus tiles for the features that the tile just put on a slot completed.
    #[inline]
    pub(super) fn bonus_tiles(&self, rules: &SummerPavilionRules, slot: Slot) -> u8 {
        features_at(slot)
            .into_iter()
            .map(|feature| u8::from(feature.is_complete(self.filled)) * rules.bonus_tiles(feature.kind))
            .sum()
    }

    /// Whether all slots around a feature are filled.
    pub fn has(&self, feature: Feature) -> bool {
        feature.is_complete(self.filled)
    }

    /// Loses points (`points` is not positive) down to 0 at the lowest.
    #[inline]
    pub(super) fn lose(&mut self, points: i16) {
        self.score = (self.score + points).max(0);
    }

    /// The points that the complete stars are worth at the end.
    pub fn star_points(&self, rules: &SummerPavilionRules) -> i16 {
        (0..STARS)
            .filter(|&star| self.free(star) == 0)
            .map(|star| {
                let colors = self.colors_on(star);
                let one_color = colors & (colors - 1) == 0;
                if one_color {
                    rules.star_points[colors.trailing_zeros() as usize]
                } else {
                    rules.mixed_star_points
                }
            })
            .sum()
    }

    /// The points that the complete sets of equal printed costs are worth at the end.
    pub fn number_points(&self, rules: &SummerPavilionRules) -> i16 {
        let worth = rules.number_points.iter().zip(1..).filter(|&(&points, _)| points != 0);
        worth
            .filter(|&(_, cost)| {
                let slots = rules.side.slots_of_cost(cost);
                self.filled & slots == slots
            })
            .map(|(points, _)| points)
            .sum()
    }
}
