//! A position of any game by one small interface, with the agent that thinks about it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use azulejo::{
    Game, GameSpec, Generator, History, IllegalMove, PerPlayer, SpecError, StateError, Turn, with_game,
};
use azulejo_agents::protocol::{CandidateInfo, ProtocolReply, SearchInfo, SearchLimits};
use azulejo_agents::{AgentSpec, AgentSpecError, Decision, Limits, Playable, SearchSummary};
use serde_json::Value;
use thiserror::Error;

use crate::following_agent::FollowingAgent;
use crate::game_loop::FaultReason;

/// A position that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PositionError {
    #[error(transparent)]
    Move(#[from] IllegalMove),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("position state: {0}")]
    Json(String),
}

/// Where a position begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum PositionStart<'a> {
    /// At the start of a game of this many players.
    Game(usize),
    /// At a state's JSON object.
    State(&'a Value),
}

/// Who thinks, with which random numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thinking {
    pub agent: AgentSpec,
    /// The seed from which it begins each game.
    pub seed: u64,
}

/// A search that is ready to run on some thread until the flag is set. It hands out lines to print as it goes on, and returns
/// those of its end, the last one `bestmove …` or `error …`.
pub(super) type SearchTask = Box<dyn FnOnce(&AtomicBool, &dyn Fn(Vec<String>)) -> Vec<String> + Send>;

/// A position of a game that is known at run time. `set` keeps the former position if it fails.
pub(super) trait ProtocolBoard {
    fn game(&self) -> GameSpec;
    fn set(&mut self, start: PositionStart<'_>, moves: &[&str]) -> Result<(), PositionError>;
    fn turn(&self) -> Turn;
    fn legal(&self) -> Vec<String>;
    fn state(&self) -> String;
    fn scores(&self) -> PerPlayer<i16>;
    /// The shares of the win; `None` while the game runs.
    fn wins(&self) -> Option<PerPlayer<f64>>;
    /// A chance outcome; `None` if the state is not at a chance node.
    fn sample(&self, rng: &mut Generator) -> Option<String>;
    /// The active features in ascending order; `None` if the game has no features.
    fn features(&self) -> Option<Vec<u16>>;
    /// The legal actions with their outputs; `None` if the game has no outputs.
    fn outputs(&self) -> Option<Vec<(String, usize)>>;
    /// Makes the agent forget the game.
    fn forget(&mut self);
    fn search(&mut self, thinking: &Thinking, limits: SearchLimits) -> Result<SearchTask, AgentSpecError>;
}

/// The start of a game.
pub(super) fn new_board(game: GameSpec, players: usize) -> Box<dyn ProtocolBoard> {
    with_game!(game, |rules: &'static G::Rules| {
        let history = History::<G>::new(rules, players);
        Box::new(GameBoard { game, rules, history, engine: Arc::default() })
    })
}

struct GameBoard<G: Playable> {
    game: GameSpec,
    rules: &'static G::Rules,
    history: History<G>,
    /// Shared with the thread that searches; nobody else touches it meanwhile.
    engine: Arc<Mutex<Option<ThinkingAgent<G>>>>,
}

/// The engine's agent, with the settings that it was built from.
struct ThinkingAgent<G: Game> {
    thinking: Thinking,
    agent: FollowingAgent<G>,
}

impl<G: Playable> ProtocolBoard for GameBoard<G> {
    fn game(&self) -> GameSpec {
        self.game
    }

    fn set(&mut self, start: PositionStart<'_>, tokens: &[&str]) -> Result<(), PositionError> {
        let mut history = match start {
            PositionStart::Game(players) => History::new(self.rules, players),
            PositionStart::State(json) => History::from_state(G::from_json(self.rules, json)?),
        };
        history.push_tokens(tokens)?;
        self.history = history;
        Ok(())
    }

    fn turn(&self) -> Turn {
        self.history.state().turn()
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        self.history.state().legal_actions(&mut legal);
        legal.iter().map(ToString::to_string).collect()
    }

    fn state(&self) -> String {
        serde_json::to_string(self.history.state()).expect("a state has only plain values and text keys")
    }

    fn scores(&self) -> PerPlayer<i16> {
        self.history.state().scores()
    }

