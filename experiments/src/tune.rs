//! Tuning of an agent's weights by self-play: simultaneous perturbation stochastic approximation (Spall 1992,
//! with the gain sequences of Spall 1998).
//!
//! A step moves all weights at once, by a random sign each, up and down by the same amount, lets both
//! versions play each other on the same deals with rotated seats, and moves the weights towards the version
//! that came out ahead. Every few steps a sequential test (`Sprt`) decides whether the mean of the last
//! steps' weights beats the best weights so far; tuning ends after steps enough, or when tests fail twice in
//! a row.

mod files;
mod point;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use azulejo::seed::derive;
use azulejo_agents::evaluator::Utility;
use azulejo_agents::{AgentSpec, AgentSpecError, Playable};
use rand::RngExt;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game_loop::{Arena, GameArena};
use crate::manifest::{Provenance, ProvenanceError, check_play_version};
use crate::output_file::{OutputError, check_no_input};
use crate::parallel::{ThreadsError, play_in_order, thread_pool};
use crate::run_directory::{RunDirectory, RunDirectoryError};
use crate::schedule::{Pairing, Schedule, ScheduleError};
use crate::score_sources::ScoreSources;
use crate::stats::{Sprt, SprtSettings, Verdict, expected_share};
use crate::stream::Stream;

use self::files::{BEST, CANDIDATE, Journal, MINUS, PLUS, TuningProgress};
pub(crate) use self::point::Point;

/// Why tuning ended early.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The agent has no weights.
    #[error("agent '{0}' has no weights to tune")]
    NoWeights(String),
    /// The agent's weights could not be read.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// No match can be played.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The directory has something else in it.
    #[error("{} is not empty, and tuning was not begun there: choose another directory", .0.display())]
    NotEmpty(PathBuf),
    /// The run there was played by other files, or its seed led to other games.
    #[error("cannot go on with {}: {problem}", path.display())]
    Provenance {
        /// The directory.
        path: PathBuf,
        /// What differs.
        problem: ProvenanceError,
    },
    /// The directory cannot be held.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// The agent's weights lie where tuning writes.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A file in the directory could not be read, written or used.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
}

/// What is tuned and how; `tune.toml` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agent's spec; its weights are where tuning starts.
    pub agent: String,
    /// The master seed.
    pub seed: u64,
    /// The most steps.
    pub steps: u64,
    /// Games a step.
    pub games: u64,
    /// Steps from one test to the next.
    pub check: u64,
    /// The most games of a test.
    pub check_games: u64,
    /// The rating difference that a test looks for, in Elo points.
    pub elo: f64,
    /// How far a step moves a weight to either side, as a share of its size.
    pub reach: f64,
    /// How far a weight moves when one side wins everything, as a multiple of `reach`.
    pub pace: f64,
    /// What decides the games beside the settings: [`Tuning::open`] sees to it, runs of former versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// What comes next in a run of tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// A step.
    Step,
    /// A test.
    Check,
    /// It has ended.
    Nothing(TuningEnd),
}

impl TuneSettings {
    /// What comes after these steps and tests.
    fn due(&self, steps: &[Step], checks: &[Check]) -> Due {
        let done = steps.len() as u64;
        let checked = checks.last().map_or(0, |check| check.step);
        let failed_in_a_row = checks.iter().rev().take_while(|check| !check.better).count() as u32;
        if done > checked && (done.is_multiple_of(self.check) || done == self.steps) {
            Due::Check
        } else if failed_in_a_row >= PATIENCE {
            Due::Nothing(TuningEnd::NoGain)
        } else if done == self.steps {
            Due::Nothing(TuningEnd::StepsDone)
        } else {
            Due::Step
        }
    }
}

/// Tests that fail in a row until tuning ends.
const PATIENCE: u32 = 2;

/// What is maximized.
const GOAL: Utility = Utility { margin: 0.5 };

/// A step that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its number, from 1.
    pub number: u64,
    /// By how much the version moved up was ahead: half the difference of the two mean utilities, in [-1, 1].
    pub lead: f64,
    /// The weights after it.
    pub point: Vec<f64>,
}

/// A test that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The number of the step after which it was made.
    pub step: u64,
    /// The games it took.
    pub games: u64,
    /// The win share of the new weights among copies of the best ones so far.
    pub share: f64,
    /// The share that is no better and no worse: 1 / players.
    pub even: f64,
    /// Whether the new weights became the best.
    pub better: bool,
}

/// Is told how tuning goes.
pub trait TuneWatch {
    /// A step was made.
    fn step(&mut self, step: &Step);
    /// A test was made.
    fn check(&mut self, check: &Check);
}

/// How tuning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuningEnd {
    /// All steps were made.
    StepsDone,
    /// The weights do not get better any more.
    NoGain,
    /// It was stopped and can be gone on with.
    Interrupted,
}

