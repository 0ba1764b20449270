//! Game records: one JSON object a game, from which the game replays without any random generator.

mod end;
mod error;

use serde::{Deserialize, Serialize};

pub use end::End;
pub use error::RecordError;

use crate::changes::Changes;
use crate::error::{SpecError, excerpt};
use crate::game::{Game, Turn};
use crate::history::History;
use crate::json;
use crate::player::{PerPlayer, Seat, leaders};
use crate::registry::GameSpec;
use crate::spec::{changed_rules, check_players, rules_of, variant_of};

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
    /// What the agent at each seat is called; `None` where their specs say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The expected utility of each seat, -1 to 1; for pure win share 2 × share − 1.
    pub values: Vec<f32>,
    /// The actions that were searched with their visit counts.
    pub visits: Vec<(String, u32)>,
    /// The policy that the search improved: actions with probabilities. Empty for searches that have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<(String, f32)>,
    /// The simulations or nodes of the search, if a time limited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The processor time of all its threads in milliseconds, if a time limited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<f64>,
    /// Its time on the wall clock in milliseconds, if a time limited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
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

    /// The written form of a game that stopped here in this way, without reason and analysis.
    pub fn new<G: Game>(history: &History<G>, end: End, agents: Vec<String>, seed: u64, index: u64) -> Self {
        let (scores, wins) = result(history.state(), end);
        let rules = history.start().rules();
        Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: variant_of::<G>(rules),
            rules: json::changes(rules),
            players: history.start().players(),
            agents,
            names: None,
            seed,
            index,
            moves: history.moves().iter().map(ToString::to_string).collect(),
            scores: scores.as_slice().to_vec(),
            wins: wins.as_slice().to_vec(),
            end,
            reason: None,
            analysis: None,
        }
    }

    /// The record with what was found at each move; without analysis if nothing was searched anywhere.
    #[must_use]
    pub fn with_analysis(self, found: Vec<Option<Analysis>>) -> Self {
        let searched = found.iter().any(Option::is_some);
        Record { analysis: searched.then_some(found), ..self }
    }

    /// What the agent at a seat is called; `None` for a seat that the record says nothing of.
    pub fn name(&self, seat: Seat) -> Option<&str> {
        let names = self.names.as_ref().unwrap_or(&self.agents);
        names.get(seat.index()).map(String::as_str)
    }

    /// The game that the moves tell, under these rules. The recorded result is not looked at.
    ///
    /// # Errors
    /// A number of players that the game does not seat, or the first move that cannot be played.
    pub fn history<G: Game>(&self, rules: &'static G::Rules) -> Result<History<G>, RecordError> {
        let mut history = History::new(rules, check_players::<G>(self.players)?);
        history.push_tokens(&self.moves)?;
        Ok(history)
    }

    /// The game that the moves tell, under these rules, after a check of everything that the record says of
    /// it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verified_history<G: Game>(&self, rules: &'static G::Rules) -> Result<History<G>, RecordError> {
        self.check_lists::<G>()?;
        let history = self.history::<G>(rules)?;
        self.check_result(history.state())?;
        Ok(history)
    }

    /// The rules of the game `G` that was played, with their changed numbers.
    ///
    /// # Errors
    /// As [`spec`](Record::spec), and if another game was played.
    pub fn rules_of<G: Game>(&self) -> Result<&'static G::Rules, SpecError> {
        let rules = rules_of::<G>(&self.game)?;
        self.rules.as_ref().map_or(Ok(rules), |changes| changed_rules::<G>(rules, changes))
    }

    /// The registered game that was played, with its changed rules.
    ///
    /// # Errors
    /// If the game or a changed number does not exist, or if the record is an old one that names its rules by
    /// a file ([`SpecError::RulesFile`]).
    pub fn spec(&self) -> Result<GameSpec, SpecError> {
        let game: GameSpec = self.game.parse()?;
        self.rules.as_ref().map_or(Ok(game), |changes| game.with_changes(changes))
    }

    /// Plays the moves again and checks every one of them and the recorded result.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<(), RecordError> {
        with_game!(self.spec()?, |rules: &'static G::Rules| self.verified_history::<G>(rules).map(drop))
    }

    /// Whether the lists have their lengths, and the seat that forfeited exists.
    fn check_lists<G: Game>(&self) -> Result<(), RecordError> {
        let players = check_players::<G>(self.players)?;
        let length = |key, found, expected| {
            if found == expected { Ok(()) } else { Err(RecordError::Length { key, found, expected }) }
        };
        length("agents", self.agents.len(), players)?;
        self.names.as_ref().map_or(Ok(()), |names| length("names", names.len(), players))?;
        length("scores", self.scores.len(), players)?;
        length("wins", self.wins.len(), players)?;
        match self.end {
            End::Forfeit(seat) if seat.index() >= players => Err(RecordError::NoSeat { seat, players }),
            _ => self.analysis.as_ref().map_or(Ok(()), |it| length("analysis", it.len(), self.moves.len())),
        }
    }

    /// Whether the recorded result is that of a game whose moves lead to this state.
    fn check_result<G: Game>(&self, last: &G) -> Result<(), RecordError> {
        let over = last.turn() == Turn::Over;
        if over != (self.end == End::Finished) {
            let replayed = if over { "a finished game" } else { "a game that goes on" };
            let recorded = self.end.to_string();
            return Err(RecordError::Result { key: "end", recorded, replayed: replayed.to_owned() });
        }
        let (scores, wins) = result(last, self.end);
        if self.scores != scores.as_slice() {
            let (recorded, replayed) = (format!("{:?}", self.scores), format!("{scores:?}"));
            return Err(RecordError::Result { key: "scores", recorded, replayed });
        }
        // Other writers may round thirds.
        let same = self.wins.iter().zip(wins.as_slice()).all(|(a, b)| (a - b).abs() < 1e-3);
        if !same {
            let (recorded, replayed) = (format!("{:?}", self.wins), format!("{wins:?}"));
            return Err(RecordError::Result { key: "wins", recorded, replayed });
        }
        Ok(())
    }
}

/// What the records of all versions begin with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
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

#[cfg(test)]
mod tests;
