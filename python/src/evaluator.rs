//! A Python function as the evaluator of a search: [`Function`].

use std::panic::resume_unwind;

use azulejo::{GameSpec, Indexed, PerPlayer, with_game};
use azulejo_agents::batch_evaluator::{BatchEvaluator, BatchJudge, Judgement};
use azulejo_agents::neural::{NeuralParameters, searching};
use azulejo_agents::{AgentSpecError, Playable};
use azulejo_experiments::FollowingAgent;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::read_array;
use crate::batch::Numbering;
use crate::errors::ArrayError;
use azulejo_experiments::position::PositionAgent;
use azulejo_experiments::position::{Sizes, sizes};

/// A function from the observations and masks of n states to logits and values.
pub(crate) struct Function {
    pub function: Py<PyAny>,
    pub numbering: Numbering,
}

/// What it is to know of a state: the active entries of the observation, and the numbers of the legal actions in the
/// engine's order.
struct Question {
    active: Vec<u16>,
    legal: Vec<usize>,
}

impl Function {
    /// The agent that searches with the function.
    pub(crate) fn agent(
        &self,
        parameters: &NeuralParameters,
        seed: u64,
        game: GameSpec,
    ) -> Result<Box<dyn PositionAgent>, AgentSpecError> {
        let function = Python::attach(|py| self.function.clone_ref(py));
        let judge = Function { function, numbering: self.numbering };
        with_game!(game, |_rules: &'static G::Rules| {
            let evaluator = Box::new(BatchEvaluator::<G>::new(Box::new(judge)));
            Ok(Box::new(FollowingAgent::with_agent(searching(parameters, evaluator)?, seed)))
        })
    }

    fn question<G: Playable>(&self, state: &G) -> Question {
        let (mut active, mut legal) = (Vec::new(), Vec::new());
        state.encode(&mut active);
        state.legal_actions(&mut legal);
        let by_index = self.numbering == Numbering::Index;
        if by_index {
            state.encode_places(&mut active);
        }
        let number = |action: G::Action| if by_index { action.index() } else { state.output(action) };
        Question { active, legal: legal.into_iter().map(number).collect() }
    }

    /// Asks the function: a row of logits for each state, and a row of values.
    fn ask(
        &self,
        py: Python<'_>,
        questions: &[Question],
        sizes: Sizes,
        players: usize,
    ) -> PyResult<[Vec<f32>; 2]> {
        // Between two batches nothing else looks whether the user has interrupted.
        py.check_signals()?;
        let (places, actions) = match self.numbering {
            Numbering::Index => (sizes.places, sizes.actions),
            Numbering::Output => (0, sizes.outputs),
        };
        let active = questions.iter().map(|question| question.active.iter().map(|&entry| entry.into()));
        let legal = questions.iter().map(|question| question.legal.iter().copied());
        let observations = marked(py, active, sizes.features + places)?;
        let masks = marked(py, legal, actions)?;
        let answer = self.function.bind(py).call1((observations, masks))?;
        let (logits, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) = answer.extract().map_err(|_| {
            let found = answer.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            ArrayError::new_err(format!("the evaluator returned {found}, expected logits and values"))
        })?;
        Ok([
            read_numbers("logits", &logits, [questions.len(), actions])?,
            read_numbers("values", &values, [questions.len(), players])?,
        ])
    }

    fn judgements<G: Playable>(&self, states: &[G]) -> PyResult<Vec<Judgement>> {
        let Some(players) = states.first().map(G::players) else { return Ok(Vec::new()) };
        let questions: Vec<Question> = states.iter().map(|state| self.question(state)).collect();
        let [logits, values] = Python::attach(|py| self.ask(py, &questions, sizes::<G>(), players))?;
        let width = logits.len() / states.len();
        let rows = logits.chunks_exact(width).zip(values.chunks_exact(players));
        states
            .iter()
            .zip(&questions)
            .zip(rows)
            .map(|((state, question), (logits, values))| {
                let (logits, utility) = (logits_of(&question.legal, logits)?, utility_of(state, values)?);
                Ok(Judgement { logits, utility })
            })
            .collect()
    }
}

impl<G: Playable> BatchJudge<G> for Function {
    /// # Panics
    /// With a Python exception, which goes on as one where the search was begun.
    fn judge(&mut self, states: &[G]) -> Vec<Judgement> {
        self.judgements(states).unwrap_or_else(|error| resume_unwind(Box::new(error)))
    }
}

/// An array with 1 at these places of each row, and 0 elsewhere.
fn marked<'py>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = impl Iterator<Item = usize>>,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let count = rows.len();
    let mut marks = vec![0; count * width];
    for (row, places) in marks.chunks_exact_mut(width).zip(rows) {
        places.for_each(|place| row[place] = 1);
    }
    PyArray1::from_vec(py, marks).reshape([count, width])
}

/// The numbers of an array, or of what NumPy makes one of: a tensor, for example.
fn read_numbers(name: &str, value: &Bound<'_, PyAny>, shape: [usize; 2]) -> PyResult<Vec<f32>> {
    let array = value.py().import("numpy")?.call_method1("ascontiguousarray", (value, "float32"))?;
    let numbers = read_array::<f32>(name, &array, &shape, "float32")?;
    Ok(numbers.as_slice().expect("NumPy has made it contiguous").to_vec())
}

/// The logits of the legal actions. Of actions that share a number the first stands for all.
fn logits_of(legal: &[usize], logits: &[f32]) -> PyResult<Vec<f32>> {
    let place = |(place, &number): (usize, &usize)| {
        let logit = logits[number];
        if !logit.is_finite() {
            let expected = "expected finite numbers for legal actions";
            return Err(ArrayError::new_err(format!("logits: found {logit}, {expected}")));
        }
        Ok(if legal[..place].contains(&number) { f32::NEG_INFINITY } else { logit })
    };
    legal.iter().enumerate().map(place).collect()
}

/// The values of the seats, which are in turn order from the viewpoint.
fn utility_of<G: Playable>(state: &G, values: &[f32]) -> PyResult<PerPlayer<f32>> {
    if let Some(value) = values.iter().find(|value| !(-1.0..=1.0).contains(*value)) {
        return Err(ArrayError::new_err(format!("values: found {value}, expected numbers from -1 to 1")));
    }
    let mut utility = PerPlayer::splat(values.len(), 0.0);
    let seats = state.viewpoint().around(values.len());
    seats.zip(values).for_each(|(seat, &value)| utility[seat] = value);
    Ok(utility)
}
