//! The Python class `BatchEnv`.

use std::num::NonZeroUsize;
use std::process;
use std::sync::Mutex;

use azulejo::GameSpec;
use azulejo_agents::AgentSpec;
use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::thread_pool;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use rayon::ThreadPool;

use crate::arrays::{Arrays, borrow_actions, read_actions};
use crate::batch::{Batch, BatchSettings, Numbering, OwnSeat, Refused, Reward, Widths, new_batch};
use crate::errors::{AgentError, ArrayError, BusyError, IllegalActionError, OrRaise, SpecError, read_seed};
use crate::game::read_players;
use crate::state::State;

/// The most games of a batch.
const MOST_GAMES: usize = 1 << 20;
/// The most threads of a batch.
const MOST_THREADS: usize = 1024;

/// ``n`` games that are played in step, written into your numpy arrays.
///
/// Parameters:
///     game: the game's spec, ``"azul"``.
///     players: how many play, 2 to 4.
///     n: how many games are played at once.
///     seed: what is drawn in all games follows from it. Game number ``g`` has the deals of game ``g`` of the
///         program's self-play with this seed; place ``i`` plays the games ``i``, ``i + n``, ``i + 2 n``, …
///     opponents: agent specs for the other seats, in turn order from the caller's left (``None`` in the list is a
///         seat that the caller plays, too); a single spec is for all of them. Without it the caller plays all seats.
///     seat: the caller's seat where there are opponents; ``None``: in game ``g`` seat ``g % players``.
///     actions: ``"index"`` numbers actions by the action index, ``"output"`` by the outputs of networks;
///         observations have the features that tell places only with ``"index"``.
///     rewards: ``"win"``: at a game's end 2 · share of the win − 1, before it 0; ``"points"``: the points that each
///         seat has gained in the step.
///     threads: how many threads play; results do not depend on it.
///
/// Chance is played inside. A game that ends is followed at once by the next one: the observation, mask and turn that
/// a step writes are the new game's, while rewards, scores and end are the old one's. Games of more than 3,000 moves
/// are cut off, as everywhere in azulejo.
#[pyclass(frozen, module = "azulejo", name = "BatchEnv")]
pub(crate) struct BatchEnv {
    game: GameSpec,
    settings: BatchSettings,
    widths: Widths,
    pool: Option<ThreadPool>,
    /// The process whose threads the pool has.
    process: u32,
    games: Mutex<Games>,
}

struct Games {
    batch: Box<dyn Batch>,
    actions: Vec<i64>,
    /// The seed of the last reset.
    seed: u64,
    /// Whether an agent has failed since the last reset: what the games are then is not known.
    failed: bool,
}

impl BatchEnv {
    /// Does something with the games, with Python free to run other threads.
    fn with_games<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Games, Option<&ThreadPool>) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        if self.pool.is_some() && process::id() != self.process {
            return Err(BusyError::new_err(
                "the threads belong to the process before the fork: make a new BatchEnv",
            ));
        }
        py.detach(|| {
            let busy = |_| BusyError::new_err("another thread is using this BatchEnv");
            work(&mut *self.games.try_lock().map_err(busy)?, self.pool.as_ref())
        })
    }

    fn place(&self, place: i64) -> PyResult<usize> {
        let found = usize::try_from(place).ok().filter(|&place| place < self.settings.games);
        found.ok_or_else(|| {
            let last = self.settings.games - 1;
            SpecError::new_err(format!("game {place}: expected 0 to {last}"))
        })
    }
}

impl Games {
    fn reset(&mut self, seed: u64, pool: Option<&ThreadPool>) -> PyResult<()> {
        self.seed = seed;
        let begun = self.batch.reset(seed, pool);
        self.failed = begun.is_err();
        begun.map_err(|refused| raise(AgentError::new_err, refused))
    }

    fn step(&mut self, pool: Option<&ThreadPool>) -> PyResult<()> {
        self.usable()?;
        let checked = self.batch.check(&self.actions, pool);
        checked.map_err(|refused| raise(IllegalActionError::new_err, refused))?;
        let played = self.batch.play(pool);
        self.failed = played.is_err();
        played.map_err(|refused| raise(AgentError::new_err, refused))
    }

    fn usable(&self) -> PyResult<()> {
        if self.failed { Err(AgentError::new_err("an agent has failed: reset the games")) } else { Ok(()) }
    }
}

fn raise(make: fn(String) -> PyErr, Refused { place, why }: Refused) -> PyErr {
    make(format!("game {place}: {why}"))
}

