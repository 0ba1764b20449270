//! `choose`: what an agent plays in a position.

use std::time::{Duration, Instant};

use azulejo::Turn;
use azulejo_agents::{AgentSpec, Limits};
use azulejo_experiments::position::{Position, agent};
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::{Calls, crashed, read};
use crate::agents::{read_agent, thinks_for_a_time};
use crate::answer::{Answer, CallError, told};
use crate::course::Course;
use crate::search::{MOST_MS, Search};

/// Milliseconds for a choice where nothing is said.
const DEFAULT_MS: u64 = 1000;

/// Who is asked, about what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChooseRequest {
    course: Course,
    agent: String,
    /// How long agents think that have no effort of their own, and the most that others may take.
    #[serde(default)]
    time_ms: Option<u64>,
    #[serde(default)]
    seed: u64,
}

/// What is played.
#[derive(Serialize)]
struct ChooseAnswer {
    action: String,
    words: String,
    win: Option<f32>,
    lead: Option<f32>,
    ms: u64,
    visits: u64,
}

/// An agent with the time that it has.
pub(super) struct Thinker {
    /// The agent.
    pub spec: AgentSpec,
    /// The longest time.
    pub most: Duration,
    /// How long it thinks; `None` if it has an effort of its own.
    pub time: Option<Duration>,
}

impl Thinker {
    /// The agent of a spec from outside that has so many milliseconds.
    pub(super) fn read(spec: &str, time_ms: Option<u64>) -> Result<Self, CallError> {
        let spec = read_agent(spec)?;
        if let Some(found) = time_ms.filter(|time| !(1..=MOST_MS).contains(time)) {
            return Err(CallError::bad(format!("time_ms: found {found}, expected 1 to {MOST_MS}")));
        }
        let timed = thinks_for_a_time(&spec);
        let time = timed.then(|| Duration::from_millis(time_ms.unwrap_or(DEFAULT_MS)));
        Ok(Thinker { spec, most: Duration::from_millis(time_ms.unwrap_or(MOST_MS)), time })
    }

    /// The limits of its search, which another thread can stop.
    pub(super) fn limits<'a>(
        &self,
        search: &'a std::sync::atomic::AtomicBool,
        candidates: usize,
    ) -> Limits<'a> {
        Limits { time: self.time, stop: Some(search), candidates, ..Limits::default() }
    }
}

/// Refuses a position in which nobody is to move.
pub(super) fn check_turn(position: &dyn Position) -> Result<(), CallError> {
    match position.turn() {
        Turn::Player(_) => Ok(()),
        Turn::Chance => Err(CallError::bad("the position is a chance node: no player is to move")),
        Turn::Over => Err(CallError::bad("the game is over: no player is to move")),
    }
}

/// Lets an agent choose.
pub(super) async fn choose(calls: &Calls, body: &Bytes) -> Result<Answer, CallError> {
    let request: ChooseRequest = read(body)?;
    let thinker = Thinker::read(&request.agent, request.time_ms)?;
    let place = calls.searches.take()?;
    let search = Search::at_most(thinker.most);
    let stop = search.stop.clone();
    let work = move || {
        let _place = place;
        let (game, position) = request.course.read()?;
        check_turn(&*position)?;
        let mut agent = agent(&thinker.spec, request.seed, game).map_err(CallError::bad)?;
        let began = Instant::now();
        let found = agent.choose(&*position, &thinker.limits(&stop, 0)).expect("it is built for this game");
        let found = found.map_err(CallError::bad)?;
        let seat = match position.turn() {
            Turn::Player(seat) => seat.index(),
            Turn::Chance | Turn::Over => 0,
        };
        let search = found.search.filter(|search| search.values.is_some());
        Ok(told(&ChooseAnswer {
            words: position.action_in_words(&found.action).unwrap_or_default(),
            action: found.action,
            win: search.as_ref().map(|search| search.wins[seat]),
            lead: search.as_ref().map(|search| search.leads[seat]),
            ms: began.elapsed().as_millis() as u64,
            visits: search.as_ref().map_or(0, |search| search.nodes),
        }))
    };
    let answer = spawn_blocking(work).await.map_err(crashed)?;
    drop(search);
    answer
}
