//! Positions for tests, written down as the parts that matter; all other tiles lie in the bag or the lid.

use serde_json::{Value, json};

use crate::azul::{Azul, AzulRules, LETTERS, TILES_PER_COLOR};
use crate::game::{Game, Rules};
use crate::{StateError, intern};

/// A JSON state in the making.
#[derive(Clone)]
pub(super) struct Position {
    spec: &'static str,
    json: Value,
}

impl Position {
    /// Round 2, seat 0 to draft, nothing on the table and all tiles in the bag.
    pub fn new(spec: &'static str, players: usize) -> Self {
        let board = json!({
            "score": 0,
            "lines": vec![""; 5],
            "wall": vec!["....."; 5],
            "floor": "",
        });
        let json = json!({
            "game": spec, "players": players, "round": 2, "phase": "draft", "turn": 0, "start": 0,
            "factories": vec![""; 2 * players + 1], "center": "", "marker": "center",
            "bag": null, "lid": [0, 0, 0, 0, 0], "boards": vec![board; players],
        });
        Position { spec, json }
    }

    /// Sets what a JSON pointer without its first slash names: `boards/0/score`.
    pub fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        *self.json.pointer_mut(&format!("/{pointer}")).expect("the key exists") = value.into();
        self
    }

    /// Changes numbers of the rules.
    pub fn changed(mut self, changes: Value) -> Self {
        self.json["rules"] = changes;
        self
    }

    /// What is not on the table lies in the lid, apart from this bag.
    pub fn with_bag(mut self, bag: [u8; 5]) -> Self {
        self.json["bag"] = json!(bag);
        self.json["lid"] = Value::Null;
        self
    }

    /// The last draft of a round: seat 0 takes a tile of this color from the center, where the marker has
    /// gone.
    pub fn last_draft(self, color: &str) -> Self {
        self.with("center", color).with("marker", 1).with("boards/1/floor", "*")
    }

    /// The JSON object, with the missing one of bag and lid filled up.
    pub fn json(&self) -> Value {
        let mut json = self.json.clone();
        let given = if json["bag"].is_null() { "lid" } else { "bag" };
        let missing = if given == "bag" { "lid" } else { "bag" };
        if !json[missing].is_null() {
            return json;
        }
        let mut table = vec![&json["factories"], &json["center"]];
        for board in json["boards"].as_array().unwrap() {
            table.extend([&board["lines"], &board["wall"], &board["floor"]]);
        }
        let text: String = table.into_iter().map(ToString::to_string).collect();
        let rest: Vec<i64> = LETTERS
            .chars()
            .zip(0..)
            .map(|(color, index): (char, usize)| {
                let used = text.matches(color).count() as i64 + json[given][index].as_i64().unwrap();
                i64::from(TILES_PER_COLOR) - used
            })
            .collect();
        json[missing] = json!(rest);
        json
    }

    /// The state, or why it was refused.
    pub fn read(&self) -> Result<Azul, StateError> {
        let options: Vec<&str> = self.spec.split(':').skip(1).collect();
        let rules = AzulRules::from_options(&options).unwrap();
        let changes = self.json.get("rules").and_then(Value::as_object).cloned().unwrap_or_default();
        Azul::from_json(intern(rules.with_changes(&changes).unwrap()), &self.json())
    }

    pub fn state(&self) -> Azul {
        self.read().unwrap_or_else(|error| panic!("{error}\n{}", self.json()))
    }

    /// The JSON state after these moves, which all have to be possible.
    pub fn after(&self, moves: &[&str]) -> Value {
        let mut state = self.state();
        for token in moves {
            state.play_token(token).unwrap_or_else(|error| panic!("{token}: {error}\n{state}"));
        }
        serde_json::to_value(state).unwrap()
    }

    /// The tokens of the legal actions, joined by blanks.
    pub fn legal(&self) -> String {
        legal(&self.state())
    }
}

/// The tokens of the legal actions, joined by blanks.
pub(super) fn legal(state: &Azul) -> String {
    let mut actions = Vec::new();
    state.legal_actions(&mut actions);
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