/// A run of tuning, in its directory.
#[derive(Debug)]
pub struct Tuning<'a> {
    settings: &'a TuneSettings,
    arena: Box<dyn Arena>,
    agent: AgentSpec,
    pool: ThreadPool,
    journal: Journal,
    /// The weights where tuning started, which name all others.
    start: Point,
    steps: Vec<Step>,
    checks: Vec<Check>,
    best: Vec<f64>,
    /// Held until the run is dropped.
    _directory: RunDirectory,
}

impl<'a> Tuning<'a> {
    /// Tuning in a directory: a new one, or one in which tuning with the same settings was interrupted.
    ///
    /// # Errors
    /// If the settings cannot be used, or the directory holds something else.
    pub fn open<G: Playable + ScoreSources>(
        settings: &'a TuneSettings,
        (rules, agent): (&'static G::Rules, &AgentSpec),
        directory: &Path,
        threads: NonZeroUsize,
    ) -> Result<Self, TuneError> {
        let weights = agent.weights::<G>()?.ok_or_else(|| TuneError::NoWeights(agent.to_string()))?;
        let pool = thread_pool(threads)?;
        let start = Point::of(weights);
        for name in [BEST, PLUS, MINUS, CANDIDATE] {
            check_no_input(&directory.join(name).with_extension("toml"), agent.files())?;
        }
        let different = |problem| TuneError::Provenance { path: directory.to_owned(), problem };
        let provenance = Provenance::of_agents([agent]).map_err(different)?;
        let held = RunDirectory::exclusive(directory)?;
        let begun = TuningProgress::read(&held, settings, &start)?;
        if let Some(begun) = &begun {
            let before = begun.provenance.as_ref();
            before.map_or(Ok(()), |before| provenance.check_files(before)).map_err(different)?;
            if !matches!(settings.due(&begun.steps, &begun.checks), Due::Nothing(_)) {
                check_play_version(before).map_err(different)?;
            }
        }
        // Whatever can be refused has been: from here on files change.
        let begins = TuneSettings { provenance: Some(provenance), ..settings.clone() };
        let begins = begun.is_none().then_some(&begins);
        let TuningProgress { steps, checks, .. } = begun.unwrap_or_default();
        let journal = Journal::open(&held, &start, begins, (&steps, &checks))?;
        let best = start.values().to_vec();
        let arena = Box::new(GameArena::<G> { rules });
        let agent = agent.clone();
        let mut tuning =
            Tuning { settings, arena, agent, pool, journal, start, steps, checks, best, _directory: held };
        for check in tuning.checks.clone() {
            if check.better {
                tuning.best = tuning.recent_mean(check.step);
            }
        }
        tuning.journal.write_best(&tuning.start, &tuning.best)?;
        Ok(tuning)
    }

    /// Every weight by name, at the start and at its best so far.
    pub fn changes(&self) -> impl Iterator<Item = (&str, f64, f64)> + '_ {
        let names = self.start.names().iter().map(String::as_str);
        let values = self.start.values().iter().copied().zip(self.best.iter().copied());
        names.zip(values).map(|(name, (before, after))| (name, before, after))
    }

