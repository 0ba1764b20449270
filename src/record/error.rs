//! Why a record was refused: [`RecordError`].

use thiserror::Error;

use super::{FORMAT, VERSION};
use crate::error::{IllegalMove, SpecError, shortened};
use crate::player::Seat;

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
    #[error(transparent)]
    Move(#[from] IllegalMove),
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
