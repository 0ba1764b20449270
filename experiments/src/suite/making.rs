//! Making a suite: [`SuiteMaker`].

use azulejo::seed::derive;
use azulejo::{GameSpec, Generator, History, Move, Turn, with_game};
use azulejo_agents::parameters::Mebibytes;
use azulejo_agents::solve::{SolveError, SolveLimits};
use azulejo_agents::{AgentError, AgentSpec, AgentSpecError, Limits, Playable};
use thiserror::Error;

use super::position::{PositionSource, SolvedMove, SuitePosition};

/// Takes positions for a suite from games between equal agents.
#[derive(Clone, Debug)]
pub struct SuiteMaker {
    /// The variants, which take turns.
    pub games: Vec<GameSpec>,
    /// The agent at all seats.
    pub agent: AgentSpec,
    /// The master seed.
    pub seed: u64,
    /// The most nodes that a position may take to be solved.
    pub nodes: u64,
    /// The most positions of a game.
    pub each: usize,
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

/// Positions that are refused one after the other before those before them are given up.
const PATIENCE: usize = 12;

impl SuiteMaker {
    /// The positions of game number `index`, in the order of the game.
    ///
    /// # Errors
    /// If the agent does not play.
    pub fn positions(&self, index: u64) -> Result<Vec<SuitePosition>, MakingError> {
        let game = self.games[(index % self.games.len() as u64) as usize];
        with_game!(game, |rules: &'static G::Rules| self.positions_of::<G>(rules, game, index))
    }

    fn positions_of<G: Playable>(
        &self,
        rules: &'static G::Rules,
        game: GameSpec,
        index: u64,
    ) -> Result<Vec<SuitePosition>, MakingError> {
        let history = self.play::<G>(rules, index)?;
        let mut found = Vec::new();
        let mut refused = 0;
        for ply in (0..history.plies()).rev() {
            let state = history.state_at(ply);
            if !matches!(state.turn(), Turn::Player(_)) {
                continue;
            }
            let limits = SolveLimits { nodes: self.nodes, memory: Mebibytes::new(512) };
            match state.solve(limits, &mut |_| ()) {
                Ok(solution) => {
                    let source =
                        PositionSource { agent: self.agent.to_string(), seed: self.seed, index, ply };
                    let state = serde_json::to_value(state).expect("a state has a JSON object");
                    let values = SolvedMove::all(&solution);
                    found.push(SuitePosition { game: game.to_string(), source, state, values });
                    refused = 0;
                }
                Err(SolveError::Nodes(_) | SolveError::Memory(_)) => break,
                Err(_) => refused += 1,
            }
            if refused > PATIENCE {
                break;
            }
        }
        found.retain(SuitePosition::matters);
        Ok(self.chosen(found, index))
    }

    /// The position that is farthest from the end and others at random, no two of one turn.
    fn chosen(&self, mut found: Vec<SuitePosition>, index: u64) -> Vec<SuitePosition> {
        let mut rng = Generator::new(derive(self.seed, &[index, 1]));
        let mut chosen: Vec<SuitePosition> = found.pop().into_iter().collect();
        while chosen.len() < self.each && !found.is_empty() {
            let position = found.swap_remove(rng.below(found.len() as u64) as usize);
            if chosen.iter().all(|other| other.source.ply.abs_diff(position.source.ply) > 1) {
                chosen.push(position);
            }
        }
        chosen.sort_by_key(|position| position.source.ply);
        chosen
    }

    /// A game on deals of its own.
    fn play<G: Playable>(&self, rules: &'static G::Rules, index: u64) -> Result<History<G>, MakingError> {
        let mut agent = self.agent.build::<G>()?;
        agent.new_game(derive(self.seed, &[index, 2]));
        let mut deals = Generator::new(derive(self.seed, &[index, 3]));
        let mut history = History::<G>::new(rules, 2);
        loop {
            let state = *history.state();
            let played = match state.turn() {
                Turn::Over => return Ok(history),
                Turn::Chance => Move::Outcome(state.sample_chance(&mut deals)),
                Turn::Player(_) => Move::Action(agent.choose(&state, &Limits::default())?.action),
            };
            agent.observe(&played);
            history.push(played).map_err(|error| AgentError::Failed(error.to_string()))?;
        }
    }
}
