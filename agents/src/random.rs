//! The agent that plays at random.

use azulejo::{Game, Generator, Turn};

use crate::agent::{Agent, AgentError, Decision, Limits};
use crate::builder::AgentBuilder;
use crate::game_knowledge::GameKnowledge;
use crate::parameters::AgentSpecError;
use crate::rule_knowledge::{KnownKeys, RuleKnowledge};

crate::agent_parameters! {
    /// Plays a legal action drawn uniformly.
    RandomParameters = "random" {}
}

impl AgentBuilder for RandomParameters {
    fn build<G: GameKnowledge>(&self) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        Ok(Box::new(RandomAgent::<G> { rng: Generator::new(0), buffer: Vec::new() }))
    }

    fn rule_knowledge<G: GameKnowledge>(&self) -> Result<RuleKnowledge, AgentSpecError> {
        Ok(RuleKnowledge { keys: KnownKeys::None, by: "chance" })
    }
}

/// Plays a legal action drawn uniformly.
struct RandomAgent<G: Game> {
    rng: Generator,
    buffer: Vec<G::Action>,
}

impl<G: Game> Agent<G> for RandomAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn choose(&mut self, state: &G, _limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        match state.turn() {
            Turn::Player(_) => Ok(Decision::plain(state.random_action(&mut self.rng, &mut self.buffer))),
            Turn::Chance | Turn::Over => Err(AgentError::NoTurn),
        }
    }
}
