//! The Python class `State`.

use azulejo::{GameSpec, Turn};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::Value;

use crate::errors::{IllegalActionError, OrRaise, StateError, read_seed};
use crate::game::Game;
use azulejo_experiments::position::{self, Position, Sizes};

/// What pickle keeps: the function that makes the state again, with the start's JSON and the moves.
type Reduced = (Py<PyAny>, (String, Vec<String>));

/// A state of a game, with the moves that led to it.
///
/// States begin at :meth:`Game.new_initial_state` or :meth:`State.from_json`. Two are equal if they are the same
/// position of the same game, whatever moves led there. A state changes by :meth:`apply` and :meth:`undo`, and its
/// hash with it: do not change one that is in a set.
#[pyclass(module = "azulejo", name = "State")]
pub(crate) struct State {
    pub game: GameSpec,
    pub position: Box<dyn Position>,
}

impl State {
    pub(crate) fn new(game: GameSpec, position: Box<dyn Position>) -> Self {
        State { game, position }
    }

    fn apply_index(&mut self, index: i64) -> PyResult<()> {
        let actions = Sizes::of(self.game).actions;
        let number = usize::try_from(index).ok().filter(|&number| number < actions).ok_or_else(|| {
            let expected = format!("expected 0 to {}", actions - 1);
            IllegalActionError::new_err(format!("action index {index}: {expected}"))
        })?;
        if self.position.turn() == Turn::Chance {
            let problem =
                format!("action index {index}: the state is at a chance node, whose outcomes are tokens");
            return Err(IllegalActionError::new_err(problem));
        }
        self.position.play_index(number).or_raise(IllegalActionError::new_err)
    }
}

#[pymethods]
impl State {
    /// The state that a JSON object describes (a text, or what ``json.loads`` makes of it). Its moves are not
    /// known: its history begins there.
    #[staticmethod]
    fn from_json(json: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text: String = match json.cast::<PyString>() {
            Ok(text) => text.to_cow()?.into_owned(),
            Err(_) => json.py().import("json")?.call_method1("dumps", (json,))?.extract()?,
        };
        let json: Value = serde_json::from_str(&text).or_raise(StateError::new_err)?;
        let (game, position) = position::read(&json).or_raise(StateError::new_err)?;
        Ok(State { game, position })
    }

