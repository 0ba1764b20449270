//! A position with the exact values of all its actions: [`SuitePosition`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use azulejo_agents::Playable;
use azulejo_agents::solve::{Solution, SolvedAction};

/// A position of two players in which no chance is left, and what each action is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuitePosition {
    /// The spec of the game's variant.
    pub game: String,
    /// Where the position is from.
    pub source: PositionSource,
    /// The position, as `docs/formats.md` says.
    pub state: Value,
    /// All legal actions, in order.
    pub values: Vec<SolvedMove>,
}

/// The game that a position is from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PositionSource {
    /// The agent at all seats.
    pub agent: String,
    /// The master seed.
    pub seed: u64,
    /// The game's number, from 0.
    pub index: u64,
    /// The moves played before.
    pub ply: usize,
}

/// An action with its exact values for the player to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedMove {
    /// The action.
    pub action: String,
    /// The lead in points.
    pub lead: i16,
    /// The share of the win.
    pub win: f64,
}

impl SolvedMove {
    /// The moves of a solution.
    pub fn all<G: Playable>(solution: &Solution<G>) -> Vec<SolvedMove> {
        let solved = |&SolvedAction { action, lead, win }: &SolvedAction<G>| SolvedMove {
            action: action.to_string(),
            lead,
            win,
        };
        solution.actions.iter().map(solved).collect()
    }
}

impl SuitePosition {
    /// The best lead and the best share of the win, each by itself.
    ///
    /// # Panics
    /// Without a legal action.
    pub fn best(&self) -> (i16, f64) {
        let lead = self.values.iter().map(|it| it.lead).max().expect("a position has actions");
        (lead, self.values.iter().map(|it| it.win).fold(0.0, f64::max))
    }

    /// Whether it makes a difference what is played.
    pub fn matters(&self) -> bool {
        let (lead, _) = self.best();
        self.values.iter().any(|it| it.lead < lead)
    }
}
