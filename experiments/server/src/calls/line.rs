//! Lines of play in words.

use azulejo_experiments::position::Position;
use serde::Serialize;
use serde_json::Value;

use crate::course::turn_in_json;

/// A move of a line.
#[derive(Serialize)]
pub(super) struct ToldLineMove {
    /// A seat, or `"chance"`.
    seat: Value,
    words: String,
}

/// A line that begins in a position, move by move.
pub(super) fn tell_line(position: &dyn Position, line: &[String]) -> Vec<ToldLineMove> {
    let told = position.line_in_words(line).into_iter();
    told.map(|(turn, words)| ToldLineMove { seat: turn_in_json(turn), words }).collect()
}
