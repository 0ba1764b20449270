//! The course of a game, move by move, in words.

use azulejo::{History, PerPlayer, Ply, Turn};

use crate::words::GameWords;

/// A move as a list of moves shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedMove {
    /// The number of moves before it.
    pub ply: usize,
    /// Whose decision it was: a player's, or chance's.
    pub turn: Turn,
    /// Its token.
    pub token: String,
    /// What it did, in words.
    pub words: String,
    /// The round in which it was played.
    pub round: u32,
    /// The points after it.
    pub scores: PerPlayer<i16>,
}

/// All moves of a game.
pub(super) fn of<G: GameWords>(history: &History<G>) -> Vec<LoggedMove> {
    let logged = |(ply, it): (usize, Ply<'_, G>)| LoggedMove {
        ply,
        turn: it.before.turn(),
        token: it.played.to_string(),
        words: it.before.move_in_words(it.played),
        round: it.before.round(),
        scores: it.after.scores(),
    };
    history.replay().enumerate().map(logged).collect()
}
