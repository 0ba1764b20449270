//! JSON states that no game can be in are refused, and the refusal names the key.

use serde_json::{Value, json};

use super::position::Position;
use crate::azul::{Azul, AzulRules};
use crate::game::Game;
use crate::{StateError, intern};

/// A state in the middle of drafting.
fn drafting() -> Position {
    Position::new("azul", 2)
        .with("factories", json!(["BBYR", "KKWW", "", "", ""]))
        .with("center", "YW")
        .with("marker", 1)
        .with("boards/0/lines", json!(["B", "", "YY", "", ""]))
        .with("boards/0/wall", json!([".....", "..Y..", ".....", ".....", "....."]))
        .with("boards/1/floor", "*RR")
}

/// Why a position is refused.
fn refusal(position: &Position) -> String {
    position.read().expect_err("the state is faulty").to_string()
}

/// Checks that each of these values at this place is refused with a message that begins with this key.
fn refused_with(pointer: &str, key: &str, values: impl IntoIterator<Item = Value>) {
    let valid = drafting().json();
    for value in values {
        let mut json = valid.clone();
        *json.pointer_mut(&format!("/{pointer}")).unwrap() = value.clone();
        let error = error_of(&json);
        assert_eq!(error.key, key, "{value}: {error}");
        let message = error.to_string();
        assert!(message.chars().count() < 300 && !message.contains(char::is_control), "{message}");
    }
}

/// Values that are neither numbers nor texts nor lists of the right kind.
fn odd() -> Vec<Value> {
    vec![json!(null), json!(true), json!(1.5), json!(1e300), json!({"a": {"b": []}}), json!([[[]]])]
}

/// Values that are no number from 0 to 200.
fn no_count() -> Vec<Value> {
    let mut all = odd();
    all.extend([json!(-1), json!(201), json!(256), json!(65_536), json!(u64::MAX), json!(1.0), json!("1")]);
    all.push(json!("B".repeat(10_000)));
    all
}

/// Values that are no letters of tiles.
fn no_letters() -> Vec<Value> {
    let mut all = odd();
    all.extend([json!(3), json!("X"), json!("b"), json!("é"), json!("B B"), json!("B\n"), json!("-")]);
    all.extend([json!("x".repeat(10_000)), json!("BYRKW".repeat(2_000)), json!(["B"])]);
    all
}

#[test]
fn the_state_that_the_others_are_made_of_is_accepted() {
    drafting().state();
}

/// Why a JSON value is refused.
fn error_of(json: &Value) -> StateError {
    Azul::from_json(intern(AzulRules::default()), json).expect_err("the state is faulty")
}

#[test]
fn something_that_is_no_object_is_refused() {
    let values: Vec<Value> = drafting().json().as_object().unwrap().values().cloned().collect();
    for value in [json!(null), json!(3), json!("{}"), json!([]), json!(values), json!({}), json!({"a": []})] {
        assert_eq!(error_of(&value).key, "state", "{value}");
    }
    let mut json = drafting().json();
    json["boards"][1] = json!([0, vec![""; 5], vec!["....."; 5], "*RR"]);
    assert_eq!(error_of(&json).to_string(), "boards[1]: expected an object");
}

#[test]
fn wrong_numbers_are_named() {
    refused_with("players", "players", no_count());
    refused_with("players", "players", [json!(0), json!(1), json!(5), json!(100)]);
    refused_with("round", "round", no_count());
    refused_with("round", "round", [json!(0), json!(51)]);
    refused_with("start", "start", no_count());
    refused_with("start", "start", [json!(2), json!("center")]);
    refused_with("boards/1/score", "boards[1].score", odd());
    refused_with("boards/1/score", "boards[1].score", [json!(-1), json!(1000), json!(32_767), json!(32_768)]);
    refused_with("bag/3", "bag[3]", no_count());
    refused_with("bag/3", "bag[3]", [json!(21), json!(100)]);
    refused_with("lid/0", "lid[0]", no_count());
}

