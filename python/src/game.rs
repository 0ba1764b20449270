//! The Python class `Game`.

use azulejo::{Encode, Game as _, GameSpec, Indexed, encoding_hash, with_game};
use azulejo_experiments::rules_file::read_game;
use pyo3::prelude::*;

use crate::errors::{IllegalActionError, OrRaise, SpecError};
use crate::state::State;
use azulejo_experiments::position::{self, Sizes};

/// A variant of a game for a number of players: ``Game("azul:gray", 3)``.
///
/// The spec is the program's: the game's id, options after a colon, and changed numbers as
/// ``rules={"key":value}`` or ``rules=FILE``. ``azulejo.games()`` lists the variants.
#[pyclass(frozen, module = "azulejo", name = "Game")]
pub(crate) struct Game {
    pub game: GameSpec,
    pub count: usize,
    pub sizes: Sizes,
}

impl Game {
    pub(crate) fn new(game: GameSpec, count: usize) -> Self {
        Game { game, count, sizes: Sizes::of(game) }
    }

    fn check(&self, what: &str, number: i64, count: usize) -> PyResult<usize> {
        let found = usize::try_from(number).ok().filter(|&number| number < count);
        found.ok_or_else(|| {
            let last = count.saturating_sub(1);
            IllegalActionError::new_err(format!("{what} {number}: expected 0 to {last}"))
        })
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (spec, players = 2))]
    fn python_new(spec: &str, players: i64) -> PyResult<Self> {
        let game = read_game(spec).or_raise(SpecError::new_err)?;
        let players = read_players(game, players)?;
        Ok(Game::new(game, players))
    }

    /// The spec as azulejo prints it.
    #[getter]
    fn spec(&self) -> String {
        self.game.to_string()
    }

    /// The game's name for people: ``Azul``.
    #[getter]
    fn name(&self) -> &'static str {
        with_game!(self.game, |_rules: &'static G::Rules| G::NAME)
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.count
    }

    /// How many actions there are in the action index.
    #[getter]
    fn num_actions(&self) -> usize {
        self.sizes.actions
    }

    /// No state has more legal actions than this.
    #[getter]
    fn max_legal(&self) -> usize {
        self.sizes.max_legal
    }

    /// How many features networks see.
    #[getter]
    fn num_features(&self) -> usize {
        self.sizes.features
    }

    /// How many features observations have: those of networks, and those that tell places.
    #[getter]
    fn observation_size(&self) -> usize {
        self.sizes.features + self.sizes.places
    }

    /// How many outputs networks have for actions.
    #[getter]
    fn num_outputs(&self) -> usize {
        self.sizes.outputs
    }

    /// How many parts outputs are put together from.
    #[getter]
    fn num_parts(&self) -> usize {
        self.sizes.parts
    }

    /// A number, as 16 hexadecimal digits, that changes with the meaning of features and outputs.
    #[getter]
    fn encoding(&self) -> String {
        with_game!(self.game, |_rules: &'static G::Rules| format!("{:016x}", encoding_hash::<G>()))
    }

    /// The state in which a game begins: a chance node, as the first tiles are drawn.
    fn new_initial_state(&self) -> State {
        State::new(self.game, position::start(self.game, self.count))
    }

    /// The names of all features in order.
    fn feature_names(&self) -> Vec<String> {
        with_game!(self.game, |_rules: &'static G::Rules| G::feature_names())
    }

    /// The names of all entries of an observation in order: those of the features, then those of the places.
    fn observation_names(&self) -> Vec<String> {
        let mut names = self.feature_names();
        names.extend(with_game!(self.game, |_rules: &'static G::Rules| G::place_names()));
        names
    }

    /// The token of an action by its number in the action index.
    fn action_token(&self, index: i64) -> PyResult<String> {
        let index = self.check("action index", index, self.sizes.actions)?;
        Ok(with_game!(self.game, |_rules: &'static G::Rules| {
            <G as azulejo::Game>::Action::from_index(index).to_string()
        }))
    }

    /// An action's number in the action index, by its token.
    fn action_index(&self, token: &str) -> PyResult<usize> {
        let index = with_game!(self.game, |_rules: &'static G::Rules| {
            token.parse::<<G as azulejo::Game>::Action>().map(Indexed::index)
        });
        index.or_raise(IllegalActionError::new_err)
    }

    /// The parts of an output, one or two: a network's logit for the output is the sum of theirs.
    fn output_parts(&self, output: i64) -> PyResult<Vec<usize>> {
        let output = self.check("output", output, self.sizes.outputs)?;
        Ok(with_game!(self.game, |_rules: &'static G::Rules| G::parts(output).iter().collect()))
    }

    /// The names of all parts of outputs in order.
    fn part_names(&self) -> Vec<String> {
        with_game!(self.game, |_rules: &'static G::Rules| G::part_names())
    }

    fn __repr__(&self) -> String {
        format!("Game({:?}, {})", self.game.to_string(), self.count)
    }

    fn __eq__(&self, other: &Self) -> bool {
        (self.game, self.count) == (other.game, other.count)
    }

    fn __hash__(&self) -> u64 {
        azulejo::fingerprint(self.__repr__().into_bytes())
    }

    fn __getnewargs__(&self) -> (String, usize) {
        (self.spec(), self.count)
    }
}

/// The specs of all named variants.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    GameSpec::all().iter().map(ToString::to_string).collect()
}

/// A number of players from Python, if the game seats so many.
pub(crate) fn read_players(game: GameSpec, players: i64) -> PyResult<usize> {
    let (least, most) = (GameSpec::PLAYERS.start(), GameSpec::PLAYERS.end());
    let number = usize::try_from(players)
        .map_err(|_| SpecError::new_err(format!("players: found {players}, expected {least} to {most}")));
    game.check_players(number?).or_raise(SpecError::new_err)
}
