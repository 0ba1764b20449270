//! Numbers that no rulebook changes: what the marker costs, and points at the start.

use serde_json::{Value, json};

use super::super::position::Position;
use crate::azul::{Azul, AzulRules};
use crate::game::{Game, Rules};
use crate::{Seat, intern};

/// Seat 0 ends the round by taking the last tile, red, and the marker from the center.
fn taking_the_marker(changes: Value) -> Position {
    Position::new("azul", 2).changed(changes).with("center", "R").with("boards/0/score", 10)
}

/// The score of seat 0 after that, with the tile in the first line.
fn score(changes: Value) -> Value {
    taking_the_marker(changes).with("boards/0/floor", "KK").after(&["0R1"])["boards"][0]["score"].clone()
}

#[test]
fn the_marker_costs_points_beside_its_space() {
    // A point for the tile, less 1 + 1 for the black tiles and 2 for the third space.
    assert_eq!(score(json!({})), json!(10 + 1 - 4));
    assert_eq!(score(json!({"marker_points": -3})), json!(10 + 1 - 4 - 3));
    assert_eq!(score(json!({"marker_points": -100})), json!(0));
    assert_eq!(score(json!({"floor": [-1, -1, -9, -2, -2, -3, -3]})), json!(10 + 1 - 11));
}

#[test]
fn a_marker_without_a_space_costs_its_points_alone() {
    assert_eq!(score(json!({"marker_spaces": 0})), json!(10 + 1 - 2));
    assert_eq!(score(json!({"marker_spaces": 0, "marker_points": -5})), json!(10 + 1 - 2 - 5));
    // The other black tile stays, so the round goes on.
    let taking = taking_the_marker(json!({"marker_spaces": 0})).with("center", "RK");
    let after = taking.after(&["0R0"]);
    assert_eq!((&after["boards"][0]["floor"], &after["marker"]), (&json!("R"), &json!(0)));
    let lying = taking_the_marker(json!({"marker_spaces": 0})).with("marker", 1).with("boards/1/floor", "*");
    assert_eq!(lying.read().unwrap_err().key, "boards[1].floor");
    let holding = taking_the_marker(json!({"marker_spaces": 0})).with("marker", 1);
    assert_eq!(holding.state().marker(), Some(Seat::new(1)));
}

#[test]
fn the_points_of_floor_and_marker_are_told() {
    let state = Position::new("azul", 2)
        .changed(json!({"marker_points": -3}))
        .with("center", "R")
        .with("marker", 1)
        .with("boards/1/floor", "*K")
        .state();
    assert_eq!([0, 1].map(|seat| state.floor_points(Seat::new(seat))), [0, -5]);
}

#[test]
fn seats_begin_with_their_handicap() {
    let changes = json!({"handicap": [0, 7, 100, 50]});
    let rules = AzulRules::default().with_changes(changes.as_object().unwrap()).unwrap();
    let game = Azul::new(intern(rules), 3);
    assert_eq!(game.scores().as_slice(), [0, 7, 100]);
    let written = serde_json::to_value(game).unwrap();
    assert_eq!(Azul::from_json(game.rules(), &written), Ok(game));
    for wrong in [json!([0, 7]), json!([0, 0, 0, 101]), json!([-1, 0, 0, 0])] {
        let changes = json!({"handicap": wrong});
        let error = AzulRules::default().with_changes(changes.as_object().unwrap()).unwrap_err();
        assert!(error.starts_with("handicap"), "{error}");
    }
}
