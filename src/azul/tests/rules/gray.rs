//! Wall-tiling on the gray wall.

use serde_json::json;

use crate::azul::tests::position::{Position, legal};
use crate::game::Game;

/// The gray wall, all taken, seat 0 (the starting player) about to tile.
fn tiling() -> Position {
    Position::new("azul:gray", 2).with("phase", "tile")
}

#[test]
fn the_player_chooses_any_free_column() {
    let position = tiling().with("boards/0/lines/2", "BBB").with("boards/0/wall/2", "Y..K.");
    assert_eq!(position.legal(), "T32 T33 T35");
    let after = position.after(&["T33"]);
    assert_eq!(after["boards"][0]["wall"][2], "Y.BK.");
    assert_eq!((&after["boards"][0]["lines"][2], &after["lid"]), (&json!(""), &json!([2, 0, 0, 0, 0])));
    // It lies next to black only.
    assert_eq!(after["boards"][0]["score"], 2);
}

#[test]
fn no_color_appears_twice_in_a_column() {
    let wall = json!(["B....", "..B..", ".....", ".....", "....B"]);
    let position = tiling().with("boards/0/lines/2", "BBB").with("boards/0/wall", wall);
    assert_eq!(position.legal(), "T32 T34");
    let error = position.state().play_token("T31").unwrap_err().to_string();
    assert_eq!(error, "that space is taken, or its column holds the color already");
}

#[test]
fn a_complete_line_with_a_column_must_be_tiled() {
    let position = tiling().with("boards/0/lines/0", "B");
    assert_eq!(position.legal(), "T11 T12 T13 T14 T15");
    let error = position.state().play_token("0B0").unwrap_err().to_string();
    assert_eq!(error, "a complete line must be tiled first");
}

#[test]
fn the_last_draft_leads_to_the_first_decision() {
    let after = Position::new("azul:gray", 2).last_draft("R").after(&["0R1"]);
    assert_eq!((&after["phase"], &after["turn"], &after["marker"]), (&json!("tile"), &json!(0), &json!(1)));
    // Floors still lie there, and nothing has been scored.
    assert_eq!((&after["boards"][1]["floor"], &after["boards"][0]["score"]), (&json!("*"), &json!(0)));
}

#[test]
fn a_single_column_is_still_a_decision() {
    let position = tiling().with("boards/0/lines/0", "B").with("boards/0/wall/0", "YRKW.");
    assert_eq!(position.legal(), "T15");
}

#[test]
fn players_tile_in_turn_order_from_the_starting_player_each_from_the_top() {
    let position = Position::new("azul:gray", 3)
        .with("phase", "tile")
        .with("start", 2)
        .with("turn", 2)
        .with("boards/0/lines/4", "RRRRR")
        .with("boards/1/lines/0", "K")
        .with("boards/2/lines", json!(["", "YY", "B", "YYYY", ""]));
    let mut state = position.state();
    for (token, turn, row) in [("T22", 2, "T2"), ("T44", 2, "T4"), ("T55", 0, "T5"), ("T11", 1, "T1")] {
        let actions = legal(&state);
        assert!(actions.split(' ').all(|action| action.starts_with(row)), "{actions}");
        assert_eq!(serde_json::to_value(state).unwrap()["turn"], turn);
        state.play_token(token).unwrap();
    }
    assert_eq!(serde_json::to_value(state).unwrap()["phase"], "deal");
    let error = position.state().play_token("T41").unwrap_err().to_string();
    assert_eq!(error, "lines are tiled from the top: another line is next");
}

/// Example 5, first part: blue cannot lie anywhere in row 3.
fn dead_row() -> Position {
    let wall = json!(["B....", ".B...", "..YRK", ".....", "....."]);
    Position::new("azul:gray", 2).last_draft("B").with("boards/0/wall", wall).with("boards/0/lines/2", "BB")
}

#[test]
fn a_line_without_a_column_falls_to_the_floor_before_the_penalties() {
    let after = dead_row().with("boards/0/score", 10).after(&["0B3"]);
    // No decision is asked: three tiles cost 4 points and go to the lid.
    assert_eq!((&after["phase"], &after["boards"][0]["score"]), (&json!("deal"), &json!(6)));
    assert_eq!((&after["boards"][0]["lines"][2], &after["lid"]), (&json!(""), &json!([3, 0, 0, 0, 0])));
    assert_eq!(after["boards"][0]["wall"][2], "..YRK");
}

