//! A table as it is seen, made into a whole state: [`complete`].
//!
//! Who copies a real table sees factories and boards, but not what lies in the bag. What is left out is as at the start of
//! the game, or follows from the rest as far as the rules allow: all tiles that are seen nowhere lie in the bag or in the
//! lid (depot, tower), and how many of them in the bag follows from the rounds that were dealt. Which of them they are nobody at
//! the table knows; the colors are shared out in proportion.

mod azul;
mod queens_garden;
mod stock;
mod summer_pavilion;
#[cfg(test)]
mod tests;
mod text;

use azulejo::{Game, GameSpec, StateError, check_players, with_game};
use serde_json::{Map, Value};

pub use stock::Stock;
pub use text::complete_text;

/// The keys of a state, as [`complete`] works on them.
pub type Table = Map<String, Value>;

/// A game of which a table can be completed.
pub trait CompletedTable: Game {
    /// The phase in which players take tiles, which is meant where none is named; as it is provided, that of the first state.
    const PHASE: Option<&'static str> = None;

    /// Fills in what follows from the rest. The table has all keys; those that were not given are as in the game's first state,
    /// and `is_given` says which were. As it is provided, nothing more.
    fn fill_in(rules: &Self::Rules, table: &mut Table, is_given: &dyn Fn(&str) -> bool) {
        _ = (rules, table, is_given);
    }
}

/// The whole state of a table: a state's JSON without what follows from the rest. Keys that are null count as missing.
///
/// # Errors
/// What is wrong with it, in the words with which states are refused.
pub fn complete(seen: &Value) -> Result<Value, StateError> {
    let game = GameSpec::of_state(seen)?;
    with_game!(game, |rules: &'static G::Rules| complete_game::<G>(rules, seen))
}

fn complete_game<G: CompletedTable>(rules: &'static G::Rules, seen: &Value) -> Result<Value, StateError> {
    let seen = seen.as_object().ok_or_else(|| StateError::new("game", "expected an object"))?;
    let boards = seen.get("boards").and_then(Value::as_array).map(Vec::len);
    let players = match seen.get("players") {
        None | Some(Value::Null) => boards.unwrap_or(*G::PLAYERS.start()),
        Some(players) => players.as_u64().map_or(0, |players| players as usize),
    };
    let players =
        check_players::<G>(players).map_err(|error| StateError::new("players", error.to_string()))?;
    let first = serde_json::to_value(G::new(rules, players)).expect("a state has only plain values");
    let Value::Object(mut table) = first else { return Err(StateError::new("game", "expected an object")) };
    let is_given = |key: &str| seen.get(key).is_some_and(|value| !value.is_null());
    for (key, value) in seen.iter().filter(|(key, _)| is_given(key)) {
        overlay(table.entry(key.clone()).or_insert(Value::Null), value);
    }
    if !is_given("phase")
        && let Some(phase) = G::PHASE
    {
        table.insert("phase".to_owned(), phase.into());
    }
    if !is_given("turn") {
        let start = table["start"].clone();
        table.insert("turn".to_owned(), start);
    }
    // Who is next after a draw is said only where something is drawn.
    if !is_given("next") && table.contains_key("next") && table["turn"] != "chance" {
        table.insert("next".to_owned(), Value::Null);
    }
    G::fill_in(rules, &mut table, &is_given);
    let state = G::from_json(rules, &Value::Object(table))?;
    Ok(serde_json::to_value(state).expect("a state has only plain values"))
}

/// Puts what was seen in the place of what is there: key by key in objects, one after the other in lists of places, of which some
/// may be missing at the end.
fn overlay(there: &mut Value, seen: &Value) {
    match (there, seen) {
        (Value::Object(there), Value::Object(seen)) => {
            for (key, value) in seen.iter().filter(|(_, value)| !value.is_null()) {
                overlay(there.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (Value::Array(there), Value::Array(seen)) if !there.is_empty() && there.iter().all(is_place) => {
            there.resize(there.len().max(seen.len()), Value::Null);
            there.iter_mut().zip(seen).for_each(|(there, seen)| overlay(there, seen));
        }
        (there, seen) => *there = seen.clone(),
    }
}

/// Whether a part of a first state's list is a place that stays: a board, an area, a factory or a row with nothing in it.
fn is_place(part: &Value) -> bool {
    let is_free = |text: &str| text.chars().all(|sign| sign == '.');
    part.is_null() || part.is_object() || part.as_str().is_some_and(is_free)
}

/// All texts in a value, keys left out.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Object(all) => all.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// How often each of these letters stands under some keys of a table.
fn letters(table: &Table, keys: &[&str], letters: impl Iterator<Item = char>) -> Vec<u32> {
    let texts: Vec<&str> = keys.iter().filter_map(|key| table.get(*key)).flat_map(texts).collect();
    letters.map(|letter| texts.iter().map(|text| text.matches(letter).count() as u32).sum()).collect()
}

/// The round of a table; 1 where it says something else than a number.
fn round(table: &Table) -> u32 {
    table.get("round").and_then(Value::as_u64).map_or(1, |round| round.min(100) as u32)
}
