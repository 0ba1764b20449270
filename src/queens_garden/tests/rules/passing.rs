//! Passing and discarding.

use serde_json::json;

use crate::queens_garden::tests::position::{Position, counted};

#[test]
fn the_first_to_pass_takes_the_marker_and_loses_a_point_at_once() {
    let after = Position::standard().after(&["pass"]);
    assert_eq!((&after["marker"], &after["boards"][0]["score"]), (&json!(0), &json!(14)));
    assert_eq!((&after["boards"][0]["passed"], &after["turn"]), (&json!(true), &json!(1)));
    let discarding = Position::standard().stores(0, "Y1", 3).after(&["pass"]);
    assert_eq!((&discarding["boards"][0]["score"], &discarding["phase"]), (&json!(14), &json!("discard")));
    assert_eq!(discarding["pending"], json!(["pass"]));
}

#[test]
fn later_ones_lose_nothing() {
    let position = Position::new("queens-garden", 3);
    let after = position.after(&["pass", "pass"]);
    assert_eq!((&after["marker"], &after["boards"][1]["score"]), (&json!(0), &json!(15)));
}

#[test]
fn no_deduction_brings_a_score_below_zero() {
    let poor = Position::standard().with("boards/0/score", 0).stores(0, "Y1 V6", 0);
    assert_eq!(poor.after(&["pass"])["boards"][0]["score"], 0);
    assert_eq!(poor.with("boards/0/score", 4).after(&["pass", "drop:V6"])["boards"][0]["score"], 0);
}

#[test]
fn passing_is_always_asked_even_alone() {
    let bare = Position::standard().with("boards/0/score", 5);
    assert_eq!(bare.legal(&[]), "pass");
    assert_eq!(bare.state().phase(), crate::queens_garden::Phase::Turn);
}

#[test]
fn discards_cost_their_value_and_go_to_tower_and_supply() {
    let position = Position::standard().stores(0, "Y1 B2 B2", 2).keeps(0, "B2 V3");
    let before = position.json();
    let after = position.after(&["pass", "drop:B2", "dropx:B2"]);
    assert_eq!(after["boards"][0]["score"], 15 - 1 - 2 - 2);
    assert_eq!(counted(&after["tower"], "B2"), 1);
    assert_eq!(after["supply"].as_i64(), before["supply"].as_i64().map(|supply| supply + 1));
    assert_eq!(after["pending"], json!(["pass", "drop:B2", "dropx:B2"]));
    assert_eq!(after["boards"][0]["tiles"], json!(["Y1", "B2"]));
}

#[test]
fn discards_are_in_the_order_of_kinds_a_tile_before_an_expansion() {
    let position = Position::standard().stores(0, "Y1 B2 B2 G4", 2).keeps(0, "B2 V3");
    assert_eq!(position.legal(&["pass"]), "drop:Y1 drop:B2 drop:G4 dropx:B2 dropx:V3 done");
    assert_eq!(position.legal(&["pass", "drop:B2"]), "drop:B2 drop:G4 dropx:B2 dropx:V3 done");
    assert_eq!(position.legal(&["pass", "dropx:B2"]), "drop:G4 dropx:V3 done");
    assert_eq!(position.legal(&["pass", "drop:G4"]), "dropx:V3 done");
    assert_eq!(
        position.refusal(&["pass", "dropx:B2"], "drop:B2"),
        "items are discarded in the order of kinds, a tile before an expansion"
    );
    assert_eq!(position.refusal(&["pass"], "drop:V6"), "the storage holds no such item");
    assert_eq!(position.refusal(&["pass"], "acq:Y"), "the player has passed: only discarding is left");
    assert_eq!(position.refusal(&[], "done"), "only a player who has just passed may discard");
}

#[test]
fn with_nothing_left_to_discard_the_turn_ends_unasked() {
    let position = Position::standard().stores(0, "Y1", 3).keeps(0, "V3");
    let after = position.after(&["pass", "dropx:V3"]);
    assert_eq!((&after["turn"], &after["pending"]), (&json!(1), &json!([])));
    assert_eq!(after["boards"][0]["tiles"], json!(["Y1"]));
    // Jokers cannot be discarded.
    assert_eq!(Position::standard().stores(0, "", 3).after(&["pass"])["turn"], 1);
}

#[test]
fn a_full_storage_can_be_discarded() {
    let tiles = ["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "B1", "B2", "B3", "B4", "B5", "B6"];
    let position = Position::standard().stores(0, &tiles.join(" "), 0).keeps(0, "V3 V4");
    let drops = tiles.iter().map(|tile| format!("drop:{tile}"));
    let drops: Vec<String> = drops.chain(["dropx:V3".to_owned(), "dropx:V4".to_owned()]).collect();
    let moves: Vec<&str> = ["pass"].into_iter().chain(drops.iter().map(String::as_str)).collect();
    let after = position.after(&moves);
    assert_eq!((&after["turn"], &after["pending"]), (&json!(1), &json!([])));
    assert_eq!(after["boards"][0]["tiles"], json!([]));
}

#[test]
fn players_who_have_passed_are_skipped() {
    let position = Position::new("queens-garden", 4).with("boards/1/passed", true).with("marker", 1);
    let position = position.with("boards/2/passed", true).with("start", 3);
    assert_eq!(position.after(&["buy:1"])["turn"], 3);
    assert_eq!(position.after(&["buy:1", "buy:1"])["turn"], 0);
    // The last one left moves again and again.
    assert_eq!(position.after(&["pass", "buy:1", "buy:2"])["turn"], 3);
}
