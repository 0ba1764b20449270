//! JSON states that no game can be in are refused, and the refusal names the key.

use serde_json::{Value, json};

use super::position::Position;
use crate::game::Game;
use crate::queens_garden::{QueensGarden, QueensGardenRules};
use crate::{StateError, intern};

/// A state in the middle of a round with something of everything.
fn busy() -> Position {
    Position::standard()
        .display("Y2 B2 / =L5 / V1 V2 V3 V4", 2)
        .stores(0, "Y1 Y1 G4", 3)
        .keeps(0, "G5")
        .area(1, "B4@4")
        .area(3, "down")
        .garden("14=B4 01=B3 30=V5")
        .with("boards/1/passed", true)
        .with("marker", 1)
}

fn error_of(json: &Value) -> StateError {
    QueensGarden::from_json(intern(QueensGardenRules::default()), json).expect_err("the state is faulty")
}

/// Checks that this value at this place of a position is refused with a message that begins with this key.
fn refused(position: &Position, pointer: &str, value: Value, key: &str) {
    let mut json = position.json();
    *json.pointer_mut(&format!("/{pointer}")).unwrap() = value.clone();
    let error = error_of(&json);
    assert_eq!(error.key, key, "{pointer} = {value}: {error}");
    let message = error.to_string();
    assert!(message.chars().count() < 300 && !message.contains(char::is_control), "{message}");
}

#[test]
fn the_state_that_the_others_are_made_of_is_accepted() {
    let state = busy().state();
    assert_eq!(serde_json::to_value(state).unwrap(), busy().json());
}

#[test]
fn lists_of_items_may_come_in_any_order() {
    let mut json = busy().json();
    json["boards"][0]["tiles"] = json!(["G4", "Y1", "Y1"]);
    json["unseen"].as_array_mut().unwrap().reverse();
    let read = QueensGarden::from_json(intern(QueensGardenRules::default()), &json).unwrap();
    assert_eq!(read, busy().state());
}

#[test]
fn values_of_the_wrong_sort_are_refused() {
    let scalars = ["players", "round", "phase", "turn", "start", "next", "stack", "supply", "marker", "game"];
    for key in scalars {
        for value in [json!([]), json!({}), json!(-1), json!(1.5), json!("x"), json!(300)] {
            refused(&busy(), key, value, key);
        }
    }
    for key in ["pending", "unseen", "display", "bag", "tower", "boards"] {
        for value in [json!(null), json!({"a": 1}), json!("Y1"), json!(3)] {
            refused(&busy(), key, value, key);
        }
    }
    let within = [
        ("unseen/0", json!("Y7"), "unseen[0]"),
        ("display/0", json!(null), "display[0]"),
        ("display/0", json!([["Y2", "B2"], null]), "display[0]"),
        ("display/0/tiles/1", json!("B22"), "display[0].tiles[1]"),
        ("display/1/kind", json!("x"), "display[1].kind"),
        ("display/1/kind", json!(4), "display[1].kind"),
        ("bag/3", json!(4), "bag[3]"),
        ("bag", json!(vec![3; 35]), "bag"),
        ("tower", json!(vec![0; 37]), "tower"),
        ("boards/1", json!([]), "boards[1]"),
        ("boards/0/score", json!(40_000), "boards[0].score"),
        ("boards/0/score", json!(-1), "boards[0].score"),
        ("boards/0/passed", json!(0), "boards[0].passed"),
        ("boards/0/tiles/0", json!("y1"), "boards[0].tiles[0]"),
        ("boards/0/areas", json!(vec![Value::Null; 5]), "boards[0].areas"),
        ("boards/0/areas/1", json!("up"), "boards[0].areas[1]"),
        ("boards/0/areas/0", json!({"kind": "B4"}), "boards[0].areas[0]"),
        ("boards/0/areas/0", json!({"kind": "B4", "rotation": 0}), "boards[0].areas[0]"),
        ("boards/0/areas/0", json!({"kind": "B4", "rotation": 7}), "boards[0].areas[0]"),
        ("boards/0/areas/0", json!({"kind": 4, "rotation": 1}), "boards[0].areas[0]"),
        ("boards/0/hexagons/01", json!("Z1"), "boards[0].hexagons.01"),
    ];
    for (pointer, value, key) in within {
        refused(&busy(), pointer, value, key);
    }
}

#[test]
fn storages_have_their_limits() {
    refused(&busy(), "boards/0/jokers", json!(10), "boards[0].jokers");
    refused(&busy(), "boards/0/tiles", json!(vec!["Y3"; 13]), "boards[0].tiles");
    refused(&busy(), "boards/0/tiles", json!(vec!["Y3"; 4]), "boards[0].tiles");
    refused(&busy(), "boards/0/expansions", json!(["Y3", "Y4", "Y5"]), "boards[0].expansions");
    refused(&busy(), "boards/0/expansions", json!(["Y3", "Y3"]), "boards[0].expansions");
}

