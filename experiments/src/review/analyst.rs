//! Asks an agent what a position is worth: [`Analyst`].

use std::sync::atomic::AtomicBool;

use crate::Stream;
use azulejo::{Game, PerPlayer, Turn};
use azulejo_agents::{Agent, AgentError, AgentSpec, Decision, Limits, Playable, SearchSummary};
use thiserror::Error;

/// Outcomes that are drawn to value a state at a chance node.
const OUTCOMES: u64 = 8;

/// Why an agent does not say what a position is worth.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnalystError {
    /// It does not answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// It chooses without telling values.
    #[error(
        "agent '{agent}' chooses moves without values, so it cannot judge; mcts:sims=2000 can, for example"
    )]
    NoValues {
        /// Its spec.
        agent: String,
    },
}

/// What each seat can expect of a position.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The shares of the win, 0 to 1.
    pub wins: PerPlayer<f32>,
    /// The leads in points over the best other seat.
    pub leads: PerPlayer<f32>,
}

impl Outlook {
    /// The mean over some; of none nothing.
    fn mean(players: usize, all: &[Outlook]) -> Outlook {
        let mean = |part: fn(&Outlook) -> &PerPlayer<f32>| {
            PerPlayer::from_fn(players, |seat| {
                all.iter().map(|outlook| part(outlook)[seat]).sum::<f32>() / all.len().max(1) as f32
            })
        };
        Outlook { wins: mean(|outlook| &outlook.wins), leads: mean(|outlook| &outlook.leads) }
    }

    /// That of a game that is over.
    fn of_end<G: Game>(state: &G) -> Outlook {
        let scores = state.scores().map(f32::from);
        let leads = PerPlayer::from_fn(scores.players(), |seat| {
            let others = scores.iter().filter(|(other, _)| *other != seat).map(|(_, score)| *score);
            scores[seat] - others.fold(f32::NEG_INFINITY, f32::max)
        });
        Outlook { wins: state.wins().map(|win| win as f32), leads }
    }
}

/// An agent that is asked about positions, each time as if it had seen no other one: what it says depends on the position and
/// the seed alone.
pub struct Analyst<'a, G: Game> {
    /// Its spec, for errors.
    pub spec: &'a AgentSpec,
    /// The agent.
    pub agent: &'a mut dyn Agent<G>,
    /// The seed of its random numbers.
    pub seed: u64,
    /// Set to end a search early, with what it has.
    pub stop: Option<&'a AtomicBool>,
}

impl<G: Playable> Analyst<'_, G> {
    /// The choice at a player's turn with what was found, and as many candidates as are asked for. Where none are asked for and
    /// there is only one choice, the search may be missing.
    ///
    /// # Errors
    /// If the agent does not answer, or has no values.
    pub fn analyze(&mut self, state: &G, candidates: usize) -> Result<Decision<G>, AnalystError> {
        self.agent.new_game(self.seed);
        let decision =
            self.agent.choose(state, &Limits { candidates, stop: self.stop, ..Limits::default() })?;
        let known = decision.search.as_ref().is_some_and(SearchSummary::has_values);
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        if known || candidates == 0 && legal.len() == 1 {
            Ok(decision)
        } else {
            Err(AnalystError::NoValues { agent: self.spec.to_string() })
        }
    }

    /// What each seat can expect in a state; at a chance node the mean over drawn outcomes, always the same draws.
    ///
    /// # Errors
    /// If the agent does not answer, or has no values.
    pub fn outlook(&mut self, state: &G) -> Result<Outlook, AnalystError> {
        let mut state = *state;
        loop {
            match state.turn() {
                Turn::Over => return Ok(Outlook::of_end(&state)),
                Turn::Chance => return self.mean_outlook(&state),
                Turn::Player(_) => {
                    let Decision { action, search } = self.analyze(&state, 0)?;
                    if let Some(SearchSummary { wins, leads, .. }) = search.filter(SearchSummary::has_values)
                    {
                        return Ok(Outlook { wins, leads });
                    }
                    state.apply(action);
                }
            }
        }
    }

    fn mean_outlook(&mut self, state: &G) -> Result<Outlook, AnalystError> {
        let outlooks = (0..OUTCOMES).map(|number| {
            let mut rng = Stream::Review.generator(self.seed, &[number]);
            let mut next = *state;
            while next.turn() == Turn::Chance {
                next.play_chance(&mut rng);
            }
            self.outlook(&next)
        });
        let outlooks = outlooks.collect::<Result<Vec<_>, _>>()?;
        Ok(Outlook::mean(state.players(), &outlooks))
    }
}
