//! Reading many records with different rules: memory is bounded. A test of its own, since it fills what a
//! program may hold.

use azulejo::{GameSpec, MOST_RULES, Record};
use serde_json::{Value, json};

/// A record of no moves, with the points that both begin with.
fn record(rules: Value, points: usize) -> Record {
    let record = json!({
        "format": "azulejo-game", "version": 1, "game": "queens-garden", "rules": rules, "players": 2,
        "agents": ["random", "random"], "seed": 1, "index": 0, "moves": [],
        "scores": [points, points], "wins": [0.5, 0.5], "end": "truncated",
    });
    Record::from_line(&record.to_string()).expect("the line is a record")
}

#[test]
fn rules_of_many_records_do_not_pile_up() {
    let (mut kept, mut refused) = (0, None);
    for n in 0..2 * MOST_RULES {
        let rules =
            json!({"start_score": n % 1000, "smallest_group": 1 + n / 1000 % 6, "joker_points": n / 6000});
        match record(rules, n % 1000).verify() {
            Ok(()) => kept += 1,
            Err(error) => refused = Some(error.to_string()),
        }
    }
    assert!(kept > MOST_RULES / 2 && kept <= MOST_RULES, "{kept} different rules are held");
    let expected =
        format!("too many different rules of queens-garden: at most {MOST_RULES} in one run of the program");
    assert_eq!(refused, Some(expected));
    // What is known stays known, and what needs no memory stays possible.
    record(json!({"start_score": 7, "joker_points": 0, "smallest_group": 1}), 7).verify().unwrap();
    assert!("queens-garden:variant".parse::<GameSpec>().is_ok());
}
