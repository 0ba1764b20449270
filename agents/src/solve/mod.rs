//! Exact play: the worth of every action where nothing is left to chance.
//!
//! A game of two players in which no chance node comes before the end any more is worth one number under best play
//! ([`Worth`]). It is found by alpha-beta with null windows: whether an action is worth at least so much is one search, and a
//! few of them find the worth of each legal action (MTD(f): Plaat, Schaeffer, Pijls and de Bruin 1996). A transposition table
//! holds between which ends the worth of a state lies, as a game itself can say without a search ([`Endgame`]).
//!
//! Nothing here trusts a hash: tables hold all that counts of a state, packed, and compare it.

mod azul;
mod budget;
mod endgame;
mod foresight;
mod queens_garden;
mod search;
mod solo;
mod summer_pavilion;
#[cfg(test)]
mod tests;
mod worth;

pub use budget::{Budget, Halt, SolveLimits};
pub use endgame::Endgame;
pub use search::solve;
pub use worth::{Worth, WorthRange};

use azulejo::Game;
use thiserror::Error;

/// What all legal actions of a position are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<G: Game> {
    /// The legal actions, in order.
    pub actions: Vec<SolvedAction<G>>,
    /// The nodes that it took.
    pub nodes: u64,
}

/// What an action is worth for the player to move, if both play their best from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedAction<G: Game> {
    /// The action.
    pub action: G::Action,
    /// The lead in points at the end, where both play for it.
    pub lead: i16,
    /// The share of the win, 0, 0.5 or 1, where both play for it.
    pub win: f64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveProgress {
    /// The nodes so far.
    pub nodes: u64,
    /// The actions whose worth is known.
    pub solved: usize,
    /// The legal actions.
    pub actions: usize,
}

/// Why a position is not solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// No action is legal: the state is at a chance node, or over.
    #[error("no player is to move")]
    NoTurn,
    /// There are more than two players.
    #[error(
        "{0} players: exact values exist for 2 only, as with more of them they depend on whom a player favors among equals"
    )]
    Players(usize),
    /// Something may still be drawn.
    #[error("something is still left to chance: after {} a chance node follows", show_line(.line))]
    Chance {
        /// Moves that lead to the chance node.
        line: Vec<String>,
    },
    /// The limit of nodes was reached.
    #[error("too large: {} of {} actions are solved after {} nodes, the limit", .0.solved, .0.actions, .0.nodes)]
    Nodes(SolveProgress),
    /// The memory is used up.
    #[error("too large: the memory is used up after {} nodes, with {} of {} actions solved", .0.nodes, .0.solved, .0.actions)]
    Memory(SolveProgress),
}

/// A line's moves, or its length and its end if it is long.
fn show_line(line: &[String]) -> String {
    match line.len() {
        0..=8 => format!("'{}'", line.join(" ")),
        length => format!("{length} moves such as '… {}'", line[length - 6..].join(" ")),
    }
}
