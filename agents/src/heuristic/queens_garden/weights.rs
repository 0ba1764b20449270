//! The weights of the evaluation of Queen's Garden.

use serde::{Deserialize, Serialize};

use super::stage::STAGES;

/// Weights of the one-ply evaluation of Queen's Garden, in points unless another unit is named.
///
/// Lists of five are for the starts of rounds 1 to 4 and for the end; between them the share of the round's
/// items that are gone from the display and the stack interpolates.
///
/// A placement is rated by what the garden gains — final groups, round scorings, elements, room — less what
/// the hexagons that it uses up were worth in the storage. An acquisition is rated by what it adds to the
/// storage's worth. A hexagon in the storage is worth something as payment, and a part of the gain of its own
/// placement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueensGardenWeights {
    /// Worth of a stored hexagon as payment.
    pub item: [f32; STAGES],
    /// Share of that worth while the storage has no other kind of the hexagon's color, nor of its pattern.
    pub lone: f32,
    /// Share of that worth while the storage has but one other kind of its color and at most one of its
    /// pattern, or the other way round.
    pub pair: f32,
    /// Share of that worth for a second and a third hexagon of the same kind.
    pub duplicate: f32,
    /// Worth of a stored joker.
    pub joker: [f32; STAGES],
    /// Share of a placement's gain, beyond what it costs, that counts while the hexagon is in the storage.
    pub placeable: f32,
    /// Factor on that share for each hexagon and joker that its payment still lacks.
    pub lacking: [f32; STAGES],
    /// Loss for a stored hexagon that cannot be placed yet, as a share of its value.
    pub waste: [f32; STAGES],
    /// Loss for each space of the storage in use beyond [`QueensGardenWeights::roomy`].
    pub crowded: f32,
    /// Spaces of the storage, of 12, that can be used without loss.
    pub roomy: f32,
    /// Factor on the worth of groups of one color.
    pub color_groups: f32,
    /// Factor on the worth of groups of one pattern.
    pub pattern_groups: f32,
    /// Share of its values that a group counts which lacks two hexagons or more to score.
    pub single: [f32; STAGES],
    /// Share of its values that a group counts which lacks one hexagon to score.
    pub couple: [f32; STAGES],
    /// Share of a larger group's bonus that counts for each hexagon that is lacking: 0.5 counts a quarter at
    /// two.
    pub bonus: [f32; STAGES],
    /// Worth of each free place beside a scoring group, up to three.
    pub growth: [f32; STAGES],
    /// Share of the prospects of a group that counts with 0, 1, 2 and 3 or more free places beside it.
    pub open: [f32; 4],
    /// Factor on the points of this round's scoring.
    pub wheel: f32,
    /// Factor on the points of later rounds' scorings.
    pub later_wheel: f32,
    /// Share of an element's jokers that counts, with the square of the surrounded share, before it is
    /// surrounded.
    pub element: f32,
    /// Gain for each neighbor of a placed hexagon.
    pub contact: f32,
    /// Free places that a garden should have.
    pub places: [f32; STAGES],
    /// Loss for lacking free places, times the square of their number.
    pub cramped: f32,
    /// Gain of a face-up expansion beside its points, its hexagon and its places.
    pub pavilion: [f32; STAGES],
    /// What placing and buying cost in time while there is something to acquire.
    pub tempo: f32,
    /// Gain of each item acquired, beside its worth in the storage: nobody else gets it.
    pub deny: f32,
    /// Loss for taking from the stack's top: the next player has the first choice of four more tiles.
    pub top: f32,
    /// Loss for passing while all of the round's items are still to be had; less in proportion when some are
    /// gone.
    pub leaving: f32,
    /// Worth of the first player marker, except in the last round.
    pub marker: f32,
}

impl Default for QueensGardenWeights {
    fn default() -> Self {
        QueensGardenWeights {
            item: [2.02, 1.64, 2.68, 1.73, 0.34],
            lone: 0.73,
            pair: 0.96,
            duplicate: 0.12,
            joker: [1.80, 1.89, 0.04, 0.35, 0.88],
            placeable: 0.41,
            lacking: [0.29, 0.22, 0.41, 0.49, 0.12],
            waste: [0.62, 0.53, 0.76, 0.75, 0.71],
            crowded: 0.04,
            roomy: 11.52,
            color_groups: 1.0,
            pattern_groups: 1.0,
            single: [0.19, 0.45, 0.58, 0.02, 0.01],
            couple: [0.55, 0.89, 1.24, 0.71, 0.10],
            bonus: [1.31, 0.20, 0.18, 0.05, 0.02],
            growth: [0.77, 0.47, 0.89, -0.17, -0.25],
            open: [0.09, 0.25, 0.78, 0.97],
            wheel: 0.40,
            later_wheel: 1.01,
            element: 0.76,
            contact: 0.21,
            places: [3.69, 1.07, 0.16, 2.19, 2.35],
            cramped: 0.15,
            pavilion: [0.27, 0.54, -0.19, 0.00, -0.03],
            tempo: 0.78,
            deny: -0.08,
            top: -0.19,
            leaving: 5.89,
            marker: -0.15,
        }
    }
}
