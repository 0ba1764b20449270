//! Dealing tiles from the bag and the lid.

use serde_json::{Value, json};

use crate::azul::tests::position::Position;
use crate::azul::{Azul, Deal};
use crate::game::Game;
use crate::seed::Generator;

/// A deal to two players in round 2, with this bag; all other tiles lie in the lid.
fn deal_from(bag: [u8; 5]) -> Position {
    Position::new("azul", 2).with("phase", "deal").with("turn", "chance").with_bag(bag)
}

fn why_not(position: &Position, deal: &str) -> String {
    position.state().play_token(deal).unwrap_err().to_string()
}

#[test]
fn every_factory_gets_4_tiles_from_the_bag() {
    let position = deal_from([20, 20, 20, 20, 20]);
    let after = position.after(&["DBBYR/KKWW/BYRK/RRRR/BWWW"]);
    assert_eq!(after["factories"], json!(["BBYR", "KKWW", "BYRK", "RRRR", "BWWW"]));
    assert_eq!(after["bag"], json!([16, 18, 14, 17, 15]));
    assert_eq!((&after["phase"], &after["turn"]), (&json!("draft"), &json!(0)));
    assert_eq!(
        why_not(&position, "DBBY/KKWW/BYRK/RRRR/BWWW"),
        "each factory gets 4 tiles as long as bag and lid have any"
    );
    assert!(why_not(&position, "DBBYR/KKWW/BYRK/RRRR").contains("number of factories"));
}

#[test]
fn the_lid_is_poured_in_when_a_tile_must_be_drawn_from_an_empty_bag() {
    // 10 tiles: two factories and a half; the third takes the bag's last two and two from the lid.
    let position = deal_from([10, 0, 0, 0, 0]);
    let after = position.after(&["DBBBB/BBBB/BBYR/KKWW/BYRK"]);
    assert_eq!(after["lid"], json!([0, 0, 0, 0, 0]));
    assert_eq!(after["bag"], json!([9, 18, 18, 17, 18]));
}

#[test]
fn the_lid_is_not_poured_in_earlier() {
    let position = deal_from([10, 0, 0, 0, 0]);
    let from_the_bag_first = "the bag and then the lid do not hold these tiles";
    assert_eq!(why_not(&position, "DBBBB/BBBY/BBBR/KKWW/BYRK"), "the bag does not hold these tiles");
    assert_eq!(why_not(&position, "DBBBB/BBBB/BYYR/KKWW/BYRK"), from_the_bag_first);
    // A bag that is just enough leaves the lid as it is.
    let after = deal_from([20, 0, 0, 0, 0]).after(&["DBBBB/BBBB/BBBB/BBBB/BBBB"]);
    assert_eq!((&after["bag"], &after["lid"]), (&json!([0, 0, 0, 0, 0]), &json!([0, 20, 20, 20, 20])));
}

#[test]
fn drawn_deals_take_the_bags_last_tiles_first() {
    let state = deal_from([1, 2, 0, 0, 3]).state();
    let mut rng = Generator::new(5);
    for _ in 0..200 {
        let deal = state.sample_chance(&mut rng);
        let first_two = deal.factories()[0] + deal.factories()[1];
        assert!(first_two.contains(state.bag()), "{deal}");
        assert_eq!(state.check_chance(&deal), Ok(()));
    }
}

#[test]
fn tiles_are_drawn_with_equal_chances_across_the_pouring() {
    // The bag's 2 blue tiles are always dealt; 18 of the lid's 98 tiles follow.
    let state = deal_from([2, 0, 0, 0, 0]).state();
    let (mut rng, mut seen, deals) = (Generator::new(6), [0u32; 5], 20_000);
    for _ in 0..deals {
        let deal = state.sample_chance(&mut rng);
        for factory in deal.factories() {
            (0..5).for_each(|color| seen[color] += u32::from(factory.count(color)));
        }
    }
    for (color, &count) in seen.iter().enumerate() {
        let expected = if color == 0 { 2.0 + 18.0 * 18.0 / 98.0 } else { 18.0 * 20.0 / 98.0 };
        let mean = f64::from(count) / f64::from(deals);
        // The standard error is about 0.011.
        assert!((mean - expected).abs() < 0.055, "color {color}: {mean} instead of {expected}");
    }
}

/// Four players with 99 tiles on walls and in lines; seat 0 is to take the last one, white, from the center.
///
/// Board `b` lacks color `(row + b) % 5` in each row; what is left of the colors lies in those rows' lines.
fn nearly_all_tiles_on_the_boards() -> Position {
    let mut position = Position::new("azul", 4).with("center", "W");
    let mut left = [4, 4, 4, 4, 3];
    for board in 0..4 {
        for row in 0..5 {
            let color = (row + board) % 5;
            let wall: String = (0..5)
                .map(|column| (column + 5 - row) % 5)
                .map(|printed| if printed == color { '.' } else { b"BYRKW"[printed] as char })
                .collect();
            // Line 5 of seat 0 keeps a space for the white tile in the center.
            let room = if (board, row) == (0, 4) { 3 } else { row };
            let count = room.min(left[color]);
            left[color] -= count;
            let line = "BYRKW"[color..=color].repeat(count);
            position = position
                .with(&format!("boards/{board}/wall/{row}"), wall)
                .with(&format!("boards/{board}/lines/{row}"), line);
        }
    }
    assert_eq!(left, [0; 5]);
    position
}

