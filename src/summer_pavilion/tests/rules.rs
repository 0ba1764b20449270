//! One test for each sentence of the rules.

mod acquiring;
mod bonus;
mod ending;
mod next_round;
mod passing;
mod placing;
mod refilling;
mod setup;

use serde_json::{Value, json};

use super::position::{json_of, legal, legal_at, play, position, refusal, rules};
use super::*;
use crate::Seat;

fn score(game: &SummerPavilion, seat: usize) -> i16 {
    game.scores()[Seat::new(seat)]
}

/// A position in which seat 0 holds `hand`, with these stars already filled.
fn placing(hand: &str, stars: Value) -> SummerPavilion {
    position(json!({"boards": [{"hand": hand, "stars": stars}]}))
}

fn gray_placing(hand: &str, stars: Value) -> SummerPavilion {
    position(json!({"game": "summer-pavilion:gray", "boards": [{"hand": hand, "stars": stars}]}))
}

fn hand(game: &SummerPavilion, seat: usize) -> String {
    game.board(Seat::new(seat)).hand().letters(LETTERS).to_string()
}

fn depot(game: &SummerPavilion) -> String {
    game.depot().letters(LETTERS).to_string()
}
