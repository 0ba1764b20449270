//! Runs as the program makes them: tournaments, self-play, studies of balance, training. What comes out is handed on
//! as the JSON that the program writes.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::thread;

use azulejo::{GameSpec, with_game};
use azulejo_agents::AgentSpec;
use azulejo_agents::neural::Backend;
use azulejo_experiments::Invocation;
use azulejo_experiments::balance::{BalanceStudy, RuleChanges, StudyStart};
use azulejo_experiments::game_loop::{Arena, arena};
use azulejo_experiments::manifest::{Command, Manifest, Status};
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::rules_file::read_game;
use azulejo_experiments::run::{Run, Start, run};
use azulejo_experiments::schedule::{Analyses, Pairing, Rotation, Schedule};
use azulejo_experiments::shard::{Shard, ShardOutcome, play_shard};
use azulejo_experiments::study::{Study, StudyRun};
use azulejo_experiments::train::{StageShard, TrainConfig, TrainReport, Training, pace};
use pyo3::prelude::*;

use crate::errors::{OrRaise, RunError, SpecError};
use crate::interrupt::interruptible;
use crate::run_watch::{Watcher, watched};

/// How a run is played and where it is written.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunPlace {
    out: PathBuf,
    resume: bool,
    threads: Option<usize>,
    watcher: Option<Watcher>,
}

impl RunPlace {
    fn start(&self) -> Start {
        if self.resume { Start::Resume } else { Start::New }
    }

    fn threads(&self) -> PyResult<NonZeroUsize> {
        match self.threads.map(NonZeroUsize::new) {
            Some(None) => Err(SpecError::new_err("threads: found 0, expected 1 or more")),
            Some(Some(threads)) => Ok(threads),
            None => Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        }
    }
}

/// What is kept of the games of a run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GameOptions {
    compress: bool,
    analysis: bool,
    move_limit: Option<usize>,
}

fn read_agents(specs: &[String]) -> PyResult<Vec<AgentSpec>> {
    specs.iter().map(|spec| spec.parse().or_raise(SpecError::new_err)).collect()
}

/// Tournaments or self-play that can be played, as a whole or in parts.
#[pyclass(frozen, module = "azulejo._azulejo")]
pub(crate) struct PlannedRun {
    command: Command,
    game: GameSpec,
    schedule: Schedule,
    /// What only tournaments have.
    study: Option<StudyRun>,
    encoding: Encoding,
}

#[pymethods]
impl PlannedRun {
    /// Self-play of agents, one for all seats or one for each.
    #[staticmethod]
    fn selfplay(
        table: (String, usize),
        agents: Vec<String>,
        games: u64,
        seed: u64,
        rotate: bool,
        options: GameOptions,
    ) -> PyResult<Self> {
        let (game, players) = (read_game(&table.0).or_raise(SpecError::new_err)?, table.1);
        let rotation = if rotate { Rotation::Rotated } else { Rotation::Fixed };
        let schedule = Schedule::selfplay((game, players), &read_agents(&agents)?, games, seed, rotation);
        Ok(Self::new((Command::Selfplay, game), schedule.or_raise(SpecError::new_err)?, None, &options))
    }

    /// A tournament by the keys of a configuration file, whose text this is, or the one of them with this name.
    #[staticmethod]
    fn tournament(study: &str, name: Option<&str>, options: GameOptions) -> PyResult<Self> {
        let mut runs = Study::read(study).or_raise(SpecError::new_err)?.runs;
        let chosen = match name {
            None if runs.len() == 1 => Some(0),
            name => runs.iter().position(|run| run.name.as_deref() == name),
        };
        let Some(chosen) = chosen else {
            let known: Vec<&str> = runs.iter().map(StudyRun::name).collect();
            let found = name.map_or("nothing".to_owned(), |name| format!("'{name}'"));
            return Err(SpecError::new_err(format!("run: found {found}, expected {}", known.join(", "))));
        };
        let run = runs.swap_remove(chosen);
        let schedule = run.schedule().or_raise(SpecError::new_err)?;
        Ok(Self::new((Command::Tournament, run.game), schedule, Some(run), &options))
    }

    /// The number of games.
    #[getter]
    fn games(&self) -> u64 {
        self.schedule.games
    }

    /// Plays the run, or what is missing of it, and returns its summary.
    fn play(&self, py: Python<'_>, place: RunPlace) -> PyResult<String> {
        let arena = arena(self.game);
        let it = self.run(&*arena, &place)?;
        let (summary, _) = watched(py, place.watcher.as_ref(), |stop, teller| {
            run(&it, place.start(), stop, &mut *teller.games(self.schedule.games))
        })?
        .or_raise(RunError::new_err)?;
        Ok(to_json(&summary))
    }

