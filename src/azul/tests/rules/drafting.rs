//! Components and the factory offer.

use serde_json::json;

use crate::azul::tests::position::Position;
use crate::azul::{Action, Azul, AzulRules, Color};
use crate::game::Game;
use crate::index::Indexed;
use crate::intern;

fn azul(players: usize) -> Position {
    Position::new("azul", players)
}

const BOTH_WALLS: [&str; 2] = ["azul", "azul:gray"];

#[test]
fn a_game_starts_with_20_tiles_of_each_color_in_the_bag_and_5_7_or_9_factories() {
    for (players, factories) in [(2, 5), (3, 7), (4, 9)] {
        let state = Azul::new(intern(AzulRules::default()), players);
        let json = serde_json::to_value(state).unwrap();
        assert_eq!(json["factories"], json!(vec![""; factories]));
        assert_eq!(json["bag"], json!([20, 20, 20, 20, 20]));
        assert_eq!((&json["round"], &json["start"], &json["turn"]), (&json!(1), &json!(0), &json!("chance")));
        assert!(json["boards"].as_array().unwrap().iter().all(|board| board["score"] == 0));
    }
}

#[test]
fn the_action_index_has_300_drafts_and_25_tilings() {
    assert_eq!(Action::COUNT, 325);
    let opening =
        azul(4).with("factories", json!(vec!["BYRK"; 5].into_iter().chain(vec![""; 4]).collect::<Vec<_>>()));
    assert_eq!(opening.legal().split(' ').count(), 5 * 4 * 6);
}

#[test]
fn turns_go_around_from_the_starting_player() {
    let offer = azul(3)
        .with("start", 1)
        .with("turn", 1)
        .with("factories", json!(["BBBB", "YYYY", "RRRR", "KKKK", "", "", ""]));
    assert_eq!(offer.after(&["1B5"])["turn"], 2);
    assert_eq!(offer.after(&["1B5", "2Y5"])["turn"], 0);
    assert_eq!(offer.after(&["1B5", "2Y5", "3R5"])["turn"], 1);
}

#[test]
fn a_turn_takes_all_tiles_of_one_color_and_the_rest_of_the_factory_goes_to_the_center() {
    let offer = azul(2).with("factories", json!(["BBYR", "KKWW", "", "", ""]));
    let after = offer.after(&["1B2"]);
    assert_eq!(after["boards"][0]["lines"], json!(["", "BB", "", "", ""]));
    assert_eq!(
        (&after["factories"][0], &after["center"], &after["marker"]),
        (&json!(""), &json!("YR"), &json!("center"))
    );
    assert_eq!(after["factories"][1], "KKWW");
}

#[test]
fn nothing_is_taken_that_does_not_lie_there() {
    let state = azul(2).with("factories", json!(["BBYR", "", "", "", ""])).state();
    for (token, why) in [
        ("1K1", "that source holds no tile of that color"),
        ("2B1", "that source holds no tile of that color"),
        ("0B1", "that source holds no tile of that color"),
        ("6B1", "there is no factory of that number"),
    ] {
        assert_eq!(state.clone().play_token(token).unwrap_err().to_string(), why, "{token}");
    }
}

/// Example 4: three red tiles are the first ones taken from the center.
#[test]
fn the_first_to_take_from_the_center_lays_the_marker_on_the_floor_before_the_tiles() {
    let offer = azul(2).with("center", "YRRR");
    let after = offer.after(&["0R2"]);
    assert_eq!(after["boards"][0]["floor"], "*R");
    assert_eq!((&after["marker"], &after["center"]), (&json!(0), &json!("Y")));
    assert_eq!(offer.after(&["0R0"])["boards"][0]["floor"], "*RRR");
    let behind = offer.with("boards/0/floor", "KW").after(&["0R1"]);
    assert_eq!(behind["boards"][0]["floor"], "KW*RR");
}

#[test]
fn later_takers_from_the_center_get_no_marker() {
    let after = azul(2).with("center", "YRW").after(&["0R1", "0Y1"]);
    assert_eq!((&after["boards"][1]["floor"], &after["marker"]), (&json!(""), &json!(0)));
}

#[test]
fn as_many_tiles_as_fit_go_to_the_line_and_the_others_fall_from_left_to_right() {
    let offer = azul(2).with("factories", json!(["RRRR", "BBBB", "", "", ""])).with("boards/0/lines/2", "R");
    let offer = offer.with("boards/0/floor", "K");
    let after = offer.after(&["1R3"]);
    assert_eq!(
        (&after["boards"][0]["lines"][2], &after["boards"][0]["floor"]),
        (&json!("RRR"), &json!("KRR"))
    );
}

#[test]
fn an_empty_line_or_one_of_that_color_takes_tiles_and_a_full_or_other_line_does_not() {
    for spec in BOTH_WALLS {
        let offer = Position::new(spec, 2).with("center", "BY");
        assert_eq!(offer.legal(), "0B0 0B1 0B2 0B3 0B4 0B5 0Y0 0Y1 0Y2 0Y3 0Y4 0Y5");
        let offer = offer.with("boards/0/lines", json!(["B", "Y", "BB", "YYYY", ""]));
        assert_eq!(offer.legal(), "0B0 0B3 0B5 0Y0 0Y2 0Y5", "{spec}");
    }
}

