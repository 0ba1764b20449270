//! Scoring of rounds and at the end, and how rounds follow each other.

use serde_json::{Value, json};

use crate::game::{Game, Turn};
use crate::queens_garden::tests::position::{Position, counted};

/// A hexagon of every kind of pattern 1 to 6 apart from each other, in colors that cover all of them.
const GARDEN: &str = "01=Y1 03=B2 05=L3 10=G4 20=P5 30=V6";

fn garden(spec: &'static str, round: u8) -> Position {
    let position =
        Position::new(spec, 2).with("round", round).with("boards/1/passed", true).with("marker", 1);
    let position = if round == 1 { position.with("boards/1/score", 14) } else { position };
    let position = position.area(1, "down").area(2, "down").area(3, "down").garden(GARDEN);
    position.stores(0, "", 0).stores(1, "", 0)
}

/// What seat 0 gains by the scoring of this round.
fn gain(spec: &'static str, round: u8) -> i64 {
    garden(spec, round).after(&["pass"])["boards"][0]["score"].as_i64().unwrap() - 15
}

#[test]
fn rounds_score_by_the_standard_wheel() {
    // Round 2: V6 by color, B2 as a bird 1, L3 as a butterfly 2. Round 3: Y1 and P5 by color, G4 as a flower
    // 2. Round 4: L3 by color, P5 as a plant 3, V6 as a lily 3.
    assert_eq!([2, 3, 4].map(|round| gain("queens-garden", round)), [4, 4, 7]);
    // Round 1: G4 and B2 by color, Y1 as a tree.
    assert_eq!(gain("queens-garden", 1), 3);
}

#[test]
fn on_the_variant_side_patterns_score_their_values() {
    let gains = [1, 2, 3, 4].map(|round| gain("queens-garden:variant", round));
    assert_eq!(gains, [1 + 1 + 1, 1 + 2 + 3, 1 + 1 + 4, 1 + 5 + 6]);
}

#[test]
fn a_hexagon_may_score_for_its_color_and_for_its_pattern() {
    // The dark purple bird in round 2.
    let position = garden("queens-garden", 2).garden("01=V2");
    assert_eq!(position.after(&["pass"])["boards"][0]["score"], 15 + 1 + 1);
}

#[test]
fn visible_pavilions_score_and_printed_hexagons_count() {
    let position = garden("queens-garden", 2).area(1, "V3@2").garden("12=V3");
    // 1 for the pavilion, 1 for dark purple, 2 for the butterfly.
    assert_eq!(position.after(&["pass"])["boards"][0]["score"], 15 + 1 + 1 + 2);
}

#[test]
fn after_a_round_the_display_is_cleared_and_the_holder_of_the_marker_starts() {
    let position = garden("queens-garden", 2).display("Y2 B2 / =L4 / Y5 Y5 Y6 P1", 2);
    let before = position.json();
    let after = position.after(&["pass"]);
    assert_eq!((&after["round"], &after["start"], &after["next"]), (&json!(3), &json!(1), &json!(1)));
    assert_eq!(
        (&after["phase"], &after["turn"], &after["marker"]),
        (&json!("deal"), &json!("chance"), &json!("center"))
    );
    assert_eq!(after["display"], json!([{"tiles": [], "kind": null}]));
    assert_eq!(after["stack"], 5);
    assert_eq!(counted(&after["tower"], "Y5"), 2);
    // Two in the display, two in the stack.
    assert_eq!(after["supply"].as_i64(), before["supply"].as_i64().map(|supply| supply + 4));
    assert_eq!(after["boards"][0]["passed"], false);
    let after = position.after(&["pass", "FY1,Y1,B1,L1"]);
    assert_eq!((&after["phase"], &after["turn"]), (&json!("turn"), &json!(1)));
}

