//! Games with changed rules: records, states and specs hold the numbers themselves.

use azulejo::azul::Azul;
use azulejo::queens_garden::QueensGarden;
use azulejo::summer_pavilion::SummerPavilion;
use azulejo::{Changes, Encode, Game, GameSpec, Record, Rules, intern, testing, with_game};
use serde_json::{Value, json};

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

/// The names of the features that tell of changed rules in a game's first state.
fn told<G: Encode>(rules: G::Rules) -> Vec<String> {
    let (names, mut active) = (G::feature_names(), Vec::new());
    G::new(intern(rules), 2).encode(&mut active);
    active.retain(|&feature| usize::from(feature) >= G::FORMER_FEATURES[0]);
    active.into_iter().map(|feature| names[usize::from(feature)].clone()).collect()
}

/// For each number in a value, the value with that one a point higher, or lower.
fn shifted(value: &Value, by: i64) -> Vec<Value> {
    match value {
        Value::Number(number) => vec![json!(number.as_i64().expect("rules have whole numbers") + by)],
        Value::Array(list) => {
            let place = |place: usize| {
                let replaced = move |entry| {
                    let mut list = list.clone();
                    list[place] = entry;
                    Value::Array(list)
                };
                shifted(&list[place], by).into_iter().map(replaced)
            };
            (0..list.len()).flat_map(place).collect()
        }
        Value::Object(table) => {
            let key = |(key, value): (&String, &Value)| {
                let (table, key) = (table.clone(), key.clone());
                let replaced = move |entry| {
                    let mut table = table.clone();
                    table.insert(key.clone(), entry);
                    Value::Object(table)
                };
                shifted(value, by).into_iter().map(replaced).collect::<Vec<_>>()
            };
            table.iter().flat_map(key).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks that networks are told of each number of the rules that counts, a feature for a point more or less, and of none of
/// these: what they stand for lies on the table, or in the scores.
fn check_told<G: Encode>(untold: &[&str]) {
    for rules in G::Rules::variants() {
        let as_they_are = rules.with_changes(&Changes::default()).expect("no changes are allowed");
        assert_eq!(told::<G>(as_they_are), Vec::<String>::new(), "{}", rules.options());
        for (key, value) in rules.numbers() {
            for (by, sign) in [(1, '+'), (-1, '-')] {
                for value in shifted(&value, by) {
                    let changes: Changes = [(key.clone(), value.clone())].into_iter().collect();
                    // Some numbers cannot be higher, or lower.
                    let Ok(changed) = rules.with_changes(&changes) else { continue };
                    let found = told::<G>(changed);
                    match untold.contains(&key.as_str()) {
                        true => assert_eq!(found, Vec::<String>::new(), "{key}={value}"),
                        false => assert!(
                            found.len() == 1 && found[0].ends_with(&format!("{sign}1")),
                            "{key}={value}: {found:?}"
                        ),
                    }
                }
            }
        }
    }
}

#[test]
fn networks_see_each_changed_number_that_counts() {
    check_told::<Azul>(&["factories", "last_round", "handicap"]);
    check_told::<SummerPavilion>(&[
        "rounds",
        "factories",
        "supply",
        "starting_score",
        "handicap",
        "keep_limit",
    ]);
    check_told::<QueensGarden>(&[
        "stack",
        "start_score",
        "handicap",
        "start_jokers",
        "score_floor",
        "ornaments",
    ]);
}

#[test]
fn networks_see_how_far_a_number_is_from_the_usual_one() {
    let GameSpec::Azul(rules) =
        r#"azul:rules={"column_bonus":20,"floor":[-1,-1,-2,-2,0,-3,-3]}"#.parse().unwrap()
    else {
        panic!()
    };
    let column = [1, 2, 3, 5, 8, 13].map(|points| format!("column_bonus+{points}"));
    let floor = ["floor5+1", "floor5+2"].map(str::to_owned);
    assert_eq!(told::<Azul>(rules.clone()), [&column[..], &floor].concat());
}
