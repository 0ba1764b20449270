//! What the JSON states of all games share: turns, markers, multisets, and errors that name the key.

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::changes::Changes;
use crate::error::{StateError, excerpt, shortened};
use crate::game::{Game, Rules, Turn};
use crate::player::Seat;
use crate::registry::GameSpec;
use crate::spec::{check_players, spec_of};
use crate::tiles::Tiles;

/// Reads a state's JSON object into its plain Rust form.
///
/// # Errors
/// The key at which the value has another type than expected, or is missing.
pub(crate) fn read<T: DeserializeOwned>(state: &Value) -> Result<T, StateError> {
    // Lists of values would be read as objects whose keys are left out.
    ensure(state.is_object(), "state", || "expected an object".to_owned())?;
    for (seat, board) in state["boards"].as_array().into_iter().flatten().enumerate() {
        let listed = board.is_array();
        ensure(!listed, &format!("boards[{seat}]"), || "expected an object".to_owned())?;
    }
    serde_path_to_error::deserialize(state).map_err(|error| {
        let key = error.path().to_string();
        StateError::new(
            if key == "." { "state".to_owned() } else { key },
            shortened(&error.inner().to_string()),
        )
    })
}

/// An error for `key` unless `holds`.
pub(crate) fn ensure(holds: bool, key: &str, problem: impl FnOnce() -> String) -> Result<(), StateError> {
    if holds { Ok(()) } else { Err(StateError::new(key, problem())) }
}

/// Checks that the state is one of this game with these rules, and its number of players.
pub(crate) fn check_header<G: Game>(
    rules: &G::Rules,
    state: &Value,
    players: usize,
) -> Result<(), StateError> {
    let (found, expected) = (GameSpec::of_state(state)?.to_string(), spec_of::<G>(rules));
    ensure(found == expected, "game", || shortened(&format!("found '{found}', expected '{expected}'")))?;
    check_players::<G>(players).map_err(|error| StateError::new("players", error.to_string()))?;
    Ok(())
}

/// Checks that a list has one entry per player (or factory, …).
pub(crate) fn check_len(key: &str, found: usize, expected: usize) -> Result<(), StateError> {
    ensure(found == expected, key, || format!("found {found} entries, expected {expected}"))
}

/// A seat below `players`.
pub(crate) fn seat(key: &str, value: &Value, players: usize) -> Result<Seat, StateError> {
    value.as_u64().filter(|&seat| seat < players as u64).map(|seat| Seat::new(seat as usize)).ok_or_else(
        || {
            let value = excerpt(&value.to_string());
            StateError::new(key, format!("found {value}, expected a seat from 0 to {}", players - 1))
        },
    )
}

/// The value of `turn`: a seat, `"chance"` or `"over"`.
pub(crate) fn turn(value: &Value, players: usize) -> Result<Turn, StateError> {
    match value.as_str() {
        Some("chance") => Ok(Turn::Chance),
        Some("over") => Ok(Turn::Over),
        Some(text) => {
            let text = excerpt(text);
            Err(StateError::new("turn", format!("found '{text}', expected a seat, \"chance\" or \"over\"")))
        }
        None => seat("turn", value, players).map(Turn::Player),
    }
}

/// The value of a marker or token: `"center"` (as `None`) or the seat that holds it.
pub(crate) fn holder(key: &str, value: &Value, players: usize) -> Result<Option<Seat>, StateError> {
    if value == "center" { Ok(None) } else { seat(key, value, players).map(Some) }
}

/// A multiset written as letters of an alphabet.
pub(crate) fn tiles(key: impl Fn() -> String, text: &str, alphabet: &str) -> Result<Tiles, StateError> {
    Tiles::from_letters(text, alphabet).ok_or_else(|| {
        StateError::new(key(), format!("found '{}', expected letters of {alphabet}", excerpt(text)))
    })
}

/// The changed numbers of a state's rules; `None` if none are changed.
pub(crate) fn changes<R: Rules>(rules: &R) -> Option<Changes> {
    Some(rules.changes()).filter(|changes| !changes.is_empty())
}

/// Writes a turn as a seat, `"chance"` or `"over"`.
pub(crate) fn write_turn<S: Serializer>(turn: &Turn, serializer: S) -> Result<S::Ok, S::Error> {
    match turn {
        Turn::Player(seat) => seat.serialize(serializer),
        Turn::Chance => serializer.serialize_str("chance"),
        Turn::Over => serializer.serialize_str("over"),
    }
}

/// Writes a marker or token as `"center"` or the seat that holds it.
pub(crate) fn write_holder<S: Serializer>(holder: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    match holder {
        Some(seat) => seat.serialize(serializer),
        None => serializer.serialize_str("center"),
    }
}