    /// The indices of the games of a part, from the first one to the one after the last.
    fn shard_games(&self, shard: &str) -> PyResult<(u64, u64)> {
        let games = read_shard(shard)?.games(&self.schedule);
        Ok((games.start, games.end))
    }

    /// Plays a part of the run.
    fn play_shard(&self, py: Python<'_>, shard: &str, place: RunPlace) -> PyResult<()> {
        let (shard, arena) = (read_shard(shard)?, arena(self.game));
        let it = self.run(&*arena, &place)?;
        let games = shard.games(&self.schedule);
        let outcome = watched(py, place.watcher.as_ref(), |stop, teller| {
            play_shard(&it, shard, stop, &mut *teller.games(games.end - games.start))
        })?
        .or_raise(RunError::new_err)?;
        whole(shard, outcome)
    }
}

impl PlannedRun {
    fn new(
        (command, game): (Command, GameSpec),
        schedule: Schedule,
        study: Option<StudyRun>,
        options: &GameOptions,
    ) -> Self {
        let analyses = if options.analysis { Analyses::Kept } else { Analyses::Dropped };
        let move_limit = options.move_limit.unwrap_or(schedule.move_limit);
        let encoding = if options.compress { Encoding::Zstd } else { Encoding::Plain };
        PlannedRun { command, game, schedule: Schedule { move_limit, analyses, ..schedule }, study, encoding }
    }

    fn run<'a>(&'a self, arena: &'a dyn Arena, place: &'a RunPlace) -> PyResult<Run<'a>> {
        let study = self.study.as_ref();
        let pairing = study.map_or(Ok(Pairing::All), StudyRun::pairing).or_raise(SpecError::new_err)?;
        let anchor = study.and_then(|study| study.anchor.as_ref());
        let sprt = study.and_then(|study| study.sprt.as_ref());
        let mut manifest = Manifest::new(self.command, &self.schedule, self.encoding, pairing, anchor);
        manifest.settings.sprt = sprt.map(ToString::to_string);
        Ok(Run {
            arena,
            manifest,
            invocation: Invocation::by(format!("azulejo.{}() in Python", self.command)),
            schedule: &self.schedule,
            anchor,
            sprt,
            directory: &place.out,
            encoding: self.encoding,
            threads: place.threads()?,
        })
    }
}

fn read_shard(text: &str) -> PyResult<Shard> {
    text.parse().map_err(|expected| SpecError::new_err(format!("shard: found '{text}', {expected}")))
}

/// A part that was played to its end, or is there.
fn whole(shard: Shard, outcome: ShardOutcome) -> PyResult<()> {
    match outcome {
        ShardOutcome::Interrupted => Err(RunError::new_err(format!("part {shard} was interrupted"))),
        ShardOutcome::Played | ShardOutcome::Present | ShardOutcome::Empty => Ok(()),
    }
}

fn to_json(found: &impl serde::Serialize) -> String {
    serde_json::to_string(found).expect("findings have only plain values")
}

/// A study of balance.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the settings of a study, by name")]
pub(crate) fn play_balance(
    py: Python<'_>,
    games_specs: Vec<String>,
    players: Vec<usize>,
    agents: Vec<String>,
    games: u64,
    strategies: bool,
    changes: Vec<String>,
    count_anew: bool,
    seed: u64,
    place: RunPlace,
) -> PyResult<String> {
    let variants = games_specs.iter().map(|game| read_game(game).or_raise(SpecError::new_err));
    let study = BalanceStudy {
        variants: variants.collect::<PyResult<_>>()?,
        players,
        agents: read_agents(&agents)?,
        games,
        strategies,
        strategies_of: None,
        changes: (!changes.is_empty()).then_some(RuleChanges::Set(changes)),
        count_anew,
        seed,
    };
    let start = if place.resume { StudyStart::Resume } else { StudyStart::New };
    let invocation = Invocation::by("azulejo.balance() in Python".to_owned());
    let threads = place.threads()?;
    let open = study.open(&place.out, start).or_raise(RunError::new_err)?;
    let findings = watched(py, place.watcher.as_ref(), |stop, teller| {
        open.play(threads, &invocation, stop, &mut |games| teller.games(games))
    })?
    .or_raise(RunError::new_err)?;
    Ok(to_json(&findings))
}