/// The points of seat 0 at the end of the game with this garden, beyond those of the round's scoring.
fn final_points(spec: &'static str, areas: &[usize], hexagons: &str) -> i64 {
    let position =
        areas.iter().fold(garden(spec, 4).with("boards/0/areas", vec![Value::Null; 6]), |position, &area| {
            position.area(area, "down")
        });
    let position = position.garden(hexagons);
    let wheel: i64 = hexagons
        .split_whitespace()
        .map(|pair| {
            let (color, value) = pair.split_once('=').unwrap().1.split_at(1);
            let value: i64 = value.parse().unwrap();
            let pattern = match (spec, value) {
                ("queens-garden", 5 | 6) => 3,
                (_, 5 | 6) => value,
                _ => 0,
            };
            i64::from(color == "L") + pattern
        })
        .sum();
    position.after(&["pass"])["boards"][0]["score"].as_i64().unwrap() - 15 - wheel
}

#[test]
fn groups_of_three_or_more_score_their_values() {
    assert_eq!(final_points("queens-garden", &[], "01=B1 02=B2 03=B3 04=B6"), 12);
    assert_eq!(final_points("queens-garden", &[], "01=B1 02=B2"), 0);
    // Two groups of one pattern apart from each other.
    let two = "01=B3 02=Y3 03=G3 16=B3 11=Y3 12=L3 13=P3";
    assert_eq!(final_points("queens-garden", &[1], two), 9 + 12);
}

#[test]
fn a_group_of_six_scores_six_more() {
    let yellow = "01=Y1 02=Y2 03=Y3 04=Y4 05=Y5 06=Y6";
    assert_eq!(final_points("queens-garden", &[], yellow), 21 + 6);
    assert_eq!(final_points("queens-garden:variant", &[], yellow), 21 + 6);
}

#[test]
fn on_the_variant_side_a_group_of_five_scores_three_more() {
    let yellow = "01=Y1 02=Y2 03=Y3 04=Y4 05=Y5";
    assert_eq!(final_points("queens-garden", &[], yellow), 15);
    assert_eq!(final_points("queens-garden:variant", &[], yellow), 15 + 3);
}

#[test]
fn a_hexagon_counts_in_a_color_group_and_in_a_pattern_group() {
    // Yellow 1 2 3 along 01 02 03, and flowers... the yellow butterfly also ends three butterflies.
    assert_eq!(final_points("queens-garden", &[], "01=Y1 02=Y2 03=Y3 04=B3 05=G3"), 6 + 9);
}

#[test]
fn jokers_gain_and_what_is_left_in_the_storage_costs() {
    let position = garden("queens-garden", 4).garden("").stores(1, "V6 B4", 3);
    let position = position.with("boards/1/expansions", json!(["Y2"])).with("boards/1/score", 1);
    let after = position.after(&["pass"]);
    // 1 + 3 − 12, but not below 0.
    assert_eq!(after["boards"][1]["score"], 0);
    let richer = position.with("boards/1/score", 20).after(&["pass"]);
    assert_eq!(richer["boards"][1]["score"], 20 + 3 - 12);
    // Everything stays where it is.
    assert_eq!(richer["boards"][1]["tiles"], json!(["B4", "V6"]));
    assert_eq!(
        (&richer["phase"], &richer["turn"], &richer["marker"]),
        (&json!("over"), &json!("over"), &json!(1))
    );
    assert_eq!((&richer["round"], &richer["boards"][0]["passed"]), (&json!(4), &json!(true)));
}

#[test]
fn most_points_win_and_ties_share() {
    let position = garden("queens-garden", 4).garden("").stores(0, "", 0).stores(1, "", 0);
    let tie = position.play(&["pass"]);
    assert_eq!(tie.turn(), Turn::Over);
    assert_eq!(
        (tie.scores().as_slice(), tie.wins().as_slice()),
        ([15, 15].as_slice(), [0.5, 0.5].as_slice())
    );
    let ahead = position.with("boards/1/score", 16).play(&["pass"]);
    assert_eq!(ahead.wins().as_slice(), [0.0, 1.0]);
    let mut over = ahead;
    assert_eq!(over.play_token("pass").unwrap_err().to_string(), "the game is over");
}
