//! Tiles for the stack's top, and turning expansions up.

use serde_json::{Value, json};

use crate::game::Game;
use crate::queens_garden::tests::position::{Position, counted};
use crate::queens_garden::{Kind, Place};

#[test]
fn taking_only_from_the_extended_display_brings_no_refill() {
    let display = Position::standard().display("Y2 B2 / V1 V2 V3 V4", 3);
    let after = display.after(&["acq:B"]);
    assert_eq!((&after["phase"], &after["stack"], &after["turn"]), (&json!("turn"), &json!(3), &json!(1)));
}

#[test]
fn a_tile_from_the_top_brings_the_top_into_the_display_and_a_new_one() {
    let display = Position::standard().display("Y2 B2 / V1 V2 V3 B4", 3);
    let after = display.after(&["acq:V"]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("deal"), &json!(2)));
    assert_eq!((&after["turn"], &after["next"]), (&json!("chance"), &json!(1)));
    let tiles: Vec<_> = after["display"].as_array().unwrap().iter().map(|slot| &slot["tiles"]).collect();
    assert_eq!(json!(tiles), json!([["Y2", "B2"], ["B4"], []]));
    let after = display.after(&["acq:V", "FY5,Y5,G6,P3"]);
    assert_eq!(after["display"][2], json!({"tiles": ["Y5", "Y5", "G6", "P3"], "kind": null}));
    assert_eq!((&after["phase"], &after["turn"]), (&json!("turn"), &json!(1)));
    assert_eq!(counted(&after["bag"], "Y5"), 1);
}

#[test]
fn taking_all_four_tiles_of_the_top_turns_it_up_in_the_same_turn() {
    let display = Position::standard().display("V1 V2 V3 V4", 5);
    let moves = ["acq:V", "FY5,Y5,G6,P3"];
    assert_eq!(display.after(&moves)["phase"], "reveal");
    let after = display.after(&["acq:V", "FY5,Y5,G6,P3", "R1:L4"]);
    assert_eq!(after["display"][0], json!({"tiles": [], "kind": "L4"}));
    assert!(!after["unseen"].as_array().unwrap().contains(&json!("L4")));
    assert_eq!((&after["phase"], &after["turn"]), (&json!("turn"), &json!(1)));
}

#[test]
fn the_last_expansion_of_the_stack_has_no_successor() {
    let after = Position::standard().display("V1 V2 V3 B4", 1).after(&["acq:V"]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("turn"), &json!(0)));
    assert_eq!(after["display"], json!([{"tiles": ["B4"], "kind": null}]));
    let after = Position::standard().display("V1 V2 V3 V4", 1).after(&["acq:V"]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("reveal"), &json!(0)));
}

#[test]
fn empty_expansions_are_turned_up_in_the_order_of_slots_after_closing_up() {
    let display = Position::standard().display("V1 / =V2 / V3 Y1 / V4", 0);
    let after = display.after(&["acq:V"]);
    assert_eq!(after["phase"], "reveal");
    assert_eq!(after["display"].as_array().unwrap().len(), 3);
    assert_eq!(
        display.refusal(&["acq:V"], "R3:G1"),
        "empty expansions are turned up in the order of slots: another slot is next"
    );
    let after = display.after(&["acq:V", "R1:G1"]);
    assert_eq!((&after["phase"], &after["next"]), (&json!("reveal"), &json!(1)));
    assert_eq!(display.refusal(&["acq:V", "R1:G1"], "R3:G1"), "that expansion has been revealed before");
    assert_eq!(display.refusal(&["acq:V", "R1:G1"], "R3:V2"), "that expansion has been revealed before");
    assert_eq!(display.refusal(&["acq:V"], "F-"), "an empty expansion must be turned up first");
    assert_eq!(display.play(&["acq:V", "R1:G1", "R3:G2"]).phase(), crate::queens_garden::Phase::Turn);
}

