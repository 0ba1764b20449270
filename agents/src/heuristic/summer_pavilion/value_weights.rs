//! The weights of the value of a state: [`SummerPavilionValueWeights`].

use serde::{Deserialize, Serialize};

/// Weights of the value of a state of Summer Pavilion at a deal, in points unless another unit is named.
///
/// Lists of five are by the rounds that are still to be played, from one to five.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummerPavilionValueWeights {
    /// Tiles: a star whose free slots cost so many is completed with chance 1/2.
    pub reach: [f32; 5],
    /// Tiles: how slowly that chance falls; for a cost c it is 1 / (1 + e^((c − `reach`) / `spread`)).
    pub spread: [f32; 5],
    /// Factor on that chance times the points that a star of one color can still score, those of runs
    /// included.
    pub star: f32,
    /// The same for a star of different colors.
    pub mixed: f32,
    /// The same for a star of the gray side with fewer than two tiles, as if it came to hold different
    /// colors.
    pub open: f32,
    /// Factor on the points of an incomplete number.
    pub number: [f32; 5],
    /// Slots: of that, a number that lacks *m* of them counts 1 − *m* / `number_slots`, or nothing.
    pub number_slots: f32,
    /// For each bonus tile of a pillar or statue that has one, two or three slots filled.
    pub feature: [f32; 3],
    /// For each bonus tile of a window that has one slot filled.
    pub window: f32,
    /// A tile kept for the next round.
    pub tile: [f32; 5],
    /// How much more it is if it is wild in that round.
    pub wild: [f32; 5],
    /// How much more it is if it is wild in the round after.
    pub next_wild: f32,
    /// Starting the next round.
    pub start: f32,
}

impl Default for SummerPavilionValueWeights {
    fn default() -> Self {
        SummerPavilionValueWeights {
            reach: [4.63, 6.5, 8.3, 10.44, 10.29],
            spread: [1.96, 3.01, 4.13, 4.63, 2.56],
            star: 1.09,
            mixed: 1.37,
            open: 1.46,
            number: [0.82, 0.68, 0.87, 0.52, 1.0],
            number_slots: 10.0,
            feature: [0.59, 0.62, 1.07],
            window: 1.05,
            tile: [2.02, 1.8, 1.81, 1.65, 2.31],
            wild: [3.34, 1.88, 1.22, 0.62, 0.61],
            next_wild: 1.16,
            start: 4.09,
        }
    }
}
