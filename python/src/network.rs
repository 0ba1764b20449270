//! The Python class `Network`: a network's weights as arrays, and what it says of states.

use std::path::PathBuf;

use azulejo::{GameSpec, MAX_PLAYERS, Parts, with_game};
use azulejo_agents::GameKnowledge;
use azulejo_agents::neural::{
    self, About, MAX_BLOCKS, MAX_WIDTH, NetError, Shape, Workspace, from_bytes, read_about, read_file,
    to_bytes, with_settings,
};
use azulejo_agents::shipped::NetSettings;
use azulejo_experiments::output_file::{Existing, OutputFile};
use azulejo_experiments::rules_file::read_game;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{read_array, read_integers};
use crate::env::in_range;
use crate::errors::{ArrayError, NetworkError, OrRaise, SpecError, read_seed};

/// A network of the agent ``neural``: its weights as arrays, what it says of states, and its file.
///
/// ``azulejo.torch.Network`` is the same in PyTorch, to be trained; ``docs/training.md`` has the tensors' names and
/// shapes.
#[pyclass(frozen, module = "azulejo", name = "Network")]
pub(crate) struct Network {
    network: neural::Network,
    about: About,
}

/// The heads for some states, row by row.
struct Seen {
    part_logits: Vec<f32>,
    win_logits: Vec<f32>,
    points_to_come: Vec<f32>,
}

/// The heads as arrays of a row for each state.
type Heads<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>);

impl Network {
    fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let foreign = |error: &dyn std::fmt::Display| NetError::Foreign(error.to_string());
        let game: GameSpec = read_about(bytes)?.game.parse().map_err(|error| foreign(&error))?;
        let (network, about) = with_game!(game, |_rules: &'static G::Rules| from_bytes::<G>(bytes))?;
        Ok(Network { network, about })
    }

    /// Where each state's features begin, with the end, if they divide so many features.
    fn check_starts(starts: &[i64], features: usize) -> PyResult<()> {
        let whole = starts.first() == Some(&0) && starts.last() == Some(&(features as i64));
        if whole && starts.is_sorted() {
            return Ok(());
        }
        let expected =
            format!("expected numbers that do not fall from 0 to {features}, the number of features");
        Err(ArrayError::new_err(format!("starts: found others, {expected}")))
    }

    fn look(&self, features: &[u16], starts: &[i64]) -> Seen {
        let Shape { parts, .. } = self.network.shape();
        let every_part: Vec<Parts> = (0..parts).map(Parts::one).collect();
        let (mut workspace, mut logits) = (Workspace::new(self.network.shape()), Vec::new());
        let mut seen = Seen { part_logits: Vec::new(), win_logits: Vec::new(), points_to_come: Vec::new() };
        for row in starts.windows(2) {
            self.network.look(&features[row[0] as usize..row[1] as usize], &mut workspace);
            self.network.logits(&every_part, &mut workspace, &mut logits);
            seen.part_logits.extend_from_slice(&logits);
            seen.win_logits.extend(self.network.win_logits(&workspace));
            seen.points_to_come.extend(self.network.points_to_come(&workspace));
        }
        seen
    }

    /// The weights in the order in which they are stored, from arrays by their names.
    fn collect(&self, tensors: &Bound<'_, PyDict>) -> PyResult<Vec<f32>> {
        let shape = self.network.shape();
        let mut weights = Vec::with_capacity(shape.size());
        for tensor in shape.tensors() {
            let name = tensor.name();
            let found = tensors.get_item(&name)?;
            let found =
                found.ok_or_else(|| NetworkError::new_err(format!("tensor '{name}': it is missing")))?;
            let numbers = read_array::<f32>(&name, &found, &shape.dimensions(tensor), "float32")?;
            weights
                .extend_from_slice(numbers.as_slice().expect("it was checked that the array is contiguous"));
        }
        let count = shape.tensors().count();
        if tensors.len() != count {
            let problem = format!("found {} tensors, expected {count}", tensors.len());
            return Err(NetworkError::new_err(problem));
        }
        Ok(weights)
    }
}

