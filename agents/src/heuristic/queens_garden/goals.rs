//! What a search of Queen's Garden can be bent to.

use azulejo::queens_garden::{QueensGarden, ROUNDS};
use azulejo::{Game, Seat};

use crate::goal::Goal;

/// The goals.
pub(super) const GOALS: &[Goal<QueensGarden>] = &[
    Goal { name: "colors", about: "10 points from groups of a color", count: colors },
    Goal { name: "patterns", about: "10 points from groups of a pattern", count: patterns },
    Goal { name: "wheel", about: "10 points from the wheel of the round", count: wheel },
    Goal { name: "expansions", about: "expansions face up", count: expansions },
    Goal { name: "ground", about: "ten hexagons in the garden", count: ground },
];

fn colors(state: &QueensGarden, seat: Seat) -> f32 {
    f32::from(state.board(seat).garden().color_group_points(state.rules())) / 10.0
}

fn patterns(state: &QueensGarden, seat: Seat) -> f32 {
    f32::from(state.board(seat).garden().pattern_group_points(state.rules())) / 10.0
}

fn wheel(state: &QueensGarden, seat: Seat) -> f32 {
    let rules = state.rules();
    let round = (state.round() as usize).clamp(1, ROUNDS) - 1;
    f32::from(state.board(seat).garden().round_points(&rules.wheel[round], rules)) / 10.0
}

fn expansions(state: &QueensGarden, seat: Seat) -> f32 {
    state.board(seat).garden().pavilions() as f32
}

fn ground(state: &QueensGarden, seat: Seat) -> f32 {
    state.board(seat).garden().filled().count_ones() as f32 / 10.0
}
