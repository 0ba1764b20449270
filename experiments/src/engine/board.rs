//! A position of any game behind one small interface, with the agent that thinks about it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use azulejo::{Game, GameSpec, Generator, MoveError, PerPlayer, SpecError, StateError, Turn, excerpt};
use azulejo_agents::{
    Agent, AgentSpec, AgentSpecError, Limits, Move, Playable, PlayableVisitor, SearchSummary, visit_playable,
};
use serde_json::Value;
use thiserror::Error;

/// A position that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PositionError {
    #[error("illegal move {token} at {ply}: {why}")]
    Move { token: String, ply: usize, why: MoveError },
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// Where a position begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// At the start of a game of this many players.
    Game(usize),
    /// At a state's JSON object.
    State(&'a Value),
}

/// Who thinks, with which random numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thinking {
    /// The agent.
    pub agent: AgentSpec,
    /// The seed from which it begins each game.
    pub seed: u64,
}

/// The limits of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchLimits {
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

/// A search that is ready to run on some thread: gives the lines to print, the last one `bestmove …` or
/// `error …`.
pub(super) type Search = Box<dyn FnOnce(&AtomicBool) -> Vec<String> + Send>;

/// A position of a game that is known at run time. `set` keeps the former position if it fails.
pub(super) trait Board {
    fn game(&self) -> GameSpec;
    fn set(&mut self, start: Start<'_>, moves: &[&str]) -> Result<(), PositionError>;
    fn turn(&self) -> Turn;
    fn legal(&self) -> Vec<String>;
    fn state(&self) -> String;
    fn scores(&self) -> PerPlayer<i16>;
    /// The shares of the win; `None` while the game runs.
    fn wins(&self) -> Option<PerPlayer<f64>>;
    /// A chance outcome; `None` if the state is not at a chance node.
    fn sample(&self, rng: &mut Generator) -> Option<String>;
    /// Makes the agent forget the game.
    fn forget(&mut self);
    fn search(&mut self, thinking: &Thinking, limits: SearchLimits) -> Result<Search, AgentSpecError>;
}

/// The start of a game.
pub(super) fn new_board(game: GameSpec, players: usize) -> Box<dyn Board> {
    visit_playable(game, NewBoard { game, players })
}

struct NewBoard {
    game: GameSpec,
    players: usize,
}

impl PlayableVisitor for NewBoard {
    type Output = Box<dyn Board>;

    fn visit<G: Playable>(self, rules: &'static G::Rules) -> Self::Output {
        let line = Line { start: G::new(rules, self.players), moves: Vec::new() };
        Box::new(GameBoard { game: self.game, rules, state: line.start, line, thinker: Arc::default() })
    }
}

/// A start and the moves played from there.
#[derive(Clone, Debug, PartialEq)]
struct Line<G: Game> {
    start: G,
    moves: Vec<Move<G>>,
}

struct GameBoard<G: Playable> {
    game: GameSpec,
    rules: &'static G::Rules,
    line: Line<G>,
    state: G,
    /// Shared with the thread that searches; nobody else touches it meanwhile.
    thinker: Arc<Mutex<Option<Thinker<G>>>>,
}

/// An agent and the line of play that it has seen.
struct Thinker<G: Game> {
    thinking: Thinking,
    agent: Box<dyn Agent<G>>,
    line: Option<Line<G>>,
}

fn play<G: Game>(state: &mut G, token: &str) -> Result<Move<G>, MoveError> {
    let turn = state.turn();
    state.play_token(token)?;
    Ok(match turn {
        Turn::Chance => Move::Chance(token.parse()?),
        _ => Move::Action(token.parse()?),
    })
}

impl<G: Playable> Board for GameBoard<G> {
    fn game(&self) -> GameSpec {
        self.game
    }

    fn set(&mut self, start: Start<'_>, tokens: &[&str]) -> Result<(), PositionError> {
        let start = match start {
            Start::Game(players) => G::new(self.rules, players),
            Start::State(json) => G::from_json(self.rules, json)?,
        };
        let mut state = start;
        let moves = tokens.iter().enumerate().map(|(ply, token)| {
            play(&mut state, token).map_err(|why| PositionError::Move { token: excerpt(token), ply, why })
        });
        let moves = moves.collect::<Result<_, _>>()?;
        self.line = Line { start, moves };
        self.state = state;
        Ok(())
    }

