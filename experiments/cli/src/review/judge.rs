//! Judges every decision of a recorded game.

use std::num::NonZeroUsize;

use azulejo::{Game, History, Move, PerPlayer, Ply, Turn};
use azulejo_agents::{
    Agent, AgentError, AgentSpec, AgentSpecError, Decision, Limits, Playable, SearchSummary,
};
use azulejo_experiments::{Stream, ThreadsError, thread_pool};
use rayon::prelude::*;
use thiserror::Error;

use super::verdict::MoveVerdict;
use crate::play::advice::shares;

/// Outcomes that are drawn to value a state at a chance node.
const OUTCOMES: u64 = 8;

/// Why a game cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum JudgeError {
    /// The agent cannot be built.
    #[error(transparent)]
    Spec(#[from] AgentSpecError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The agent does not answer.
    #[error("move {ply}: {why}")]
    Agent {
        /// The number of the move, from 0.
        ply: usize,
        /// Why.
        why: AgentError,
    },
    /// The agent chooses without telling values.
    #[error(
        "agent '{agent}' chooses moves without values, so it cannot judge; mcts:sims=2000 can, for example"
    )]
    NoValues {
        /// The agent's spec.
        agent: String,
    },
}

/// The agent with values that are shares of the win: without the lead in points in its utility, unless the
/// spec says how much of it there is to be.
pub(crate) fn win_share_agent(agent: &AgentSpec) -> AgentSpec {
    let mut pure = agent.clone();
    // An agent that has no such parameter stays as it is.
    let known = !agent.to_string().contains("margin=") && pure.set("margin", "0").is_ok();
    if known { pure } else { agent.clone() }
}

/// Judges the decision at each ply of a game.
///
/// The agent searches for the best action. If another one was played, it also searches both states that
/// follow, with the same effort, and the difference for the player to move is the loss. A state at a chance
/// node is worth the mean over drawn outcomes, the same draws for both. Every decision has random numbers of
/// its own, so the verdicts do not depend on the number of threads; `judged` is called after each move.
///
/// # Errors
/// An agent that cannot be built, does not answer or has no values, or threads that the system does not start.
pub(crate) fn judge<G: Playable>(
    agent: &AgentSpec,
    history: &History<G>,
    (seed, threads): (u64, NonZeroUsize),
    judged: impl Fn() + Sync,
) -> Result<Vec<Option<MoveVerdict>>, JudgeError> {
    let pool = thread_pool(threads)?;
    let judge = |analyst: &mut Result<Box<dyn Agent<G>>, AgentSpecError>, (ply, it): (usize, &Ply<'_, G>)| {
        let analyst = analyst.as_mut().map_err(|error| error.clone())?;
        let reviewer = Reviewer {
            spec: agent,
            analyst: analyst.as_mut(),
            seed: Stream::Review.seed(seed, &[ply as u64]),
            ply,
        };
        let verdict = reviewer.verdict(it);
        judged();
        verdict
    };
    let (judge, plies) = (&judge, history.replay().collect::<Vec<_>>());
    pool.install(|| {
        plies.par_iter().enumerate().map_init(|| agent.build(), |analyst, it| judge(analyst, it)).collect()
    })
}

/// An agent that judges one decision.
struct Reviewer<'a, G: Game> {
    spec: &'a AgentSpec,
    analyst: &'a mut dyn Agent<G>,
    seed: u64,
    ply: usize,
}

impl<G: Playable> Reviewer<'_, G> {
    /// The verdict on a move; none at chance nodes, and where an agent that searches has none because there
    /// was no choice.
    fn verdict(
        mut self,
        Ply { before, played, after }: &Ply<'_, G>,
    ) -> Result<Option<MoveVerdict>, JudgeError> {
        let Turn::Player(mover) = before.turn() else { return Ok(None) };
        let Decision { action, search } = self.search(before)?;
        let Some(search) = search.filter(SearchSummary::has_values) else {
            return self.without_values(before).map(|()| None);
        };
        let loss = if **played == Move::Action(action) {
            0.0
        } else {
            let mut best = *before;
            best.apply(action);
            let share = |values: PerPlayer<f32>| shares(&values)[mover];
            let loss = share(self.values(&best)?) - share(self.values(after)?);
            // Tenths of a percent: marks go by what is shown.
            ((1000.0 * loss).round() / 1000.0).max(0.0)
        };
        let SearchSummary { values, visits, line, .. } = search;
        Ok(Some(MoveVerdict {
            values: values.as_slice().to_vec(),
            visits: visits.iter().map(|(action, count)| (action.to_string(), *count)).collect(),
            best: Some(action.to_string()),
            line: line.iter().map(ToString::to_string).collect(),
            loss: Some(loss),
        }))
    }

    fn search(&mut self, state: &G) -> Result<Decision<G>, JudgeError> {
        self.analyst.new_game(self.seed);
        self.analyst.choose(state, &Limits::default()).map_err(|why| JudgeError::Agent { ply: self.ply, why })
    }

    /// A search may be left out where only one action is legal, but nowhere else.
    fn without_values(&self, state: &G) -> Result<(), JudgeError> {
        let mut legal = Vec::new();
        state.legal_actions(&mut legal);
        if legal.len() == 1 { Ok(()) } else { Err(JudgeError::NoValues { agent: self.spec.to_string() }) }
    }

    /// The utility of each seat in a state.
    fn values(&mut self, state: &G) -> Result<PerPlayer<f32>, JudgeError> {
        let mut state = *state;
        loop {
            match state.turn() {
                Turn::Over => return Ok(state.wins().map(|win| 2.0 * win as f32 - 1.0)),
                Turn::Chance => return self.mean_values(&state),
                Turn::Player(_) => {
                    let Decision { action, search } = self.search(&state)?;
                    if let Some(search) = search.filter(SearchSummary::has_values) {
                        return Ok(search.values);
                    }
                    self.without_values(&state)?;
                    state.apply(action);
                }
            }
        }
    }

    /// The mean utility of each seat over outcomes of a chance node.
    fn mean_values(&mut self, state: &G) -> Result<PerPlayer<f32>, JudgeError> {
        let mut sums = PerPlayer::splat(state.players(), 0.0);
        for number in 0..OUTCOMES {
            let mut rng = Stream::Review.generator(self.seed, &[number]);
            let mut next = *state;
            while next.turn() == Turn::Chance {
                next.play_chance(&mut rng);
            }
            let values = self.values(&next)?;
            sums = PerPlayer::from_fn(state.players(), |seat| sums[seat] + values[seat]);
        }
        Ok(sums.map(|sum| sum / OUTCOMES as f32))
    }
}
