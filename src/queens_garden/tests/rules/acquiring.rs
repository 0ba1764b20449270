//! Taking items from the display.

use serde_json::json;

use crate::queens_garden::tests::position::{Position, words};

#[test]
fn of_a_kind_shown_twice_one_is_taken_and_the_other_stays() {
    let birds = Position::standard().display("Y2 B2 V6 / Y2 G2", 0);
    assert_eq!(birds.legal(&["acq:2"]), "take:1 take:2");
    let after = birds.after(&["acq:2", "take:2"]);
    assert_eq!(after["boards"][0]["tiles"], json!(["Y2", "B2", "G2"]));
    assert_eq!(after["display"][0]["tiles"], json!(["Y2", "V6"]));
    let after = birds.after(&["acq:2", "take:1"]);
    assert_eq!(after["display"], json!([{"tiles": ["V6"], "kind": null}, {"tiles": ["Y2"], "kind": null}]));
}

#[test]
fn identical_tiles_on_one_slot_are_no_choice() {
    let twins = Position::standard().display("Y2 Y2 B2", 0);
    let after = twins.after(&["acq:2"]);
    assert_eq!(after["boards"][0]["tiles"], json!(["Y2", "B2"]));
    assert_eq!(after["display"][0]["tiles"], json!(["Y2"]));
}

#[test]
fn a_color_brings_all_its_patterns_and_a_pattern_all_its_colors() {
    let display = Position::standard().display("Y2 B2 Y5 / Y1 G2 / =Y3", 0);
    let after = display.after(&["acq:Y"]);
    assert_eq!(after["boards"][0]["tiles"], json!(["Y1", "Y2", "Y5"]));
    assert_eq!(after["boards"][0]["expansions"], json!(["Y3"]));
    assert_eq!(display.after(&["acq:2"])["boards"][0]["tiles"], json!(["Y2", "B2", "G2"]));
}

#[test]
fn only_what_is_shown_can_be_chosen() {
    let display = Position::standard().display("Y2 B2 / =G5", 0);
    assert_eq!(display.legal(&[]), "acq:Y acq:B acq:G acq:2 acq:5 buy:1 buy:2 buy:3 buy:4 buy:5 buy:6 pass");
    assert_eq!(display.refusal(&[], "acq:V"), "the display shows nothing of that color or pattern");
}

#[test]
fn a_tile_and_a_face_up_expansion_of_one_kind_are_a_choice() {
    let display = Position::standard().display("Y2 B2 V6 / =Y2 / B3", 0);
    assert_eq!(display.legal(&["acq:Y"]), "take:1 take:2");
    let after = display.after(&["acq:Y", "take:2"]);
    assert_eq!(after["boards"][0]["expansions"], json!(["Y2"]));
    // The slots close up.
    assert_eq!(after["display"][1]["tiles"], json!(["B3"]));
    assert_eq!(display.after(&["acq:Y", "take:1"])["display"][1]["kind"], "Y2");
}

#[test]
fn the_selection_must_fit_the_storage() {
    let display = Position::standard().display("Y2 B2 / B4", 0);
    let nearly_full = display.clone().stores(0, "Y6 G6 V6 P6 L6 G5 V5 P5 L5", 2);
    assert!(!nearly_full.allows(&[], "acq:B") && nearly_full.allows(&[], "acq:Y"));
    assert_eq!(nearly_full.refusal(&[], "acq:B"), "the storage has no room for all that this brings");
    // A joker takes the space of a tile.
    assert!(nearly_full.stores(0, "Y6 G6 V6 P6 L6 G5 V5 P5 L5", 1).allows(&[], "acq:B"));
    let face_up = display.display("=Y2 / =Y3 / Y4", 0);
    assert!(face_up.allows(&[], "acq:Y"));
    assert!(!face_up.keeps(0, "V6").allows(&[], "acq:Y"));
}

#[test]
fn only_slots_that_can_still_fit_are_offered() {
    // Y2 and Y3 are each a tile or an expansion; one expansion fits, and one tile.
    let display = Position::standard().display("Y2 Y3 / =Y2 / =Y3 / V6", 0);
    let tight = display.clone().stores(0, "", 11).keeps(0, "V5");
    assert_eq!(tight.legal(&["acq:Y"]), "take:1 take:2");
    // The second choice follows from the first one and is not asked.
    let after = tight.after(&["acq:Y", "take:1"]);
    assert_eq!(after["boards"][0]["tiles"], json!(["Y2"]));
    assert_eq!(after["boards"][0]["expansions"], json!(["Y3", "V5"]));
    let full = tight.stores(0, "", 12);
    assert!(!full.allows(&[], "acq:Y"));
    // With room for expansions alone nothing is asked at all.
    let after = full.keeps(0, "").after(&["acq:Y"]);
    assert_eq!(after["boards"][0]["expansions"], json!(["Y2", "Y3"]));
    assert_eq!(
        after["display"],
        json!([{"tiles": ["Y2", "Y3"], "kind": null}, {"tiles": ["V6"], "kind": null}])
    );
}

#[test]
fn forced_choices_appear_among_the_pending_tokens() {
    // There is no room for another tile: Y2 must come as an expansion. B and G are open for neither.
    let display = Position::standard().display("Y2 Y3 / =Y2 / Y3 / V6", 0).stores(0, "", 11);
    let after = display.after(&["acq:Y"]);
    assert_eq!(after["phase"], "take");
    assert_eq!(after["pending"], json!(["acq:Y", "take:2"]));
    assert_eq!(display.legal(&["acq:Y"]), "take:1 take:3");
    assert_eq!(
        display.refusal(&["acq:Y"], "take:4"),
        "that slot does not show the kind that is to be chosen"
    );
    assert_eq!(display.refusal(&["acq:Y"], "take:5"), "there is no slot of that number");
    assert_eq!(display.refusal(&["acq:Y"], "pass"), "a slot to take from must be chosen first");
}

#[test]
fn nothing_moves_before_the_last_choice() {
    let display = Position::standard().display("Y2 Y3 / Y2 Y3 / Y4", 0);
    let after = display.after(&["acq:Y", "take:1"]);
    assert_eq!(after["boards"][0]["tiles"], json!([]));
    assert_eq!(after["display"], display.json()["display"]);
    assert_eq!((&after["phase"], &after["pending"]), (&json!("take"), &json!(["acq:Y", "take:1"])));
    // The slot of Y4 is empty afterwards: it is turned up.
    let after = display.after(&["acq:Y", "take:1", "take:2"]);
    assert_eq!(
        (&after["phase"], &after["next"], &after["turn"]),
        (&json!("reveal"), &json!(1), &json!("chance"))
    );
    assert_eq!(after["display"][1]["tiles"], json!(words("Y2")));
    assert_eq!(after["pending"], json!([]));
}
