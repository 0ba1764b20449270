//! What placing costs.

use serde_json::json;

use crate::queens_garden::tests::position::{Position, counted};

#[test]
fn the_placed_hexagon_pays_for_itself() {
    let after = Position::standard().stores(0, "Y1", 0).after(&["tile:Y1", "at:01"]);
    assert_eq!(after["boards"][0]["hexagons"], json!({"01": "Y1"}));
    assert_eq!(after["boards"][0]["tiles"], json!([]));
    assert!(!Position::standard().stores(0, "Y2", 0).allows(&[], "tile:Y2"));
}

#[test]
fn a_light_blue_butterfly_costs_two_more_of_its_color_its_pattern_or_jokers() {
    let moves = ["tile:B3", "at:01"];
    let colors = Position::standard().stores(0, "B3 B1 B5", 0).after(&moves);
    assert_eq!(colors["boards"][0]["tiles"], json!([]));
    let patterns = Position::standard().stores(0, "B3 Y3 V3", 0).after(&moves);
    assert_eq!(patterns["boards"][0]["tiles"], json!([]));
    let jokers = Position::standard().stores(0, "B3 V1", 2).after(&moves);
    assert_eq!((&jokers["boards"][0]["tiles"], &jokers["boards"][0]["jokers"]), (&json!(["V1"]), &json!(0)));
    let mixed = Position::standard().stores(0, "B3 B1 Y3", 0);
    assert_eq!(mixed.refusal(&[], "tile:B3"), "the storage cannot pay for that");
}

#[test]
fn a_second_light_blue_butterfly_cannot_pay() {
    let twice = Position::standard().stores(0, "B3 B3 B1", 0);
    assert!(!twice.allows(&[], "tile:B3"));
    let twice = twice.stores(0, "B3 B3 B1 B2", 1);
    assert_eq!(
        twice.refusal(&["tile:B3", "at:01"], "pay:B3"),
        "the hexagon that is placed cannot be paid with one of its own kind"
    );
    // Neither can an expansion that shows one.
    assert!(!Position::standard().stores(0, "B3 B1", 0).keeps(0, "B3").allows(&[], "tile:B3"));
    // Nor can two identical tiles pay together.
    assert!(!Position::standard().stores(0, "B3 B1 B1", 0).allows(&[], "tile:B3"));
}

#[test]
fn kinds_are_paid_in_increasing_order_as_far_as_the_payment_can_be_completed() {
    let rich = Position::standard().stores(0, "B4 B1 B2 B5 Y4 G4 V4", 0);
    let moves = ["tile:B4", "at:01"];
    assert_eq!(rich.legal(&moves), "pay:Y4 pay:B1");
    let blue = Position::standard().stores(0, "B3 B1 B2 B5 Y3 G3", 1);
    assert_eq!(blue.legal(&moves_of("B3")), "pay:Y3 pay:B1 pay:B2 pay:B5 pay:G3");
    assert_eq!(blue.legal(&["tile:B3", "at:01", "pay:B2"]), "pay:B5 joker");
    assert_eq!(
        blue.refusal(&["tile:B3", "at:01", "pay:B2"], "pay:B1"),
        "kinds are paid in increasing order, each once"
    );
    assert_eq!(
        blue.refusal(&["tile:B3", "at:01", "pay:B2"], "pay:G3"),
        "with that the payment could not become one color or one pattern of different kinds"
    );
    assert_eq!(blue.refusal(&moves_of("B3"), "pay:V6"), "the storage holds no such item");
    assert_eq!(
        blue.refusal(&moves_of("B3"), "joker"),
        "there are not enough jokers for all that is still owed"
    );
    assert_eq!(blue.refusal(&moves_of("B3"), "pass"), "the placement must be paid first");
}

fn moves_of(tile: &str) -> [&'static str; 2] {
    assert_eq!(tile, "B3");
    ["tile:B3", "at:01"]
}