#[test]
fn all_tiles_are_there_and_three_of_each_kind() {
    let mut json = busy().json();
    json["tower"][0] = json!(1);
    let error = error_of(&json);
    assert_eq!(error.to_string(), "state: found 4 tiles Y1 in all, expected 3");
    refused(&busy(), "boards/0/tiles", json!(["Y1", "Y1"]), "state");
    // A printed hexagon is no tile.
    assert_eq!(super::position::counted(&busy().json()["bag"], "B4"), 3);
}

#[test]
fn each_expansion_is_at_one_place() {
    let unseen = busy().json()["unseen"].clone();
    let mut more = unseen.as_array().unwrap().clone();
    more.push(json!("G5"));
    refused(&busy(), "unseen", json!(more), "boards[0].expansions");
    refused(&busy(), "unseen", json!(["Y1", "Y1"]), "unseen");
    refused(&busy(), "unseen", json!(unseen.as_array().unwrap()[..12]), "unseen");
    let twice = busy().with("boards/1/expansions", json!(["L5"]));
    assert_eq!(twice.read().unwrap_err().key, "boards[1].expansions");
    let supply = busy().json()["supply"].as_u64().unwrap();
    refused(&busy(), "supply", json!(supply + 1), "supply");
    refused(&busy(), "stack", json!(6), "stack");
    refused(&busy(), "stack", json!(4), "display");
}

#[test]
fn hexagons_lie_where_the_rules_let_them() {
    let hexagons = |list: &str| busy().garden(list).read().unwrap_err();
    let cases = [
        ("14=B4 01=B3 30=V5 00=Y1", "boards[0].hexagons.00", "found Y1 where no hexagon can lie"),
        ("14=B4 01=B3 30=V5 10=Y1", "boards[0].hexagons.10", "found Y1 where no hexagon can lie"),
        ("14=B4 01=B3 30=V5 21=Y1", "boards[0].hexagons.21", "found Y1 where no hexagon can lie"),
        ("14=B4 01=B3 30=V5 77=Y1", "boards[0].hexagons.77", "expected a place such as 23"),
        ("14=B4 01=B3 30=V5 001=Y1", "boards[0].hexagons.001", "expected a place such as 23"),
        ("14=B5 01=B3 30=V5", "boards[0].hexagons.14", "found B5, but another hexagon is printed there"),
        ("01=B3 30=V5", "boards[0].hexagons", "a printed hexagon is missing"),
        (
            "14=B4 01=B3 02=B4",
            "boards[0].hexagons",
            "a group of one color or pattern holds the same hexagon twice",
        ),
        (
            "14=B4 03=Y1 04=V2",
            "boards[0].hexagons",
            "adjacent hexagons do not match in a way that no order of placing them allows",
        ),
    ];
    for (list, key, problem) in cases {
        assert_eq!(hexagons(list), StateError::new(key, problem), "{list}");
    }
    // Two chains side by side can have grown towards each other.
    busy().garden("14=B4 02=Y1 03=Y2 04=V3 05=V4").state();
    // But three single hexagons in a row cannot, whichever came first.
    assert!(busy().garden("14=B4 02=Y1 03=L2 04=V3").read().is_err());
}

#[test]
fn display_and_phase_go_together() {
    let empty = json!({"tiles": [], "kind": null});
    refused(&busy(), "display/0", empty.clone(), "state");
    let display = |slots: &str, stack: usize| busy().display(slots, stack).read().unwrap_err().key;
    assert_eq!(display(" / V1 V2 V3 V4", 2), "display[0]");
    assert_eq!(display("Y2 / V1 V2 V3", 2), "display[1]");
    assert_eq!(display("Y2 / =V3", 2), "display[1]");
    assert_eq!(display("Y2 Y3 Y4 Y5 / V1 V2 V3 V4", 2), "display[0]");
    assert_eq!(
        busy().with("phase", "deal").with("turn", "chance").with("next", 0).read().unwrap_err().key,
        "display[2]"
    );
    assert_eq!(
        busy().with("phase", "reveal").with("turn", "chance").with("next", 0).read().unwrap_err().key,
        "phase"
    );
    refused(&busy(), "next", json!(0), "next");
    refused(&busy(), "phase", json!("over"), "turn");
    refused(&busy(), "phase", json!("chance"), "phase");
    refused(&busy(), "turn", json!("chance"), "turn");
    let mut json = busy().json();
    json["display"][0]["kind"] = json!("Y6");
    assert_eq!(error_of(&json).key, "display[0]");
    // A deal in the middle of a round follows a tile taken from the former top.
    let dealing = busy().with("phase", "deal").with("turn", "chance").with("next", 0);
    dealing.clone().display("Y2 B2 / =L5 / V1 / ", 2).state();
    assert_eq!(dealing.clone().display("Y2 B2 / =L5 / ", 2).read().unwrap_err().key, "display");
    assert_eq!(dealing.display("", 5).read().unwrap_err().key, "phase");
}

