//! The games that a suite's positions are from: [`SuiteGames`].

use azulejo::seed::derive;
use azulejo::{Game, GameSpec, Generator, History, Move, Turn};
use azulejo_agents::{Agent, AgentError, AgentSpec, AgentSpecError, Limits, Playable};
use thiserror::Error;

use super::position::PositionSource;

/// Games of two equal agents, each on deals of its own.
#[derive(Clone, Debug)]
pub struct SuiteGames {
    /// The variants, which take turns.
    pub games: Vec<GameSpec>,
    /// The agent at all seats.
    pub agent: AgentSpec,
    /// The master seed.
    pub seed: u64,
}

/// Why a game brings no positions.
#[derive(Debug, Error)]
pub enum MakingError {
    /// The agent does not exist as it is described.
    #[error(transparent)]
    Spec(#[from] AgentSpecError),
    /// The agent did not choose.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

impl SuiteGames {
    /// The variant of game number `index`.
    pub(super) fn spec(&self, index: u64) -> GameSpec {
        self.games[(index % self.games.len() as u64) as usize]
    }

    /// Where the position after `ply` moves of game number `index` is from.
    pub(super) fn source(&self, index: u64, ply: usize) -> PositionSource {
        PositionSource { agent: self.agent.to_string(), seed: self.seed, index, ply }
    }

    /// Plays game number `index`.
    pub(super) fn play<G: Playable>(
        &self,
        rules: &'static G::Rules,
        index: u64,
    ) -> Result<History<G>, MakingError> {
        let mut agent = self.agent.build::<G>()?;
        agent.new_game(derive(self.seed, &[index, 2]));
        let mut deals = Generator::new(derive(self.seed, &[index, 3]));
        let mut history = History::<G>::new(rules, 2);
        while let Some(played) = next_move(history.state(), &mut *agent, &mut deals)? {
            history.push(played).map_err(|error| AgentError::Failed(error.to_string()))?;
        }
        Ok(history)
    }
}

/// What comes next where one agent plays all seats, which is told of it; `None` at the end.
pub(super) fn next_move<G: Game>(
    state: &G,
    agent: &mut dyn Agent<G>,
    deals: &mut Generator,
) -> Result<Option<Move<G>>, AgentError> {
    let played = match state.turn() {
        Turn::Over => return Ok(None),
        Turn::Chance => Move::Outcome(state.sample_chance(deals)),
        Turn::Player(_) => Move::Action(agent.choose(state, &Limits::default())?.action),
    };
    agent.observe(&played);
    Ok(Some(played))
}
