//! `analyse`: the best actions of a position, told again and again while an agent searches.

use std::sync::atomic::AtomicBool;

use azulejo_experiments::position::{FoundAction, FoundBySearch, Position, agent};
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};

use super::catalog::MOST_CANDIDATES;
use super::choose::{Thinker, check_turn};
use super::line::{ToldLineMove, tell_line};
use super::{Calls, Lines, read};
use crate::answer::{Answer, CallError};
use crate::course::Course;

/// Candidates where nothing is said.
const DEFAULT_CANDIDATES: usize = 5;

/// Who is asked, about what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyseRequest {
    course: Course,
    agent: String,
    #[serde(default)]
    time_ms: Option<u64>,
    /// How many of the best actions are told.
    #[serde(default)]
    multipv: Option<usize>,
    #[serde(default)]
    seed: u64,
}

/// What is known so far.
#[derive(Serialize)]
struct AnalyseLine {
    done: bool,
    visits: u64,
    ms: u64,
    candidates: Vec<Candidate>,
}

/// One of the best actions.
#[derive(Serialize)]
struct Candidate {
    action: String,
    words: String,
    visits: u32,
    win: f32,
    lead: f32,
    line: Vec<String>,
    line_in_words: Vec<ToldLineMove>,
}

impl Candidate {
    fn new(position: &dyn Position, found: FoundAction) -> Self {
        let FoundAction { action, visits, win, lead, line } = found;
        let words = position.action_in_words(&action).unwrap_or_default();
        let line_in_words = tell_line(position, &line);
        Candidate { action, words, visits, win, lead, line, line_in_words }
    }
}

impl AnalyseLine {
    fn new(done: bool, position: &dyn Position, found: FoundBySearch) -> Self {
        let candidates = found.candidates.into_iter().map(|it| Candidate::new(position, it)).collect();
        AnalyseLine { done, visits: found.nodes, ms: (1000.0 * found.seconds) as u64, candidates }
    }
}

/// Lets an agent search.
pub(super) async fn analyse(calls: &Calls, body: &Bytes) -> Result<Answer, CallError> {
    let AnalyseRequest { course, agent: spec, time_ms, multipv, seed } = read(body)?;
    let thinker = Thinker::read(&spec, time_ms)?;
    let candidates = multipv.unwrap_or(DEFAULT_CANDIDATES);
    if !(1..=MOST_CANDIDATES).contains(&candidates) {
        let problem = format!("multipv: found {candidates}, expected 1 to {MOST_CANDIDATES}");
        return Err(CallError::bad(problem));
    }
    let (game, position) = calls.read_course(course).await?;
    check_turn(&*position)?;
    let mut agent = agent(&thinker.spec, seed, game).map_err(CallError::bad)?;
    calls.line_by_line(thinker.most, move |lines: &Lines, stop: &AtomicBool| {
        let limits = thinker.limits(stop, candidates);
        let mut watch = |found| lines.write(&AnalyseLine::new(false, &*position, found));
        let found = agent.choose_watched(&*position, &limits, &mut watch).expect("it is built for this game");
        let found = found.map_err(CallError::bad)?;
        let unknown =
            || CallError::bad(format!("agent '{spec}' chooses without candidates, so it cannot analyze"));
        let search = found.search.filter(|search| search.values.is_some()).ok_or_else(unknown)?;
        lines.write(&AnalyseLine::new(true, &*position, search));
        Ok(())
    })
}
