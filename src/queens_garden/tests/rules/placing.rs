//! Where tiles and expansions may lie, and what they surround.

use serde_json::json;

use crate::queens_garden::tests::position::Position;

/// Seat 0 has one tile and all jokers, so that only the place matters.
fn with_tile(tile: &str) -> Position {
    Position::standard().stores(0, tile, 11)
}

/// The places at which the tile may be laid, in order.
fn places(position: &Position, tile: &str) -> String {
    position.legal(&[&format!("tile:{tile}")]).replace("at:", "")
}

#[test]
fn the_fountain_board_is_free_but_for_the_fountain() {
    assert_eq!(places(&with_tile("Y1"), "Y1"), "01 02 03 04 05 06");
    assert_eq!(with_tile("Y1").refusal(&["tile:Y1"], "at:00"), "the fountain lies there");
    assert_eq!(with_tile("Y1").refusal(&["tile:Y1"], "at:10"), "no expansion lies on that area");
}

#[test]
fn beside_hexagons_one_must_match_in_color_or_pattern() {
    let garden = with_tile("Y1").garden("01=B4");
    assert_eq!(places(&garden, "Y1"), "03 04 05");
    assert_eq!(garden.refusal(&["tile:Y1"], "at:02"), "no adjacent hexagon has the same color or pattern");
    assert_eq!(garden.refusal(&["tile:Y1"], "at:01"), "a hexagon lies there already");
    assert_eq!(places(&with_tile("B1").garden("01=B4"), "B1"), "02 03 04 05 06");
    assert_eq!(places(&with_tile("Y4").garden("01=B4"), "Y4"), "02 03 04 05 06");
}

#[test]
fn one_match_among_several_neighbors_is_enough() {
    // Place 02 lies between the light blue flower and the dark green lily.
    let garden = with_tile("B1").garden("01=B4 03=G6");
    assert_eq!(places(&garden, "B1"), "02 05 06");
}

#[test]
fn a_group_holds_no_hexagon_twice() {
    // Blue 1, blue 2, and again blue 1.
    let garden = with_tile("B1").garden("01=B1 02=B2");
    assert_eq!(places(&garden, "B1"), "04 05");
    assert_eq!(
        garden.refusal(&["tile:B1"], "at:03"),
        "a group of one color or pattern would hold the same hexagon twice"
    );
    // A copy right beside itself.
    assert_eq!(places(&with_tile("B1").garden("01=B1"), "B1"), "03 04 05");
    // The same along a pattern.
    assert_eq!(places(&with_tile("B1").garden("01=B1 02=Y1"), "B1"), "04 05");
}

#[test]
fn a_hexagon_must_not_join_groups_that_share_one() {
    // 03 and 05 hold the same hexagon: a light blue one between them would join their groups.
    let garden = with_tile("B2").garden("03=B1 05=B1");
    assert_eq!(places(&garden, "B2"), "01 02 06");
    // Another color links to none of the two, and matches nothing either; a tree would join two equal trees.
    assert_eq!(places(&with_tile("Y1").garden("03=B1 05=B1"), "Y1"), "01 02 06");
}

#[test]
fn chains_of_mixed_links_may_come_back_to_the_same_hexagon() {
    // Purple 1, purple 2, blue 2, blue 1, and purple 1 again, which links by its pattern to blue 1.
    let chain = with_tile("P1").garden("01=P1 02=P2 03=B2 04=B1");
    // At 06 it would touch the first one; 05 is the only place and not asked.
    assert_eq!(chain.after(&["tile:P1"])["boards"][0]["hexagons"]["05"], "P1");
}

#[test]
fn a_face_up_expansion_has_a_pavilion_and_a_printed_hexagon() {
    let garden = with_tile("B1").area(1, "B4@3").garden("13=B4");
    // 12 and 14 are beside the printed hexagon; 10 is the pavilion, 13 taken.
    let free = places(&garden, "B1");
    assert_eq!(free, "01 02 03 04 05 06 11 12 14 15 16");
    assert_eq!(garden.refusal(&["tile:B1"], "at:10"), "a pavilion stands there");
    assert_eq!(garden.refusal(&["tile:B1"], "at:13"), "a hexagon lies there already");
}

#[test]
fn a_face_down_expansion_has_seven_free_places() {
    let free = places(&with_tile("B1").area(6, "down"), "B1");
    assert_eq!(free, "01 02 03 04 05 06 60 61 62 63 64 65 66");
}

#[test]
fn an_expansion_lies_on_a_free_area_in_six_rotations() {
    let position = Position::standard().stores(0, "", 3).keeps(0, "B4").area(1, "down").area(2, "down");
    let mut expected = String::new();
    for area in 3..=6 {
        for rotation in 1..=6 {
            expected += &format!(" at:{area}{rotation}");
        }
    }
    assert_eq!(position.legal(&["exp:B4"]), expected.trim());
    assert_eq!(position.refusal(&["exp:B4"], "at:11"), "an expansion lies on that area already");
    assert_eq!(position.refusal(&["exp:B4"], "at:30"), "an expansion has rotations 1 to 6");
    assert_eq!(position.refusal(&["exp:B4"], "at:01"), "expansions lie on areas 1 to 6");
    let after = position.after(&["exp:B4", "at:35"]);
    assert_eq!(after["boards"][0]["areas"][2], json!({"kind": "B4", "rotation": 5}));
    assert_eq!(after["boards"][0]["hexagons"], json!({"35": "B4"}));
    assert_eq!(after["boards"][0]["expansions"], json!([]));
    assert_eq!(after["boards"][0]["jokers"], 0);
}