#[test]
fn a_line_does_not_take_a_color_that_its_wall_row_holds() {
    for spec in BOTH_WALLS {
        let offer = Position::new(spec, 2)
            .with("center", "BY")
            .with("boards/0/wall", json!(["B....", "..Y..", ".....", ".....", "....."]));
        assert_eq!(offer.legal(), "0B0 0B2 0B3 0B4 0B5 0Y0 0Y1 0Y3 0Y4 0Y5", "{spec}");
        // The walls of others do not matter.
        assert_eq!(offer.with("turn", 1).legal().split(' ').count(), 12);
    }
}

/// Example 3: two yellow tiles, lines 2 and 3 barred by the wall, line 4 holds blue.
#[test]
fn two_yellow_tiles_may_go_to_line_1_line_5_or_the_floor() {
    let offer = azul(2)
        .with("factories", json!(["YYYY", "", "", "", ""]))
        .with("center", "YYB")
        .with("marker", 1)
        .with("boards/1/floor", "*")
        .with("boards/0/wall", json!([".....", "..Y..", "...Y.", ".....", "....."]))
        .with("boards/0/lines/3", "B");
    let legal: Vec<String> =
        offer.legal().split(' ').filter(|t| t.starts_with("0Y")).map(String::from).collect();
    assert_eq!(legal, ["0Y0", "0Y1", "0Y5"]);
    let board = |token| offer.after(&[token])["boards"][0].clone();
    assert_eq!((&board("0Y1")["lines"][0], &board("0Y1")["floor"]), (&json!("Y"), &json!("Y")));
    assert_eq!((&board("0Y5")["lines"][4], &board("0Y5")["floor"]), (&json!("YY"), &json!("")));
    assert_eq!(board("0Y0")["floor"], "YY");
}

#[test]
fn refusals_name_the_rule() {
    let state = azul(2)
        .with("center", "BY")
        .with("boards/0/lines", json!(["", "YY", "R", "", ""]))
        .with("boards/0/wall/3", "...B.")
        .state();
    for (token, why) in [
        ("0B4", "the wall row beside that line holds the color already"),
        ("0Y2", "that line is full"),
        ("0Y3", "that line holds another color"),
        ("T11", "tiles are being taken: no line is tiled now"),
    ] {
        assert_eq!(state.clone().play_token(token).unwrap_err().to_string(), why, "{token}");
    }
}

#[test]
fn actions_that_no_token_spells_are_refused() {
    let drafting = azul(2).with("center", "BY").state();
    for (source, line) in [(0, 6), (0, 8), (0, 255), (6, 0), (10, 0), (255, 0)] {
        assert!(!drafting.is_legal(Action::Draft { source, color: Color::Blue, line }), "{source} {line}");
    }
    let tiling = Position::new("azul:gray", 2).with("phase", "tile").with("boards/0/lines/0", "B").state();
    for (row, column) in [(0, 5), (0, 16), (0, 255), (5, 0), (255, 0)] {
        assert!(!tiling.is_legal(Action::Tile { row, column }), "{row} {column}");
    }
}

#[test]
fn tiles_that_find_the_floor_full_go_to_the_lid_at_once() {
    let offer =
        azul(2).with("factories", json!(["RRRR", "BBBB", "", "", ""])).with("boards/0/floor", "KKKKKW");
    let after = offer.after(&["1R2"]);
    assert_eq!(after["boards"][0]["floor"], "KKKKKWR");
    assert_eq!(after["lid"], json!([0, 0, 1, 0, 0]));
    let after = offer.after(&["1R0"]);
    assert_eq!(after["lid"], json!([0, 0, 3, 0, 0]));
}

#[test]
fn the_marker_taken_on_a_full_floor_is_held_without_a_place_and_without_a_penalty() {
    let offer = azul(2).with("center", "RR").with("boards/0/floor", "KKKKKWW").with("boards/0/score", 20);
    let offer = offer.with("factories/0", "BBBB");
    let after = offer.after(&["0R1"]);
    assert_eq!((&after["boards"][0]["floor"], &after["marker"]), (&json!("KKKKKWW"), &json!(0)));
    assert_eq!(after["lid"], json!([0, 0, 1, 0, 0]));
    // Seat 1 takes the rest; seat 0 loses the 14 points of a full floor, no more, gains 1, and starts.
    let after = offer.after(&["0R1", "1B5"]);
    assert_eq!((&after["boards"][0]["score"], &after["start"]), (&json!(20 + 1 - 14), &json!(0)));
    assert_eq!(after["marker"], "center");
}

#[test]
fn drafting_ends_when_factories_and_center_are_empty() {
    let offer = azul(2).with("factories/0", "BBYY");
    assert_eq!(offer.after(&["1B5"])["phase"], "draft");
    assert_eq!(offer.after(&["1B5", "0Y5"])["phase"], "deal");
}