/// Example 5, second part.
#[test]
fn a_dead_line_that_overflows_the_floor_goes_to_the_lid() {
    // A decision in line 5 keeps the floor to be seen.
    let position = dead_row().with("boards/0/floor", "WWWWWW").with("boards/0/lines/4", "KKKKK");
    let after = position.after(&["0B3"]);
    assert_eq!((&after["phase"], &after["turn"]), (&json!("tile"), &json!(0)));
    assert_eq!(after["boards"][0]["floor"], "WWWWWWB");
    assert_eq!(after["lid"], json!([2, 0, 0, 0, 0]));
    let full = position.with("boards/0/floor", "WWWWWWW").with("boards/0/score", 20);
    assert_eq!(full.after(&["0B3"])["lid"], json!([3, 0, 0, 0, 0]));
    // 14 for the floor, however many fall; 2 for black below yellow.
    assert_eq!(full.after(&["0B3", "T51"])["boards"][0]["score"], 20 + 1 - 14);
}

/// Example 5, third part: row 1's tile takes the last column that row 2 had.
#[test]
fn a_row_dies_by_the_row_tiled_just_above() {
    let position = tiling()
        .with("boards/0/lines", json!(["B", "BB", "", "", ""]))
        .with("boards/0/wall", json!([".....", "YRK..", "....B", ".....", "....."]))
        .with("boards/0/score", 10);
    assert_eq!(position.legal(), "T11 T12 T13 T14");
    // Column 4 is the only one left to row 2, and column 4 of row 1 takes it away: two tiles fall.
    let after = position.after(&["T14"]);
    assert_eq!((&after["phase"], &after["boards"][0]["score"]), (&json!("deal"), &json!(10 + 1 - 2)));
    assert_eq!(
        (&after["boards"][0]["wall"][1], &after["boards"][0]["lines"][1]),
        (&json!("YRK.."), &json!(""))
    );
    // Any other column leaves it open: it is asked for and scores 4 beside yellow, red, black.
    let after = position.after(&["T12", "T24"]);
    assert_eq!(after["boards"][0]["score"], 10 + 2 + 4);
}

#[test]
fn a_line_is_judged_when_its_turn_comes() {
    // Line 2 is dead as soon as line 1 lies in column 5; line 3 is judged afterwards and still has its
    // columns.
    let position = tiling()
        .with("boards/0/lines", json!(["B", "BB", "WWW", "", ""]))
        .with("boards/0/wall", json!([".....", "YRKW.", ".....", ".....", "....."]));
    let mut state = position.state();
    state.play_token("T15").unwrap();
    assert_eq!(legal(&state), "T31 T32 T33 T35");
    assert_eq!(state.board(crate::Seat::new(0)).floor().to_string(), "BB");
}

#[test]
fn the_order_between_players_does_not_change_the_result() {
    let position = tiling().with("boards/0/lines/0", "B").with("boards/1/lines/1", "YY").with("marker", 1);
    let position = position.with("boards/1/floor", "*RR");
    let first = position.after(&["T11", "T22"]);
    let other = position.clone().with("start", 1).with("turn", 1).after(&["T22", "T11"]);
    assert_eq!(first, other);
}

#[test]
fn all_players_pay_for_their_floors_together_after_the_last_line() {
    let position = tiling()
        .with("boards/0/lines/0", "B")
        .with("boards/0/floor", "RR")
        .with("boards/0/score", 5)
        .with("boards/1/lines/0", "Y");
    let mut state = position.state();
    state.play_token("T11").unwrap();
    assert_eq!(state.scores().as_slice(), [6, 0]);
    state.play_token("T11").unwrap();
    assert_eq!(state.scores().as_slice(), [4, 1]);
}

#[test]
fn a_complete_row_ends_the_game_only_after_all_lines() {
    let position = tiling()
        .with("boards/0/lines/0", "B")
        .with("boards/0/wall/0", "YRKW.")
        .with("boards/1/lines", json!(["Y", "BB", "", "", ""]));
    assert_eq!(position.after(&["T15"])["phase"], "tile");
    assert_eq!(position.after(&["T15", "T11"])["phase"], "tile");
    assert_eq!(position.after(&["T15", "T11", "T22"])["phase"], "over");
}
