//! Game records: one JSON object a game, from which the game replays without any random generator.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::changes::Changes;
use crate::error::{MoveError, SpecError, excerpt, shortened};
use crate::game::{Game, Turn};
use crate::json;
use crate::player::{PerPlayer, Seat, leaders};
use crate::spec::{GameSpec, GameVisitor, check_players, variant_of};

/// The value of a record's `format`.
pub const FORMAT: &str = "azulejo-game";
/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;
/// Games are cut off after this many moves (actions and chance outcomes) unless a caller says otherwise.
pub const MOVE_LIMIT: usize = 3000;

/// One recorded game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The spec of the game's variant.
    pub game: String,
    /// The numbers of its rules that are changed; `None` if none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Changes>,
    /// The number of players.
    pub players: usize,
    /// The agent's spec at each seat.
    pub agents: Vec<String>,
    /// The master seed of the run.
    pub seed: u64,
    /// The game's number in the run, from 0.
    pub index: u64,
    /// Every chance outcome and every action in order.
    pub moves: Vec<String>,
    /// The points of each seat; without final bonuses if the game was cut off.
    pub scores: Vec<i16>,
    /// One win, shared among the winners.
    pub wins: Vec<f64>,
    /// How the game ended.
    pub end: End,
    /// What the seat that forfeited did wrong, for people; `None` where nobody did or nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For each move what the search found; `None` at chance nodes and for agents that do not search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Vec<Option<Analysis>>>,
}

/// What a search found before it chose its action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The expected utility of each seat, -1 to 1; for pure win share 2 × share − 1.
    pub values: Vec<f32>,
    /// The actions that were searched with their visit counts.
    pub visits: Vec<(String, u32)>,
    /// The policy that the search improved: actions with probabilities. Empty for searches that have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<(String, f32)>,
}

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By its rules.
    Finished,
    /// At the move limit.
    Truncated,
    /// This seat's agent crashed, ran out of time or moved illegally.
    Forfeit(Seat),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Finished => f.write_str("finished"),
            End::Truncated => f.write_str("truncated"),
            End::Forfeit(seat) => write!(f, "forfeit:{seat}"),
        }
    }
}

impl FromStr for End {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "finished" => Ok(End::Finished),
            "truncated" => Ok(End::Truncated),
            _ => text
                .strip_prefix("forfeit:")
                .and_then(|text| Seat::all(crate::MAX_PLAYERS).find(|seat| seat.to_string() == text))
                .map(End::Forfeit)
                .ok_or_else(|| {
                    format!("'{}' is no end: expected finished, truncated or forfeit:<seat>", excerpt(text))
                }),
        }
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for End {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Why a record was refused.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The line is not a JSON object with a record's keys.
    #[error("not a game record: {}", shortened(&.0.to_string()))]
    Json(#[from] serde_json::Error),
    /// The line is some other format, or a version that this library does not know.
    #[error("found format '{format}' version {version}, expected '{FORMAT}' version {VERSION}")]
    Format {
        /// The value of `format`.
        format: String,
        /// The value of `version`.
        version: u32,
    },
    /// The game or the number of players does not exist.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A list has the wrong length.
    #[error("{key}: found {found} entries, expected {expected}")]
    Length {
        /// The record's key.
        key: &'static str,
        /// The length found.
        found: usize,
        /// The length expected.
        expected: usize,
    },
    /// The seat that forfeited does not exist.
    #[error("end: found forfeit:{seat} in a game of {players}")]
    NoSeat {
        /// The seat in `end`.
        seat: Seat,
        /// The number of players.
        players: usize,
    },
    /// A move cannot be played.
    #[error("illegal move {token} at {ply}: {why}")]
    Move {
        /// The move as recorded, shortened if it is long.
        token: String,
        /// Its place in `moves`, from 0.
        ply: usize,
        /// Why it cannot be played.
        why: MoveError,
    },
    /// The recorded result is not the one that the moves lead to.
    #[error("{key}: recorded {recorded}, but the moves give {replayed}")]
    Result {
        /// The record's key.
        key: &'static str,
        /// The value in the record.
        recorded: String,
        /// The value after replaying the moves.
        replayed: String,
    },
}

impl Record {
    /// Reads a line of a record file and checks the format; the moves are checked by [`Record::verify`].
    ///
    /// # Errors
    /// If the line is not a record of a known version.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        let record: Result<Record, serde_json::Error> = serde_json::from_str(line);
        let header = match &record {
            Ok(record) => Some(Header { format: record.format.clone(), version: record.version }),
            // Another version may have other keys: its number says more than the first key that is missing.
            Err(_) => serde_json::from_str(line).ok(),
        };
        match header {
            Some(Header { format, version }) if format != FORMAT || version != VERSION => {
                Err(RecordError::Format { format: excerpt(&format), version })
            }
            _ => Ok(record?),
        }
    }

    /// The record as one line of JSON, without the line's end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record has only plain values and text keys")
    }

    /// The game that was played, with its changed rules.
    ///
    /// # Errors
    /// If the game or a changed number does not exist, or if the record is an old one that names its rules by a file
    /// ([`SpecError::RulesFile`]).
    pub fn spec(&self) -> Result<GameSpec, SpecError> {
        let game: GameSpec = self.game.parse()?;
        self.rules.as_ref().map_or(Ok(game), |changes| game.with_changes(changes))
    }

    /// Replays the record and checks every move and the recorded result.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<(), RecordError> {
        self.spec()?.visit(Verify(self))
    }

    /// The game's states: the start, then the state after each move.
    ///
    /// # Errors
    /// Each item is an error if its move cannot be played; nothing follows an error.
    ///
    /// # Panics
    /// If `players` is not 2, 3 or 4, which [`Record::verify`] refuses.
    pub fn replay<'a, G: Game>(
        &'a self,
        rules: &'static G::Rules,
    ) -> impl Iterator<Item = Result<G, RecordError>> + 'a {
        let mut state = G::new(rules, self.players);
        let mut failed = false;
        let moves = self.moves.iter().enumerate();
        std::iter::once(Ok(state)).chain(moves.map_while(move |(ply, token)| {
            if failed {
                return None;
            }
            Some(state.play_token(token).map(|()| state).map_err(|why| {
                failed = true;
                RecordError::Move { token: excerpt(token), ply, why }
            }))
        }))
    }
}

