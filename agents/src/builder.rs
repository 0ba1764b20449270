//! From parameters to an agent: [`AgentBuilder`] for any game, [`AgentFactory`] for one.

use std::path::PathBuf;

use crate::agent::Agent;
use crate::game_knowledge::GameKnowledge;
use crate::parameters::{AgentParameters, AgentSpecError};
use crate::rule_knowledge::RuleKnowledge;

/// Parameters that say how their agent is made for a game.
pub(crate) trait AgentBuilder: AgentParameters {
    /// An agent with these parameters.
    ///
    /// # Errors
    /// If they cannot be used for this game (a file that is missing or does not fit, say).
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError>;

    /// The weights of its evaluation for this game, as a TOML table; `None` if it has none.
    ///
    /// # Errors
    /// If they are to come from a file that is missing or does not fit.
    fn weights<G: GameKnowledge>(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        Ok(None)
    }

    /// Which changed numbers of the game's rules the agent's choices depend on.
    ///
    /// # Errors
    /// If a file that says so is missing or does not fit.
    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError>;

    /// The files that decide how it plays beside the parameters themselves. A program that the agent starts is none.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// The parameters of an agent, as one game sees them: what [`AgentSpec`](crate::AgentSpec) is asked for that
/// depends on the game.
pub trait AgentFactory<G> {
    /// See [`AgentSpec::build`](crate::AgentSpec::build).
    ///
    /// # Errors
    /// If the parameters cannot be used for this game.
    fn agent(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError>;

    /// See [`AgentSpec::weights`](crate::AgentSpec::weights).
    ///
    /// # Errors
    /// If a file of weights is missing or does not fit.
    fn weights(&self) -> Result<Option<toml::Table>, AgentSpecError>;

    /// See [`AgentSpec::rule_knowledge`](crate::AgentSpec::rule_knowledge).
    ///
    /// # Errors
    /// If a file that says so is missing or does not fit.
    fn rule_knowledge(&self) -> Result<RuleKnowledge, AgentSpecError>;
}

impl<G: GameKnowledge, P: AgentBuilder> AgentFactory<G> for P {
    fn agent(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        AgentBuilder::build(self)
    }

    fn weights(&self) -> Result<Option<toml::Table>, AgentSpecError> {
        AgentBuilder::weights::<G>(self)
    }

    fn rule_knowledge(&self) -> Result<RuleKnowledge, AgentSpecError> {
        AgentBuilder::rule_knowledge::<G>(self)
    }
}