    fn wins(&self) -> Option<PerPlayer<f64>> {
        (self.history.state().turn() == Turn::Over).then(|| self.history.state().wins())
    }

    fn sample(&self, rng: &mut Generator) -> Option<String> {
        (self.history.state().turn() == Turn::Chance)
            .then(|| self.history.state().sample_chance(rng).to_string())
    }

    fn features(&self) -> Option<Vec<u16>> {
        let mut active = Vec::new();
        self.history.state().encode(&mut active);
        active.sort_unstable();
        (G::FEATURES > 0).then_some(active)
    }

    fn outputs(&self) -> Option<Vec<(String, usize)>> {
        let (state, mut legal) = (self.history.state(), Vec::new());
        state.legal_actions(&mut legal);
        let outputs = legal.iter().map(|&action| (action.to_string(), state.output(action)));
        (G::OUTPUTS > 0).then(|| outputs.collect())
    }

    fn forget(&mut self) {
        if let Some(engine) = &mut *lock(&self.engine) {
            engine.agent.forget();
        }
    }

    fn search(&mut self, thinking: &Thinking, limits: SearchLimits) -> Result<SearchTask, AgentSpecError> {
        let mut engine = lock(&self.engine);
        match &mut *engine {
            Some(engine) if engine.thinking == *thinking => {}
            Some(engine) if engine.thinking.agent == thinking.agent => {
                engine.thinking.seed = thinking.seed;
                engine.agent.reseed(thinking.seed);
            }
            _ => {
                let agent = FollowingAgent::new(&thinking.agent, thinking.seed)?;
                *engine = Some(ThinkingAgent { thinking: thinking.clone(), agent });
            }
        }
        let (shared, history) = (self.engine.clone(), self.history.clone());
        Ok(Box::new(move |stop, tell| {
            let mut engine = lock(&shared);
            // An agent that panics is not used again: it is put back only when it has answered.
            let Some(mut working) = engine.take() else {
                return vec![ProtocolReply::Error("no agent").to_string()];
            };
            let SearchLimits { nodes, time, cpu, infinite, multipv } = limits;
            let nodes = if infinite { Some(u64::MAX) } else { nodes };
            let candidates = multipv.map_or(0, |count| usize::try_from(count).unwrap_or(usize::MAX));
            let limits = Limits { nodes, time, cpu, stop: Some(stop), candidates };
            let told = |search: &SearchSummary<G>| findings(search, candidates > 0);
            let decision = match infinite || candidates > 0 {
                true => working.agent.choose_watched(&history, &limits, &mut |search| tell(told(search))),
                false => working.agent.choose(&history, &limits),
            };
            let lines = answer(decision, told);
            *engine = Some(working);
            // Also a search that has nothing more to find answers when it is told to.
            while infinite && !stop.load(Ordering::Relaxed) {
                thread::sleep(NAP);
            }
            lines
        }))
    }
}

/// The time between two looks whether a search that has ended may answer.
const NAP: Duration = Duration::from_millis(5);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines that tell what a search has found, with its candidates if they were asked for.
fn findings<G: Game>(search: &SearchSummary<G>, with_candidates: bool) -> Vec<String> {
    let info = search.has_values().then(|| SearchInfo::from(search).to_string());
    let candidates = if with_candidates { &search.candidates[..] } else { &[] };
    let candidates = CandidateInfo::of(candidates).map(|info| info.to_string());
    info.into_iter().chain(candidates).map(|text| ProtocolReply::Info(&text).to_string()).collect()
}

/// The lines that answer a search.
fn answer<G: Game>(
    decision: Result<Decision<G>, FaultReason>,
    findings: impl Fn(&SearchSummary<G>) -> Vec<String>,
) -> Vec<String> {
    match decision {
        Ok(decision) => {
            let best = ProtocolReply::BestMove(&decision.action.to_string()).to_string();
            decision.search.iter().flat_map(findings).chain([best]).collect()
        }
        Err(error) => {
            let problem = match error {
                FaultReason::Illegal { action, why } => format!("the agent chose {action}: {why}"),
                FaultReason::Agent(_) | FaultReason::Crash(_) => error.to_string(),
            };
            vec![ProtocolReply::Error(&problem).to_string()]
        }
    }
}
