//! Positions for tests, written down as the parts that matter; all other tiles lie in the bag or in the
//! tower, all other expansions in the supply or in the stacks of later rounds.

use serde_json::{Value, json};

use crate::game::{Game, Rules};
use crate::queens_garden::{Kind, QueensGarden, QueensGardenRules};
use crate::{StateError, intern};

/// A JSON state in the making.
#[derive(Clone)]
pub(super) struct Position {
    spec: &'static str,
    json: Value,
}

impl Position {
    /// Round 2, seat 0 begins a turn, the stack and the display are used up, all tiles lie in the bag.
    pub fn new(spec: &'static str, players: usize) -> Self {
        let board = json!({
            "score": 15, "passed": false, "jokers": 3, "tiles": [], "expansions": [],
            "areas": vec![Value::Null; 6], "hexagons": {},
        });
        let json = json!({
            "game": spec, "players": players, "round": 2, "phase": "turn", "turn": 0, "start": 0, "next": null,
            "pending": [], "unseen": null, "display": [], "stack": 0, "supply": null, "bag": null,
            "tower": vec![0; 36], "marker": "center", "boards": vec![board; players],
        });
        Position { spec, json }
    }

    /// Two players on the standard side.
    pub fn standard() -> Self {
        Position::new("queens-garden", 2)
    }

