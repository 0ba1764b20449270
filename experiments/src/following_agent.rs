//! An agent that follows a game: the engine protocol, a person's opponents and a game's reviewer.

use azulejo::{Game, History};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Decision, Limits, Playable, SearchSummary};

use crate::game_loop::FaultReason;

/// An agent with the course of the game that it has seen.
pub struct FollowingAgent<G: Game> {
    agent: Box<dyn Agent<G>>,
    seed: u64,
    seen: Option<History<G>>,
}

impl<G: Playable> FollowingAgent<G> {
    /// An agent that begins each game from this seed.
    ///
    /// # Errors
    /// If the agent cannot be built for this game.
    pub fn new(agent: &AgentSpec, seed: u64) -> Result<Self, AgentSpecError> {
        Ok(FollowingAgent::with_agent(agent.build()?, seed))
    }

    /// The same with an agent that has been built.
    pub fn with_agent(agent: Box<dyn Agent<G>>, seed: u64) -> Self {
        FollowingAgent { agent, seed, seen: None }
    }

    /// Makes the agent begin a new game at the next question.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }

    /// Makes the agent begin a new game at the next question, and each game after it, from another seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.forget();
    }

    /// Asks the agent for its choice in the present state of a game.
    ///
    /// The agent is told the moves that it has not seen; a game that does not continue the last one is a new
    /// game.
    ///
    /// # Errors
    /// If the agent does not answer, or with an action that is not legal.
    pub fn choose(&mut self, history: &History<G>, limits: &Limits<'_>) -> Result<Decision<G>, FaultReason> {
        self.follow(history);
        let decision = self.agent.choose(history.state(), limits)?;
        checked(history, decision)
    }

    /// The same, and shows `watch` now and then what has been found so far, see [`Agent::choose_watched`].
    ///
    /// # Errors
    /// If the agent does not answer, or with an action that is not legal.
    pub fn choose_watched(
        &mut self,
        history: &History<G>,
        limits: &Limits<'_>,
        watch: &mut dyn FnMut(&SearchSummary<G>),
    ) -> Result<Decision<G>, FaultReason> {
        self.follow(history);
        let decision = self.agent.choose_watched(history.state(), limits, watch)?;
        checked(history, decision)
    }

    fn follow(&mut self, history: &History<G>) {
        let seen = match &self.seen {
            Some(seen) if history.continues(seen) => seen.plies(),
            _ => {
                self.agent.new_game(self.seed);
                0
            }
        };
        history.moves()[seen..].iter().for_each(|played| self.agent.observe(played));
        self.seen = Some(history.clone());
    }
}

/// A decision with an action that is legal in the present state of a game.
fn checked<G: Game>(history: &History<G>, decision: Decision<G>) -> Result<Decision<G>, FaultReason> {
    history
        .state()
        .check_action(decision.action)
        .map_err(|why| FaultReason::Illegal { action: decision.action.to_string(), why: why.to_string() })?;
    Ok(decision)
}

/// A game with an agent at all seats, from a seed.
#[cfg(test)]
pub(crate) fn play<G: Playable>(
    rules: &'static G::Rules,
    (agent, players, seed): (&str, usize, u64),
) -> History<G> {
    use azulejo::{Generator, Move, Turn};

    let mut agent = FollowingAgent::new(&agent.parse().unwrap(), seed).unwrap();
    let (mut rng, mut history) = (Generator::new(seed), History::<G>::new(rules, players));
    while history.state().turn() != Turn::Over {
        let played = match history.state().turn() {
            Turn::Chance => Move::Outcome(history.state().sample_chance(&mut rng)),
            _ => Move::Action(agent.choose(&history, &Limits::default()).unwrap().action),
        };
        history.push(played).unwrap();
    }
    history
}
