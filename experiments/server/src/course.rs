//! The course of a game, as calls and records of the page have it: [`Course`].

use azulejo::record::MOVE_LIMIT;
use azulejo::{GameSpec, Turn, excerpt};
use azulejo_experiments::position::{self, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::CallError;

/// A game so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Course {
    /// The game's spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The state in which it began; without it the game's first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
    /// The tokens of all moves since, chance outcomes included.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Course {
    /// The position that it leads to, and its game.
    ///
    /// # Errors
    /// A game, a number of players, a start or a move that there is not; of a move its ply is named.
    pub(crate) fn read(&self) -> Result<(GameSpec, Box<dyn Position>), CallError> {
        let game: GameSpec = self.game.parse().map_err(CallError::bad)?;
        let players = game.check_players(self.players).map_err(CallError::bad)?;
        if self.moves.len() > MOVE_LIMIT {
            let count = self.moves.len();
            return Err(CallError::bad(format!("moves: found {count}, expected at most {MOVE_LIMIT}")));
        }
        let mut position = match &self.start {
            None => position::start(game, players),
            Some(state) => start(game, players, state)?,
        };
        for (ply, token) in self.moves.iter().enumerate() {
            let illegal = |why| CallError::bad(format!("illegal move {} at {ply}: {why}", excerpt(token)));
            position.play_token(token).map_err(illegal)?;
        }
        Ok((game, position))
    }

    /// The same game with the moves that led to a position.
    pub(crate) fn with_moves(self, position: &dyn Position) -> Self {
        Course { moves: position.moves(), ..self }
    }
}

/// The state in which a course begins.
fn start(game: GameSpec, players: usize, state: &Value) -> Result<Box<dyn Position>, CallError> {
    let (found, position) = position::read(state).map_err(CallError::bad)?;
    if found != game {
        return Err(CallError::bad(format!("start: found the game {found}, expected {game}")));
    }
    if position.players() != players {
        let found = position.players();
        return Err(CallError::bad(format!("start: found {found} players, expected {players}")));
    }
    Ok(position)
}

/// A turn as the page is told it: a seat, `"chance"` or `"over"`.
pub(crate) fn turn_in_json(turn: Turn) -> Value {
    match turn {
        Turn::Player(seat) => seat.index().into(),
        Turn::Chance => "chance".into(),
        Turn::Over => "over".into(),
    }
}
