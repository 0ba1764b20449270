//! A table in a few lines of text: a key and its value a line, as quickly typed as seen.
//!
//! ```text
//! game azul
//! round 2
//! factories BBYR/KKWW/-/BYRK/RRRR
//! center WW
//! board score=12 lines=B/YY/-/KKKK/- wall=B..../...../...../...../.....
//! board score=9 floor=*R
//! ```
//!
//! The keys are those of a state's JSON; lists have their parts between `/`, objects theirs as `key:value` between commas, `-` is
//! nothing, and what follows a `#` says nothing. Slots of a display are `Y1+Y2@B4`, tiles and after the @ the kind, if it is
//! known; areas are `down` or `B4@3`, a kind and its rotation.

use azulejo::{Game, GameSpec, StateError, excerpt, with_game};
use serde_json::{Map, Value, json};

use super::{Table, complete};

/// The whole state of a table that a text tells.
///
/// # Errors
/// A line without a value, a key that states of the game do not have, or what is wrong with the state.
pub fn complete_text(text: &str) -> Result<Value, StateError> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<(&str, &str)> = lines
        .filter(|line| !line.is_empty())
        .map(|line| {
            line.split_once(char::is_whitespace).map_or((line, ""), |(key, value)| (key, value.trim()))
        })
        .collect();
    let game = lines.iter().find(|line| line.0 == "game").map(|line| line.1);
    let game: GameSpec = game
        .ok_or_else(|| StateError::new("game", "missing, expected a line such as: game azul"))?
        .parse()
        .map_err(|error: azulejo::SpecError| StateError::new("game", error.to_string()))?;
    let first = with_game!(game, |rules: &'static G::Rules| {
        serde_json::to_value(G::new(rules, *<G as Game>::PLAYERS.start()))
    });
    let Ok(Value::Object(first)) = first else { unreachable!("a state is an object") };
    complete(&read(&lines, game, &first)?)
}

/// The keys that some lines give, where a state has the types of `first`.
fn read(lines: &[(&str, &str)], game: GameSpec, first: &Table) -> Result<Value, StateError> {
    let (mut seen, mut boards) = (Map::new(), Vec::new());
    for &(key, text) in lines {
        match key {
            "game" => _ = seen.insert("game".to_owned(), game.to_string().into()),
            "board" => boards.push(read_board(text, &first["boards"][0], boards.len())?),
            "boards" => return Err(StateError::new(key, "expected a line 'board' for each player")),
            _ => {
                let like = first.get(key).ok_or_else(|| unknown(key, first.keys()))?;
                seen.insert(key.to_owned(), read_value(text, like));
            }
        }
    }
    if !boards.is_empty() {
        seen.insert("boards".to_owned(), boards.into());
    }
    Ok(Value::Object(seen))
}

/// A player's board: `key=value` between blanks; `key` alone is true.
fn read_board(text: &str, like: &Value, number: usize) -> Result<Value, StateError> {
    let like = like.as_object().expect("a board is an object");
    let mut board = Map::new();
    for pair in text.split_whitespace() {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "true"));
        let found = like.get(key).ok_or_else(|| unknown(key, like.keys()));
        let like = found.map_err(|error| StateError::new(format!("boards[{number}]"), error.to_string()))?;
        board.insert(key.to_owned(), read_value(value, like));
    }
    Ok(board.into())
}

/// The error for a key that there is not.
fn unknown<'a>(key: &str, known: impl Iterator<Item = &'a String>) -> StateError {
    let known: Vec<&str> = known.map(String::as_str).collect();
    StateError::new(excerpt(key), format!("unknown, expected one of {}", known.join(", ")))
}

/// A value of the same type as another one; whose turn it is, and who holds the marker, may be a seat in place of a word.
fn read_value(text: &str, like: &Value) -> Value {
    match like {
        Value::Array(_) if text == "-" => json!([]),
        Value::Array(all) => text.split('/').map(|part| read_part(part, all.first())).collect(),
        Value::Object(_) => {
            let pairs = text.split(',').filter_map(|pair| pair.split_once(':'));
            pairs.map(|(key, value)| (key.to_owned(), Value::from(value))).collect()
        }
        Value::String(_) if text == "-" => "".into(),
        _ => plain(text),
    }
}

/// A part of a list whose parts are as this one, if it has any.
fn read_part(text: &str, like: Option<&Value>) -> Value {
    match (like, text.split_once('@')) {
        (Some(Value::Object(_)), parts) => {
            let (tiles, kind) = parts.unwrap_or((text, ""));
            let tiles: Vec<&str> = tiles.split('+').filter(|tile| !tile.is_empty() && *tile != "-").collect();
            json!({ "tiles": tiles, "kind": Some(kind).filter(|kind| !kind.is_empty()) })
        }
        (Some(Value::Null), Some((kind, rotation))) => json!({ "kind": kind, "rotation": plain(rotation) }),
        (Some(Value::Null), None) if text == "-" => Value::Null,
        _ if text == "-" => "".into(),
        _ => plain(text),
    }
}

/// A number, true, false, or a text.
fn plain(text: &str) -> Value {
    match text {
        "true" => true.into(),
        "false" => false.into(),
        _ => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
    }
}
