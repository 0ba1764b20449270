//! The agents at a table: those that play and the one that advises.

use std::sync::atomic::AtomicBool;

use azulejo::{History, Seat};
use azulejo_agents::{AgentSpec, AgentSpecError, Decision, Limits, Playable};
use azulejo_experiments::FollowingAgent;
use azulejo_experiments::Stream;
use azulejo_experiments::game_loop::FaultReason;

use super::player::Player;

/// Who is asked for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableRole {
    /// The agent at a seat, for its move.
    Player(Seat),
    /// The adviser, for what it would do in the place of the player to move.
    Adviser,
}

/// All agents of a table, each with the moves that it has seen.
pub struct TableAgents<G: Playable> {
    /// One a seat; none where a person sits.
    players: Vec<Option<FollowingAgent<G>>>,
    adviser: FollowingAgent<G>,
}

impl<G: Playable> TableAgents<G> {
    /// The agents among these players and the adviser, with the random numbers of a self-play run's first
    /// game.
    ///
    /// # Errors
    /// If an agent cannot be built for this game.
    pub(crate) fn new(players: &[Player], adviser: &AgentSpec, seed: u64) -> Result<Self, AgentSpecError> {
        let build = |place: usize, spec: &AgentSpec| {
            FollowingAgent::new(spec, Stream::Agents.seed(seed, &[0, place as u64]))
        };
        let seated = |(place, player): (usize, &Player)| match player {
            Player::Person => Ok(None),
            Player::Agent(spec) => build(place, spec).map(Some),
        };
        let agents = players.iter().enumerate().map(seated).collect::<Result<_, _>>()?;
        Ok(TableAgents { players: agents, adviser: build(players.len(), adviser)? })
    }

    /// Asks for a decision in the present state of a game; `stop` ends a search early.
    ///
    /// # Errors
    /// If the agent does not answer, or with an illegal action.
    ///
    /// # Panics
    /// If a person sits at the seat that is asked.
    pub(crate) fn ask(
        &mut self,
        role: TableRole,
        history: &History<G>,
        stop: &AtomicBool,
    ) -> Result<Decision<G>, FaultReason> {
        let agent = match role {
            TableRole::Adviser => &mut self.adviser,
            TableRole::Player(seat) => self.players[seat.index()].as_mut().expect("an agent sits here"),
        };
        agent.choose(history, &Limits { stop: Some(stop), ..Limits::default() })
    }
}
