use azulejo::{GameSpec, Generator, Turn, with_game};
use serde_json::{Value, json};

use super::{CompletedTable, complete, complete_text};

/// What a person at the table does not see.
const HIDDEN: [&str; 6] = ["bag", "lid", "depot", "tower", "unseen", "supply"];

/// Of every state of a random game at which a player is to move, what can be seen makes a state again, with the same tiles out of
/// sight.
fn completes<G: CompletedTable>(rules: &'static G::Rules, players: usize) -> usize {
    let (mut state, mut rng, mut buffer) = (G::new(rules, players), Generator::new(5), Vec::new());
    let (mut checked, mut same_bag) = (0, 0);
    while state.turn() != Turn::Over {
        state.play_random(&mut rng, &mut buffer);
        let whole = serde_json::to_value(state).unwrap();
        // The supply of Summer Pavilion lies on the table, and which expansions have been seen decides what may come.
        let followed = |key: &str| HIDDEN.contains(&key) && !whole[key].is_string() && key != "unseen";
        let seen = whole.as_object().unwrap().iter().filter(|(key, _)| !followed(key));
        let seen: Value = seen.map(|(key, value)| (key.clone(), value.clone())).collect();
        // In the middle of a turn of several actions some tiles are in the tower for good.
        let between = whole["pending"].as_array().is_none_or(Vec::is_empty);
        if !between || !matches!(state.turn(), Turn::Player(_)) {
            continue;
        }
        let completed = complete(&seen).unwrap_or_else(|error| panic!("{error} in {seen}"));
        let sum = |state: &Value, keys: &[&str]| -> Vec<u64> {
            let lists = keys.iter().filter_map(|key| state[key].as_array());
            let lists: Vec<Vec<u64>> =
                lists.map(|all| all.iter().filter_map(Value::as_u64).collect()).collect();
            (0..lists[0].len()).map(|place| lists.iter().map(|list| list[place]).sum()).collect()
        };
        let keys = ["bag", "lid", "depot", "tower"];
        assert_eq!(sum(&completed, &keys), sum(&whole, &keys), "{seen}");
        assert_eq!(completed["supply"], whole["supply"]);
        let bag = |state: &Value| sum(state, &["bag"]).iter().sum::<u64>();
        same_bag += usize::from(bag(&completed) == bag(&whole));
        checked += 1;
    }
    assert!(same_bag > 0 && checked > 20, "{same_bag} of {checked}");
    same_bag * 100 / checked
}

#[test]
fn what_can_be_seen_of_any_state_makes_a_state() {
    for (spec, least) in [("azul", 90), ("azul:gray", 90), ("summer-pavilion", 5), ("queens-garden", 5)] {
        let game: GameSpec = spec.parse().unwrap();
        for players in 2..=4 {
            let same = with_game!(game, |rules: &'static G::Rules| completes::<G>(rules, players));
            assert!(
                same >= least || players > 2,
                "{spec}, {players} players: {same} % of bags hold as many tiles"
            );
        }
    }
}

#[test]
fn a_few_keys_are_enough() {
    let seen = json!({"game": "azul", "round": 2, "factories": ["BBYR", "KKWW", "BYRK"], "center": "RW",
        "boards": [{"lines": ["Y"], "score": 3}, {"floor": "*R"}]});
    let state = complete(&seen).unwrap();
    assert_eq!((&state["marker"], &state["turn"], &state["phase"]), (&json!(1), &json!(0), &json!("draft")));
    assert_eq!(state["factories"], json!(["BBYR", "KKWW", "BYRK", "", ""]));
    let total = |key: &str| state[key].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!((total("bag"), total("lid")), (60, 24));
    let given = json!({"game": "azul", "lid": [1, 0, 0, 0, 0], "factories": ["BBBB"]});
    assert_eq!(complete(&given).unwrap()["bag"], json!([15, 20, 20, 20, 20]));
}

#[test]
fn faults_are_named_as_in_states() {
    let error = |seen: Value| complete(&seen).unwrap_err().to_string();
    assert_eq!(error(json!({})), "game: missing, expected a game's spec");
    assert!(error(json!({"game": "azul", "players": 7})).starts_with("players: "));
    let factories: Vec<&str> = vec!["BBBB"; 5];
    let lines = json!(["B", "BB"]);
    let seen = json!({"game": "azul", "factories": factories, "boards": [{"lines": lines}, {}]});
    assert!(
        error(seen).contains("of color B"),
        "{}",
        error(json!({"game": "azul", "factories": factories, "boards": [{"lines": lines}, {}]}))
    );
    assert!(error(json!({"game": "azul", "factories": ["XX"]})).starts_with("factories[0]: "));
}

#[test]
fn a_table_can_be_told_in_a_few_lines() {
    let text = "game azul # two of us\nround 2\nfactories BBYR/KKWW/-/BYRK\ncenter RW\nturn 1\n\nboard score=3 lines=-/YY\nboard floor=*R\n";
    let seen = json!({"game": "azul", "round": 2, "factories": ["BBYR", "KKWW", "", "BYRK"], "center": "RW", "turn": 1,
        "boards": [{"lines": ["", "YY"], "score": 3}, {"floor": "*R"}]});
    assert_eq!(complete_text(text).unwrap(), complete(&seen).unwrap());
    let text = "game summer-pavilion:gray\nround 2\nfactories OORB/RRRR/YGBP/YGBP/-\nsupply OORRBBYYGG\n\
        board score=7 hand=- stars=O:O.....,C:..G...\nboard passed=false";
    let state = complete_text(text).unwrap();
    assert_eq!(
        (&state["boards"][0]["stars"]["C"], &state["boards"][1]["score"]),
        (&json!("..G..."), &json!(5))
    );
    let text = "game queens-garden\nstack 3\ndisplay Y1+Y2+Y3+B4\nboard tiles=G1/G2 jokers=2\nboard areas=-/down/B4@3";
    let state = complete_text(text).unwrap();
    assert_eq!(
        state["boards"][1]["areas"],
        json!([null, "down", {"kind": "B4", "rotation": 3}, null, null, null])
    );
    assert_eq!(
        (&state["boards"][1]["hexagons"]["33"], &state["boards"][0]["tiles"]),
        (&json!("B4"), &json!(["G1", "G2"]))
    );
}

#[test]
fn faults_of_a_text_are_named() {
    let error = |text: &str| complete_text(text).unwrap_err().to_string();
    assert_eq!(error("factories BBYR"), "game: missing, expected a line such as: game azul");
    assert!(
        error("game azul\nfactory BBYR").starts_with("factory: unknown, expected one of bag, boards, center")
    );
    assert!(error("game azul\nboard points=3").starts_with("boards[0]: points: unknown"));
    assert!(error("game azul\nfactories XX").starts_with("factories[0]: "));
    assert!(error("game azul\nround x\nfactories BBBB").starts_with("round"));
}