    fn turn(&self) -> Turn {
        self.state.turn()
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        self.state.legal_actions(&mut legal);
        legal.iter().map(ToString::to_string).collect()
    }

    fn state(&self) -> String {
        serde_json::to_string(&self.state).expect("a state has only plain values and text keys")
    }

    fn scores(&self) -> PerPlayer<i16> {
        self.state.scores()
    }

    fn wins(&self) -> Option<PerPlayer<f64>> {
        (self.state.turn() == Turn::Over).then(|| self.state.wins())
    }

    fn sample(&self, rng: &mut Generator) -> Option<String> {
        (self.state.turn() == Turn::Chance).then(|| self.state.sample_chance(rng).to_string())
    }

    fn forget(&mut self) {
        if let Some(thinker) = &mut *lock(&self.thinker) {
            thinker.line = None;
        }
    }

    fn search(&mut self, thinking: &Thinking, limits: SearchLimits) -> Result<Search, AgentSpecError> {
        let mut thinker = lock(&self.thinker);
        match &mut *thinker {
            Some(thinker) if thinker.thinking == *thinking => {}
            // The same agent from another seed: it starts afresh.
            Some(thinker) if thinker.thinking.agent == thinking.agent => {
                (thinker.thinking.seed, thinker.line) = (thinking.seed, None);
            }
            _ => {
                let agent = thinking.agent.build()?;
                *thinker = Some(Thinker { thinking: thinking.clone(), agent, line: None });
            }
        }
        let (shared, line, state) = (self.thinker.clone(), self.line.clone(), self.state);
        Ok(Box::new(move |stop| {
            let mut thinker = lock(&shared);
            // An agent that panics is not used again: it is put back only when it has answered.
            let Some(mut working) = thinker.take() else { return vec!["error no agent".to_owned()] };
            let lines = working.think(line, &state, limits, stop);
            *thinker = Some(working);
            lines
        }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game> Thinker<G> {
    fn think(&mut self, line: Line<G>, state: &G, limits: SearchLimits, stop: &AtomicBool) -> Vec<String> {
        self.follow(line);
        let limits = Limits { nodes: limits.nodes, time: limits.time, stop: Some(stop) };
        match self.agent.choose(state, &limits) {
            Ok(decision) => match state.check_action(decision.action) {
                Ok(()) => {
                    let info = decision.search.as_ref().map(info_line);
                    info.into_iter().chain([format!("bestmove {}", decision.action)]).collect()
                }
                Err(why) => vec![format!("error the agent chose {}: {why}", decision.action)],
            },
            Err(error) => vec![format!("error {error}")],
        }
    }

    /// Tells the agent the moves that it has not seen; a line that does not go on with the last one is a new
    /// game.
    fn follow(&mut self, line: Line<G>) {
        let seen = match &self.line {
            Some(seen) if seen.start == line.start && line.moves.starts_with(&seen.moves) => seen.moves.len(),
            _ => {
                self.agent.new_game(self.thinking.seed);
                0
            }
        };
        line.moves[seen..].iter().for_each(|played| self.agent.observe(played));
        self.line = Some(line);
    }
}

/// What a search found, as an `info` line.
fn info_line<G: Game>(search: &SearchSummary<G>) -> String {
    let millis = search.time.as_millis();
    let mut info = format!("info depth {} nodes {} time {millis}", search.depth, search.nodes);
    let seconds = search.time.as_secs_f64();
    if seconds > 0.0 {
        info += &format!(" nps {:.0}", search.nodes as f64 / seconds);
    }
    info += " score";
    search.values.as_slice().iter().for_each(|value| info += &format!(" {value:.4}"));
    if !search.line.is_empty() {
        info += " pv";
        search.line.iter().for_each(|action| info += &format!(" {action}"));
    }
    info
}
