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
    /// Factor on that chance times the points that a star of one color can still score, those of runs included.
    pub star: f32,
    /// The same for a star of different colors.
    pub mixed: f32,
    /// The same for a star that lacks more than four tiles on the gray side, as if it came to hold different colors.
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
            reach: [5.5, 7.5, 9.3, 10.0, 10.5],
            spread: [1.6, 2.4, 3.0, 3.5, 4.0],
            star: 1.0,
            mixed: 1.1,
            open: 0.5,
            number: [1.0, 1.0, 0.8, 0.5, 0.4],
            number_slots: 8.0,
            feature: [0.8, 1.0, 1.5],
            window: 0.8,
            tile: [2.3, 2.3, 2.3, 2.3, 2.3],
            wild: [2.4, 1.7, 1.1, 0.8, 0.6],
            next_wild: 0.6,
            start: 4.5,
        }
    }
}
