//! Positions set up through JSON, and small tools to play on from them.

use serde_json::{Value, json};

use crate::summer_pavilion::{COLORS, LETTERS, SummerPavilion, SummerPavilionRules, TILES_PER_COLOR};
use crate::{Game, GameSpec, StateError};

/// The rules that a spec's options name.
pub fn rules(spec: &str) -> &'static SummerPavilionRules {
    match spec.parse().unwrap() {
        GameSpec::SummerPavilion(rules) => rules,
        other => panic!("{other} is another game"),
    }
}

/// A two-player game on the colored side in round 1 (purple is wild), seat 0 about to place, with nothing on
/// the table; `edit` replaces what it names. All tiles that lie nowhere else are in the bag.
pub fn position(edit: Value) -> SummerPavilion {
    read(edit).unwrap_or_else(|error| panic!("{error}"))
}

/// The same, as the reader's answer.
pub fn read(edit: Value) -> Result<SummerPavilion, StateError> {
    let value = object(edit);
    SummerPavilion::from_json(rules(value["game"].as_str().unwrap()), &value)
}

/// The position's JSON object.
pub fn object(edit: Value) -> Value {
    let game = edit.get("game").map_or("summer-pavilion", |game| game.as_str().unwrap()).to_owned();
    let players = edit.get("players").and_then(Value::as_u64).unwrap_or(2) as usize;
    let round = edit.get("round").and_then(Value::as_u64).unwrap_or(1) as u8;
    let star = "......";
    let board = json!({
        "score": 5, "hand": "", "kept": "", "passed": false,
        "stars": {"O": star, "R": star, "B": star, "Y": star, "G": star, "P": star, "C": star},
    });
    let mut value = json!({
        "game": game, "players": players, "round": round, "phase": "place", "turn": 0, "start": 0,
        "wild": rules(&game).wild(round).letter(), "owed": 0,
        "factories": vec![""; [5, 7, 9][players - 2]], "center": "", "token": 0, "next": null,
        "supply": "", "depot": [0, 0, 0, 0, 0, 0], "boards": vec![board; players],
    });
    merge(&mut value, &edit);
    if edit.get("bag").is_none() {
        value["bag"] = json!(missing_tiles(&value));
    }
    value
}

fn merge(value: &mut Value, edit: &Value) {
    match (value, edit) {
        (Value::Object(value), Value::Object(edit)) => {
            for (key, edit) in edit {
                merge(value.entry(key).or_insert(Value::Null), edit);
            }
        }
        (Value::Array(value), Value::Array(edit)) if edit.iter().all(Value::is_object) => {
            value.iter_mut().zip(edit).for_each(|(value, edit)| merge(value, edit));
        }
        (value, edit) => *value = edit.clone(),
    }
}

fn missing_tiles(value: &Value) -> Vec<usize> {
    let mut texts: Vec<&Value> = vec![&value["center"], &value["supply"]];
    texts.extend(value["factories"].as_array().unwrap());
    for board in value["boards"].as_array().unwrap() {
        texts.extend([&board["hand"], &board["kept"]]);
        texts.extend(board["stars"].as_object().unwrap().values());
    }
    let all: String = texts.into_iter().map(|text| text.as_str().unwrap_or_default()).collect();
    let seen = |i: usize| all.matches(&LETTERS[i..=i]).count() + value["depot"][i].as_u64().unwrap() as usize;
    (0..COLORS).map(|i| usize::from(TILES_PER_COLOR).saturating_sub(seen(i))).collect()
}

/// Plays tokens separated by blanks; the state after each has to read back from its JSON object.
pub fn play(game: &mut SummerPavilion, tokens: &str) {
    for token in tokens.split(' ') {
        game.play_token(token).unwrap_or_else(|error| panic!("{token}: {error}\n{game}"));
        assert_eq!(SummerPavilion::from_json(game.rules(), &json_of(game)), Ok(*game), "after {token}");
    }
}

/// Why a token cannot be played.
pub fn refusal(game: &SummerPavilion, token: &str) -> String {
    let mut copy = *game;
    let error = copy.play_token(token).expect_err("the token must be refused");
    assert_eq!(copy, *game, "a refused token changes nothing");
    error.to_string()
}

/// The tokens of all legal actions, separated by blanks.
pub fn legal(game: &SummerPavilion) -> String {
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    legal.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The legal actions whose token begins like this.
pub fn legal_at(game: &SummerPavilion, start: &str) -> String {
    legal(game).split(' ').filter(|token| token.starts_with(start)).collect::<Vec<_>>().join(" ")
}

/// The game's JSON object.
pub fn json_of(game: &SummerPavilion) -> Value {
    serde_json::to_value(game).unwrap()
}