#[test]
fn a_printed_hexagon_obeys_the_rules_of_placing() {
    // Ring place 4 of area 1 touches 01; ring places 3 and 5 touch the gaps' other areas only.
    let position = Position::standard().stores(0, "", 11).keeps(0, "B4").garden("01=Y1");
    assert!(!position.allows(&["exp:B4"], "at:14") && position.allows(&["exp:B4"], "at:13"));
    let twice = Position::standard().stores(0, "", 11).keeps(0, "B4").garden("01=B4");
    assert!(!twice.allows(&["exp:B4"], "at:14"));
}

#[test]
fn six_points_buy_a_face_down_expansion_from_the_supply() {
    let position = Position::standard().with("boards/0/score", 6);
    let before = position.json();
    let after = position.after(&["buy:4"]);
    assert_eq!(after["boards"][0]["score"], 0);
    assert_eq!(after["boards"][0]["areas"][3], "down");
    assert_eq!(after["supply"].as_i64(), before["supply"].as_i64().map(|supply| supply - 1));
    let poor = position.clone().with("boards/0/score", 5);
    assert_eq!(poor.refusal(&[], "buy:4"), "the player has too few points for an expansion");
    let taken = position.area(4, "down");
    assert_eq!(taken.refusal(&[], "buy:4"), "an expansion lies on that area already");
}

#[test]
fn without_a_supply_none_can_be_bought() {
    // Four players in the last round: 4 expansions are in the supply from the start, and all 36 lie
    // somewhere.
    let mut position = Position::new("queens-garden", 4).with("round", 4).with("stack", 0);
    for seat in 0..4 {
        position = position.with(&format!("boards/{seat}/areas"), vec!["down"; 6]);
    }
    position = position.with("boards/0/areas", json!(["down", "down", "down", "down", "down", null]));
    let position = position
        .keeps(0, "Y1 Y2")
        .keeps(1, "B1 B2")
        .keeps(2, "G1 G2")
        .keeps(3, "V1 V2")
        .display("=L1 / =L2 / =L3 / P1 / P1", 0);
    assert_eq!(position.json()["supply"], 0);
    assert_eq!(position.refusal(&[], "buy:6"), "the supply holds no expansion");
}

/// Jokers of seat 0 after a Y1 is laid on a place of this garden.
fn jokers_after(position: Position, place: &str) -> u64 {
    let after = position.stores(0, "Y1", 2).after(&["tile:Y1", place]);
    after["boards"][0]["jokers"].as_u64().unwrap() - 2
}

#[test]
fn surrounding_the_fountain_brings_one_joker() {
    // All of them link by their neighbors; nothing repeats within a group.
    let garden = Position::standard().garden("01=Y2 02=Y3 03=B3 04=B2 05=B1");
    assert_eq!(jokers_after_only_place(garden), 1);
}

/// Like [`jokers_after`] where the tile has only one place, which is not asked.
fn jokers_after_only_place(position: Position) -> u64 {
    let after = position.stores(0, "Y1", 2).after(&["tile:Y1"]);
    assert_eq!(after["boards"][0]["hexagons"].as_object().unwrap().len(), 6);
    after["boards"][0]["jokers"].as_u64().unwrap() - 2
}

#[test]
fn surrounding_a_bench_or_a_statue_needs_both_expansions_and_brings_two_jokers() {
    // Gap 1, a bench, lies between 14, 13, 26, 25, 02 and 01.
    let bench = Position::standard().area(1, "down").area(2, "down");
    assert_eq!(jokers_after(bench.garden("14=Y2 13=Y3 26=B3 25=B2 02=B1"), "at:01"), 2);
    // Gap 2, a statue, lies between areas 2 and 3: 24, 23... in mirrored order around (-1, 2).
    let statue = Position::standard().area(2, "down").area(3, "down");
    assert_eq!(jokers_after(statue.clone().garden("25=Y2 24=Y3 31=B3 36=B2 03=B1"), "at:02"), 2);
    // With one expansion missing its hexes are not filled.
    let alone = Position::standard().area(1, "down");
    assert_eq!(jokers_after(alone.garden("14=Y2 13=Y3 02=B1"), "at:01"), 0);
}

#[test]
fn surrounding_a_pavilion_brings_three_jokers_and_a_face_down_center_none() {
    let ring = "11=Y2 12=Y3 13=B3 14=B2 15=B1";
    assert_eq!(jokers_after(Position::standard().area(1, "B3@3").garden(ring), "at:16"), 3);
    assert_eq!(jokers_after(Position::standard().area(1, "down").garden(ring), "at:16"), 0);
}

#[test]
fn one_placement_may_surround_several_elements() {
    // 01 completes the fountain's ring and the bench between areas 1 and 2.
    let garden = Position::standard().area(1, "down").area(2, "down");
    let garden = garden.garden("06=Y2 05=Y3 04=L3 03=L1 02=B1 14=Y4 13=G4 26=G2 25=B2");
    assert_eq!(jokers_after(garden, "at:01"), 3);
}

#[test]
fn jokers_beyond_the_storage_are_lost() {
    let ring = "11=Y2 12=Y3 13=B3 14=B2 15=B1";
    let garden = Position::standard().area(1, "B3@3").garden(ring);
    // The placed tile makes room for one.
    let full = garden.stores(0, "Y1 V6 V5 V4 G6 G5 G4 L6 L5 L4", 2);
    let after = full.after(&["tile:Y1", "at:16"]);
    assert_eq!(after["boards"][0]["jokers"], 3);
}

#[test]
fn what_is_surrounded_pays_once() {
    let ring = "11=Y2 12=Y3 13=B3 14=B2 15=B1 16=Y1";
    let garden = Position::standard().area(1, "B3@3").garden(ring).stores(0, "G6", 5);
    let after = garden.after(&["tile:G6", "at:05"]);
    assert_eq!(after["boards"][0]["jokers"], 0);
}
