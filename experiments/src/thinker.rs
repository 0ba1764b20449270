//! An agent that follows a line of play: the engine protocol, a person's opponents and a game's reviewer.

use azulejo::Game;
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Decision, Limits, Move, Playable};

use crate::game_loop::FaultReason;

/// A start and the moves played from there.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<G: Game> {
    /// Where it begins.
    pub start: G,
    /// The moves, chance outcomes included.
    pub moves: Vec<Move<G>>,
}

/// An agent with the line of play that it has seen.
pub struct Thinker<G: Game> {
    agent: Box<dyn Agent<G>>,
    seed: u64,
    seen: Option<Line<G>>,
}

impl<G: Playable> Thinker<G> {
    /// An agent that begins each game from this seed.
    ///
    /// # Errors
    /// If the agent cannot be built for this game.
    pub fn new(agent: &AgentSpec, seed: u64) -> Result<Self, AgentSpecError> {
        Ok(Thinker { agent: agent.build()?, seed, seen: None })
    }

    /// Makes the agent begin a new game at the next question.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// Makes the agent begin a new game at the next question, and each game after it, from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Asks the agent for its choice in the state at the end of a line.
    ///
    /// The agent is told the moves that it has not seen; a line that does not go on with the last one is a new game.
    ///
    /// # Errors
    /// If the agent gives no answer, or an action that is not legal.
    pub fn think(
        &mut self,
        line: &Line<G>,
        state: &G,
        limits: &Limits<'_>,
    ) -> Result<Decision<G>, FaultReason> {
        self.follow(line);
        let decision = self.agent.choose(state, limits)?;
        state.check_action(decision.action).map_err(|why| FaultReason::Illegal {
            action: decision.action.to_string(),
            why: why.to_string(),
        })?;
        Ok(decision)
    }

    fn follow(&mut self, line: &Line<G>) {
        let seen = match &self.seen {
            Some(seen) if seen.start == line.start && line.moves.starts_with(&seen.moves) => seen.moves.len(),
            _ => {
                self.agent.new_game(self.seed);
                0
            }
        };
        line.moves[seen..].iter().for_each(|played| self.agent.observe(played));
        self.seen = Some(line.clone());
    }
}
