//! The agent that plays the action with the best one-ply evaluation.

use std::path::Path;

use azulejo::settings::read_settings;
use azulejo::{Generator, Turn, excerpt};
use serde::de::DeserializeOwned;

use crate::agent::{Agent, AgentError, Decision, Limits};
use crate::heuristic::Heuristic;
use crate::spec::AgentSpecError;
use crate::weights::parse_weights;

crate::agent_parameters! {
    /// Plays the action that a hand-made evaluation rates best, without looking ahead; ties at random.
    GreedyParameters = "greedy" {
        /// A TOML file with some or all of the game's weights; default: the built-in ones.
        weights: Option<String> = None,
    }
    weights<G>(parameters) {
        weights_table::<G>(Self::NAME, parameters.weights.as_deref())
    }
    build<G>(parameters) {
        let weights = read_weights::<G>(Self::NAME, parameters.weights.as_deref())?;
        let (actions, ratings) = (Vec::new(), Vec::new());
        Ok(Box::new(GreedyAgent::<G> { weights, rng: Generator::new(0), actions, ratings }))
    }
}

/// The same weights as [`read_weights`] as a TOML table.
pub(crate) fn weights_table<G: Heuristic>(
    agent: &'static str,
    file: Option<&str>,
) -> Result<Option<toml::Table>, AgentSpecError> {
    let weights = read_weights::<G>(agent, file)?;
    Ok(toml::Table::try_from(weights).ok())
}

/// A game's weights from a TOML file, or the built-in ones.
///
/// # Errors
/// If the file cannot be read, or has a key that is no weight of this game.
pub(crate) fn read_weights<G: Heuristic>(
    agent: &'static str,
    file: Option<&str>,
) -> Result<G::Weights, AgentSpecError> {
    read_table(agent, G::NAME, file)
}

/// Weights of a game by this name from a TOML file, or the built-in ones.
///
/// # Errors
/// If the file cannot be read, or has a key that is none of these weights.
pub(crate) fn read_table<W: Default + DeserializeOwned>(
    agent: &'static str,
    game: &str,
    file: Option<&str>,
) -> Result<W, AgentSpecError> {
    let Some(file) = file else {
        return Ok(W::default());
    };
    let refuse = |expected: String| AgentSpecError::Value {
        agent,
        key: "weights".to_owned(),
        value: excerpt(file),
        expected,
    };
    let text = read_settings(Path::new(file)).map_err(|error| refuse(format!("a readable file: {error}")))?;
    parse_weights(&text).map_err(|problem| refuse(format!("a file of {game} weights: {problem}")))
}

/// Plays the action of the highest rating.
struct GreedyAgent<G: Heuristic> {
    weights: G::Weights,
    rng: Generator,
    actions: Vec<G::Action>,
    ratings: Vec<f32>,
}

impl<G: Heuristic> Agent<G> for GreedyAgent<G> {
    fn new_game(&mut self, seed: u64) {
        self.rng = Generator::new(seed);
    }

    fn choose(&mut self, state: &G, _limits: &Limits<'_>) -> Result<Decision<G>, AgentError> {
        match state.turn() {
            Turn::Player(_) => {
                let rng = &mut self.rng;
                let action = state.best_action(&self.weights, rng, &mut self.actions, &mut self.ratings);
                Ok(Decision::plain(action))
            }
            Turn::Chance | Turn::Over => Err(AgentError::NoTurn),
        }
    }
}