#[test]
fn a_short_bag_is_joined_by_the_tower_and_all_are_drawn_together() {
    let short = Position::standard().display("V1 V2 V3 B4", 3).bag("Y1 Y2 Y3");
    let before = short.json();
    let dealing = short.after(&["acq:V"]);
    // Until tiles come, bag and tower stay as they were.
    assert_eq!((&dealing["bag"], &dealing["tower"]), (&before["bag"], &before["tower"]));
    let after = short.after(&["acq:V", "FL1,L2,L3,L4"]);
    assert_eq!(counted(&after["bag"], "Y1") + counted(&after["tower"], "Y1"), 3);
    assert_eq!(counted(&after["bag"], "Y1"), 3);
    assert!(after["tower"].as_array().unwrap().iter().all(|count| count == 0));
    // Four are enough: the tower stays out.
    let enough = Position::standard().display("V1 V2 V3 B4", 3).bag("Y1 Y2 Y3 Y3");
    assert_eq!(enough.refusal(&["acq:V"], "FL1,L2,L3,L4"), "the bag does not hold these tiles");
    let after = enough.after(&["acq:V", "FY1,Y2,Y3,Y3"]);
    assert!(after["bag"].as_array().unwrap().iter().all(|count| count == 0));
    assert_eq!(after["tower"], enough.json()["tower"]);
}

/// The last round of four without a tile in bag and tower: all gardens hold hexagons that do not touch each
/// other, seats 1 to 3 have full storages, seat 0 stores some tiles. Also returns the tiles that are left for
/// the display, besides those named.
fn full_boards(stored: usize, display: &[&str]) -> (Position, Vec<String>) {
    let mut tiles: Vec<String> = Kind::all().flat_map(|kind| vec![kind.to_string(); 3]).collect();
    for taken in display {
        tiles.remove(tiles.iter().position(|tile| tile == taken).unwrap());
    }
    let mut position = Position::new("queens-garden", 4).with("round", 4);
    for seat in 0..4 {
        let stored = tiles.split_off(tiles.len() - if seat == 0 { stored } else { 12 });
        let hexagons: serde_json::Map<String, Value> =
            places_apart().into_iter().map(|place| (place, json!(tiles.remove(0)))).collect();
        position = position
            .with(&format!("boards/{seat}/jokers"), 0)
            .with(&format!("boards/{seat}/areas"), vec!["down"; 6])
            .with(&format!("boards/{seat}/tiles"), stored)
            .with(&format!("boards/{seat}/hexagons"), hexagons);
    }
    (position, tiles)
}

/// Full boards, and the rest of the tiles in the display.
fn nothing_left() -> Position {
    const TOP: [&str; 4] = ["V1", "V2", "V3", "B4"];
    let (position, rest) = full_boards(0, &TOP);
    let (first, second) = rest.split_at(rest.len() / 2);
    position.display(&format!("{} / {} / {}", first.join(" "), second.join(" "), TOP.join(" ")), 3)
}

/// 16 places of which no two are adjacent.
fn places_apart() -> Vec<String> {
    let (mut chosen, mut taken) = (Vec::new(), 0u64);
    for spot in [1, 3, 5, 0, 2, 4, 6] {
        for place in (0..7).map(|area| Place::new(area, spot)).filter(|place| place.index() > 0) {
            if taken & (place.mask() | place.neighbors()) == 0 {
                taken |= place.mask();
                chosen.push(place.to_string());
            }
        }
    }
    chosen.truncate(16);
    assert_eq!(chosen.len(), 16);
    chosen
}