    /// Goes on until tuning ends, or `stop` is set. Everything is written as it comes.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn run(&mut self, stop: &AtomicBool, watch: &mut dyn TuneWatch) -> Result<TuningEnd, TuneError> {
        loop {
            let done = self.steps.len() as u64;
            match self.settings.due(&self.steps, &self.checks) {
                Due::Check => {
                    let Some(check) = self.check(done, stop)? else { return Ok(TuningEnd::Interrupted) };
                    watch.check(&check);
                    self.checks.push(check);
                }
                Due::Step => {
                    let Some(step) = self.step(done, stop)? else { return Ok(TuningEnd::Interrupted) };
                    watch.step(&step);
                    self.steps.push(step);
                }
                Due::Nothing(end) => return Ok(end),
            }
        }
    }

    /// The step after `done` steps; `None` if it was stopped.
    fn step(&mut self, done: u64, stop: &AtomicBool) -> Result<Option<Step>, TuneError> {
        // Spall's exponents; the gain's first tenth of steps is damped.
        let shrink = ((done + 1) as f64).powf(-0.101);
        let damping = 0.1 * self.settings.steps as f64;
        let gain = ((1.0 + damping) / (done as f64 + 1.0 + damping)).powf(0.602);
        let here = self.steps.last().map_or(self.start.values(), |step| &step.point);
        let mut rng = Stream::Tuning.generator(self.settings.seed, &[done]);
        let signs: Vec<f64> = here.iter().map(|_| if rng.random_bool(0.5) { -1.0 } else { 1.0 }).collect();
        let moved = |by: f64| -> Vec<f64> {
            let sizes = self.start.sizes();
            let moves = here.iter().zip(&signs).zip(sizes);
            moves.map(|((value, sign), size)| value + by * self.settings.reach * size * sign).collect()
        };
        let versions = [self.version(PLUS, &moved(shrink))?, self.version(MINUS, &moved(-shrink))?];
        let schedule = self.schedule(&versions, self.settings.games, &[0, done], Pairing::All)?;
        let Some(lead) = self.lead(&schedule, stop)? else { return Ok(None) };
        let point = moved(self.settings.pace * gain * lead / shrink);
        let step = Step { number: done + 1, lead, point };
        self.journal.add_step(&step)?;
        Ok(Some(step))
    }

    /// By how much the schedule's first agent is ahead of the second; `None` if it was stopped.
    fn lead(&self, schedule: &Schedule, stop: &AtomicBool) -> Result<Option<f64>, TuneError> {
        let (mut utility, mut seats) = ([0.0; 2], [0.0; 2]);
        let played = play_in_order(
            (&*self.arena, schedule),
            0,
            &self.pool,
            stop,
            |played| played.record,
            |record| {
                let agents = schedule.job(record.index).seats;
                let best = |seat: usize| {
                    let others = record.scores.iter().enumerate().filter(|(other, _)| *other != seat);
                    others.map(|(_, score)| f32::from(*score)).fold(f32::NEG_INFINITY, f32::max)
                };
                for (seat, agent) in agents.into_iter().enumerate() {
                    let lead = f32::from(record.scores[seat]) - best(seat);
                    utility[agent] += f64::from(GOAL.mix(record.wins[seat] as f32, lead));
                    seats[agent] += 1.0;
                }
                Ok::<_, AgentSpecError>(ControlFlow::Continue(()))
            },
        )?;
        let mean = |agent: usize| utility[agent] / seats[agent];
        Ok((played == schedule.games).then(|| (mean(0) - mean(1)) / 2.0))
    }

    /// Tests the mean of the last steps' weights against the best so far; `None` if it was stopped.
    fn check(&mut self, step: u64, stop: &AtomicBool) -> Result<Option<Check>, TuneError> {
        let candidate = self.recent_mean(step);
        let versions = [self.version(CANDIDATE, &candidate)?, self.version(BEST, &self.best)?];
        let pairing = Pairing::Gauntlet(&versions[0]);
        let schedule = self.schedule(&versions, self.settings.check_games, &[1, step], pairing)?;
        let mut test = Sprt::new(&SprtSettings::elo(0.0, self.settings.elo), schedule.players);
        let (mut verdict, mut games, mut wins) = (Verdict::Open, 0, 0.0);
        play_in_order(
            (&*self.arena, &schedule),
            0,
            &self.pool,
            stop,
            |played| played.record,
            |record| {
                let seat = schedule.job(record.index).seats.iter().position(|&agent| agent == 0);
                let win = seat.map_or(0.0, |seat| record.wins[seat]);
                (games, wins) = (games + 1, wins + win);
                test.push_game(win);
                verdict = test.verdict();
                let open = verdict == Verdict::Open;
                Ok::<_, AgentSpecError>(if open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            },
        )?;
        if verdict == Verdict::Open && games < schedule.games {
            return Ok(None);
        }
        let better = verdict == Verdict::Alternative;
        let even = expected_share(0.0, schedule.players);
        let check = Check { step, games, share: wins / games as f64, even, better };
        self.journal.add_check(&check)?;
        if better {
            self.best = candidate;
            self.journal.write_best(&self.start, &self.best)?;
        }
        Ok(Some(check))
    }

    /// The mean weights of the last steps before a test (Polyak and Ruppert's averaging).
    fn recent_mean(&self, step: u64) -> Vec<f64> {
        let recent = &self.steps[step.saturating_sub(self.settings.check) as usize..step as usize];
        let mean =
            |weight: usize| recent.iter().map(|step| step.point[weight]).sum::<f64>() / recent.len() as f64;
        (0..self.start.values().len()).map(mean).collect()
    }

    /// The agent with some weights, which are written to a file of this name.
    fn version(&self, name: &str, values: &[f64]) -> Result<AgentSpec, TuneError> {
        let file = self.journal.write_weights(name, &self.start, values)?;
        let mut agent = self.agent.clone();
        agent.set("weights", &file)?;
        Ok(agent)
    }

    fn schedule(
        &self,
        versions: &[AgentSpec],
        games: u64,
        path: &[u64],
        pairing: Pairing<'_>,
    ) -> Result<Schedule, TuneError> {
        let seed = games_seed(self.settings.seed, path);
        Ok(Schedule::tournament((self.arena.spec(), self.settings.players), versions, games, seed, pairing)?)
    }
}