#[pymethods]
impl BatchEnv {
    #[new]
    #[pyo3(signature = (
        game, players = 2, n = 1, seed = 0, opponents = None, seat = None, actions = "index", rewards = "win", threads = 1
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        players: i64,
        n: i64,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        opponents: Option<&Bound<'_, PyAny>>,
        seat: Option<i64>,
        actions: &str,
        rewards: &str,
        threads: i64,
    ) -> PyResult<Self> {
        let game = read_game(game).or_raise(SpecError::new_err)?;
        let players = read_players(game, players)?;
        let settings = BatchSettings {
            players,
            games: in_range("n", n, 1, MOST_GAMES)?,
            numbering: read_numbering(actions)?,
            reward: keyword("rewards", rewards, &[("win", Reward::Win), ("points", Reward::Points)])?,
            opponents: opponents.map_or(Ok(Vec::new()), |opponents| read_opponents(opponents, players))?,
            seat: match seat {
                None => OwnSeat::Rotating,
                Some(seat) => OwnSeat::Fixed(in_range("seat", seat, 0, players - 1)?),
            },
        };
        let threads = NonZeroUsize::new(in_range("threads", threads, 1, MOST_THREADS)?).expect("from 1 on");
        let pool =
            if threads.get() == 1 { None } else { Some(thread_pool(threads).or_raise(BusyError::new_err)?) };
        let batch = new_batch(game, settings.clone()).or_raise(SpecError::new_err)?;
        let games = Mutex::new(Games { batch, actions: Vec::new(), seed, failed: false });
        let widths = Widths::of(game, &settings);
        let env = BatchEnv { game, settings, widths, pool, process: process::id(), games };
        env.with_games(py, |games, pool| games.reset(seed, pool))?;
        Ok(env)
    }

    /// The game's spec.
    #[getter]
    fn spec(&self) -> String {
        self.game.to_string()
    }

    /// The number of players of each game.
    #[getter]
    fn players(&self) -> usize {
        self.settings.players
    }

    /// The number of games.
    #[getter]
    fn n(&self) -> usize {
        self.settings.games
    }

    /// How many entries an observation has.
    #[getter]
    fn observation_size(&self) -> usize {
        self.widths.observation
    }

    /// How many actions are numbered.
    #[getter]
    fn num_actions(&self) -> usize {
        self.widths.actions
    }

    /// New arrays of the right dtype and shape for :meth:`reset` and :meth:`step`, by name; without names those that
    /// most need: observations, masks, rewards, turns, ends.
    #[pyo3(signature = (*names))]
    fn arrays<'py>(&self, py: Python<'py>, names: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyDict>> {
        let usual = || ["observations", "masks", "rewards", "turns", "ends"].map(str::to_owned).to_vec();
        let names: Vec<String> = if names.is_empty() { usual() } else { names.extract()? };
        let (numpy, arrays) = (py.import("numpy")?, PyDict::new(py));
        for name in names {
            let columns = Arrays::columns(self.widths);
            let Some((_, kind, width)) = columns.into_iter().find(|column| column.0 == name) else {
                return Err(ArrayError::new_err(format!("unknown array '{}'", azulejo::excerpt(&name))));
            };
            let shape: Vec<usize> = [self.settings.games].into_iter().chain(width).collect();
            arrays.set_item(name, numpy.call_method1("zeros", (PyTuple::new(py, shape)?, kind))?)?;
        }
        Ok(arrays)
    }

    /// Begins all games anew, from a seed or again from the last one, and writes what is asked for, as :meth:`step` does.
    #[pyo3(signature = (seed = None, **arrays))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        arrays: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let seed = seed.map(read_seed).transpose()?;
        let mut arrays = Arrays::borrow(arrays, self.settings.games, self.widths)?;
        let outputs = arrays.outputs();
        self.with_games(py, |games, pool| {
            games.reset(seed.unwrap_or(games.seed), pool)?;
            games.batch.write(outputs, pool);
            Ok(())
        })
    }

    /// Plays one action in each game, ``actions[i]`` in game ``i``, and writes what is asked for by name:
    ///
    /// ``observations``: uint8 (n, observation_size), entries that are active are 1;
    /// ``active``: int32 (n, most), the numbers of the active entries, with ``active_counts``: int32 (n,), beyond which a
    /// row keeps what was there;
    /// ``masks``: uint8 (n, num_actions), legal actions are 1;
    /// ``legal``: int32 (n, most), the numbers of the legal actions, with ``legal_counts``: int32 (n,);
    /// ``rewards``: float32 (n, players); ``scores``: int32 (n, players), the points so far or at the end;
    /// ``turns``: int8 (n,), the seat to move, whose actions and point of view these are;
    /// ``ends``: uint8 (n,): 0 the game goes on, 1 it has ended, 2 it was cut off.
    ///
    /// uint8 arrays may be bool or int8 as well. If an action is not legal, IllegalActionError names the first such game
    /// and nothing has been played.
    #[pyo3(signature = (actions, **arrays))]
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        arrays: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut arrays = Arrays::borrow(arrays, self.settings.games, self.widths)?;
        let mut chosen = Vec::with_capacity(self.settings.games);
        read_actions(actions, self.settings.games, &mut chosen)?;
        let outputs = arrays.outputs();
        self.with_games(py, |games, pool| {
            games.actions = chosen;
            games.step(pool)?;
            games.batch.write(outputs, pool);
            Ok(())
        })
    }

    /// Writes what is asked for of the games as they stand, as :meth:`step` does.
    #[pyo3(signature = (**arrays))]
    fn write(&self, py: Python<'_>, arrays: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut arrays = Arrays::borrow(arrays, self.settings.games, self.widths)?;
        let outputs = arrays.outputs();
        self.with_games(py, |games, pool| {
            games.usable()?;
            games.batch.write(outputs, pool);
            Ok(())
        })
    }

    /// Draws a legal action uniformly for each game into an int64 array of shape (n,); nothing is played.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = borrow_actions(actions, self.settings.games)?;
        let chosen = actions.as_slice_mut().expect("it was checked that the array is contiguous");
        self.with_games(py, |games, pool| {
            games.usable()?;
            games.batch.sample(chosen, pool);
            Ok(())
        })
    }

    /// The state of game ``i``; its history begins there.
    fn state(&self, py: Python<'_>, i: i64) -> PyResult<State> {
        let place = self.place(i)?;
        let position = self.with_games(py, |games, _| Ok(games.batch.state(place)))?;
        Ok(State::new(self.game, position))
    }

    /// The number of the game at place ``i``, which names its deals: ``State.sample_chance(seed, number)`` draws them.
    fn number(&self, py: Python<'_>, i: i64) -> PyResult<u64> {
        let place = self.place(i)?;
        self.with_games(py, |games, _| Ok(games.batch.number(place)))
    }

    fn __len__(&self) -> usize {
        self.settings.games
    }

    fn __repr__(&self) -> String {
        format!("<BatchEnv of {} games of {} for {}>", self.settings.games, self.game, self.settings.players)
    }
}

