//! What an agent can do wrong: [`Fault`].

use azulejo::Seat;
use azulejo_agents::AgentError;
use thiserror::Error;

/// Why a seat lost its game by forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultReason {
    /// The agent gave no answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent answered with an action that the rules forbid.
    #[error("illegal action {action}: {why}")]
    Illegal {
        /// The action in the game's notation.
        action: String,
        /// The rule that forbids it.
        why: String,
    },
    /// The agent panicked: a fault in its program.
    #[error("the agent crashed: {0}")]
    Crash(String),
}

/// A forfeit: which game, which seat, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {index}: seat {seat} ({agent}) forfeits at ply {ply}: {reason}")]
pub struct Fault {
    /// The game's number in the run.
    pub index: u64,
    /// The seat that forfeits.
    pub seat: Seat,
    /// What the agent is called.
    pub agent: String,
    /// The number of moves before.
    pub ply: usize,
    /// What the agent did.
    pub reason: FaultReason,
}
