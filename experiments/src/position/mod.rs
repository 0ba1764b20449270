//! A position of any game, with the moves that led to it, by one small interface, for those who know no type parameters:
//! Python, and a page in a browser.

mod agent;
mod log;

use std::any::Any;
use std::fmt::Display;

use azulejo::StateError;
use azulejo::record::End;
use azulejo::{Game, GameSpec, History, Indexed, Move, MoveError, PerPlayer, Record, Turn, with_game};
use azulejo_agents::{AgentSpec, Playable};
use serde_json::Value;

pub use agent::{Found, FoundAction, FoundBySearch, PositionAgent, agent};
pub use log::LoggedMove;

use crate::game_loop::Deals;
use crate::review::{self, JudgeError, Judging, MoveVerdict};
use crate::score_sources::{ScoreBreakdown, ScoreSources};
use crate::words::{GameWords, MistakeKind, Topic};

/// What a state of any game can be asked and told. Nothing here panics, whatever it is told.
pub trait Position: Send + Sync {
    /// The number of players.
    fn players(&self) -> usize;
    /// The round, from 1.
    fn round(&self) -> u32;
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// The points so far.
    fn scores(&self) -> PerPlayer<i16>;
    /// The shares of the win; `None` while the game runs.
    fn wins(&self) -> Option<PerPlayer<f64>>;
    /// The legal actions in the engine's order.
    fn legal(&self) -> Vec<String>;
    /// Their numbers in the action index, in the same order.
    fn legal_indices(&self) -> Vec<usize>;
    /// Their outputs, in the same order.
    fn legal_outputs(&self) -> Vec<usize>;
    /// Plays a move by its token.
    ///
    /// # Errors
    /// If it is malformed or not allowed; nothing changes.
    fn play_token(&mut self, token: &str) -> Result<(), MoveError>;
    /// Plays an action by its number in the action index, which has to exist.
    ///
    /// # Errors
    /// If it is not allowed; nothing changes.
    fn play_index(&mut self, index: usize) -> Result<(), MoveError>;
    /// The tokens of the moves so far.
    fn moves(&self) -> Vec<String>;
    /// The number of moves so far.
    fn plies(&self) -> usize;
    /// Takes back the last move and returns its token; `None` at the start.
    fn undo(&mut self) -> Option<String>;
    /// The outcome of this chance node that the program deals in a game of this number in a run of this seed;
    /// `None` if the state is not at a chance node.
    fn deal(&self, seed: u64, game: u64) -> Option<String>;
    /// The active features in ascending order.
    fn features(&self) -> Vec<u16>;
    /// The active features, and those that tell places, in ascending order.
    fn observation(&self) -> Vec<u16>;
    /// The seat from whose point of view features describe the state.
    fn viewpoint(&self) -> usize;
    /// The state as one line of JSON.
    fn json(&self) -> String;
    /// The state in which the history began.
    fn start_json(&self) -> String;
    /// The state drawn as text.
    fn text(&self) -> String;
    /// The state's hash.
    fn key(&self) -> u64;
    /// Whether it is the same state of the same game; the moves that led to it do not count.
    fn equals(&self, other: &dyn Position) -> bool;
    /// What each legal action does, in words, in the same order.
    fn legal_in_words(&self) -> Vec<String>;
    /// What an action does; `None` if it is not legal.
    fn action_in_words(&self, token: &str) -> Option<String>;
    /// What each move of a line that begins here does, in words, with whose move it is; it ends at the first one that cannot be
    /// played.
    fn line_in_words(&self, line: &[String]) -> Vec<(Turn, String)>;
    /// The kind of the mistake that an action is by a verdict; `None` if it is none.
    fn mistake_kind(&self, played: &str, verdict: &MoveVerdict) -> Option<MistakeKind>;
    /// What the state waits for, in words.
    fn task(&self) -> &'static str;
    /// What a person is told of the game.
    fn guide(&self, topic: Topic) -> Vec<String>;
    /// All moves in order.
    fn log(&self) -> Vec<LoggedMove>;
    /// Where the points so far came from.
    fn breakdown(&self) -> ScoreBreakdown;
    /// Lets an agent judge every decision.
    ///
    /// # Errors
    /// As [`review::judge`].
    fn judge(&self, agent: &AgentSpec, judging: &Judging<'_>)
    -> Result<Vec<Option<MoveVerdict>>, JudgeError>;
    /// The record of the game so far: finished, or truncated here.
    fn record(&self, agents: Vec<String>, seed: u64) -> Record;
    /// The position in which the history began, without moves.
    fn beginning(&self) -> Box<dyn Position>;
    /// A copy with its moves.
    fn copy(&self) -> Box<dyn Position>;
    /// The history itself.
    fn as_any(&self) -> &dyn Any;
}

/// The start of a game, whose number of players has been checked.
pub fn start(game: GameSpec, players: usize) -> Box<dyn Position> {
    with_game!(game, |rules: &'static G::Rules| Box::new(History::<G>::new(rules, players)))
}

/// The state that a JSON object describes, and its game.
///
/// # Errors
/// What is wrong with it.
pub fn read(json: &Value) -> Result<(GameSpec, Box<dyn Position>), StateError> {
    let game = GameSpec::of_state(json)?;
    let position: Box<dyn Position> = with_game!(game, |rules: &'static G::Rules| {
        Box::new(History::from_state(G::from_json(rules, json)?))
    });
    Ok((game, position))
}

/// The numbers of a game that do not depend on the state.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Actions in the action index.
    pub actions: usize,
    /// No state has more legal actions.
    pub max_legal: usize,
    /// Features that networks see.
    pub features: usize,
    /// Features that tell places.
    pub places: usize,
    /// No state has more active features.
    pub max_active: usize,
    /// Outputs of networks for actions.
    pub outputs: usize,
    /// Parts from which outputs are put together.
    pub parts: usize,
}

