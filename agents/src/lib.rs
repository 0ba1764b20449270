//! Bots for the games of azulejo.
#![cfg_attr(not(feature = "torch"), forbid(unsafe_code))]
#![cfg_attr(feature = "torch", deny(unsafe_code))]

pub mod abilities;
pub mod agent;
pub mod builder;
pub mod evaluator;
pub mod external;
pub mod greedy;
pub mod heuristic;
pub mod lines;
pub mod mcts;
pub mod minimax;
pub mod neural;
pub mod parameters;
pub mod playable;
pub mod random;
pub mod registry;
pub mod rollout;
pub mod settings;
pub mod shipped;
#[cfg(test)]
mod toy;
pub mod valuation;
pub mod weights;

pub use agent::{Agent, AgentError, Decision, Limits, SearchSummary};
pub use parameters::AgentSpecError;
pub use playable::Playable;
pub use registry::AgentSpec;
