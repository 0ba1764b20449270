//! What the JSON states of all games share: the header, texts of tiles, and errors that name the key.
//!
//! Derived serde reads what a state is made of; what has to hold between the values is checked afterwards
//! ([`consistency`](crate::consistency)).

use std::fmt::{self, Display};
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::changes::Changes;
use crate::colors::Colors;
use crate::consistency::{check_len, check_most, check_range, ensure};
use crate::error::{StateError, excerpt, shortened};
use crate::factories::{CENTER, FACTORY_TILES, Holders, SOURCES};
use crate::game::{Game, Rules, Turn};
use crate::player::{PerPlayer, Seat};
use crate::registry::GameSpec;
use crate::spec::{check_players, spec_of, variant_of};
use crate::tiles::Tiles;

/// What every state's JSON object begins with.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header<P> {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<Changes>,
    pub players: usize,
    pub round: u8,
    pub phase: P,
    turn: Value,
    start: Value,
}

/// Writes a state's JSON object: the header, then the keys of `table`.
pub(crate) fn write<G: Game, S: Serializer>(
    game: &G,
    phase: impl Serialize,
    start: Seat,
    table: impl Serialize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Object<P, T> {
        #[serde(flatten)]
        header: Header<P>,
        #[serde(flatten)]
        table: T,
    }
    let header = Header {
        game: variant_of::<G>(game.rules()),
        rules: changes(game.rules()),
        players: game.players(),
        round: game.round() as u8,
        phase,
        turn: match game.turn() {
            Turn::Player(seat) => of_seat(seat),
            Turn::Chance => "chance".into(),
            Turn::Over => "over".into(),
        },
        start: of_seat(start),
    };
    Object { header, table }.serialize(serializer)
}

/// Reads a state's JSON object: the header, whose game, number of players and round are checked, and the
/// other keys.
///
/// # Errors
/// The key at which the value has another type than expected, or is missing.
pub(crate) fn read<G: Game, P: DeserializeOwned, T: DeserializeOwned>(
    rules: &G::Rules,
    last_round: u8,
    state: &Value,
) -> Result<(Header<P>, T), StateError> {
    // Lists of values would be read as objects whose keys are left out.
    ensure! { "state": state.is_object() => "expected an object"; }
    for key in ["boards", "display"] {
        for (i, entry) in state[key].as_array().into_iter().flatten().enumerate() {
            ensure! { "{key}[{i}]": !entry.is_array() => "expected an object"; }
        }
    }
    let header: Header<P> = deserialize(state)?;
    let (found, expected) = (GameSpec::of_state(state)?.to_string(), spec_of::<G>(rules));
    if found != expected {
        let problem = shortened(&format!("found '{found}', expected '{expected}'"));
        return Err(StateError::new("game", problem));
    }
    check_players::<G>(header.players).map_err(|error| StateError::new("players", error.to_string()))?;
    check_range("round", header.round, 1..=last_round)?;
    Ok((header, deserialize(state)?))
}

fn deserialize<T: DeserializeOwned>(state: &Value) -> Result<T, StateError> {
    serde_path_to_error::deserialize(state).map_err(|error| {
        let key = shortened(&error.path().to_string());
        let key = if key == "." { "state".to_owned() } else { key };
        StateError::new(key, shortened(&error.inner().to_string()))
    })
}

impl<P: Serialize> Header<P> {
    /// The value of a key that names a seat.
    pub(crate) fn seat(&self, key: &str, value: &Value) -> Result<Seat, StateError> {
        let index = value.as_u64().filter(|&seat| seat < self.players as u64);
        index.map(|seat| Seat::new(seat as usize)).ok_or_else(|| {
            let (value, last) = (excerpt(&value.to_string()), self.players - 1);
            StateError::new(key, format!("found {value}, expected a seat from 0 to {last}"))
        })
    }

    /// The value of a marker or token: `"center"` (as `None`) or the seat that holds it.
    pub(crate) fn holder(&self, key: &str, value: &Value) -> Result<Option<Seat>, StateError> {
        if value == "center" { Ok(None) } else { self.seat(key, value).map(Some) }
    }

    /// The seat that started the round.
    pub(crate) fn start(&self) -> Result<Seat, StateError> {
        self.seat("start", &self.start)
    }