impl Sizes {
    /// Those of a game.
    pub fn of(game: GameSpec) -> Self {
        with_game!(game, |_rules: &'static G::Rules| sizes::<G>())
    }
}

/// The numbers of a game that is known at compile time.
pub fn sizes<G: Playable>() -> Sizes {
    Sizes {
        actions: G::Action::COUNT,
        max_legal: G::MAX_LEGAL,
        features: G::FEATURES,
        places: G::PLACES,
        max_active: G::MAX_ACTIVE,
        outputs: G::OUTPUTS,
        parts: G::PARTS,
    }
}

/// Something that is said of each legal action, in the engine's order.
fn each_legal<G: Game, T>(state: &G, say: impl Fn(G::Action) -> T) -> Vec<T> {
    let mut legal = Vec::new();
    state.legal_actions(&mut legal);
    legal.into_iter().map(say).collect()
}

fn tokens(items: impl IntoIterator<Item = impl Display>) -> Vec<String> {
    items.into_iter().map(|item| item.to_string()).collect()
}

fn json_of<G: Game>(state: &G) -> String {
    serde_json::to_string(state).expect("a state has only plain values and text keys")
}

/// A game with what positions can be asked: agents play it, its points have sources, its moves words.
pub trait PositionGame: Playable + ScoreSources + GameWords {}

impl<G: Playable + ScoreSources + GameWords> PositionGame for G {}

impl<G: PositionGame> Position for History<G> {
    fn players(&self) -> usize {
        self.state().players()
    }

    fn round(&self) -> u32 {
        self.state().round()
    }

    fn turn(&self) -> Turn {
        self.state().turn()
    }

    fn scores(&self) -> PerPlayer<i16> {
        self.state().scores()
    }

    fn wins(&self) -> Option<PerPlayer<f64>> {
        (self.state().turn() == Turn::Over).then(|| self.state().wins())
    }

    fn legal(&self) -> Vec<String> {
        each_legal(self.state(), |action| action.to_string())
    }

    fn legal_indices(&self) -> Vec<usize> {
        each_legal(self.state(), Indexed::index)
    }

    fn legal_outputs(&self) -> Vec<usize> {
        each_legal(self.state(), |action| self.state().output(action))
    }

    fn play_token(&mut self, token: &str) -> Result<(), MoveError> {
        self.push_token(token).map(drop)
    }

    fn play_index(&mut self, index: usize) -> Result<(), MoveError> {
        self.push(Move::Action(G::Action::from_index(index)))
    }

    fn moves(&self) -> Vec<String> {
        tokens(self.moves())
    }

    fn plies(&self) -> usize {
        History::plies(self)
    }

    fn undo(&mut self) -> Option<String> {
        History::undo(self).map(|played| played.to_string())
    }

    fn deal(&self, seed: u64, game: u64) -> Option<String> {
        let nodes = self.moves().iter().filter(|played| matches!(played, Move::Outcome(_))).count();
        let outcome = || Deals::new(seed, game).at(nodes as u64, self.state());
        (self.state().turn() == Turn::Chance).then(|| outcome().to_string())
    }

    fn features(&self) -> Vec<u16> {
        let mut active = Vec::new();
        self.state().encode(&mut active);
        active.sort_unstable();
        active
    }

    fn observation(&self) -> Vec<u16> {
        let mut active = Vec::new();
        self.state().encode(&mut active);
        self.state().encode_places(&mut active);
        active.sort_unstable();
        active
    }

    fn viewpoint(&self) -> usize {
        self.state().viewpoint().index()
    }

    fn json(&self) -> String {
        json_of(self.state())
    }

    fn start_json(&self) -> String {
        json_of(self.start())
    }

    fn text(&self) -> String {
        self.state().to_string()
    }

    fn key(&self) -> u64 {
        self.state().key()
    }

    fn equals(&self, other: &dyn Position) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.state() == other.state())
    }

    fn legal_in_words(&self) -> Vec<String> {
        each_legal(self.state(), |action| self.state().action_in_words(action))
    }

    fn action_in_words(&self, token: &str) -> Option<String> {
        let action = token.parse().ok().filter(|&action| self.state().is_legal(action))?;
        Some(self.state().action_in_words(action))
    }

    fn line_in_words(&self, line: &[String]) -> Vec<(Turn, String)> {
        let (mut state, mut told) = (*self.state(), Vec::new());
        for token in line {
            let mut next = state;
            let Ok(played) = next.play_token(token) else { break };
            told.push((state.turn(), state.move_in_words(&played)));
            state = next;
        }
        told
    }

    fn mistake_kind(&self, played: &str, verdict: &MoveVerdict) -> Option<MistakeKind> {
        review::mistake_kind(self.state(), &Move::read(self.state(), played).ok()?, verdict)
    }

    fn task(&self) -> &'static str {
        self.state().task()
    }

    fn guide(&self, topic: Topic) -> Vec<String> {
        self.state().guide(topic)
    }

    fn log(&self) -> Vec<LoggedMove> {
        log::of(self)
    }

    fn breakdown(&self) -> ScoreBreakdown {
        ScoreBreakdown::of(self)
    }

    fn judge(
        &self,
        agent: &AgentSpec,
        judging: &Judging<'_>,
    ) -> Result<Vec<Option<MoveVerdict>>, JudgeError> {
        review::judge(agent, self, judging)
    }

    fn record(&self, agents: Vec<String>, seed: u64) -> Record {
        Record::new(self, End::at(self.state()), agents, seed, 0)
    }

    fn beginning(&self) -> Box<dyn Position> {
        Box::new(History::from_state(*self.start()))
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