#[test]
fn jokers_pay_all_that_is_still_owed() {
    let position = Position::standard().stores(0, "B4 B1 B2", 3);
    assert_eq!(position.legal(&["tile:B4", "at:01"]), "pay:B1 pay:B2 joker");
    let after = position.after(&["tile:B4", "at:01", "pay:B2"]);
    assert_eq!((&after["boards"][0]["tiles"], &after["boards"][0]["jokers"]), (&json!(["B1"]), &json!(1)));
    assert_eq!(position.after(&["tile:B4", "at:01", "joker"])["boards"][0]["jokers"], 0);
}

#[test]
fn nothing_moves_before_the_payment_is_complete() {
    let position = Position::standard().stores(0, "B1 B2 B4", 3);
    let after = position.after(&["tile:B4", "at:01", "pay:B1"]);
    let before = position.json();
    assert_eq!(after["boards"], before["boards"]);
    assert_eq!((&after["tower"], &after["bag"]), (&before["tower"], &before["bag"]));
    assert_eq!(after["pending"], json!(["tile:B4", "at:01", "pay:B1"]));
    assert_eq!((&after["phase"], &after["turn"], &after["next"]), (&json!("pay"), &json!(0), &json!(null)));
}

#[test]
fn paid_tiles_go_to_the_tower_and_paid_expansions_to_the_supply() {
    let position = Position::standard().stores(0, "B4 B1", 1).keeps(0, "B2 V4");
    let before = position.json();
    // There is no other way to pay, so nothing of it is asked.
    let after = position.after(&["tile:B4", "at:01"]);
    assert_eq!(counted(&after["tower"], "B1"), 1);
    assert_eq!(counted(&after["tower"], "B4"), 0);
    assert_eq!(after["supply"].as_i64(), before["supply"].as_i64().map(|supply| supply + 1));
    assert_eq!(after["boards"][0]["expansions"], json!(["V4"]));
    assert_eq!(after["boards"][0]["jokers"], 0);
    // What it was stays known: it has been revealed.
    assert!(!after["unseen"].as_array().unwrap().contains(&json!("B2")));
}

#[test]
fn a_tile_and_an_expansion_of_one_kind_are_two_ways_to_pay_once() {
    let position = Position::standard().stores(0, "B2 B1", 0).keeps(0, "B1");
    assert_eq!(position.legal(&["tile:B2", "at:01"]), "pay:B1 payx:B1");
    assert!(!Position::standard().stores(0, "B3 B1", 0).keeps(0, "B1").allows(&[], "tile:B3"));
}

#[test]
fn an_expansion_costs_its_value_like_a_tile() {
    let position = Position::standard().stores(0, "B1", 0).keeps(0, "B2");
    let after = position.after(&["exp:B2", "at:12"]);
    assert_eq!((&after["boards"][0]["tiles"], &after["boards"][0]["expansions"]), (&json!([]), &json!([])));
    assert_eq!(after["boards"][0]["hexagons"], json!({"12": "B2"}));
    // A tile that equals its hexagon cannot pay for it.
    assert!(!Position::standard().stores(0, "B2", 0).keeps(0, "B2").allows(&[], "exp:B2"));
}

#[test]
fn a_placement_needs_a_place_and_a_payment() {
    // The only free place is beside hexagons that do not match.
    let position = Position::standard().stores(0, "V6", 11).garden("01=Y2 02=Y3 03=B3 04=B2 05=B1");
    assert_eq!(position.refusal(&[], "tile:V6"), "the garden has no place where that may lie");
    assert_eq!(position.refusal(&[], "tile:V5"), "the storage holds no such item");
    assert_eq!(position.refusal(&[], "exp:V5"), "the storage holds no such item");
    for token in ["at:01", "joker", "pay:V6"] {
        assert_eq!(position.refusal(&[], token), "nothing is being placed");
    }
    assert_eq!(position.refusal(&[], "take:1"), "nothing is being acquired");
}