    /// The seat that `turn` names, and otherwise the one that started; `expected` is the turn that goes with
    /// the phase. Where a player is to move, any seat may be the one.
    pub(crate) fn to_move(&self, expected: Turn) -> Result<Seat, StateError> {
        let turn = match self.turn.as_str() {
            Some("chance") => Turn::Chance,
            Some("over") => Turn::Over,
            Some(text) => {
                let problem = format!("found '{}', expected a seat, \"chance\" or \"over\"", excerpt(text));
                return Err(StateError::new("turn", problem));
            }
            None => Turn::Player(self.seat("turn", &self.turn)?),
        };
        let same = turn == expected || matches!((turn, expected), (Turn::Player(_), Turn::Player(_)));
        ensure! {
            "turn": same => "found {}, which does not go with phase '{}'", self.turn, word(&self.phase);
        }
        if let Turn::Player(seat) = turn { Ok(seat) } else { self.start() }
    }
}

/// The changed numbers of a state's rules; `None` if none are changed.
pub(crate) fn changes<R: Rules>(rules: &R) -> Option<Changes> {
    Some(rules.changes()).filter(|changes| !changes.is_empty())
}

/// A marker or token as `"center"` or the seat that holds it.
pub(crate) fn of_holder(holder: Option<Seat>) -> Value {
    holder.map_or("center".into(), of_seat)
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

/// Serde for a type that is written as it displays; `expected` is what it is read from by `read`, a function
/// from a text to an `Option`.
macro_rules! as_text {
    ($type:ty $(where [$($generics:tt)*])?, $expected:expr, $read:expr) => {
        impl $(<$($generics)*>)? serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de, $($($generics)*)?> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                let read: fn(&str) -> Option<Self> = $read;
                let (found, expected) = ($crate::error::excerpt(&text), $expected);
                let problem = || serde::de::Error::custom(format!("found '{found}', expected {expected}"));
                read(&text).ok_or_else(problem)
            }
        }
    };
}

pub(crate) use as_text;

/// A multiset written as letters of the colors.
#[derive(Clone, Copy)]
pub(crate) struct Letters<C> {
    pub tiles: Tiles,
    colors: PhantomData<C>,
}

impl<C> From<Tiles> for Letters<C> {
    fn from(tiles: Tiles) -> Self {
        Letters { tiles, colors: PhantomData }
    }
}

impl<C: Colors> Display for Letters<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tiles.letters(C::LETTERS).fmt(f)
    }
}

as_text!(Letters<C> where [C: Colors], format_args!("letters of {}", C::LETTERS), |text| {
    Tiles::from_letters(text, C::LETTERS).map(Letters::from)
});

/// Spaces side by side, each with a color or free: written as letters and dots.
#[derive(Clone, Copy)]
pub(crate) struct Spaces<C, const N: usize>(pub [Option<C>; N]);

impl<C: Colors, const N: usize> Display for Spaces<C, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|space| match space {
            Some(color) => color.fmt(f),
            None => f.write_str("."),
        })
    }
}

as_text! {
    Spaces<C, N> where [C: Colors, const N: usize],
    format_args!("{N} spaces, each one of {} or .", C::LETTERS),
    |text| {
        let color = |letter| C::LETTERS.find(letter).map(|color| Some(C::ALL[color]));
        let space = |letter| if letter == '.' { Some(None) } else { color(letter) };
        let spaces: Vec<Option<C>> = text.chars().map(space).collect::<Option<_>>()?;
        spaces.try_into().ok().map(Spaces)
    }
}

/// A multiset written as the number of each kind, at most `most` of one.
pub(crate) fn counts<T>(
    key: &str,
    counts: &[u8],
    most: u8,
    multiset: impl FnOnce(&[u8]) -> T,
) -> Result<T, StateError> {
    for (kind, &count) in counts.iter().enumerate() {
        ensure! { "{key}[{kind}]": count <= most => "found {count} tiles of a kind, expected at most {most}"; }
    }
    Ok(multiset(counts))
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

/// The tiles of the center and of `count` factories, and which of them hold which colors.
pub(crate) fn sources<C: Colors>(
    center: Letters<C>,
    factories: &[Letters<C>],
    count: usize,
) -> Result<([Tiles; SOURCES], Holders), StateError> {
    check_len("factories", factories.len(), count)?;
    let (mut sources, mut holders) = ([Tiles::EMPTY; SOURCES], Holders::default());
    sources[CENTER] = center.tiles;
    for (i, factory) in factories.iter().enumerate() {
        check_most(&format!("factories[{i}]"), factory.tiles, FACTORY_TILES)?;
        sources[i + 1] = factory.tiles;
    }
    sources.iter().enumerate().for_each(|(source, &tiles)| holders.set(source, tiles));
    Ok((sources, holders))
}
