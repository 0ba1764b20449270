//! Who watches a run from Python: progress, forfeits, and the interrupt that ends it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use azulejo_agents::neural::Losses;
use azulejo_experiments::game_loop::Fault;
use azulejo_experiments::run::Watch;
use azulejo_experiments::train::{GamesPlayed, Row, TrainWatch};
use pyo3::prelude::*;

use crate::interrupt::interruptible;

/// The time between two reports of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// A Python object that is told how a run goes: `progress(part, done, all)`, where `part` names what is done, and
/// `fault(text)` for each game that was forfeited.
#[derive(FromPyObject)]
#[pyo3(transparent)]
pub(crate) struct Watcher(Py<PyAny>);

/// Does the work of a run, with Python free to run others. It is handed a flag that is set when the user interrupts or the
/// watcher raises, and what tells the watcher. What the watcher raises is raised.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    watcher: Option<&Watcher>,
    work: impl FnOnce(&AtomicBool, &Teller<'_>) -> T + Send,
) -> PyResult<T> {
    let raised = Mutex::new(None);
    let done = interruptible(py, |stop| work(stop, &Teller { watcher, stop, raised: &raised }))?;
    match raised.into_inner().expect("nothing panics while it is held") {
        Some(error) => Err(error),
        None => Ok(done),
    }
}

/// Tells the watcher of a run, if it has one.
#[derive(Clone, Copy)]
pub(crate) struct Teller<'a> {
    watcher: Option<&'a Watcher>,
    stop: &'a AtomicBool,
    raised: &'a Mutex<Option<PyErr>>,
}

impl<'a> Teller<'a> {
    /// What watches so many games.
    pub(crate) fn games(&self, games: u64) -> Box<dyn Watch + 'a> {
        Box::new(GameWatch { teller: *self, played: 0, games, told: Instant::now() })
    }

    /// What watches a training run.
    pub(crate) fn training(&self) -> impl TrainWatch + 'a {
        TrainingWatch { teller: *self, told: Instant::now() }
    }

    fn tell(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) {
        let Some(Watcher(object)) = self.watcher else { return };
        let told = Python::attach(|py| call(object.bind(py)));
        if let Err(error) = told {
            self.stop.store(true, Ordering::Relaxed);
            self.raised.lock().expect("nothing panics while it is held").get_or_insert(error);
        }
    }

    fn progress(&self, part: &str, done: u64, all: u64) {
        self.tell(|watcher| watcher.call_method1("progress", (part, done, all)).map(drop));
    }

    fn fault(&self, fault: &Fault) {
        self.tell(|watcher| watcher.call_method1("fault", (fault.to_string(),)).map(drop));
    }
}

/// Whether so long has passed since something was told that it is time to tell more.
fn is_due(told: &mut Instant) -> bool {
    let due = told.elapsed() >= INTERVAL;
    if due {
        *told = Instant::now();
    }
    due
}

struct GameWatch<'a> {
    teller: Teller<'a>,
    played: u64,
    games: u64,
    told: Instant,
}

impl GameWatch<'_> {
    fn tell(&self) {
        self.teller.progress("games", self.played, self.games);
    }
}

impl Watch for GameWatch<'_> {
    fn begin(&mut self, games: u64) {
        self.played = games;
        self.tell();
    }

    fn game(&mut self) {
        self.played += 1;
        if is_due(&mut self.told) {
            self.tell();
        }
    }

    fn fault(&mut self, fault: &Fault) {
        self.teller.fault(fault);
    }

    fn end(&mut self) {
        self.tell();
    }
}

struct TrainingWatch<'a> {
    teller: Teller<'a>,
    told: Instant,
}

impl TrainingWatch<'_> {
    fn progress(&mut self, stage: u64, part: &str, done: u64, all: u64) {
        if is_due(&mut self.told) || done == all {
            self.teller.progress(&format!("generation {stage}: {part}"), done, all);
        }
    }
}

impl TrainWatch for TrainingWatch<'_> {
    fn games(&mut self, stage: u64, done: u64, all: u64, _played: GamesPlayed) {
        self.progress(stage, "games", done, all);
    }

    fn step(&mut self, stage: u64, done: u64, all: u64, _losses: &Losses) {
        self.progress(stage, "steps", done, all);
    }

    fn measure(&mut self, stage: u64, opponent: &str) {
        self.teller.progress(&format!("generation {stage}: games against {opponent}"), 0, 1);
    }

    fn fault(&mut self, fault: &Fault) {
        self.teller.fault(fault);
    }

    fn stage(&mut self, row: &Row) {
        self.teller.progress(&format!("generation {} is finished", row.generation), 1, 1);
    }
}
