//! Judges every decision of a recorded game.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::{History, Move, Ply, Turn};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Decision, Playable, SearchSummary};
use rayon::prelude::*;
use thiserror::Error;

use super::analyst::{Analyst, AnalystError};
use super::verdict::MoveVerdict;
use crate::{Stream, ThreadsError, thread_pool};

/// Why a game cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JudgeError {
    /// The agent cannot be built.
    #[error(transparent)]
    Spec(#[from] AgentSpecError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The agent does not say what a position is worth.
    #[error("move {ply}: {why}")]
    Agent {
        /// The number of the move, from 0.
        ply: usize,
        /// Why.
        why: AnalystError,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

/// How a game is judged.
pub struct Judging<'a> {
    /// The seed of random numbers.
    pub seed: u64,
    /// Decisions that are judged at once.
    pub threads: NonZeroUsize,
    /// Set to give up.
    pub stop: &'a AtomicBool,
    /// Is told of each move that has been looked at, in no order, with its verdict, if there is one.
    pub judged: &'a (dyn Fn(usize, Option<&MoveVerdict>) + Sync),
}

/// The weight of the lead in points in a judge's utility: much less than that of the win, but where the win is decided it says
/// which move is best.
const JUDGING_MARGIN: &str = "0.2";

/// The agent as a judge: with little weight of the lead in points, unless the spec says how much there is to be.
pub fn judging_agent(agent: &AgentSpec) -> AgentSpec {
    let mut judge = agent.clone();
    // An agent that has no such parameter stays as it is.
    let known = !agent.to_string().contains("margin=") && judge.set("margin", JUDGING_MARGIN).is_ok();
    if known { judge } else { agent.clone() }
}

/// Judges the decision at each ply of a game.
///
/// The agent searches for the best action. If another one was played, it also searches both states that
/// follow, with the same effort, and the differences for the player to move are the losses of the win and in points. A state
/// at a chance node is worth the mean over drawn outcomes, the same draws for both. Every decision has random numbers of
/// its own, so the verdicts do not depend on the number of threads.
///
/// # Errors
/// An agent that cannot be built, does not answer or has no values, threads that the system does not start, or a caller that
/// has asked to stop.
pub fn judge<G: Playable>(
    agent: &AgentSpec,
    history: &History<G>,
    judging: &Judging<'_>,
) -> Result<Vec<Option<MoveVerdict>>, JudgeError> {
    let Judging { seed, threads, stop, judged } = *judging;
    let pool = thread_pool(threads)?;
    let judge = |analyst: &mut Result<Box<dyn Agent<G>>, AgentSpecError>, (ply, it): (usize, &Ply<'_, G>)| {
        let analyst = analyst.as_mut().map_err(|error| error.clone())?;
        let seed = Stream::Review.seed(seed, &[ply as u64]);
        let mut analyst = Analyst { spec: agent, agent: analyst.as_mut(), seed, stop: Some(stop) };
        let verdict = verdict(&mut analyst, it).map_err(|why| JudgeError::Agent { ply, why })?;
        if stop.load(Ordering::Relaxed) {
            return Err(JudgeError::Stopped);
        }
        judged(ply, verdict.as_ref());
        Ok(verdict)
    };
    let (judge, plies) = (&judge, history.replay().collect::<Vec<_>>());
    pool.install(|| {
        plies.par_iter().enumerate().map_init(|| agent.build(), |analyst, it| judge(analyst, it)).collect()
    })
}

/// The verdict on a move; none at chance nodes, and where an agent that searches has none because there was no choice.
fn verdict<G: Playable>(
    analyst: &mut Analyst<'_, G>,
    Ply { before, played, after }: &Ply<'_, G>,
) -> Result<Option<MoveVerdict>, AnalystError> {
    let Turn::Player(mover) = before.turn() else { return Ok(None) };
    let Decision { action, search } = analyst.analyze(before, 0)?;
    let Some(search) = search.filter(SearchSummary::has_values) else { return Ok(None) };
    let [loss, points_lost] = if **played == Move::Action(action) {
        [0.0; 2]
    } else {
        let mut best = *before;
        best.apply(action);
        let (best, after) = (analyst.outlook(&best)?, analyst.outlook(after)?);
        [best.wins[mover] - after.wins[mover], best.leads[mover] - after.leads[mover]]
    };
    // Tenths of a percent and hundredths of a point: marks go by what is shown.
    let rounded = |loss: f32, steps: f32| ((steps * loss).round() / steps).max(0.0);
    Ok(Some(MoveVerdict {
        values: search.wins.as_slice().iter().map(|win| 2.0 * win - 1.0).collect(),
        visits: search.visits.iter().map(|(action, count)| (action.to_string(), *count)).collect(),
        leads: search.leads.as_slice().to_vec(),
        best: Some(action.to_string()),
        win: search.candidates.first().map(|best| best.win),
        lead: search.candidates.first().map(|best| best.lead),
        line: search.line().iter().map(ToString::to_string).collect(),
        loss: Some(rounded(loss, 1000.0)),
        points_lost: Some(rounded(points_lost, 100.0)),
    }))
}