/// The master seed of the games of a step, of path 0 and the steps before, or of a test, of path 1 and the steps before.
pub(crate) fn games_seed(seed: u64, path: &[u64]) -> u64 {
    derive(Stream::Tuning.seed(seed, &[]), path)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use azulejo::azul::{Azul, AzulRules};
    use azulejo::intern;

    use super::*;

    /// Azul's greedy agent with weights that are bad on purpose.
    fn bad_agent(directory: &Path) -> String {
        let file = directory.join("bad.toml");
        std::fs::write(&file, "floor = 0.1\ntile = 0.3\n").unwrap();
        format!("greedy:weights={}", file.display())
    }

    fn settings(agent: &str) -> TuneSettings {
        TuneSettings {
            game: "azul".to_owned(),
            players: 2,
            agent: agent.to_owned(),
            seed: 1,
            steps: 20,
            games: 300,
            check: 10,
            check_games: 3000,
            elo: 20.0,
            reach: 0.3,
            pace: 10.0,
            provenance: None,
        }
    }

    struct Quiet;

    impl TuneWatch for Quiet {
        fn step(&mut self, _step: &Step) {}
        fn check(&mut self, _check: &Check) {}
    }

    /// Stops the run after a step.
    struct StopAfter<'a>(u64, &'a AtomicBool);

    impl TuneWatch for StopAfter<'_> {
        fn step(&mut self, step: &Step) {
            self.1.store(step.number == self.0, Ordering::Relaxed);
        }

        fn check(&mut self, _check: &Check) {}
    }

    fn open<'a>(
        settings: &'a TuneSettings,
        directory: &Path,
        threads: usize,
    ) -> Result<Tuning<'a>, TuneError> {
        let agent = settings.agent.parse().unwrap();
        let threads = NonZeroUsize::new(threads).unwrap();
        Tuning::open::<Azul>(settings, (intern(AzulRules::default()), &agent), directory, threads)
    }

    #[test]
    fn bad_weights_get_better_and_interruptions_change_nothing() {
        let place = tempfile::tempdir().unwrap();
        let settings = settings(&bad_agent(place.path()));
        let (whole, parts) = (place.path().join("whole"), place.path().join("parts"));
        let mut tuning = open(&settings, &whole, 1).unwrap();
        assert_eq!(tuning.run(&AtomicBool::new(false), &mut Quiet).unwrap(), TuningEnd::StepsDone);
        assert!(tuning.checks.iter().all(|check| check.better), "{:?}", tuning.checks);
        assert_ne!(tuning.best, tuning.start.values());
        let stop = AtomicBool::new(false);
        let first = open(&settings, &parts, 2).unwrap().run(&stop, &mut StopAfter(13, &stop)).unwrap();
        assert_eq!(first, TuningEnd::Interrupted);
        open(&settings, &parts, 2).unwrap().run(&AtomicBool::new(false), &mut Quiet).unwrap();
        for file in ["steps.csv", "checks.csv", "weights.toml", "tune.toml"] {
            let read = |directory: &Path| std::fs::read_to_string(directory.join(file)).unwrap();
            assert_eq!(read(&whole), read(&parts), "{file}");
        }
    }

    #[test]
    fn good_weights_stay() {
        let place = tempfile::tempdir().unwrap();
        // The first tests of a search that goes nowhere: its steps are too short to matter.
        let settings = TuneSettings { reach: 1e-6, steps: 100, check: 1, ..settings("greedy") };
        let mut tuning = open(&settings, place.path(), 2).unwrap();
        assert_eq!(tuning.run(&AtomicBool::new(false), &mut Quiet).unwrap(), TuningEnd::NoGain);
        assert_eq!(tuning.checks.len(), 2);
        assert_eq!(tuning.best, tuning.start.values());
    }

    #[test]
    fn what_cannot_be_tuned_or_gone_on_with_is_named() {
        let place = tempfile::tempdir().unwrap();
        let message = |settings: &TuneSettings| open(settings, place.path(), 1).unwrap_err().to_string();
        assert_eq!(message(&settings("random")), "agent 'random' has no weights to tune");
        let greedy = settings("greedy");
        open(&greedy, place.path(), 1).unwrap();
        let other = TuneSettings { seed: 2, ..greedy.clone() };
        assert!(message(&other).ends_with("tune.toml: tuning with other settings was begun here"));
        std::fs::write(place.path().join("steps.csv"), "step,lead\n1,0.5,3\n").unwrap();
        assert!(message(&greedy).ends_with("steps.csv: line 2: expected step 1 with its weights"));
        std::fs::write(place.path().join("steps.csv"), "").unwrap();
        std::fs::write(place.path().join("checks.csv"), "step\n5,1,0.5,0.5,true\n").unwrap();
        assert!(message(&greedy).ends_with("checks.csv: line 2: expected a test after one of 0 steps"));
    }
}
