//! Refilling the supply and pouring in the depot.

use super::*;

#[test]
fn the_supply_is_refilled_after_a_turn_that_places() {
    let mut game = position(json!({"supply": "ORBYGORBY", "boards": [{"hand": "OO"}]}));
    play(&mut game, "O1O0");
    assert_eq!((game.turn(), json_of(&game)["next"].clone()), (Turn::Chance, json!(1)));
    assert_eq!(
        refusal(&game, "SOO"),
        "the supply is filled up to 10 tiles as long as bag and depot have any"
    );
    assert_eq!(refusal(&game, "DOOOO"), "the supply is to be filled now, not the factories");
    play(&mut game, "SG");
    assert_eq!((game.turn(), game.supply().total()), (Turn::Player(Seat::new(1)), 10));
}

#[test]
fn the_supply_is_refilled_after_a_pass() {
    let mut game = position(json!({"supply": "ORBYGORBY"}));
    play(&mut game, "pass");
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, Phase::Supply));
}

#[test]
fn no_chance_node_comes_when_the_supply_is_full() {
    let mut game = position(json!({"supply": "ORBYGORBYG", "boards": [{"hand": "OO"}]}));
    play(&mut game, "O1O0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(1)));
    assert_eq!(
        refusal(&game, "SO"),
        "'SO' is not an action such as 3R, B6B3 (slot, color, wild tiles), +O, pass or keep:O"
    );
}

#[test]
fn the_rounds_last_pass_refills_the_supply_before_the_deal() {
    let mut game = position(json!({"supply": "ORBYGORBY", "boards": [{}, {"passed": true}]}));
    play(&mut game, "pass");
    let json = json_of(&game);
    assert_eq!((&json["phase"], &json["next"], &json["round"]), (&json!("supply"), &json!(null), &json!(1)));
    assert_eq!(json["boards"][0]["passed"], true);
    play(&mut game, "SG");
    assert_eq!((game.phase(), game.round()), (Phase::Deal, 2));
}

#[test]
fn the_games_last_turn_refills_nothing() {
    let mut game = position(json!({"round": 6, "supply": "ORB", "boards": [{}, {"passed": true}]}));
    play(&mut game, "pass");
    assert_eq!(game.turn(), Turn::Over);
}

/// Two players whose hands swallow the whole bag: what is left is said by `bag` and `depot`.
fn nearly_empty(supply: &str, bag: [u8; 6], depot: [u8; 6]) -> SummerPavilion {
    let left: Vec<String> = (0..COLORS)
        .map(|i| {
            let supply = supply.matches(&LETTERS[i..=i]).count();
            LETTERS[i..=i].repeat(22 - supply - usize::from(bag[i]) - usize::from(depot[i]))
        })
        .collect();
    position(json!({
        "supply": supply, "bag": bag, "depot": depot,
        "boards": [{"hand": left[..3].concat()}, {"hand": left[3..].concat()}],
    }))
}

#[test]
fn the_depot_is_poured_in_the_middle_of_a_draw_and_not_earlier() {
    let mut game = nearly_empty("ORBYGORBY", [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]);
    play(&mut game, "O2O0");
    assert_eq!(refusal(&game, "SO"), "the bag does not hold these tiles");
    play(&mut game, "SR");
    assert!(game.bag().is_empty() && depot(&game) == "OO", "the bag ran empty, nothing more was drawn");

    let mut game = nearly_empty("ORBYGOR", [0, 1, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]);
    play(&mut game, "O2O0");
    assert_eq!(refusal(&game, "SOOO"), "the bag and then the depot do not hold these tiles");
    assert_eq!(refusal(&game, "SORR"), "the bag and then the depot do not hold these tiles");
    play(&mut game, "SOOR");
    assert_eq!((game.bag().letters(LETTERS).to_string().as_str(), depot(&game).as_str()), ("OO", ""));
}

#[test]
fn if_bag_and_depot_are_empty_spaces_stay_empty() {
    let mut game = nearly_empty("ORB", [0; 6], [0; 6]);
    play(&mut game, "O1O0");
    assert_eq!(game.turn(), Turn::Player(Seat::new(1)), "nothing can be drawn: no chance node");
    let mut game = nearly_empty("ORB", [0; 6], [0; 6]);
    play(&mut game, "O3O0");
    assert_eq!(
        refusal(&game, "SOOO"),
        "the supply is filled up to 10 tiles as long as bag and depot have any"
    );
    play(&mut game, "SOO");
    assert_eq!((game.supply().total(), game.turn()), (5, Turn::Player(Seat::new(1))));
}
