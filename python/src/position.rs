//! A position of any game, with the moves that led to it, by one small interface: Python knows no type
//! parameters.

use std::any::Any;
use std::fmt::Display;

use azulejo::StateError;
use azulejo::{Game, GameSpec, History, Indexed, Move, MoveError, PerPlayer, Turn, with_game};
use azulejo_agents::Playable;
use azulejo_experiments::game_loop::Deals;
use pyo3::PyResult;
use serde_json::Value;

use crate::errors::{OrRaise, SpecError};

/// What a state of any game can be asked and told. Nothing here panics, whatever it is told.
pub(crate) trait Position: Send + Sync {
    fn players(&self) -> usize;
    fn round(&self) -> u32;
    fn turn(&self) -> Turn;
    fn scores(&self) -> PerPlayer<i16>;
    /// The shares of the win; `None` while the game runs.
    fn wins(&self) -> Option<PerPlayer<f64>>;
    /// The legal actions in the engine's order.
    fn legal(&self) -> Vec<String>;
    /// Their numbers in the action index, in the same order.
    fn legal_indices(&self) -> Vec<usize>;
    /// Their outputs, in the same order.
    fn legal_outputs(&self) -> Vec<usize>;
    fn play_token(&mut self, token: &str) -> Result<(), MoveError>;
    /// Plays an action by its number in the action index, which has to exist.
    fn play_index(&mut self, index: usize) -> Result<(), MoveError>;
    fn moves(&self) -> Vec<String>;
    fn plies(&self) -> usize;
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
    fn json(&self) -> String;
    /// The state in which the history began.
    fn start_json(&self) -> String;
    fn text(&self) -> String;
    fn key(&self) -> u64;
    /// Whether it is the same state of the same game; the moves that led to it do not count.
    fn equals(&self, other: &dyn Position) -> bool;
    fn copy(&self) -> Box<dyn Position>;
    fn as_any(&self) -> &dyn Any;
}

/// The start of a game, whose number of players has been checked.
pub(crate) fn start(game: GameSpec, players: usize) -> Box<dyn Position> {
    with_game!(game, |rules: &'static G::Rules| Box::new(History::<G>::new(rules, players)))
}

/// The state that a JSON object describes, and its game.
pub(crate) fn read(json: &Value) -> Result<(GameSpec, Box<dyn Position>), StateError> {
    let game = GameSpec::of_state(json)?;
    let position: Box<dyn Position> = with_game!(game, |rules: &'static G::Rules| {
        Box::new(History::from_state(G::from_json(rules, json)?))
    });
    Ok((game, position))
}

/// The numbers of a game that do not depend on the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub actions: usize,
    pub max_legal: usize,
    pub features: usize,
    pub places: usize,
    pub max_active: usize,
    pub outputs: usize,
    pub parts: usize,
}

impl Sizes {
    pub(crate) fn of(game: GameSpec) -> Self {
        with_game!(game, |_rules: &'static G::Rules| sizes::<G>())
    }
}

pub(crate) fn sizes<G: Playable>() -> Sizes {
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

impl<G: Playable> Position for History<G> {
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

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A number of players from Python, if the game seats so many.
pub(crate) fn read_players(game: GameSpec, players: i64) -> PyResult<usize> {
    let (least, most) = (GameSpec::PLAYERS.start(), GameSpec::PLAYERS.end());
    let number = usize::try_from(players)
        .map_err(|_| SpecError::new_err(format!("players: found {players}, expected {least} to {most}")));
    game.check_players(number?).or_raise(SpecError::new_err)
}
