//! JSON states: what is refused, with the key and the value at fault.

use serde_json::{Value, json};

use super::position::{json_of, object, read, rules};
use super::*;
use crate::seed::derive;

fn error(edit: Value) -> String {
    match read(edit) {
        Ok(game) => panic!("accepted\n{game}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn conventions_of_phase_deal_and_over() {
    let mut rng = Generator::new(11);
    let mut buffer = Vec::new();
    let mut game = SummerPavilion::new(rules("summer-pavilion:gray"), 3);
    while game.turn() != Turn::Over {
        game.play_random(&mut rng, &mut buffer);
        let json = json_of(&game);
        let boards = json["boards"].as_array().unwrap();
        match game.phase() {
            Phase::Deal => {
                assert_eq!((&json["turn"], &json["token"]), (&json!("chance"), &json!("center")));
                assert_eq!(json["factories"], json!(vec![""; 7]));
                assert!(boards.iter().all(|board| board["kept"] == "" && board["passed"] == false));
            }
            Phase::Over => {
                assert_eq!(
                    (&json["turn"], &json["round"], &json["wild"]),
                    (&json!("over"), &json!(6), &json!("R"))
                );
                assert!(boards.iter().all(|board| board["kept"] == "" && board["passed"] == true));
            }
            _ => {}
        }
    }
}

#[test]
fn faults_are_named_with_key_and_value() {
    for (edit, expected) in [
        (json!({"game": "summer-pavilion", "round": 7}), "round: found 7, expected 1 to 6"),
        (json!({"round": 0, "wild": "P"}), "round: found 0, expected 1 to 6"),
        (json!({"round": 300}), "round: invalid value"),
        (json!({"phase": "draft"}), "phase: unknown variant `draft`, expected one of `deal`, `supply`"),
        (json!({"turn": 2}), "turn: found 2, expected a seat from 0 to 1"),
        (json!({"turn": "chance"}), "turn: found \"chance\", which does not go with phase 'place'"),
        (json!({"start": -1}), "start: found -1, expected a seat from 0 to 1"),
        (json!({"wild": "G"}), "wild: found 'G', expected 'P'"),
        (json!({"wild": "purple"}), "wild: found 'purple', expected one of ORBYGP"),
        (json!({"owed": 1}), "owed: found 1, expected 0 in this phase"),
        (json!({"owed": 256}), "owed: invalid value"),
        (json!({"phase": "bonus"}), "owed: found 0, expected 1 to 0"),
        (json!({"phase": "bonus", "owed": 4, "supply": "OOOOO"}), "owed: found 4, expected 1 to 3"),
        (json!({"phase": "bonus", "owed": 3, "supply": "OO"}), "owed: found 3, expected 1 to 2"),
        (json!({"factories": ["", ""]}), "factories: found 2 entries, expected 5"),
        (json!({"factories": ["OOOOO", "", "", "", ""]}), "factories[0]: found 5 tiles, expected at most 4"),
        (
            json!({"factories": ["OX", "", "", "", ""]}),
            "factories[0]: found 'OX', expected letters of ORBYGP",
        ),
        (json!({"factories": ["O", "", "", "", ""]}), "phase: tiles lie in factories and center"),
        (json!({"center": "O"}), "phase: tiles lie in factories and center"),
        (json!({"phase": "acquire"}), "phase: no tile lies in factories and center"),
        (json!({"center": 3}), "center: invalid type"),
        (json!({"token": "left"}), "token: found \"left\", expected a seat from 0 to 1"),
        (json!({"token": 2}), "token: found 2, expected a seat from 0 to 1"),
        (json!({"phase": "deal", "turn": "chance"}), "token: expected \"center\" in phase deal"),
        (json!({"next": 1}), "next: found a seat, expected null in this phase"),
        (json!({"next": 2}), "next: found 2, expected a seat from 0 to 1"),
        (json!({"phase": "supply", "turn": "chance"}), "next: found null, expected a seat"),
        (
            json!({"phase": "supply", "turn": "chance", "token": "center", "boards": [{"passed": true}]}),
            "next: found null, expected a seat",
        ),
        (
            json!({"phase": "supply", "turn": "chance", "next": 1, "boards": [{}, {"passed": true}]}),
            "next: found 1, but that seat has passed",
        ),
        (
            json!({"phase": "supply", "turn": "chance", "next": 1, "supply": "OOOOOOOOOO"}),
            "supply: found 10 tiles: nothing is to be drawn",
        ),
        (
            json!({"phase": "supply", "turn": "chance", "round": 6,
                "boards": [{"passed": true}, {"passed": true}]}),
            "phase: all have passed in the last round: expected over",
        ),
        (json!({"supply": "OOOOOOOOOOO"}), "supply: found 11 tiles, expected at most 10"),
        (json!({"bag": [22, 22, 22, 22, 22, 23]}), "bag[5]: found 23 tiles of a kind, expected at most 22"),
        (json!({"bag": [22, 22, 22, 22, 22]}), "bag: invalid length"),
        (json!({"bag": [22, 22, 22, 22, 22, 21]}), "state: found 21 tiles of color P in all, expected 22"),
        (json!({"bag": [22, 22, 22, 22, 22, 1e300]}), "bag[5]: invalid type"),
        (
            json!({"depot": [1, 0, 0, 0, 0, 0], "bag": [22, 22, 22, 22, 22, 22]}),
            "state: found 23 tiles of color O",
        ),
        (json!({"boards": [{"score": -1}]}), "boards[0].score: found -1, expected 0 to 1000"),
        (json!({"boards": [{}, {"score": 32767}]}), "boards[1].score: found 32767, expected 0 to 1000"),
        (json!({"boards": [{"score": 1e18}]}), "boards[0].score: invalid type"),
        (json!({"boards": [{"hand": "Q"}], "bag": [22, 22, 22, 22, 22, 22]}), "boards[0].hand: found 'Q'"),
        (json!({"boards": [{"kept": "OOOOO"}]}), "boards[0].kept: found 5 tiles, expected at most 4"),
        (json!({"boards": [{"kept": "O"}]}), "boards[0].kept: found tiles, but the seat has not passed"),
        (
            json!({"boards": [{}, {"passed": true, "hand": "O"}]}),
            "boards[1].hand: found tiles, but the seat has",
        ),
        (json!({"boards": [{"passed": true}]}), "turn: found 0, but that seat has passed"),
        (json!({"boards": [{"passed": 1}]}), "boards[0].passed: invalid type"),
        (
            json!({"boards": [{"stars": {"O": "....."}}]}),
            "boards[0].stars.O: found '.....', expected 6 spaces, each one of ORBYGP or .",
        ),
        (
            json!({"boards": [{"stars": {"O": "R....."}}]}),
            "boards[0].stars.O: found 'R.....', expected the star's",
        ),
        (json!({"boards": [{"stars": {"C": "R...R."}}]}), "boards[0].stars.C: found 'R...R.', expected six"),
        (
            json!({"boards": [{"stars": {"C": "X....."}}], "bag": [22, 22, 22, 22, 22, 22]}),
            "boards[0].stars.C: found 'X.....', expected 6 spaces, each one of ORBYGP or .",
        ),
        (
            json!({"game": "summer-pavilion:gray", "boards": [{"stars": {"C": "RRB..."}}]}),
            "boards[0].stars.C: found 'RRB...', expected one color, or all different ones",
        ),
        (
            json!({"game": "summer-pavilion:gray", "boards": [{"stars": {"C": "BRR..."}}]}),
            "boards[0].stars.C: found 'BRR...', expected one color, or all different ones",
        ),
        (json!({"phase": "keep"}), "turn: found 0, but that seat has not passed"),
        (json!({"phase": "keep", "boards": [{"passed": true}]}), "boards[0].hand: nothing more can be kept"),
        (
            json!({"phase": "keep", "boards": [{"passed": true, "hand": "O", "kept": "R"}]}),
            "boards[0].hand: nothing more can be kept",
        ),
        (
            json!({"phase": "keep", "boards": [{"passed": true, "hand": "R", "kept": "OOOO"}]}),
            "boards[0].hand: nothing more can be kept",
        ),
        (
            json!({"phase": "deal", "turn": "chance", "token": "center", "boards": [{"hand": "OOOOO"}]}),
            "boards[0].hand: found 5 tiles, expected at most 4",
        ),
        (
            json!({"phase": "deal", "turn": "chance", "token": "center", "boards": [{"passed": true}]}),
            "boards[0].passed: found true, expected false",
        ),
        (
            json!({"phase": "over", "turn": "over", "boards": [{"passed": true}, {"passed": true}]}),
            "phase: found over in round 1, expected it in round 6",
        ),
        (
            json!({"phase": "over", "turn": "over", "round": 6}),
            "boards[0].passed: found false, expected true",
        ),
        (
            json!({"phase": "over", "turn": "over", "round": 6,
                "boards": [{"passed": true, "kept": "O"}, {"passed": true}]}),
            "boards[0].kept: found tiles, which lie in the depot",
        ),
    ] {
        let found = error(edit.clone());
        assert!(found.starts_with(expected), "{edit}\nfound    {found}\nexpected {expected}");
    }
}

#[test]
fn another_game_or_number_of_players_is_refused() {
    let refuse = |key: &str, value: Value| {
        let mut state = object(json!({}));
        state[key] = value;
        SummerPavilion::from_json(rules("summer-pavilion"), &state).unwrap_err().to_string()
    };
    assert_eq!(refuse("game", json!("azul")), "game: found 'azul', expected 'summer-pavilion'");
    let other = "game: found 'summer-pavilion:gray', expected 'summer-pavilion'";
    assert_eq!(refuse("game", json!("summer-pavilion:gray")), other);
    assert_eq!(refuse("players", json!(5)), "players: 5 players: the game seats 2, 3 or 4");
    assert_eq!(refuse("boards", json!([])), "boards: found 0 entries, expected 2");
    assert_eq!(refuse("players", json!(3)), "factories: found 5 entries, expected 7");
}

#[test]
fn nothing_can_be_drawn_when_all_tiles_are_out() {
    let hands: Vec<String> = ["ORB", "YGP"]
        .iter()
        .map(|colors| colors.chars().map(|color| color.to_string().repeat(22)).collect())
        .collect();
    let boards = json!([{"hand": hands[0]}, {"hand": hands[1]}]);
    let supply = json!({"phase": "supply", "turn": "chance", "next": 0, "boards": boards});
    assert_eq!(error(supply), "phase: bag and depot are empty: nothing can be drawn");
}

/// Whatever stands at any place of a state: it is read or refused, and what is read can be played on.
#[test]
fn strange_values_never_panic() {
    let long = "O".repeat(1000);
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(3),
        json!(255),
        json!(u64::MAX),
        json!(1.5),
        json!(""),
        json!("O"),
        json!("OOOOOO"),
        json!("é....."),
        json!(long),
        json!("center"),
        json!("chance"),
        json!([]),
        json!([255, 255, 255, 255, 255, 255]),
        json!({}),
    ];
    let (mut rng, mut buffer) = (Generator::new(3), Vec::new());
    for game in 0..testing::games_to_play(10).min(200) {
        let mut state = SummerPavilion::new(rules("summer-pavilion:gray"), 2);
        let steps = Generator::new(derive(9, &[game])).below(130);
        for _ in 0..steps {
            state.play_random(&mut rng, &mut buffer);
        }
        let json = json_of(&state);
        for path in paths(&json) {
            for value in &values {
                let mut changed = json.clone();
                *changed.pointer_mut(&path).unwrap() = value.clone();
                if let Ok(mut read) = SummerPavilion::from_json(state.rules(), &changed) {
                    while read.turn() != Turn::Over {
                        read.play_random(&mut rng, &mut buffer);
                    }
                }
            }
        }
    }
}

/// The JSON pointers of all values in an object.
fn paths(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let deeper = children
        .into_iter()
        .flat_map(|(key, value)| paths(value).into_iter().map(move |path| format!("/{key}{path}")));
    std::iter::once(String::new()).chain(deeper).collect()
}