    /// The state after these moves, tokens with chance outcomes included, from the JSON state ``start``.
    #[staticmethod]
    fn from_moves(start: &Bound<'_, PyAny>, moves: Vec<String>) -> PyResult<Self> {
        let mut state = State::from_json(start)?;
        for (ply, token) in moves.iter().enumerate() {
            state.position.play_token(token).map_err(|why| {
                let token = azulejo::excerpt(token);
                IllegalActionError::new_err(azulejo::IllegalMove { token, ply, why }.to_string())
            })?;
        }
        Ok(state)
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.game, self.position.players())
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.position.players()
    }

    /// The current round, from 1.
    #[getter]
    fn round(&self) -> u32 {
        self.position.round()
    }

    /// Whose turn it is: a seat, from 0, or ``"chance"``, or ``"over"``.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.position.turn() {
            Turn::Player(seat) => seat.index().into_py_any(py),
            Turn::Chance => "chance".into_py_any(py),
            Turn::Over => "over".into_py_any(py),
        }
    }

    /// Whether the rules draw something at random next.
    #[getter]
    fn is_chance(&self) -> bool {
        self.position.turn() == Turn::Chance
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.turn() == Turn::Over
    }

    /// The points of each seat: so far while the game runs, final once it is over.
    #[getter]
    fn scores(&self) -> Vec<i16> {
        self.position.scores().as_slice().to_vec()
    }

    /// Each seat's share of the win, after tie-breaks; ``None`` while the game runs.
    #[getter]
    fn wins(&self) -> Option<Vec<f64>> {
        self.position.wins().map(|wins| wins.as_slice().to_vec())
    }

    /// The legal actions as tokens, in the engine's order; none at chance and over.
    fn legal_actions(&self) -> Vec<String> {
        self.position.legal()
    }

    /// The legal actions by their numbers in the action index, in the order of :meth:`legal_actions`.
    fn legal_indices(&self) -> Vec<usize> {
        self.position.legal_indices()
    }

    /// The outputs of the legal actions, in the order of :meth:`legal_actions`: the places of their logits in what
    /// a network answers. Actions that come to the same share one.
    fn legal_outputs(&self) -> Vec<usize> {
        self.position.legal_outputs()
    }

    /// Plays an action (a token, or its number in the action index) or, at a chance node, an outcome (a token).
    ///
    /// Raises IllegalActionError if it is malformed or not allowed; nothing has changed then.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(token) = action.cast::<PyString>() {
            let token = token.to_cow()?;
            return self.position.play_token(&token).or_raise(IllegalActionError::new_err);
        }
        match action.extract() {
            Ok(index) => self.apply_index(index),
            Err(_) => {
                let found = action.get_type().name()?;
                Err(PyTypeError::new_err(format!("found an action of type {found}, expected str or int")))
            }
        }
    }

    /// An outcome of this chance node, drawn with its probability: the one that the program deals there in game
    /// number ``game`` of a run with this seed. It is not applied.
    ///
    /// The number of earlier outcomes in the history counts, so that one seed serves a whole game.
    #[pyo3(signature = (seed, game = 0))]
    fn sample_chance(&self, #[pyo3(from_py_with = read_seed)] seed: u64, game: u64) -> PyResult<String> {
        let outcome = self.position.deal(seed, game);
        outcome.ok_or_else(|| IllegalActionError::new_err("the state is not at a chance node"))
    }

    /// The moves since the history began, chance outcomes included.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.position.moves()
    }

    /// The number of moves since the history began.
    #[getter]
    fn plies(&self) -> usize {
        self.position.plies()
    }

    /// Takes back the last move and returns it; ``None`` where the history begins.
    fn undo(&mut self) -> Option<String> {
        self.position.undo()
    }

    /// The active features in ascending order: what networks see, from the point of view of :attr:`viewpoint`.
    fn features(&self) -> Vec<u16> {
        self.position.features()
    }

    /// The seat from whose point of view features describe the state: the player to move.
    #[getter]
    fn viewpoint(&self) -> usize {
        self.position.viewpoint()
    }

    /// The active entries of the observation in ascending order: the features, and those that tell which factory
    /// or slot is which, without which the action index has no meaning.
    fn active(&self) -> Vec<u16> {
        self.position.observation()
    }

    /// The observation as an array of 0 and 1, ``uint8``, of ``game.observation_size`` entries.
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let sizes = Sizes::of(self.game);
        let row = PyArray1::zeros(py, sizes.features + sizes.places, false);
        let active = self.position.observation();
        fill(&row, active.into_iter().map(usize::from));
        row
    }

    /// Which entries of the action index are legal, as an array of 0 and 1, ``int8``.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let row = PyArray1::zeros(py, Sizes::of(self.game).actions, false);
        fill(&row, self.position.legal_indices());
        row
    }

    /// The state as one line of JSON.
    fn to_json(&self) -> String {
        self.position.json()
    }

    /// A copy with its history.
    fn clone(&self) -> Self {
        State { game: self.game, position: self.position.copy() }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<Reduced> {
        let state = slf.borrow();
        let make = slf.get_type().getattr("from_moves")?.unbind();
        Ok((make, (state.position.start_json(), state.position.moves())))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position.equals(&*other.position)
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __str__(&self) -> String {
        self.position.text()
    }

    fn __repr__(&self) -> String {
        let turn = match self.position.turn() {
            Turn::Player(seat) => format!("seat {seat} to move"),
            Turn::Chance => "at a chance node".to_owned(),
            Turn::Over => "over".to_owned(),
        };
        format!("<State of {} for {}: round {}, {turn}>", self.game, self.position.players(), self.round())
    }
}

/// Sets entries of a new array to 1.
fn fill<T: numpy::Element + From<bool>>(
    row: &Bound<'_, PyArray1<T>>,
    places: impl IntoIterator<Item = usize>,
) {
    let mut row = row.readwrite();
    places.into_iter().for_each(|place| {
        *row.get_mut(place).expect("the array was made for all of them") = true.into();
    });
}