#[test]
fn wrong_texts_are_named() {
    refused_with("game", "game", odd());
    refused_with("game", "game", ["azul:gray", "azul:", "chess", "", "summer-pavilion"].map(Value::from));
    refused_with("phase", "phase", odd());
    refused_with("phase", "phase", ["DRAFT", "", "draft ", "a\nb"].map(Value::from));
    refused_with("turn", "turn", no_count());
    refused_with("turn", "turn", [json!(2), json!("chance"), json!("over"), json!("0")]);
    refused_with("marker", "marker", no_count());
    refused_with("marker", "marker", [json!(2), json!("Center"), json!("")]);
    refused_with("center", "center", no_letters());
    refused_with("factories/1", "factories[1]", no_letters());
    refused_with("factories/1", "factories[1]", [json!("KKWWB"), json!("B".repeat(255))]);
    refused_with("boards/0/lines/1", "boards[0].lines[1]", no_letters());
    refused_with("boards/0/lines/1", "boards[0].lines[1]", ["BBB", "BK", "Y", "."].map(Value::from));
    refused_with("boards/0/floor", "boards[0].floor", no_letters());
    refused_with("boards/0/floor", "boards[0].floor", ["BBBBBBBB", "*", "**", "."].map(Value::from));
    refused_with("boards/0/wall/1", "boards[0].wall[1]", no_letters());
    let walls = ["", "....", "......", ".Y...", "..y..", "..Y. ", "..é.."].map(Value::from);
    refused_with("boards/0/wall/1", "boards[0].wall[1]", walls);
}

#[test]
fn lists_of_the_wrong_length_are_named() {
    refused_with(
        "factories",
        "factories",
        [json!([]), json!(vec![""; 4]), json!(vec![""; 7]), json!("BBYR")],
    );
    refused_with("boards", "boards", [json!([]), json!({}), json!(drafting().json()["boards"][0])]);
    let board = &drafting().json()["boards"][0];
    refused_with("boards", "boards", [json!([board]), json!([board, board, board])]);
    for (pointer, key) in [("bag", "bag"), ("lid", "lid")] {
        refused_with(pointer, key, [json!([]), json!([1, 2, 3, 4]), json!(vec![1; 1000]), json!("BBYR")]);
    }
    let lists = [("boards/0/lines", "boards[0].lines", ""), ("boards/0/wall", "boards[0].wall", ".....")];
    for (pointer, key, entry) in lists {
        refused_with(pointer, key, [json!([]), json!(vec![entry; 4]), json!(vec![entry; 6]), json!("")]);
    }
}

#[test]
fn a_missing_key_is_named_in_the_message() {
    for key in ["score", "lines", "wall", "floor"] {
        let mut json = drafting().json();
        json["boards"][1].as_object_mut().unwrap().remove(key);
        assert_eq!(error_of(&json).to_string(), format!("boards[1]: missing field `{key}`"));
    }
}

#[test]
fn a_tile_too_many_or_too_few_is_named_with_its_color() {
    let mut json = drafting().json();
    assert_eq!(json["bag"][3], 18, "two black tiles lie in a factory");
    for (bag, found) in [(19, 21), (17, 19)] {
        json["bag"][3] = json!(bag);
        let expected = format!("state: found {found} tiles of color K in all, expected 20");
        assert_eq!(error_of(&json).to_string(), expected);
    }
}

#[test]
fn huge_numbers_of_tiles_do_not_wrap_around() {
    // 276 = 256 + 20 blue tiles: 20 in an 8-bit count.
    let mut json = drafting().json();
    json["center"] = json!("B".repeat(255));
    json["bag"][0] = json!(18);
    json["boards"][0]["lines"][0] = json!("B");
    json["factories"][0] = json!("BBYR");
    assert_eq!(error_of(&json).to_string(), "state: found 276 tiles of color B in all, expected 20");
    // 51 of each color in the center are 255 tiles, in all factories 4.
    json["center"] = json!("BYRKW".repeat(51));
    assert_eq!(error_of(&json).key, "state");
    json["center"] = json!("B".repeat(256));
    assert_eq!(error_of(&json).key, "center");
}

#[test]
fn more_on_offer_than_factories_can_give_is_refused() {
    let position = Position::new("azul", 4).with("factories", json!(vec!["BYRK"; 9]));
    assert_eq!(position.legal().split(' ').count(), Azul::MAX_LEGAL);
    let refused = refusal(&position.with("center", "BW"));
    assert_eq!(refused, "center: found 38 groups of a color in factories and center, expected at most 36");
}

