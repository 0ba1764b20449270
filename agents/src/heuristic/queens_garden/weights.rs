//! The weights of the evaluation of Queen's Garden.

use azulejo::queens_garden::ROUNDS;
use serde::{Deserialize, Serialize};

/// Weights of the one-ply evaluation of Queen's Garden, in points unless another unit is named; lists go from round 1
/// to round 4.
///
/// A placement is rated by what the garden gains — final groups, round scorings, elements, room — less what the
/// hexagons that it uses up were worth in the storage. An acquisition is rated by what it adds to the storage's
/// worth. A hexagon in the storage is worth something as payment, and a part of the gain of its own placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueensGardenWeights {
    /// Worth of a stored hexagon as payment.
    pub item: [f32; ROUNDS],
    /// Share of that worth while the storage has no other kind of the hexagon's color, nor of its pattern.
    pub lone: f32,
    /// Share of that worth while the storage has but one other kind of its color and at most one of its pattern, or
    /// the other way round.
    pub pair: f32,
    /// Share of that worth for a second and a third hexagon of the same kind.
    pub duplicate: f32,
    /// Worth of a stored joker.
    pub joker: [f32; ROUNDS],
    /// Share of a placement's gain, beyond what it costs, that counts while the hexagon is in the storage.
    pub placeable: f32,
    /// Factor on that share for each hexagon and joker that its payment still lacks.
    pub lacking: [f32; ROUNDS],
    /// Loss for a stored hexagon that cannot be placed yet, as a share of its value.
    pub waste: [f32; ROUNDS],
    /// Loss for each space of the storage in use beyond [`QueensGardenWeights::roomy`].
    pub crowded: f32,
    /// Spaces of the storage, of 12, that can be used without loss.
    pub roomy: f32,
    /// Share of its values that a group counts which lacks two hexagons or more to score.
    pub single: [f32; ROUNDS],
    /// Share of its values that a group counts which lacks one hexagon to score.
    pub couple: [f32; ROUNDS],
    /// Share of a larger group's bonus that counts for each hexagon that is lacking: 0.5 counts a quarter at two.
    pub bonus: [f32; ROUNDS],
    /// Worth of each free place beside a scoring group, up to three.
    pub growth: [f32; ROUNDS],
    /// Share of the prospects of a group that counts with 0, 1, 2 and 3 or more free places beside it.
    pub open: [f32; 4],
    /// Factor on the points of this round's scoring.
    pub wheel: f32,
    /// Factor on the points of later rounds' scorings.
    pub later_wheel: f32,
    /// Share of an element's jokers that counts, with the square of the surrounded share, before it is surrounded.
    pub element: f32,
    /// Loss for each neighbor of a placed hexagon that matches neither its color nor its pattern.
    pub mismatch: f32,
    /// Gain for each neighbor of a placed hexagon.
    pub contact: f32,
    /// Free places that a garden should have.
    pub places: [f32; ROUNDS],
    /// Loss for lacking free places, times the square of their number.
    pub cramped: f32,
    /// Gain of a face-up expansion beside its points, its hexagon and its places.
    pub pavilion: [f32; ROUNDS],
    /// What placing and buying cost in time while there is something to acquire.
    pub tempo: f32,
    /// Gain of each item acquired, beside its worth in the storage: nobody else gets it.
    pub deny: f32,
    /// Loss for taking from the stack's top: the next player has the first choice of four more tiles.
    pub top: f32,
    /// Worth of the first player marker, except in the last round.
    pub marker: f32,
}

impl Default for QueensGardenWeights {
    fn default() -> Self {
        QueensGardenWeights {
            item: [0.76, 1.93, 1.31, 0.05],
            lone: 0.21,
            pair: 0.29,
            duplicate: 0.05,
            joker: [1.67, 3.79, 0.17, 0.81],
            placeable: 0.12,
            lacking: [0.71, 0.12, 0.21, 0.18],
            waste: [0.04, 0.15, 0.13, 0.30],
            crowded: 0.20,
            roomy: 14.12,
            single: [0.03, 0.87, 0.15, 0.12],
            couple: [0.36, 2.05, 1.41, 0.06],
            bonus: [0.35, 0.14, 0.10, 0.04],
            growth: [1.46, 1.49, 0.18, -0.08],
            open: [0.26, 0.04, 0.41, 0.53],
            wheel: 0.59,
            later_wheel: 0.51,
            element: 0.40,
            mismatch: -0.11,
            contact: 0.69,
            places: [3.40, 4.01, 1.82, 2.89],
            cramped: 0.04,
            pavilion: [1.01, 0.09, 0.09, 0.03],
            tempo: 0.25,
            deny: -0.17,
            top: -0.22,
            marker: -0.03,
        }
    }
}