/// A whole number from Python, if it lies within these bounds.
pub(crate) fn in_range(key: &str, number: i64, least: usize, most: usize) -> PyResult<usize> {
    let found = usize::try_from(number).ok().filter(|number| (least..=most).contains(number));
    found.ok_or_else(|| SpecError::new_err(format!("{key}: found {number}, expected {least} to {most}")))
}

/// How actions are numbered, by the word for it.
pub(crate) fn read_numbering(actions: &str) -> PyResult<Numbering> {
    keyword("actions", actions, &[("index", Numbering::Index), ("output", Numbering::Output)])
}

fn keyword<T: Copy>(key: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let found = azulejo::excerpt(word);
        SpecError::new_err(format!("{key}: found '{found}', expected {}", names.join(" or ")))
    })
}

/// The agents of the other seats, from a spec for all of them or a sequence of as many.
fn read_opponents(opponents: &Bound<'_, PyAny>, players: usize) -> PyResult<Vec<Option<AgentSpec>>> {
    let parse = |spec: &str| spec.parse::<AgentSpec>().or_raise(SpecError::new_err);
    if let Ok(spec) = opponents.cast::<PyString>() {
        return Ok(vec![Some(parse(&spec.to_cow()?)?); players - 1]);
    }
    let Ok(specs) = opponents.extract::<Vec<Option<String>>>() else {
        let found = opponents.get_type().name()?;
        let expected = "expected an agent's spec, or a list of them";
        return Err(PyTypeError::new_err(format!("opponents: found {found}, {expected}")));
    };
    if specs.len() != players - 1 {
        let expected = format!("expected {} for {players} players", players - 1);
        return Err(SpecError::new_err(format!("opponents: found {}, {expected}", specs.len())));
    }
    specs.iter().map(|spec| spec.as_deref().map(parse).transpose()).collect()
}