    /// Sets what a JSON pointer without its first slash names: `boards/0/score`.
    pub fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        *self.json.pointer_mut(&format!("/{pointer}")).expect("the key exists") = value.into();
        self
    }

    /// The tiles in a seat's storage, and its jokers.
    pub fn stores(self, seat: usize, tiles: &str, jokers: usize) -> Self {
        self.with(&format!("boards/{seat}/tiles"), words(tiles))
            .with(&format!("boards/{seat}/jokers"), jokers)
    }

    /// The expansions in a seat's storage.
    pub fn keeps(self, seat: usize, expansions: &str) -> Self {
        self.with(&format!("boards/{seat}/expansions"), words(expansions))
    }

    /// What lies in seat 0's garden: `01=B4 12=Y1`.
    pub fn garden(self, hexagons: &str) -> Self {
        let pairs = hexagons.split_whitespace().map(|pair| pair.split_once('=').unwrap());
        let map: serde_json::Map<String, Value> =
            pairs.map(|(place, kind)| (place.to_owned(), json!(kind))).collect();
        self.with("boards/0/hexagons", map)
    }

    /// An area of seat 0's garden is face down, or shows an expansion: `B4` printed at ring place 3 is
    /// `B4@3`.
    pub fn area(self, area: usize, content: &str) -> Self {
        let value = match content.split_once('@') {
            None => json!(content),
            Some((kind, rotation)) => json!({"kind": kind, "rotation": rotation.parse::<u8>().unwrap()}),
        };
        self.with(&format!("boards/0/areas/{}", area - 1), value)
    }

    /// The display: slots separated by slashes, a face-up expansion as `=B4`, tiles as `Y1 Y2`; the last one
    /// is the top of a stack with so many expansions left, if there are any.
    pub fn display(self, slots: &str, stack: usize) -> Self {
        let slot = |text: &str| match text.trim().strip_prefix('=') {
            Some(kind) => json!({"tiles": [], "kind": kind}),
            None => json!({"tiles": words(text), "kind": null}),
        };
        self.with("display", slots.split('/').map(slot).collect::<Vec<Value>>()).with("stack", stack)
    }

    /// These tiles are all of the bag; what lies nowhere else lies in the tower.
    pub fn bag(self, tiles: &str) -> Self {
        let counts = count(words(tiles).iter());
        self.with("bag", counts.to_vec()).with("tower", Value::Null)
    }

    /// The JSON object, with what is missing filled up.
    pub fn json(&self) -> Value {
        let mut json = self.json.clone();
        let mut used: Vec<Value> = Vec::new();
        let mut shown: Vec<Value> = Vec::new();
        let mut expansions = 0;
        let slots = json["display"].as_array().unwrap();
        for slot in slots {
            used.extend(slot["tiles"].as_array().unwrap().iter().cloned());
            shown.push(slot["kind"].clone());
        }
        for board in json["boards"].as_array().unwrap() {
            used.extend(board["tiles"].as_array().unwrap().iter().cloned());
            shown.extend(board["expansions"].as_array().unwrap().iter().cloned());
            expansions += board["expansions"].as_array().unwrap().len();
            let areas = board["areas"].as_array().unwrap();
            let hexagons = board["hexagons"].as_object().unwrap();
            for (place, kind) in hexagons {
                let area = place[..1].parse::<usize>().unwrap();
                let printed = area > 0
                    && areas.get(area - 1).unwrap_or(&Value::Null)["rotation"]
                        .as_u64()
                        .is_some_and(|at| at.to_string() == place[1..]);
                if !printed {
                    used.push(kind.clone());
                }
            }
            shown.extend(areas.iter().map(|area| area["kind"].clone()));
            expansions += areas.iter().filter(|area| !area.is_null()).count();
        }
        let number = |key: &str| json[key].as_u64().unwrap() as usize;
        let stack = QueensGardenRules::default().stack_of(number("players"));
        let later = (4 - number("round")) * usize::from(stack);
        let elsewhere = later + number("stack") + slots.len() - usize::from(number("stack") > 0) + expansions;
        let unseen: Vec<String> =
            Kind::all().map(|kind| kind.to_string()).filter(|kind| !shown.contains(&json!(kind))).collect();
        if json["supply"].is_null() {
            json["supply"] = json!(36 - elsewhere);
        }
        if json["unseen"].is_null() {
            json["unseen"] = json!(unseen);
        }
        let used = count(used.iter());
        let (given, missing) = if json["bag"].is_null() { ("tower", "bag") } else { ("bag", "tower") };
        if json[missing].is_null() {
            let rest: Vec<i64> = used
                .iter()
                .zip(json[given].as_array().unwrap())
                .map(|(used, given)| 3 - used - given.as_i64().unwrap())
                .collect();
            json[missing] = json!(rest);
        }
        json
    }

    /// The state, or why it was refused.
    pub fn read(&self) -> Result<QueensGarden, StateError> {
        let options: Vec<&str> = self.spec.split(':').skip(1).collect();
        let rules = intern(QueensGardenRules::from_options(&options).unwrap());
        QueensGarden::from_json(rules, &self.json())
    }

    pub fn state(&self) -> QueensGarden {
        self.read().unwrap_or_else(|error| panic!("{error}\n{}", self.json()))
    }

    /// The state after these moves, which all have to be possible.
    pub fn play(&self, moves: &[&str]) -> QueensGarden {
        let mut state = self.state();
        for token in moves {
            state.play_token(token).unwrap_or_else(|error| panic!("{token}: {error}\n{state}"));
        }
        state
    }

    /// The JSON state after these moves.
    pub fn after(&self, moves: &[&str]) -> Value {
        serde_json::to_value(self.play(moves)).unwrap()
    }

    /// The tokens of the legal actions after these moves, joined by blanks.
    pub fn legal(&self, moves: &[&str]) -> String {
        let mut actions = Vec::new();
        self.play(moves).legal_actions(&mut actions);
        actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Whether this token is possible after these moves.
    pub fn allows(&self, moves: &[&str], token: &str) -> bool {
        self.play(moves).play_token(token).is_ok()
    }

    /// Why a token is refused after these moves.
    pub fn refusal(&self, moves: &[&str], token: &str) -> String {
        self.play(moves).play_token(token).expect_err("the move is faulty").to_string()
    }
}

/// A text's words as a JSON list.
pub(super) fn words(text: &str) -> Vec<Value> {
    text.split_whitespace().map(|word| json!(word)).collect()
}

/// How many tiles of each kind a list has.
fn count<'a>(tiles: impl Iterator<Item = &'a Value>) -> [i64; 36] {
    let mut counts = [0; 36];
    for tile in tiles {
        counts[Kind::from_text(tile.as_str().unwrap()).unwrap().index()] += 1;
    }
    counts
}

/// How many tiles of a kind a list of counts (`bag`, `tower`) has.
pub(super) fn counted(counts: &Value, kind: &str) -> i64 {
    counts[Kind::from_text(kind).unwrap().index()].as_i64().unwrap()
}
