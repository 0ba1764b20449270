//! A position with the values of all its actions: [`SuitePosition`].

use azulejo::GameSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use azulejo_agents::Playable;
use azulejo_agents::solve::{Solution, SolvedAction};

/// A position of two players, and what each action is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuitePosition {
    /// The spec of the game's variant.
    pub game: String,
    /// Where the position is from.
    pub source: PositionSource,
    /// The position, as `docs/formats.md` says.
    pub state: Value,
    /// All legal actions, in order.
    pub values: Values,
}

/// What the legal actions of a position are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Values {
    /// Exactly, where no chance is left.
    Exact(Vec<SolvedMove>),
    /// In expectation over common chances.
    Expected(Vec<ExpectedMove>),
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

/// What an action came to for the player to move when it was played to the end over and over: in the mean over the first half
/// of the chances and over the second half, which are the same chances for all actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectedMove {
    /// The action.
    pub action: String,
    /// The lead in points.
    pub leads: [f64; 2],
    /// The share of the win.
    pub wins: [f64; 2],
}

impl ExpectedMove {
    /// Keeps the digits that mean something: hundredths of a point, thousandths of the win.
    pub(super) fn round(&mut self) {
        self.leads = self.leads.map(|lead| (100.0 * lead).round() / 100.0);
        self.wins = self.wins.map(|win| (1000.0 * win).round() / 1000.0);
    }
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
    /// A position of a game.
    pub(super) fn new<G: Playable>(
        game: GameSpec,
        source: PositionSource,
        state: &G,
        values: Values,
    ) -> Self {
        let state = serde_json::to_value(state).expect("a state has a JSON object");
        SuitePosition { game: game.to_string(), source, state, values }
    }

    /// The actions, in order.
    pub fn actions(&self) -> Vec<&str> {
        match &self.values {
            Values::Exact(moves) => moves.iter().map(|it| it.action.as_str()).collect(),
            Values::Expected(moves) => moves.iter().map(|it| it.action.as_str()).collect(),
        }
    }

    /// Whether it makes a difference what is played.
    pub fn matters(&self) -> bool {
        match &self.values {
            Values::Exact(moves) => moves.iter().any(|it| it.lead != moves[0].lead),
            Values::Expected(moves) => moves.iter().any(|it| it.leads != moves[0].leads),
        }
    }
}