#[pymethods]
impl Network {
    /// The network of a weights file.
    ///
    /// Raises NetworkError if the file cannot be read, or does not fit this version's games.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let read = || Network::read(&read_file(&path)?);
        read().map_err(|error| NetworkError::new_err(format!("{}: {error}", path.display())))
    }

    /// The network that comes with azulejo for a game. A critic that goes with it is not part of it.
    #[staticmethod]
    fn shipped(game: &str) -> PyResult<Self> {
        let game = read_game(game).or_raise(SpecError::new_err)?;
        let shipped = with_game!(game, |_rules: &'static G::Rules| <G as GameKnowledge>::NET);
        let shipped =
            shipped.ok_or_else(|| NetworkError::new_err(format!("no network for {game} comes along")))?;
        let mut network = Network::read(shipped.weights).or_raise(NetworkError::new_err)?;
        network.about.search.iter_mut().for_each(|search| search.critic = None);
        Ok(network)
    }

    /// A network for a game that has learned nothing: random weights, the same for the same seed.
    #[staticmethod]
    #[pyo3(signature = (game, width = 128, blocks = 1, seed = 0))]
    fn untrained(
        game: &str,
        width: i64,
        blocks: i64,
        #[pyo3(from_py_with = read_seed)] seed: u64,
    ) -> PyResult<Self> {
        let game = read_game(game).or_raise(SpecError::new_err)?;
        let width = in_range("width", width, 1, MAX_WIDTH)?;
        let blocks = in_range("blocks", blocks, 0, MAX_BLOCKS)?;
        Ok(with_game!(game, |_rules: &'static G::Rules| {
            let network = neural::untrained::<G>(width, blocks, seed);
            let about = About::new::<G>(network.shape(), 0, Vec::new());
            Network { network, about }
        }))
    }

    /// The game's id.
    #[getter]
    fn game(&self) -> &str {
        &self.about.game
    }

    /// The numbers in each layer.
    #[getter]
    fn width(&self) -> usize {
        self.about.width
    }

    /// The residual blocks.
    #[getter]
    fn blocks(&self) -> usize {
        self.about.blocks
    }

    /// What the network's file says of it: the metadata as a dictionary.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.about).expect("metadata are plain values");
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Copies of the tensors by their names, float32.
    fn tensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (shape, tensors) = (self.network.shape(), PyDict::new(py));
        for tensor in shape.tensors() {
            let flat = PyArray1::from_slice(py, self.network.tensor(tensor));
            tensors.set_item(tensor.name(), flat.reshape(shape.dimensions(tensor))?)?;
        }
        Ok(tensors)
    }

    /// A network of the same sizes with other weights: all tensors by their names, contiguous arrays of float32.
    ///
    /// ``steps`` are added to the optimizer steps that the file tells of. ``search``, a mapping of the keys of
    /// ``docs/training.md``, says how the network is searched with; without it that stays as it is.
    #[pyo3(signature = (tensors, steps = 0, search = None))]
    fn with_tensors(
        &self,
        py: Python<'_>,
        tensors: &Bound<'_, PyDict>,
        steps: u64,
        search: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let network = neural::Network::new(self.network.shape(), self.collect(tensors)?);
        let about = About { steps: self.about.steps.saturating_add(steps), ..self.about.clone() };
        let mut bytes = to_bytes(&network, &about);
        if let Some(search) = search {
            let text: String = py.import("json")?.call_method1("dumps", (search,))?.extract()?;
            let settings: NetSettings = serde_json::from_str(&text)
                .map_err(|error| NetworkError::new_err(format!("search: {error}")))?;
            bytes = with_settings(&bytes, settings).or_raise(NetworkError::new_err)?;
        }
        // Read back: what a file would be refused for is refused here.
        Network::read(&bytes).or_raise(NetworkError::new_err)
    }

    /// Writes the network as a weights file, in place of one that is there: ``neural:net=FILE`` plays it.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let nothing: [PathBuf; 0] = [];
        let output = OutputFile::new(&path, Existing::Replaced, nothing).or_raise(NetworkError::new_err)?;
        output.write(to_bytes(&self.network, &self.about)).or_raise(NetworkError::new_err)
    }

    /// What the network says of n states, as the agent ``neural`` sees it: ``part_logits`` (n, parts), ``win_logits`` and
    /// ``points_to_come`` (n, 4), seats in turn order from the states' viewpoints.
    ///
    /// ``features`` are the active features of all states one after the other, ``starts`` where each one's begin, with the
    /// end: int64 or int32.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        features: &Bound<'py, PyAny>,
        starts: &Bound<'py, PyAny>,
    ) -> PyResult<Heads<'py>> {
        let Shape { features: known, parts, .. } = self.network.shape();
        let starts = read_integers("starts", starts)?;
        let active: Vec<u16> = read_integers("features", features)?
            .into_iter()
            .map(|feature| in_range("features", feature, 0, known - 1).map(|feature| feature as u16))
            .collect::<PyResult<_>>()?;
        Network::check_starts(&starts, active.len())?;
        let seen = py.detach(|| self.look(&active, &starts));
        let rows = starts.len() - 1;
        let array = |numbers: Vec<f32>, width: usize| PyArray1::from_vec(py, numbers).reshape([rows, width]);
        Ok((
            array(seen.part_logits, parts)?,
            array(seen.win_logits, MAX_PLAYERS)?,
            array(seen.points_to_come, MAX_PLAYERS)?,
        ))
    }

    fn __repr__(&self) -> String {
        let About { game, width, blocks, .. } = &self.about;
        format!("<Network for {game}: width {width}, {blocks} blocks>")
    }
}
