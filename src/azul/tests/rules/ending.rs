//! The end of the game and the final scoring.

use serde_json::{Value, json};

use crate::azul::tests::position::Position;
use crate::azul::{Azul, Wall};
use crate::game::{Game, Turn};

/// Seat 0's walls of the tests lack red in row 1 and nothing else there.
const ROW_BUT_RED: &str = "BY.KW";

/// Seat 0 is to complete row 1 by the last draft, `0R1`.
fn last_row() -> Position {
    Position::new("azul", 2).last_draft("R").with("boards/0/wall/0", ROW_BUT_RED)
}

#[test]
fn the_game_ends_after_the_tiling_in_which_a_row_is_completed() {
    let after = last_row().after(&["0R1"]);
    assert_eq!(
        (&after["phase"], &after["turn"], &after["round"]),
        (&json!("over"), &json!("over"), &json!(2))
    );
    assert_eq!((&after["start"], &after["marker"]), (&json!(0), &json!(1)));
    // 5 for the run, 2 for the row.
    assert_eq!(after["boards"][0]["score"], 5 + 2);
    let mut state = last_row().state();
    state.play_token("0R1").unwrap();
    assert_eq!(state.turn(), Turn::Over);
    assert_eq!(state.play_token("0R1").unwrap_err().to_string(), "the game is over");
}

#[test]
fn four_of_five_in_a_row_do_not_end_the_game() {
    assert_eq!(last_row().with("boards/0/wall/0", ".Y.KW").after(&["0R1"])["phase"], "deal");
}

#[test]
fn a_complete_column_alone_does_not_end_the_game() {
    let wall = json!(["B....", "W....", "K....", "R....", "....."]);
    let position = Position::new("azul", 2).last_draft("Y").with("boards/0/wall", wall);
    let after = position.with("boards/0/lines/4", "YYYY").after(&["0Y5"]);
    assert_eq!((&after["phase"], &after["boards"][0]["score"]), (&json!("deal"), &json!(5)));
}

/// Seat 0's score when the last red tile completes row 1 of this wall.
fn score_with(wall: Value) -> Value {
    last_row().with("boards/0/wall", wall).after(&["0R1"])["boards"][0]["score"].clone()
}

#[test]
fn each_complete_column_gives_7() {
    let wall = json!([ROW_BUT_RED, "W....", "K....", "R....", "Y...."]);
    assert_eq!(score_with(wall), 5 + 2 + 7);
    // Red itself completes column 3: 5 across and 5 down.
    let wall = json!([ROW_BUT_RED, "W.Y..", "K.B..", "R.W..", "Y.K.."]);
    assert_eq!(score_with(wall), 10 + 2 + 2 * 7);
}

#[test]
fn each_color_with_5_tiles_gives_10() {
    let wall = json!([ROW_BUT_RED, ".B.R.", "..B.R", "R..B.", ".R..B"]);
    // Blue and red are complete; red scores 5 across and has no neighbor below.
    assert_eq!(score_with(wall), 5 + 2 + 2 * 10);
}

#[test]
fn each_complete_row_gives_2() {
    // Two rows by the same player: red below a complete run.
    let position = last_row().with("boards/0/wall/1", "WBY.K").with("boards/0/lines/1", "RR");
    // 5 + 5 across; the first red has yellow below it, the second black above it: 2 each.
    assert_eq!(position.after(&["0R1"])["boards"][0]["score"], (5 + 2) + (5 + 2) + 2 * 2);
}

#[test]
fn a_full_wall_gets_every_bonus() {
    let mut wall = Wall::default();
    for row in 0..5 {
        for column in 0..5 {
            wall.place(row, column, Wall::printed_color(row, column));
        }
    }
    let bonuses = (wall.complete_rows(), wall.complete_columns(), wall.complete_colors());
    assert_eq!(bonuses, (5, 5, 5));
}

#[test]
fn penalties_come_before_the_final_scoring() {
    // 5 - 14 is cut at 0, then the row counts 2.
    let position = last_row().with("boards/0/floor", "WWWWWWW");
    assert_eq!(position.after(&["0R1"])["boards"][0]["score"], 2);
}

#[test]
fn final_scores_count_all_players() {
    let position = last_row().with("boards/1/wall", json!([".....", "W....", "K....", "R....", "Y...."]));
    // Column 1 lacks a tile; with it there are 7 more points, for the player who did not end the game too.
    let open = position.after(&["0R1"])["boards"][1]["score"].clone();
    let complete = position.with("boards/1/wall/0", "B....").after(&["0R1"])["boards"][1]["score"].clone();
    assert_eq!((open, complete), (json!(0), json!(7)));
}

#[test]
fn the_game_ends_after_round_50_in_any_case() {
    let position = Position::new("azul", 2).last_draft("R");
    assert_eq!(position.clone().with("round", 49).after(&["0R1"])["phase"], "deal");
    let after = position.with("round", 50).after(&["0R1"]);
    assert_eq!((&after["phase"], &after["round"]), (&json!("over"), &json!(50)));
    let gray = Position::new("azul:gray", 2).last_draft("R").with("round", 50);
    assert_eq!(gray.after(&["0R1"])["phase"], "tile");
    assert_eq!(gray.after(&["0R1", "T13"])["phase"], "over");
}

/// A game that is over with these scores and numbers of complete rows.
fn over(scores: &[i16], rows: &[usize]) -> Azul {
    let complete = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"];
    let mut position = Position::new("azul", scores.len()).with("phase", "over").with("turn", "over");
    for (seat, (&score, &rows)) in scores.iter().zip(rows).enumerate() {
        position = position.with(&format!("boards/{seat}/score"), score);
        for (row, wall) in complete.iter().take(rows).enumerate() {
            position = position.with(&format!("boards/{seat}/wall/{row}"), *wall);
        }
    }
    position.state()
}

#[test]
fn most_points_win() {
    assert_eq!(over(&[30, 31], &[2, 1]).wins().as_slice(), [0.0, 1.0]);
    assert_eq!(over(&[0, 7, 5, 6], &[1, 0, 0, 0]).wins().as_slice(), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn among_tied_players_more_complete_rows_win() {
    assert_eq!(over(&[30, 30], &[1, 2]).wins().as_slice(), [0.0, 1.0]);
    // The rows of a player who is not tied do not matter.
    assert_eq!(over(&[30, 30, 29], &[1, 0, 3]).wins().as_slice(), [1.0, 0.0, 0.0]);
}

#[test]
fn if_rows_are_equal_too_the_win_is_shared() {
    assert_eq!(over(&[30, 30], &[1, 1]).wins().as_slice(), [0.5, 0.5]);
    let third = 1.0 / 3.0;
    assert_eq!(over(&[9, 9, 3, 9], &[1, 1, 2, 1]).wins().as_slice(), [third, third, 0.0, third]);
    assert_eq!(over(&[0; 4], &[1; 4]).wins().as_slice(), [0.25; 4]);
}

#[test]
fn scores_while_the_game_runs_have_no_bonus() {
    let wall = json!(["B....", "W....", "K....", "R....", "Y...."]);
    let state = last_row().with("boards/1/wall", wall).with("boards/1/score", 15).state();
    assert_eq!(state.scores().as_slice(), [0, 15]);
}