/// The configuration of a training run: that of a file's text, the one with this name if there are several, or the usual one for a
/// game, with as many games and steps as take so many minutes here.
#[pyfunction]
#[pyo3(signature = (text, name, game, players, minutes, threads, seed, generations))]
#[expect(clippy::too_many_arguments, reason = "the settings of a run, by name")]
pub(crate) fn training_config(
    py: Python<'_>,
    text: Option<&str>,
    name: Option<&str>,
    game: &str,
    players: usize,
    minutes: Option<u64>,
    threads: Option<usize>,
    seed: Option<u64>,
    generations: Option<u64>,
) -> PyResult<String> {
    let mut config = match text {
        Some(text) => named_config(text, name)?,
        None => TrainConfig::recipe(game.to_owned(), players),
    };
    config.seed = seed.unwrap_or(config.seed);
    config.generations = generations.unwrap_or(config.generations);
    let config = config.completed();
    let game = config.game().or_raise(SpecError::new_err)?;
    let Some(minutes) = minutes else { return Ok(config.to_toml()) };
    let threads = RunPlace { out: PathBuf::new(), resume: false, threads, watcher: None }.threads()?;
    let found = interruptible(py, |stop| {
        with_game!(game, |_rules: &'static G::Rules| pace::<G>(&config, threads, Backend::Embedded, stop))
    })?;
    let Some(pace) = found.or_raise(RunError::new_err)? else {
        return Err(RunError::new_err("interrupted before anything was written"));
    };
    Ok(config.fitted(std::time::Duration::from_secs(60 * minutes), pace).to_toml())
}

/// The configuration of a file's text, or the one with this name.
fn named_config(text: &str, name: Option<&str>) -> PyResult<TrainConfig> {
    let mut runs = TrainConfig::read_runs(text).or_raise(SpecError::new_err)?;
    let chosen = match name {
        None if runs.len() == 1 => Some(0),
        _ => runs.iter().position(|(known, _)| known.is_some() && known.as_deref() == name),
    };
    let Some(chosen) = chosen else {
        let known: Vec<&str> = runs.iter().filter_map(|(known, _)| known.as_deref()).collect();
        return Err(SpecError::new_err(format!("run: found {name:?}, expected one of {}", known.join(", "))));
    };
    Ok(runs.swap_remove(chosen).1)
}

/// A training run, by its configuration's text.
#[pyclass(frozen, module = "azulejo._azulejo")]
pub(crate) struct PlannedTraining {
    config: TrainConfig,
    game: GameSpec,
}

#[pymethods]
impl PlannedTraining {
    #[new]
    fn new(config: &str) -> PyResult<Self> {
        let config = named_config(config, None)?;
        let game = config.game().or_raise(SpecError::new_err)?;
        Ok(PlannedTraining { config, game })
    }

    /// Trains, for so many stages at most, and says whether all are done.
    #[pyo3(signature = (place, stages=None))]
    fn train(&self, py: Python<'_>, place: RunPlace, stages: Option<u64>) -> PyResult<bool> {
        let stages = stages.map(|stages| {
            NonZeroU64::new(stages).ok_or_else(|| SpecError::new_err("stages: found 0, expected 1 or more"))
        });
        let training = self.training(&place, stages.transpose()?)?;
        let status = watched(py, place.watcher.as_ref(), |stop, teller| {
            let mut watch = teller.training();
            with_game!(self.game, |_rules: &'static G::Rules| {
                training.run::<G>(place.start(), stop, &mut watch)
            })
        })?;
        Ok(status.or_raise(RunError::new_err)? == Status::Finished)
    }

    /// Plays a part of the games of the stage that the run has come to; says whether there is such a stage.
    fn play_shard(&self, py: Python<'_>, shard: &str, place: RunPlace) -> PyResult<bool> {
        let shard = read_shard(shard)?;
        let training = self.training(&place, None)?;
        let played = watched(py, place.watcher.as_ref(), |stop, teller| {
            let mut watch = teller.training();
            with_game!(self.game, |_rules: &'static G::Rules| {
                training.play_shard::<G>(shard, stop, &mut watch)
            })
        })?;
        match played.or_raise(RunError::new_err)? {
            StageShard::RunFinished => Ok(false),
            StageShard::Part { outcome, .. } => whole(shard, outcome).map(|()| true),
        }
    }

    /// What looks wrong in what came out, and what to change.
    fn diagnosis(&self, directory: PathBuf) -> PyResult<Vec<String>> {
        Ok(TrainReport::read(&directory).or_raise(RunError::new_err)?.diagnosis())
    }
}

impl PlannedTraining {
    fn training<'a>(&'a self, place: &'a RunPlace, stages: Option<NonZeroU64>) -> PyResult<Training<'a>> {
        Ok(Training {
            config: &self.config,
            directory: &place.out,
            threads: place.threads()?,
            stages,
            backend: Backend::Embedded,
            invocation: Invocation::by("azulejo.train() in Python".to_owned()),
        })
    }
}
