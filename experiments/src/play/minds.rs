//! The agents at a table: those that play and the one that advises.

use std::sync::atomic::AtomicBool;

use azulejo::Seat;
use azulejo_agents::{AgentSpec, AgentSpecError, Decision, Limits, Playable};

use super::chair::Chair;
use crate::game_loop::FaultReason;
use crate::stream::Stream;
use crate::thinker::{Line, Thinker};

/// Who is asked for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mind {
    /// The agent at a seat, for its move.
    Player(Seat),
    /// The adviser, for what it would do in the place of the player to move.
    Adviser,
}

/// All agents of a table, each with the moves that it has seen.
pub struct Minds<G: Playable> {
    /// One a seat; none where a person sits.
    players: Vec<Option<Thinker<G>>>,
    adviser: Thinker<G>,
}

impl<G: Playable> Minds<G> {
    /// The agents on these chairs and the adviser, with the random numbers of a self-play run's first game.
    ///
    /// # Errors
    /// If an agent cannot be built for this game.
    pub fn new(chairs: &[Chair], adviser: &AgentSpec, seed: u64) -> Result<Self, AgentSpecError> {
        let thinker = |place: usize, spec: &AgentSpec| {
            Thinker::new(spec, Stream::Agents.seed(seed, &[0, place as u64]))
        };
        let player = |(place, chair): (usize, &Chair)| match chair {
            Chair::Person => Ok(None),
            Chair::Agent(spec) => thinker(place, spec).map(Some),
        };
        let players = chairs.iter().enumerate().map(player).collect::<Result<_, _>>()?;
        Ok(Minds { players, adviser: thinker(chairs.len(), adviser)? })
    }

    /// Asks for a decision in the state at the end of a line; `stop` ends a search early.
    ///
    /// # Errors
    /// If the agent gives no answer or an illegal one.
    ///
    /// # Panics
    /// If a person sits at the seat that is asked.
    pub fn ask(
        &mut self,
        mind: Mind,
        (line, state): (&Line<G>, &G),
        stop: &AtomicBool,
    ) -> Result<Decision<G>, FaultReason> {
        let thinker = match mind {
            Mind::Adviser => &mut self.adviser,
            Mind::Player(seat) => self.players[seat.index()].as_mut().expect("an agent sits here"),
        };
        thinker.think(line, state, &Limits { stop: Some(stop), ..Limits::default() })
    }
}