#[test]
fn without_any_tile_the_whole_stack_joins_the_display_empty_and_is_turned_up() {
    let position = nothing_left();
    let after = position.after(&["acq:V"]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("deal"), &json!(2)));
    assert_eq!(
        position.refusal(&["acq:V"], "FV1"),
        "the stack's top gets 4 tiles as long as bag and tower have any"
    );
    let after = position.after(&["acq:V", "F-"]);
    assert_eq!((&after["phase"], &after["stack"], &after["next"]), (&json!("reveal"), &json!(0), &json!(1)));
    let slots = after["display"].as_array().unwrap();
    assert_eq!(slots.len(), 5);
    assert_eq!(slots[2]["tiles"], json!(["B4"]));
    assert!(slots[3..].iter().all(|slot| *slot == json!({"tiles": [], "kind": null})));
    let after = position.after(&["acq:V", "F-", "R4:Y1", "R5:Y2"]);
    assert_eq!((&after["phase"], &after["turn"]), (&json!("turn"), &json!(1)));
}

#[test]
fn the_stack_also_joins_the_display_before_the_first_turn_of_a_round() {
    let (position, rest) = full_boards(8, &[]);
    assert!(rest.is_empty());
    let position = position.display("", 8).with("phase", "deal").with("turn", "chance").with("next", 0);
    let after = position.after(&["F-"]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("reveal"), &json!(0)));
    assert_eq!(after["display"].as_array().unwrap().len(), 8);
    let reveals: Vec<String> =
        (1..=8).map(|slot| format!("R{slot}:{}", Kind::from_index(4 * slot))).collect();
    let reveals: Vec<&str> = reveals.iter().map(String::as_str).collect();
    let after = position.after(&[&["F-"], &reveals[..]].concat());
    assert_eq!((&after["phase"], &after["turn"]), (&json!("turn"), &json!(0)));
    assert_eq!(after["display"][7]["kind"], Kind::from_index(32).to_string());
}

#[test]
fn fewer_tiles_come_if_bag_and_tower_hold_fewer() {
    // Of the four tiles of the last turn two are in the tower and nothing is in the bag.
    let mut position = nothing_left();
    let hexagons = position.json()["boards"][0]["hexagons"].as_object().unwrap().clone();
    let mut names = hexagons.clone();
    let gone: Vec<Value> = hexagons.keys().take(2).filter_map(|place| names.remove(place)).collect();
    position = position.with("boards/0/hexagons", names).bag("");
    let token = format!("F{},{}", gone[0].as_str().unwrap(), gone[1].as_str().unwrap());
    let after = position.after(&["acq:V", &token]);
    assert_eq!((&after["phase"], &after["stack"]), (&json!("turn"), &json!(2)));
    assert_eq!(after["display"][3]["tiles"], json!(gone));
    assert!(after["tower"].as_array().unwrap().iter().all(|count| count == 0));
}

#[test]
fn every_kind_never_revealed_is_drawn_equally_often() {
    let position = Position::standard().with("round", 4).display("V1 / =L5 / =G6", 0);
    let state = position.play(&["acq:V"]);
    let mut rng = crate::Generator::new(1);
    let mut drawn = std::collections::BTreeMap::new();
    for _ in 0..34_000 {
        *drawn.entry(state.sample_chance(&mut rng).to_string()).or_insert(0) += 1;
    }
    assert_eq!(drawn.len(), 34);
    assert!(!drawn.contains_key("R1:L5") && !drawn.contains_key("R1:G6"));
    let chi: f64 = drawn.values().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 74.7, "chi-squared {chi} with 33 degrees of freedom is above its 99.995 % point");
}

#[test]
fn every_tile_is_drawn_equally_often() {
    // 3 of Y1, 1 of Y2 and 1 of Y3: the chance to leave out each of the five tiles is the same.
    let state = Position::standard().display("V1 V2 V3 B4", 3).bag("Y1 Y1 Y1 Y2 Y3").play(&["acq:V"]);
    let mut rng = crate::Generator::new(1);
    let mut all_of_y1 = 0;
    for _ in 0..10_000 {
        let outcome = state.sample_chance(&mut rng);
        state.check_chance(&outcome).unwrap();
        all_of_y1 += u32::from(outcome.to_string().starts_with("FY1,Y1,Y1"));
    }
    assert!((all_of_y1.abs_diff(4000)) < 250, "{all_of_y1} of 10000, expected 4000");
}
