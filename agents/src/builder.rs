//! From parameters to an agent: [`AgentBuilder`].

use std::path::PathBuf;

use crate::agent::Agent;
use crate::parameters::{AgentParameters, AgentSpecError};
use crate::playable::Playable;
use crate::rule_knowledge::RuleKnowledge;

/// Parameters that say how their agent is made for a game.
pub(crate) trait AgentBuilder: AgentParameters {
    /// An agent with these parameters.
    ///
    /// # Errors
    /// If they cannot be used for this game (a file that is missing or does not fit, say).
    fn build<G: Playable>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError>;

    /// The weights of its evaluation for this game, as a TOML table; `None` if it has none.
    ///
    /// # Errors
    /// If they are to come from a file that is missing or does not fit.
    fn weights<G: Playable>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(None)
    }

    /// Which changed numbers of the game's rules the agent's choices depend on.
    ///
    /// # Errors
    /// If a file that says so is missing or does not fit.
    fn rule_knowledge<G: Playable>(&self) -> Result<RuleKnowledge, AgentSpecError>;

    /// The files that decide how it plays beside the parameters themselves. A program that the agent starts is none.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}
