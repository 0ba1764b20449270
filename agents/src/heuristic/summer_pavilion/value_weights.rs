//! The weights of the value of a state: [`SummerPavilionValueWeights`].

use serde::{Deserialize, Serialize};

/// Weights of the value of a state of Summer Pavilion, in points unless another unit is named. Lists of five are by
/// the rounds to come whose tiles are still to be dealt, from one to five.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SummerPavilionValueWeights {
    /// Tiles: a star that lacks so many is completed with chance 1/2.
    pub reach: [f32; 5],
    /// Tiles: how fast that chance falls; it is 1 / (1 + e^((missing − reach) / spread)).
    pub spread: [f32; 5],
    /// Factor on that chance times the points that a star of one color can still score.
    pub star: f32,
    /// The same for a star of different colors.
    pub mixed: f32,
    /// Factor on the points of an incomplete number.
    pub number: [f32; 5],
    /// Slots: a number that lacks *m* of them counts 1 − *m* / `number_slots`.
    pub number_slots: f32,
    /// For each bonus tile of a pillar or statue with one, two or three filled slots.
    pub feature: [f32; 3],
    /// For each bonus tile of a window with one filled slot.
    pub window: f32,
    /// Factor on the promise of incomplete features in the last round.
    pub feature_last: f32,
    /// A bonus tile that a planned placement earns.
    pub bonus: f32,
    /// The same in the last round.
    pub bonus_last: f32,
    /// Share that counts of what the best use of the hand gains.
    pub plan: [f32; 5],
    /// The same in the last round.
    pub plan_last: f32,
    /// A tile that is left when the round ends, and that the next one begins with.
    pub keep: [f32; 5],
    /// How much more if it will be wild.
    pub keep_wild: f32,
    /// A tile in the hand before the first tiles of a round are taken.
    pub tile: [f32; 5],
    /// How much more a wild one is.
    pub wild: [f32; 5],
    /// How much more one is that will be wild in the next round.
    pub next_wild: f32,
    /// The start player token.
    pub start: f32,
}

impl Default for SummerPavilionValueWeights {
    fn default() -> Self {
        SummerPavilionValueWeights {
            reach: [5.5, 7.5, 9.3, 10.8, 11.5],
            spread: [1.6, 2.4, 3.0, 3.5, 4.0],
            star: 1.03,
            mixed: 1.1,
            number: [1.0, 1.0, 0.8, 0.5, 0.4],
            number_slots: 7.0,
            feature: [0.8, 1.0, 1.5],
            window: 0.8,
            feature_last: 0.4,
            bonus: 2.3,
            bonus_last: 2.0,
            plan: [0.7, 0.7, 0.7, 0.7, 0.7],
            plan_last: 0.95,
            keep: [1.2, 1.6, 2.1, 2.3, 2.3],
            keep_wild: 1.0,
            tile: [2.3, 2.3, 2.3, 2.3, 2.3],
            wild: [2.4, 1.7, 1.1, 0.8, 0.6],
            next_wild: 0.6,
            start: 4.5,
        }
    }
}
