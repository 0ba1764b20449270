//! Wall-tiling on the colored wall and the floor line.

use serde_json::{Value, json};

use crate::azul::tests::position::Position;

/// Seat 0 takes the last tile, of this color.
fn last(color: &str) -> Position {
    Position::new("azul", 2).last_draft(color)
}

/// Seat 0's board after its last draft into a line.
fn board(position: &Position, token: &str) -> Value {
    position.after(&[token])["boards"][0].clone()
}

#[test]
fn each_color_has_its_column_shifted_by_one_from_row_to_row() {
    for (row, columns) in ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"].iter().enumerate() {
        for (column, color) in columns.chars().enumerate() {
            let line = color.to_string().repeat(row);
            let position = last(&color.to_string()).with(&format!("boards/0/lines/{row}"), line);
            let after = board(&position, &format!("0{color}{}", row + 1));
            let expected: String = (0..5).map(|c| if c == column { color } else { '.' }).collect();
            assert_eq!(after["wall"][row], expected);
        }
    }
}

#[test]
fn a_complete_line_leaves_one_tile_and_the_others_go_to_the_lid() {
    let after = last("R").with("boards/0/lines/3", "RRR").after(&["0R4"]);
    assert_eq!(
        (&after["boards"][0]["lines"][3], &after["boards"][0]["wall"][3]),
        (&json!(""), &json!("R...."))
    );
    assert_eq!(after["lid"], json!([0, 0, 3, 0, 0]));
}

#[test]
fn incomplete_lines_stay() {
    let after = board(&last("R").with("boards/0/lines", json!(["", "B", "YY", "", "WWWW"])), "0R4");
    assert_eq!(after["lines"], json!(["", "B", "YY", "R", "WWWW"]));
    assert_eq!((&after["wall"], &after["score"]), (&json!(vec!["....."; 5]), &json!(0)));
}

/// Example 2, its first part.
#[test]
fn a_tile_without_neighbors_scores_1() {
    let alone = last("R").with("boards/0/wall", json!(["B...W", ".....", "K...R", ".....", "Y...B"]));
    assert_eq!(board(&alone, "0R1")["score"], 1);
    // A diagonal neighbor is none.
    let diagonal = last("R").with("boards/0/wall/1", ".B.R.");
    assert_eq!(board(&diagonal, "0R1")["score"], 1);
}

/// Example 2, its second part.
#[test]
fn a_tile_that_closes_a_horizontal_run_of_3_scores_3() {
    for row in [".Y.K.", "BY...", "...KW"] {
        assert_eq!(board(&last("R").with("boards/0/wall/0", row), "0R1")["score"], 3, "{row}");
    }
    // A gap ends the run.
    assert_eq!(board(&last("R").with("boards/0/wall/0", "B..K."), "0R1")["score"], 2);
}

/// Example 2, its third part: red's place in row 3 is column 5.
#[test]
fn a_tile_in_a_vertical_run_of_3_scores_3() {
    for wall in [
        ["....W", "....K", ".....", ".....", "....."],
        [".....", "....K", ".....", "....Y", "....."],
        [".....", ".....", ".....", "....Y", "....B"],
    ] {
        let position = last("R").with("boards/0/wall", json!(wall)).with("boards/0/lines/2", "RR");
        assert_eq!(board(&position, "0R3")["score"], 3, "{wall:?}");
    }
}

/// Example 2, its last part.
#[test]
fn a_tile_in_runs_of_4_across_and_3_down_scores_7() {
    let wall = json!([".Y...", ".B...", "K.BY.", ".....", "....."]);
    let position = last("W").with("boards/0/wall", wall).with("boards/0/lines/2", "WW");
    assert_eq!(board(&position, "0W3")["score"], 7);
}

#[test]
fn runs_of_5_both_ways_score_10() {
    let wall = json!(["B....", "W....", ".WBYR", "R....", "Y...."]);
    let position = last("K").with("boards/0/wall", wall).with("boards/0/lines/2", "KK");
    // The game ends: 2 for the row and 7 for the column come on top.
    assert_eq!(board(&position, "0K3")["score"], 10 + 2 + 7);
}

#[test]
fn lines_are_tiled_from_the_top_and_score_at_once() {
    // Column 1: white, row 2, comes before black, row 3, so the tiles score 1 and 2.
    let position = last("K").with("boards/0/lines", json!(["", "WW", "KK", "", ""]));
    assert_eq!(board(&position, "0K3")["score"], 1 + 2);
    // Below a tile in row 1 they score 2 and 3.
    assert_eq!(board(&position.with("boards/0/wall/0", "B...."), "0K3")["score"], 2 + 3);
}

/// Example 1: four tiles and the marker cost 8 points.
#[test]
fn each_occupied_floor_space_has_its_penalty_and_the_marker_counts_as_a_tile() {
    for (tiles, penalty) in [(0, 0), (1, 1), (2, 2), (3, 4), (4, 6), (5, 8), (6, 11), (7, 14)] {
        let position = last("R").with("boards/0/score", 30).with("boards/0/floor", "W".repeat(tiles));
        assert_eq!(board(&position, "0R5")["score"], 30 - penalty, "{tiles} tiles");
    }
    let marker = Position::new("azul", 2).with("center", "R").with("boards/0/floor", "WWWW");
    let after = board(&marker.with("boards/0/score", 30), "0R5");
    assert_eq!(after["score"], 30 - 8);
}

#[test]
fn the_score_never_falls_below_0() {
    let position = last("R").with("boards/0/score", 3).with("boards/0/floor", "WWWW");
    assert_eq!(board(&position, "0R5")["score"], 0);
}

#[test]
fn penalties_come_after_all_lines() {
    // 0 + 1 - 2 is cut at 0; the other way around there would be a point left.
    let position = last("R").with("boards/0/floor", "WW");
    assert_eq!(board(&position, "0R1")["score"], 0);
}

#[test]
fn floor_tiles_go_to_the_lid() {
    let after = last("R").with("boards/0/floor", "WKW").after(&["0R0"]);
    assert_eq!((&after["lid"], &after["boards"][0]["floor"]), (&json!([0, 0, 1, 1, 2]), &json!("")));
    assert_eq!(after["boards"][1]["floor"], "");
}

#[test]
fn the_holder_of_the_marker_starts_the_next_round() {
    let after = Position::new("azul", 3)
        .with("center", "R")
        .with("marker", 2)
        .with("boards/2/floor", "*")
        .with("start", 1)
        .after(&["0R1"]);
    assert_eq!(
        (&after["start"], &after["marker"], &after["round"]),
        (&json!(2), &json!("center"), &json!(3))
    );
}

#[test]
fn if_nobody_took_the_marker_the_same_player_starts_again() {
    let position = Position::new("azul", 3).with("start", 1).with("turn", 2).with("factories/0", "KKKK");
    let after = position.after(&["1K4"]);
    assert_eq!(
        (&after["phase"], &after["start"], &after["marker"]),
        (&json!("deal"), &json!(1), &json!("center"))
    );
}
