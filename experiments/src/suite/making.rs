//! Making a suite of solved positions: [`SuiteMaker`].

use azulejo::seed::derive;
use azulejo::{GameSpec, Generator, Turn, with_game};
use azulejo_agents::Playable;
use azulejo_agents::parameters::Mebibytes;
use azulejo_agents::solve::{SolveError, SolveLimits};

use super::games::{MakingError, SuiteGames};
use super::position::{SolvedMove, SuitePosition, Values};

/// Takes positions from the ends of games, and solves them.
#[derive(Clone, Debug)]
pub struct SuiteMaker {
    /// The games.
    pub games: SuiteGames,
    /// The most nodes that a position may take to be solved.
    pub nodes: u64,
    /// The most positions of a game.
    pub each: usize,
}

/// Positions that are refused one after the other before those before them are given up.
const PATIENCE: usize = 12;

impl SuiteMaker {
    /// The positions of game number `index`, in the order of the game.
    ///
    /// # Errors
    /// If the agent does not play.
    pub fn positions(&self, index: u64) -> Result<Vec<SuitePosition>, MakingError> {
        let game = self.games.spec(index);
        with_game!(game, |rules: &'static G::Rules| self.positions_of::<G>(rules, game, index))
    }

    fn positions_of<G: Playable>(
        &self,
        rules: &'static G::Rules,
        game: GameSpec,
        index: u64,
    ) -> Result<Vec<SuitePosition>, MakingError> {
        let history = self.games.play::<G>(rules, index)?;
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
                    let source = self.games.source(index, ply);
                    let values = Values::Exact(SolvedMove::all(&solution));
                    found.push(SuitePosition::new(game, source, &state, values));
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
        let mut rng = Generator::new(derive(self.games.seed, &[index, 1]));
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
}