#[test]
fn phases_go_with_what_lies_on_the_table() {
    let drafting = drafting();
    let refused = |position: Position, expected: &str| {
        let message = refusal(&position);
        assert!(message.starts_with(expected), "{message}");
    };
    let empty = Position::new("azul", 2);
    refused(drafting.clone().with("phase", "deal").with("turn", "chance"), "phase: tiles lie");
    refused(drafting.clone().with("phase", "over").with("turn", "over"), "phase: tiles lie");
    refused(drafting.with("phase", "tile"), "phase: tiles lie");
    refused(empty.clone(), "phase: no tile lies");
    refused(empty.clone().with("phase", "tile"), "phase: found tile, which only the gray wall has");
    let deal = empty.clone().with("phase", "deal").with("turn", "chance");
    assert!(deal.read().is_ok());
    refused(deal.clone().with("turn", 0), "turn: found 0, which does not go with phase 'deal'");
    refused(deal.clone().with("boards/0/floor", "W"), "boards: expected empty floor lines");
    refused(deal.clone().with("boards/1/lines/1", "WW"), "boards: a complete line");
    refused(deal.clone().with("boards/0/wall/0", "BYRKW"), "phase: a wall row is complete");
    refused(deal.with("marker", 1), "marker: expected \"center\"");
    let over = empty.clone().with("phase", "over").with("turn", "over");
    refused(over.clone(), "phase: over, but no wall row is complete");
    assert!(over.clone().with("boards/0/wall/0", "BYRKW").read().is_ok());
    assert!(over.clone().with("round", 50).with("marker", 1).read().is_ok());
    refused(over.clone().with("round", 50).with("boards/0/floor", "W"), "boards: expected empty floor lines");
    refused(over.with("round", 50).with("boards/0/lines/0", "W"), "boards: a complete line");
    refused(empty.with("center", "B").with("boards/0/wall/0", "BYRKW"), "phase: a wall row is complete");
}

#[test]
fn phase_tile_waits_for_the_first_line_with_a_column() {
    let tiling = Position::new("azul:gray", 2).with("phase", "tile").with("boards/1/lines/0", "B");
    assert!(refusal(&tiling).starts_with("turn: found 0, expected 1"));
    let tiling = tiling.with("turn", 1);
    assert!(tiling.read().is_ok());
    // On the gray wall a row may be complete while others tile.
    assert!(tiling.clone().with("boards/0/wall/3", "YRKWB").read().is_ok());
    assert!(refusal(&tiling.clone().with("boards/1/lines/0", "")).starts_with("phase: found tile"));
    let dead = tiling.with("boards/1/wall", json!(["YRKW.", ".....", "....B", ".....", "....."]));
    assert!(refusal(&dead).starts_with("boards[1].lines: the first complete line has no open column"));
}

#[test]
fn the_marker_lies_in_one_place() {
    let refused = |position: Position, expected: &str| assert_eq!(refusal(&position), expected);
    refused(drafting().with("marker", "center"), "boards[1].floor: the marker is elsewhere");
    refused(drafting().with("marker", 0), "boards[0].floor: expected the marker *, which this seat holds");
    refused(drafting().with("boards/0/floor", "*"), "boards[0].floor: the marker is elsewhere");
    assert!(drafting().with("boards/1/floor", "RRRRRRR").read().is_ok(), "taken on a full floor");
}

#[test]
fn walls_follow_their_side() {
    let gray = Position::new("azul:gray", 2).with("center", "B");
    let twice_in_a_column = json!(["B....", ".....", "B....", ".....", "....."]);
    let message = refusal(&gray.clone().with("boards/0/wall", twice_in_a_column));
    assert_eq!(message, "boards[0].wall[2]: B cannot lie in column 1 of this row");
    let message = refusal(&gray.clone().with("boards/0/wall/1", "B...B"));
    assert_eq!(message, "boards[0].wall[1]: B cannot lie in column 5 of this row");
    assert!(gray.with("boards/0/wall/1", "B...Y").read().is_ok());
    let colored = Position::new("azul", 2).with("center", "B").with("boards/0/wall/1", "B....");
    assert_eq!(refusal(&colored), "boards[0].wall[1]: B cannot lie in column 1 of this row");
}

#[test]
fn default_options_may_be_written_out_and_unknown_keys_are_ignored() {
    let mut json = drafting().json();
    json["game"] = json!("azul:colored");
    json["comment"] = json!("the end is near");
    let state = Azul::from_json(intern(AzulRules::default()), &json).unwrap();
    assert_eq!(state, drafting().state());
}
