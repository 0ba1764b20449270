//! The class behind Python's `Agent`: an agent of the registry that follows a game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use azulejo::GameSpec;
use azulejo_agents::{AgentSpec, Limits};
use azulejo_experiments::position::{self, Found, Position, PositionAgent};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::env::read_numbering;
use crate::errors::{AgentError, BusyError, OrRaise, SpecError, read_seed};
use crate::evaluator::Function;
use crate::interrupt::{crashed, interruptible};
use crate::state::State;

/// The agent of a spec, made for the game that it is first asked about and made anew for another one.
#[pyclass(frozen, module = "azulejo._azulejo", name = "NativeAgent")]
pub(crate) struct NativeAgent {
    spec: AgentSpec,
    seed: u64,
    /// What judges for the search in place of a network.
    evaluator: Option<Function>,
    agent: Mutex<Option<Box<dyn PositionAgent>>>,
}

impl NativeAgent {
    fn build(&self, game: GameSpec) -> PyResult<Box<dyn PositionAgent>> {
        match (&self.spec, &self.evaluator) {
            (AgentSpec::Neural(parameters), Some(function)) => function.agent(parameters, self.seed, game),
            _ => position::agent(&self.spec, self.seed, game),
        }
        .or_raise(SpecError::new_err)
    }

    /// Chooses, on the thread that calls; an agent that panics is not used again.
    fn choose_now(
        &self,
        agent: &mut Option<Box<dyn PositionAgent>>,
        state: (GameSpec, &dyn Position),
        limits: &Limits<'_>,
    ) -> PyResult<Found> {
        let (game, position) = state;
        let mut working = match agent.take() {
            Some(working) => working,
            None => self.build(game)?,
        };
        let answer = |working: &mut dyn PositionAgent| {
            catch_unwind(AssertUnwindSafe(|| working.choose(position, limits))).map_err(crashed)
        };
        let found = match answer(&mut *working)? {
            Some(found) => found,
            None => {
                working = self.build(game)?;
                answer(&mut *working)?.expect("it was built for this game")
            }
        };
        *agent = Some(working);
        found.or_raise(AgentError::new_err)
    }
}

#[pymethods]
impl NativeAgent {
    #[new]
    fn new(
        spec: &str,
        #[pyo3(from_py_with = read_seed)] seed: u64,
        evaluator: Option<Py<PyAny>>,
        actions: &str,
    ) -> PyResult<Self> {
        let spec: AgentSpec = spec.parse().or_raise(SpecError::new_err)?;
        let numbering = read_numbering(actions)?;
        let evaluator = evaluator.map(|function| Function { function, numbering });
        if evaluator.is_some() && !matches!(spec, AgentSpec::Neural(_)) {
            let problem = format!("found agent '{spec}' with an evaluator, expected neural");
            return Err(SpecError::new_err(problem));
        }
        Ok(NativeAgent { spec, seed, evaluator, agent: Mutex::new(None) })
    }

    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    #[getter]
    fn name(&self) -> String {
        self.spec.label()
    }

    /// Chooses an action; what was found comes as a dictionary.
    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, State>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        candidates: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let time = match seconds.map(Duration::try_from_secs_f64) {
            None => None,
            Some(Ok(time)) => Some(time),
            Some(Err(error)) => return Err(SpecError::new_err(format!("seconds: {error}"))),
        };
        let (game, position) = {
            let state = state.borrow();
            (state.game, state.position.copy())
        };
        let busy = || BusyError::new_err("the agent is choosing in another thread");
        let think = |stop: Option<&AtomicBool>| {
            let mut agent = self.agent.try_lock().map_err(|_| busy())?;
            let limits = Limits { nodes, time, cpu: None, stop, candidates };
            self.choose_now(&mut agent, (game, &*position), &limits)
        };
        let found = match (&self.spec, &self.evaluator) {
            // They answer before a thread has begun.
            (AgentSpec::Random(_) | AgentSpec::Greedy(_), _) => py.detach(|| think(None))?,
            // A function of Python's runs on the thread that asks, whose settings (of PyTorch, say) hold for it.
            (_, Some(_)) => py.detach(|| think(None))?,
            _ => interruptible(py, |stop| think(Some(stop)))??,
        };
        told(py, found)
    }

    /// Forgets the game that it has followed and what it has kept of it.
    fn forget(&self) -> PyResult<()> {
        let busy = |_| BusyError::new_err("the agent is choosing in another thread");
        *self.agent.try_lock().map_err(busy)? = None;
        Ok(())
    }
}

fn told(py: Python<'_>, found: Found) -> PyResult<Bound<'_, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("action", found.action)?;
    told.set_item("index", found.index)?;
    if let Some(search) = found.search {
        told.set_item("values", search.values)?;
        told.set_item("wins", search.wins)?;
        told.set_item("leads", search.leads)?;
        let candidates = search.candidates.into_iter();
        let candidates: Vec<_> =
            candidates.map(|it| (it.action, it.visits, it.win, it.lead, it.line)).collect();
        told.set_item("candidates", candidates)?;
        told.set_item("visits", search.visits)?;
        told.set_item("policy", search.policy)?;
        told.set_item("line", search.line)?;
        told.set_item("nodes", search.nodes)?;
        told.set_item("depth", search.depth)?;
        told.set_item("seconds", search.seconds)?;
    }
    Ok(told)
}

/// Name and description of every agent.
#[pyfunction]
pub(crate) fn agents() -> Vec<(&'static str, &'static str)> {
    AgentSpec::all().into_iter().map(|(name, about, _)| (name, about)).collect()
}
