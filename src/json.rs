//! What the JSON states of all games share: turns, markers, multisets, and errors that name the key.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::changes::Changes;
use crate::colors::Colors;
use crate::error::{StateError, excerpt, shortened};
use crate::factories::{CENTER, FACTORY_TILES, Holders, SOURCES};
use crate::game::{Game, Rules, Turn};
use crate::player::{PerPlayer, Seat};
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
    for key in ["boards", "display"] {
        for (i, entry) in state[key].as_array().into_iter().flatten().enumerate() {
            ensure(!entry.is_array(), &format!("{key}[{i}]"), || "expected an object".to_owned())?;
        }
    }
    serde_path_to_error::deserialize(state).map_err(|error| {
        let key = shortened(&error.path().to_string());
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

/// The seat that `turn` names, and otherwise `start`; `expected` is the turn that goes with the phase.
///
/// Where a player is to move, any seat may be the one.
pub(crate) fn to_move(
    value: &Value,
    start: Seat,
    expected: Turn,
    players: usize,
    phase: impl Serialize,
) -> Result<Seat, StateError> {
    let turn = turn(value, players)?;
    let same = turn == expected || matches!((turn, expected), (Turn::Player(_), Turn::Player(_)));
    ensure(same, "turn", || format!("found {value}, which does not go with phase '{}'", word(phase)))?;
    Ok(if let Turn::Player(seat) = turn { seat } else { start })
}

/// The value of `turn`: a seat, `"chance"` or `"over"`.
fn turn(value: &Value, players: usize) -> Result<Turn, StateError> {
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

/// Checks that a number is in range.
pub(crate) fn check_range<T: PartialOrd + Display>(
    key: &str,
    found: T,
    range: RangeInclusive<T>,
) -> Result<(), StateError> {
    ensure(range.contains(&found), key, || {
        format!("found {found}, expected {} to {}", range.start(), range.end())
    })
}

/// The boards, each read with its key, one for each player.
pub(crate) fn boards<T, B: Copy>(
    all: &mut PerPlayer<B>,
    read: &[T],
    board: impl Fn(&str, &T) -> Result<B, StateError>,
) -> Result<(), StateError> {
    check_len("boards", read.len(), all.players())?;
    for (seat, one) in Seat::all(all.players()).zip(read) {
        all[seat] = board(&format!("boards[{seat}]"), one)?;
    }
    Ok(())
}

/// A multiset written as letters of the colors, at most `most` tiles.
pub(crate) fn tiles<C: Colors>(key: &str, text: &str, most: u8) -> Result<Tiles, StateError> {
    let tiles = Tiles::from_letters(text, C::LETTERS).ok_or_else(|| {
        StateError::new(key, format!("found '{}', expected letters of {}", excerpt(text), C::LETTERS))
    })?;
    check_most(key, tiles, most)?;
    Ok(tiles)
}

/// Checks that there are at most `most` tiles.
pub(crate) fn check_most(key: &str, tiles: Tiles, most: u8) -> Result<(), StateError> {
    ensure(tiles.total() <= most, key, || format!("found {} tiles, expected at most {most}", tiles.total()))
}

/// The tiles of the center and of `count` factories, and which of them hold which colors.
pub(crate) fn sources<C: Colors>(
    center: &str,
    factories: &[String],
    count: usize,
) -> Result<([Tiles; SOURCES], Holders), StateError> {
    check_len("factories", factories.len(), count)?;
    let (mut sources, mut holders) = ([Tiles::EMPTY; SOURCES], Holders::default());
    sources[CENTER] = tiles::<C>("center", center, u8::MAX)?;
    for (i, text) in factories.iter().enumerate() {
        sources[i + 1] = tiles::<C>(&format!("factories[{i}]"), text, FACTORY_TILES)?;
    }
    sources.iter().enumerate().for_each(|(source, &tiles)| holders.set(source, tiles));
    Ok((sources, holders))
}

/// The letters of a source's tiles, source by source from the center.
pub(crate) fn letters<C: Colors>(sources: &[Tiles]) -> Vec<String> {
    sources.iter().map(|tiles| tiles.letters(C::LETTERS).to_string()).collect()
}

/// A multiset written as the number of each color, at most `most` of one.
pub(crate) fn counts(key: &str, counts: &[u8], most: u8) -> Result<Tiles, StateError> {
    for (color, &count) in counts.iter().enumerate() {
        ensure(count <= most, &format!("{key}[{color}]"), || {
            format!("found {count} tiles of one color, expected at most {most}")
        })?;
    }
    Ok(Tiles::from_counts(counts))
}

/// Checks that all `each` tiles of each color are there: in these parts, and as many more as `placed` says.
pub(crate) fn check_all_there<C: Colors>(
    parts: impl Iterator<Item = Tiles>,
    placed: impl Fn(usize) -> u32,
    each: u8,
) -> Result<(), StateError> {
    // Summed as wide numbers: a faulty state may hold more tiles than a multiset can count.
    let mut counts = [0u32; 8];
    for part in parts {
        part.iter().for_each(|(color, count)| counts[color] += u32::from(count));
    }
    for (color, letter) in C::LETTERS.chars().enumerate() {
        let found = counts[color] + placed(color);
        ensure(found == u32::from(each), "state", || {
            format!("found {found} tiles of color {letter} in all, expected {each}")
        })?;
    }
    Ok(())
}

/// Checks that tiles lie in factories and center exactly while they are being taken.
pub(crate) fn check_offered(holders: &Holders, taking: bool) -> Result<(), StateError> {
    let offered = !holders.is_empty();
    ensure(offered == taking, "phase", || {
        let word = if offered { "tiles lie" } else { "no tile lies" };
        format!("{word} in factories and center, which does not go with this phase")
    })
}

/// The changed numbers of a state's rules; `None` if none are changed.
pub(crate) fn changes<R: Rules>(rules: &R) -> Option<Changes> {
    Some(rules.changes()).filter(|changes| !changes.is_empty())
}

/// A turn as a seat, `"chance"` or `"over"`.
pub(crate) fn of_turn(turn: Turn) -> Value {
    match turn {
        Turn::Player(seat) => seat.index().into(),
        Turn::Chance => "chance".into(),
        Turn::Over => "over".into(),
    }
}

/// A marker or token as `"center"` or the seat that holds it.
pub(crate) fn of_holder(holder: Option<Seat>) -> Value {
    holder.map_or("center".into(), |seat| seat.index().into())
}

/// A seat as its number, none as `null`.
pub(crate) fn of_seat(seat: impl Into<Option<Seat>>) -> Value {
    seat.into().map_or(Value::Null, |seat| seat.index().into())
}

/// The word that a phase is written as.
pub(crate) fn word(phase: impl Serialize) -> String {
    match serde_json::to_value(phase) {
        Ok(Value::String(word)) => word,
        _ => unreachable!("phases are written as words"),
    }
}
