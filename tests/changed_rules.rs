//! Games with changed rules: records, states and specs hold the numbers themselves.

use azulejo::{Game, GameSpec, Record, testing, with_game};
use serde_json::json;

/// Specs with changed rules of each game.
const CHANGED: [&str; 6] = [
    r#"azul:rules={"handicap":[3,0,100,1],"marker_points":-4,"marker_spaces":0}"#,
    r#"summer-pavilion:gray,rules={"handicap":[0,100,1,2],"starting_score":1000}"#,
    r#"queens-garden:rules={"handicap":[9,0,0,100],"stack":[8,1,3]}"#,
    r#"azul:gray,rules={"column_bonus":10,"factories":[4,6,8],"last_round":5}"#,
    r#"summer-pavilion:alternate,rules={"rounds":3,"starting_score":9,"supply":8}"#,
    r#"queens-garden:variant,rules={"expansion_price":3,"joker_awards":{"bench":4},"start_jokers":0}"#,
];

fn check<G: Game>(rules: &'static G::Rules) {
    G::PLAYERS.for_each(|players| testing::check_contract::<G>(rules, players, 2, 1));
}

#[test]
fn games_with_changed_rules_keep_the_contract() {
    for spec in CHANGED {
        let game: GameSpec = spec.parse().unwrap();
        assert_eq!(game.to_string(), spec);
        with_game!(game, |rules: &'static G::Rules| check::<G>(rules));
    }
}

/// A record of no moves, with the points that both begin with.
fn record(game: &str, rules: serde_json::Value, points: usize) -> String {
    let record = json!({
        "format": "azulejo-game", "version": 1, "game": game, "rules": rules, "players": 2,
        "agents": ["random", "random"], "seed": 1, "index": 0, "moves": [],
        "scores": [points, points], "wins": [0.5, 0.5], "end": "truncated",
    });
    record.to_string()
}

#[test]
fn a_record_is_verified_by_its_own_rules() {
    let game = "summer-pavilion:gray";
    let verify = |rules: serde_json::Value, points| {
        Record::from_line(&record(game, rules, points)).unwrap().verify().map_err(|error| error.to_string())
    };
    assert_eq!(verify(json!({"starting_score": 9}), 9), Ok(()));
    assert_eq!(verify(json!(null), 5), Ok(()));
    assert!(verify(json!({"starting_score": 9}), 5).unwrap_err().starts_with("scores: "));
    let refused = verify(json!({"starting_score": -1}), 5).unwrap_err();
    assert!(refused.ends_with("starting_score: found -1, expected 0 to 1000"), "{refused}");
    let line = Record::from_line(&record(game, json!({"starting_score": 9}), 9)).unwrap().to_line();
    assert!(
        line.contains(r#""game":"summer-pavilion:gray","rules":{"starting_score":9},"players":2"#),
        "{line}"
    );
    let line = Record::from_line(&record(game, json!(null), 5)).unwrap().to_line();
    assert!(!line.contains("rules"), "{line}");
}
