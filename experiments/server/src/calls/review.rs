//! `review`: every decision of a game judged, told as they are.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use azulejo::Seat;
use azulejo_agents::AgentSpec;
use azulejo_experiments::position::{LoggedMove, Position};
use azulejo_experiments::review::{JudgedDecision, Judging, MoveVerdict, SeatReview, judging_agent};
use azulejo_experiments::words::MistakeKind;
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::line::{ToldLineMove, tell_line};
use super::{Calls, Lines, read};
use crate::agents::read_agent;
use crate::answer::{Answer, CallError};
use crate::course::{Course, turn_in_json};
use crate::search::MOST_MS;

/// The longest that a review may take: searches for a thousand decisions.
const MOST_TIME: Duration = Duration::from_secs(3600);
/// The most simulations for a decision.
const MOST_SIMULATIONS: u64 = 1_000_000;

/// Who judges, and what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewRequest {
    course: Course,
    agent: String,
    /// Milliseconds for a search; a decision takes up to three.
    #[serde(default)]
    time_ms: Option<u64>,
    /// Simulations for a search.
    #[serde(default)]
    sims: Option<u64>,
    #[serde(default)]
    seed: u64,
}

/// What is said of a move.
#[derive(Serialize)]
struct ReviewLine {
    ply: usize,
    seat: Value,
    #[serde(rename = "move")]
    token: String,
    words: String,
    /// What each seat can expect before the move; empty where it was not judged.
    wins: Vec<f32>,
    leads: Vec<f32>,
    /// What would have been better; null where nothing would.
    best: Option<BetterMove>,
    loss: Option<f32>,
    points_lost: Option<f32>,
    mark: Option<&'static str>,
    /// Of which kind a mistake is; null where the move is none.
    kind: Option<MistakeKind>,
}

/// What would have been better.
#[derive(Serialize)]
struct BetterMove {
    action: String,
    words: String,
    line: Vec<String>,
    line_in_words: Vec<ToldLineMove>,
    win: Option<f32>,
    lead: Option<f32>,
}

/// The last line.
#[derive(Serialize)]
struct ReviewEnd {
    done: bool,
    agent: String,
    summary: Vec<SeatReview>,
}

/// Lines in the order of moves, though these are judged in any.
struct InOrder<'a> {
    lines: &'a Lines,
    log: &'a [LoggedMove],
    /// The position before the move that is told next.
    position: Box<dyn Position>,
    waiting: BTreeMap<usize, Option<MoveVerdict>>,
}

impl InOrder<'_> {
    fn judged(&mut self, ply: usize, verdict: Option<&MoveVerdict>) {
        self.waiting.insert(ply, verdict.cloned());
        while let Some(verdict) = self.waiting.remove(&self.position.plies()) {
            let logged = &self.log[self.position.plies()];
            self.lines.write(&line(&*self.position, logged, verdict.unwrap_or_default()));
            self.position.play_token(&logged.token).expect("the game has been played so");
        }
    }
}

/// What is told of a move that was played in a position.
fn line(position: &dyn Position, logged: &LoggedMove, verdict: MoveVerdict) -> ReviewLine {
    let best = verdict.best.clone().filter(|best| *best != logged.token);
    let kind = position.mistake_kind(&logged.token, &verdict);
    ReviewLine {
        ply: logged.ply,
        seat: turn_in_json(logged.turn),
        token: logged.token.clone(),
        words: logged.words.clone(),
        best: best.map(|action| BetterMove {
            words: position.action_in_words(&action).unwrap_or_default(),
            line: verdict.line.clone(),
            line_in_words: tell_line(position, &verdict.line),
            win: verdict.win,
            lead: verdict.lead,
            action,
        }),
        loss: verdict.loss,
        points_lost: verdict.points_lost,
        mark: verdict.mark().map(|mark| mark.in_words()),
        kind,
        wins: verdict.values.iter().map(|value| f32::midpoint(*value, 1.0)).collect(),
        leads: verdict.leads,
    }
}

/// The agent as it is to judge.
fn judge(request: &ReviewRequest) -> Result<AgentSpec, CallError> {
    let mut agent = read_agent(&request.agent)?;
    for (key, number, most) in [("time", request.time_ms, MOST_MS), ("sims", request.sims, MOST_SIMULATIONS)]
    {
        let Some(number) = number else { continue };
        if !(1..=most).contains(&number) {
            let key = if key == "time" { "time_ms" } else { key };
            return Err(CallError::bad(format!("{key}: found {number}, expected 1 to {most}")));
        }
        agent.set(key, &number.to_string()).map_err(CallError::bad)?;
    }
    Ok(judging_agent(&agent))
}

/// Lets an agent judge every decision, as `azulejo replay --analyze` does.
pub(super) async fn review(calls: &Calls, body: &Bytes) -> Result<Answer, CallError> {
    let request: ReviewRequest = read(body)?;
    let (agent, seed) = (judge(&request)?, request.seed);
    let (_, position) = calls.read_course(request.course).await?;
    calls.line_by_line(MOST_TIME, move |lines: &Lines, stop: &AtomicBool| {
        let log = position.log();
        let position_before = position.beginning();
        let order =
            Mutex::new(InOrder { lines, log: &log, position: position_before, waiting: BTreeMap::new() });
        let judged = |ply, verdict: Option<&MoveVerdict>| {
            order.lock().expect("nobody panics with it").judged(ply, verdict);
        };
        let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let judging = Judging { seed, threads, stop, judged: &judged };
        let verdicts = position.judge(&agent, &judging).map_err(CallError::bad)?;
        let decisions = decisions(&*position, &log, &verdicts);
        let seats = Seat::all(position.players());
        let summary = seats.map(|seat| SeatReview::of(seat, decisions.iter().copied())).collect();
        lines.write(&ReviewEnd { done: true, agent: agent.to_string(), summary });
        Ok(())
    })
}

/// The decisions of a game that were judged, mistakes with their kinds.
fn decisions<'a>(
    position: &dyn Position,
    log: &[LoggedMove],
    verdicts: &'a [Option<MoveVerdict>],
) -> Vec<JudgedDecision<'a>> {
    let mut before = position.beginning();
    let mut decisions = Vec::new();
    for (logged, verdict) in log.iter().zip(verdicts) {
        if let Some(verdict) = verdict {
            decisions.push((logged.turn, verdict, before.mistake_kind(&logged.token, verdict)));
        }
        before.play_token(&logged.token).expect("the game has been played so");
    }
    decisions
}
