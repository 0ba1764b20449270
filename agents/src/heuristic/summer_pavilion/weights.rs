//! The weights of the evaluation of actions.

use serde::{Deserialize, Serialize};

/// Weights of Summer Pavilion's one-ply evaluation, in points unless another unit is named.
///
/// Pairs that end in `_early` and `_late` are the values in the first and in the last round; between them the
/// value changes evenly from round to round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummerPavilionWeights {
    /// Factor on the points of a complete star. A star that lacks *m* tiles of those it may still get, *g*,
    /// counts (1 − *m* / *g*)² of it.
    pub star: f32,
    /// Tiles: how many of one color are expected to come in each later round.
    pub reach: f32,
    /// Tiles: the same for a star of different colors.
    pub mixed_reach: f32,
    /// Factor on the points of runs that a star can no longer give because tiles were laid apart.
    pub apart: f32,
    /// Factor on the points of a complete number. A number that lacks *m* slots of those that may still be
    /// filled,
    /// *g*, counts (1 − *m* / *g*)² of it.
    pub number: f32,
    /// Slots of one number that can be filled in this round.
    pub number_now: f32,
    /// Slots of one number that can be filled in each later round.
    pub number_reach: f32,
    /// Worth of a bonus tile in the first round.
    pub bonus_early: f32,
    /// Worth of a bonus tile in the last round.
    pub bonus_late: f32,
    /// Worth of a feature that is nearly complete as a share of a complete one; *m* of *n* slots count (*m* /
    /// *n*)² of it.
    pub feature: f32,
    /// The worth of tiles of a color whose star is full, as a share of others'.
    pub homeless: f32,
    /// Worth in the hand of a tile to be spent, in the first round.
    pub tile_early: f32,
    /// Worth in the hand of a tile to be spent, in the last round.
    pub tile_late: f32,
    /// How much more a wild tile is worth.
    pub wild: f32,
    /// How much more a tile of the next round's wild color is worth.
    pub next_wild: f32,
    /// Worth of a tile kept for the next round.
    pub keep: f32,
    /// How much more a kept tile is worth that will be wild.
    pub keep_wild: f32,
    /// Factor on what tiles acquired bring a star nearer to its points.
    pub draft_star: f32,
    /// Tiles of one color that are expected to come in this round when tiles are acquired.
    pub draft_reach: f32,
    /// The share of the wild tiles in the hand that counts as held for each star when tiles are acquired.
    pub draft_share: f32,
    /// Worth of any tile acquired in the first round.
    pub draft_tile_early: f32,
    /// Worth of any tile acquired in the last round.
    pub draft_tile_late: f32,
    /// Worth of a wild tile acquired in the first round.
    pub draft_wild_early: f32,
    /// Worth of a wild tile acquired in the last round.
    pub draft_wild_late: f32,
    /// Worth of a wild tile as a bonus tile.
    pub bonus_wild: f32,
    /// How much more a tile acquired is worth that will be wild in the next round.
    pub draft_next: f32,
    /// How much more tiles acquired are worth of a color that the center star lacks.
    pub draft_center: f32,
    /// Share that counts, when tiles are acquired, of what the best slot that they can pay for gains.
    pub draft_slot: f32,
    /// Factor on the points lost with the start player token.
    pub center: f32,
    /// Worth of the start player token as long as a round follows.
    pub token: f32,
}

impl Default for SummerPavilionWeights {
    fn default() -> Self {
        SummerPavilionWeights {
            star: 7.82,
            reach: 13.62,
            mixed_reach: 3.63,
            apart: 0.27,
            number: 0.45,
            number_now: 1.63,
            number_reach: 1.3,
            bonus_early: 0.04,
            bonus_late: 8.12,
            feature: 0.91,
            homeless: 0.43,
            tile_early: 2.67,
            tile_late: 2.69,
            wild: 0.17,
            next_wild: 3.49,
            keep: 3.25,
            keep_wild: 2.37,
            draft_star: 0.34,
            draft_reach: 8.72,
            draft_share: 0.19,
            draft_tile_early: 2.36,
            draft_tile_late: 1.49,
            draft_wild_early: 3.18,
            draft_wild_late: 3.09,
            bonus_wild: 2.53,
            draft_next: 0.28,
            draft_center: 0.04,
            draft_slot: 0.23,
            center: 0.36,
            token: 4.2,
        }
    }
}
