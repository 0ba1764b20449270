//! The examples of `docs/formats.md` are what the engine writes and reads.

use azulejo::{Game, GameSpec, Record, with_game};
use serde_json::Value;

/// The JSON code blocks of a text.
fn blocks(text: &str) -> Vec<Value> {
    text.split("```json\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("split returns a first part"))
        .map(|block| serde_json::from_str(block).unwrap_or_else(|error| panic!("{error} in {block}")))
        .collect()
}

/// Reads the example of a state and writes it again.
fn read_and_write<G: Game>(rules: &'static G::Rules, example: &Value) {
    let state = G::from_json(rules, example).unwrap_or_else(|error| panic!("{error} in {example}"));
    assert_eq!(serde_json::to_value(state).expect("states are plain values"), *example);
}

#[test]
fn the_examples_of_records_and_states_are_right() {
    let (mut records, mut states) = (0, 0);
    for block in blocks(include_str!("../docs/formats.md")) {
        if block.get("format").is_some() {
            let line = block.to_string();
            let record = Record::from_line(&line).unwrap();
            record.verify().unwrap_or_else(|error| panic!("{error} in {line}"));
            assert_eq!(serde_json::from_str::<Value>(&record.to_line()).unwrap(), block);
            records += 1;
        } else {
            let spec: GameSpec = block["game"].as_str().unwrap().parse().unwrap();
            with_game!(spec, |rules: &'static G::Rules| read_and_write::<G>(rules, &block));
            states += 1;
        }
    }
    assert!(records >= 1 && states >= 1, "{records} records, {states} states");
}

/// Plays the moves of the first state example, whose text names them.
#[test]
fn the_state_example_comes_from_its_moves() {
    use azulejo::azul::{Azul, AzulRules};
    let mut state = Azul::new(azulejo::intern(AzulRules::default()), 2);
    for token in ["DBBYR/KKWW/BYRK/RRRR/BWWW", "1B2", "0Y1"] {
        state.play_token(token).unwrap();
    }
    let written = serde_json::to_value(state).unwrap();
    let examples = blocks(include_str!("../docs/formats.md"));
    assert!(examples.contains(&written), "{written}");
}