#[test]
fn if_no_tile_can_be_dealt_the_game_ends() {
    let after = nearly_all_tiles_on_the_boards().after(&["0W5"]);
    assert_eq!((&after["phase"], &after["round"], &after["marker"]), (&json!("over"), &json!(2), &json!(0)));
    assert_eq!((&after["bag"], &after["lid"]), (&json!([0, 0, 0, 0, 0]), &json!([0, 0, 0, 0, 0])));
}

#[test]
fn the_last_factories_stay_short_or_empty() {
    // The white tile falls and comes back alone.
    let position = nearly_all_tiles_on_the_boards();
    let dealt = position.after(&["0W0", "DW/-/-/-/-/-/-/-/-"]);
    assert_eq!(dealt["factories"], json!(["W", "", "", "", "", "", "", "", ""]));
    let mut state = position.state();
    state.play_token("0W0").unwrap();
    for deal in ["D-/W/-/-/-/-/-/-/-", "D-/-/-/-/-/-/-/-/-", "DWW/-/-/-/-/-/-/-/-", "DB/-/-/-/-/-/-/-/-"] {
        assert!(state.clone().play_token(deal).is_err(), "{deal}");
    }
    let only: Deal = "DW/-/-/-/-/-/-/-/-".parse().unwrap();
    assert_eq!(state.sample_chance(&mut Generator::new(1)), only);
    assert_eq!(only.to_string(), "DW/-/-/-/-/-/-/-/-");
}

#[test]
fn a_factory_may_be_partly_filled() {
    // 30 tiles for 9 factories, 5 of them in the bag.
    let walls = json!([".YRKW", "W.YRK", "KW.YR", "RKW.Y", "YRKW."]);
    let mut position = Position::new("azul", 4).with("phase", "deal").with("turn", "chance");
    for board in 0..3 {
        position = position.with(&format!("boards/{board}/wall"), walls.clone());
    }
    // 60 tiles on walls, 10 in lines.
    let position =
        position.with("boards/3/lines", json!(["", "B", "BB", "BBB", "BBBB"])).with_bag([5, 0, 0, 0, 0]);
    let after = position.after(&["DBBBB/BYYY/YYRR/RRRK/KKKK/WWWW/BBBW/BB/-"]);
    assert_eq!(after["factories"][7], "BB");
    assert_eq!((&after["bag"], &after["lid"]), (&json!([0, 0, 0, 0, 0]), &json!([0, 0, 0, 0, 0])));
    let refused = |deal: &str| position.state().play_token(deal).is_err();
    assert!(refused("DBBBB/BYYY/YYRR/RRRK/KKKK/WWWW/BBBW/B/B"), "a factory is filled before the next one");
    assert!(refused("DBYYY/BBBB/YYRR/RRRK/KKKK/WWWW/BBBW/BB/-"), "the bag's tiles come first");
}

#[test]
fn deals_read_as_they_are_written() {
    for text in ["DBBYR/KKWW/BYRK/RRRR/BWWW", "DB/-/-/-/-", "DBYRK/-/-/-/-/-/-/-/-"] {
        assert_eq!(text.parse::<Deal>().unwrap().to_string(), text);
    }
    for text in
        ["", "D", "DB/", "D/B", "DBBBBB/-/-/-/-", "DX/-/-/-/-", "B/-/-/-/-", "D-/-/-/-/-/-/-/-/-/-", "DB-/-"]
    {
        let error = text.parse::<Deal>().unwrap_err();
        assert!(error.to_string().contains("is not a deal such as"), "{error}");
    }
}

#[test]
fn actions_are_no_deals_and_deals_no_actions() {
    let message = |state: &Azul, token| state.clone().play_token(token).unwrap_err().to_string();
    assert!(message(&deal_from([20, 20, 20, 20, 20]).state(), "1B1").contains("'1B1' is not a deal"));
    let drafting = Position::new("azul", 2).with("center", "B").state();
    for token in [
        "DBBYR/KKWW/BYRK/RRRR/BWWW",
        "0B6",
        "0X1",
        "AB1",
        "T66",
        "T00",
        "0b1",
        "",
        "0B",
        "0B11",
        "0é",
        "+1B1",
    ] {
        let error = message(&drafting, token);
        assert!(error.contains("is not an action such as 3R4"), "{error}");
    }
}

#[test]
fn a_row_of_nobody_means_another_round() {
    let after: Value = Position::new("azul", 2).last_draft("R").after(&["0R1"]);
    assert_eq!(
        (&after["phase"], &after["turn"], &after["round"]),
        (&json!("deal"), &json!("chance"), &json!(3))
    );
    assert_eq!(after["start"], 1);
}