#[test]
fn marker_passing_and_turn_go_together() {
    refused(&busy(), "marker", json!("center"), "marker");
    refused(&busy(), "marker", json!(0), "marker");
    refused(&busy(), "turn", json!(1), "turn");
    refused(&busy(), "boards/1/passed", json!(false), "marker");
    refused(&busy(), "round", json!(1), "supply");
    let first = Position::standard().with("round", 1).with("start", 1);
    assert_eq!(first.read().unwrap_err().key, "start");
    let over = busy().with("round", 4).with("phase", "over").with("turn", "over");
    assert_eq!(over.read().unwrap_err().key, "boards");
    over.with("boards/0/passed", true).state();
    let early = busy().with("phase", "over").with("turn", "over").with("boards/0/passed", true);
    assert_eq!(early.read().unwrap_err().key, "round");
}

#[test]
fn pending_tokens_must_lead_to_the_phase() {
    let pending = |phase: &str, tokens: &[&str]| {
        let json = busy().stores(0, "Y4 G4 Y2 Y3", 2).with("phase", phase).with("pending", tokens.to_vec());
        json.read().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(pending("place", &["tile:Y4"]), Ok(()));
    assert_eq!(pending("pay", &["tile:Y4", "at:03"]), Ok(()));
    let cases: [(&str, &[&str], &str); 9] = [
        ("turn", &["tile:Y4"], "pending: expected an empty list in this phase"),
        ("place", &[], "pending: leads to phase turn, found phase place"),
        ("pay", &["tile:Y4"], "pending: leads to phase place, found phase pay"),
        ("place", &["tile:V4"], "pending[0]: tile:V4: the storage holds no such item"),
        ("place", &["tile"], "pending[0]: 'tile' is not an action such as"),
        ("take", &["acq:L"], "pending[0]: acq:L leads to the end of the turn"),
        ("pay", &["buy:2"], "pending[0]: buy:2 leads to the end of the turn"),
        ("discard", &["tile:Y4"], "pending: expected pass as the first action in phase discard"),
        ("discard", &[], "turn: found 0, a seat that has not passed"),
    ];
    for (phase, tokens, expected) in cases {
        let error = if expected.starts_with("pending: expected pass") {
            let json =
                busy().with("boards/0/passed", true).with("phase", phase).with("pending", tokens.to_vec());
            json.read().unwrap_err().to_string()
        } else {
            pending(phase, tokens).unwrap_err()
        };
        assert!(error.starts_with(expected), "{error}, expected {expected}");
    }
}

#[test]
fn forced_tokens_must_stand_among_the_pending_ones() {
    // Y2 must come as an expansion, since no other tile fits; Y3 is open.
    let tight =
        Position::standard().display("Y2 Y3 / =Y2 / Y3 / V6", 0).stores(0, "", 11).with("phase", "take");
    tight.clone().with("pending", vec!["acq:Y", "take:2"]).state();
    let error =
        |tokens: &[&str]| tight.clone().with("pending", tokens.to_vec()).read().unwrap_err().to_string();
    assert_eq!(error(&["acq:Y"]), "pending: take:2 must follow, the only possibility");
    assert_eq!(error(&["acq:Y", "take:1"]), "pending[1]: found take:1, but only take:2 is possible");
}

#[test]
fn discards_must_have_been_possible() {
    let base = Position::standard().stores(0, "Y1 V6", 3).keeps(0, "V3");
    let base = base.with("boards/0/passed", true).with("marker", 0).with("phase", "discard");
    let read = |tokens: &[&str]| base.clone().bag("Y1").with("pending", tokens.to_vec()).read();
    read(&["pass"]).unwrap();
    read(&["pass", "drop:B2", "drop:B2"]).unwrap();
    let error = |tokens: &[&str]| read(tokens).unwrap_err().to_string();
    assert!(
        error(&["pass", "drop:B2", "drop:B1"]).starts_with("pending[2]: found drop:B1, which comes after")
    );
    assert!(
        error(&["pass", "drop:B2", "acq:B"]).starts_with("pending[2]: found acq:B, expected drop or dropx")
    );
    assert!(
        error(&["pass", "drop:V6", "dropx:V6"]).starts_with("pending: a discarded expansion is in unseen")
    );
    assert!(error(&["pass", "drop:Y1", "drop:Y1"]).starts_with("pending: the tower does not hold"));
    let eight: Vec<&str> = ["pass"]
        .into_iter()
        .chain([["B2"; 3], ["B3"; 3], ["B4"; 3]].concat().into_iter().map(|kind| match kind {
            "B2" => "drop:B2",
            "B3" => "drop:B3",
            _ => "drop:B4",
        }))
        .collect();
    assert_eq!(error(&eight), "pending: the discarded items did not fit into the storage");
    let empty = base.clone().stores(0, "", 3).keeps(0, "").with("pending", vec!["pass"]);
    assert_eq!(empty.read().unwrap_err().to_string(), "phase: found discard, but nothing is left to discard");
}