/// What the records of all versions begin with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

struct Verify<'a>(&'a Record);

impl GameVisitor for Verify<'_> {
    type Output = Result<(), RecordError>;

    fn visit<G: Game>(self, rules: &'static G::Rules) -> Self::Output {
        let record = self.0;
        let players = check_players(record.players)?;
        let length = |key, found, expected| {
            if found == expected { Ok(()) } else { Err(RecordError::Length { key, found, expected }) }
        };
        length("agents", record.agents.len(), players)?;
        length("scores", record.scores.len(), players)?;
        length("wins", record.wins.len(), players)?;
        if let End::Forfeit(seat) = record.end
            && seat.index() >= players
        {
            return Err(RecordError::NoSeat { seat, players });
        }
        if let Some(analysis) = &record.analysis {
            length("analysis", analysis.len(), record.moves.len())?;
        }
        let mut last = G::new(rules, players);
        for state in record.replay::<G>(rules) {
            last = state?;
        }
        let over = last.turn() == Turn::Over;
        if over != (record.end == End::Finished) {
            let replayed = if over { "a finished game" } else { "a game that goes on" };
            let recorded = record.end.to_string();
            return Err(RecordError::Result { key: "end", recorded, replayed: replayed.to_owned() });
        }
        let (scores, wins) = result(&last, record.end);
        if record.scores != scores.as_slice() {
            let (recorded, replayed) = (format!("{:?}", record.scores), format!("{scores:?}"));
            return Err(RecordError::Result { key: "scores", recorded, replayed });
        }
        // Other writers may round thirds.
        let same = record.wins.iter().zip(wins.as_slice()).all(|(a, b)| (a - b).abs() < 1e-3);
        if !same {
            let (recorded, replayed) = (format!("{:?}", record.wins), format!("{wins:?}"));
            return Err(RecordError::Result { key: "wins", recorded, replayed });
        }
        Ok(())
    }
}

/// The recorded scores and wins of a game that stopped in this state in this way.
///
/// A game that did not finish counts the points so far, without final bonuses and tie-breaks; a seat that
/// forfeits gets nothing and the others share the win by their points.
pub fn result<G: Game>(state: &G, end: End) -> (PerPlayer<i16>, PerPlayer<f64>) {
    let scores = state.scores();
    let wins = match end {
        End::Finished => state.wins(),
        End::Truncated => leaders(&scores),
        End::Forfeit(loser) => leaders(&PerPlayer::from_fn(scores.players(), |seat| {
            if seat == loser { i16::MIN } else { scores[seat] }
        })),
    };
    (scores, wins)
}

/// Collects a game's moves while it is played.
#[derive(Clone, Debug)]
pub struct Recorder<G: Game> {
    state: G,
    moves: Vec<String>,
    analysis: Vec<Option<Analysis>>,
}

impl<G: Game> Recorder<G> {
    /// A recorder at the start of a game.
    pub fn new(rules: &'static G::Rules, players: usize) -> Self {
        Recorder { state: G::new(rules, players), moves: Vec::new(), analysis: Vec::new() }
    }

    /// The state after the moves so far.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The number of moves so far, chance outcomes included.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays an action, with what the search found if there was one.
    ///
    /// # Errors
    /// If the action is not legal; nothing is recorded.
    pub fn act(&mut self, action: G::Action, analysis: Option<Analysis>) -> Result<(), MoveError> {
        self.state.try_apply(action)?;
        self.moves.push(action.to_string());
        self.analysis.push(analysis);
        Ok(())
    }

    /// Plays a chance outcome.
    ///
    /// # Errors
    /// If the outcome is not possible; nothing is recorded.
    pub fn chance(&mut self, outcome: &G::Outcome) -> Result<(), MoveError> {
        self.state.check_chance(outcome)?;
        self.state.apply_chance(outcome);
        self.moves.push(outcome.to_string());
        self.analysis.push(None);
        Ok(())
    }

    /// The record of the game up to here, which ended this way.
    pub fn finish(self, end: End, agents: Vec<String>, seed: u64, index: u64) -> Record {
        let (scores, wins) = result(&self.state, end);
        let searched = self.analysis.iter().any(Option::is_some);
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: variant_of::<G>(self.state.rules()),
            rules: json::changes(self.state.rules()),
            players: self.state.players(),
            agents,
            seed,
            index,
            moves: self.moves,
            scores: scores.as_slice().to_vec(),
            wins: wins.as_slice().to_vec(),
            end,
            reason: None,
            analysis: searched.then_some(self.analysis),
        }
    }
}

#[cfg(test)]
mod tests;
