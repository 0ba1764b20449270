//! Bots for the games of azulejo.
#![cfg_attr(not(feature = "torch"), forbid(unsafe_code))]
#![cfg_attr(feature = "torch", deny(unsafe_code))]

mod abilities;
mod agent;
mod arithmetic;
pub mod batch_evaluator;
pub mod bounded_file;
mod builder;
mod cache;
mod clock;
pub mod evaluator;
pub mod external;
mod game_knowledge;
mod goal;
mod greedy;
pub mod heuristic;
mod label;
mod ladder;
pub mod lines;
pub mod mcts;
mod minimax;
pub mod neural;
pub mod parameters;
pub mod protocol;
mod random;
mod registry;
mod rollout;
mod rule_knowledge;
pub mod rung;
mod search_threads;
pub mod settings;
pub mod shipped;
pub mod solve;
#[cfg(test)]
mod toy;
pub mod valuation;
pub mod weights;

pub use agent::{Agent, AgentError, Decision, Limits, SearchSummary, SearchedAction};
pub use builder::AgentFactory;
pub use clock::Allowance;
pub use game_knowledge::GameKnowledge;
pub use greedy::GreedyParameters;
pub use label::{Label, label};
pub use ladder::LadderParameters;
pub use minimax::MinimaxParameters;
pub use parameters::AgentSpecError;
pub use random::RandomParameters;
pub use registry::{AgentSpec, Playable};
pub use rule_knowledge::{KnownKeys, RuleKnowledge};
