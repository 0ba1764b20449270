//! Training: a network plays against itself, learns from the games, and is measured, generation by
//! generation.
//!
//! A run is a row of *stages*: first a teacher's games, if there is one, then the generations. A stage plays
//! its games with the network as it stands, learns for a fixed number of steps from the games of the last
//! stages, writes a checkpoint and the network, and is measured if that is due. Everything in a stage follows
//! from the configuration, its seed and the stages before: on as many threads as one likes, and however often
//! the run is stopped. Other processes may play a stage's games ([`Training::play_shard`]).

mod averaging;
mod checkpoint;
mod config;
mod diagnosis;
mod error;
mod events;
pub(crate) mod examples;
mod loss_sample;
mod metrics;
mod opponents;
mod outcomes;
mod pace;
mod random_moves;
mod recipe;
mod report;
mod returns;
pub(crate) mod search_values;
mod stage;
mod stage_games;
mod stage_manifest;
mod symmetric;
#[cfg(test)]
mod tests;
mod training_agent;
mod training_seeds;
mod training_tables;
mod window;

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::{Record, spec_of};
use azulejo_agents::heuristic::Insights;
use azulejo_agents::neural::{
    self, About, Backend, Critic, Embedded, Example, Inference, Losses, Network, Shape, Trainer,
    TrainerState, about_critic, critic_shape, read_critic, shape_of, untrained, untrained_critic,
};
use azulejo_agents::settings::read_settings;
use azulejo_agents::{AgentSpec, AgentSpecError, Playable};
use rayon::ThreadPool;
use rayon::prelude::*;

use self::averaging::Averaging;
use self::checkpoint::{Checkpoint, TrainingProgress};
pub(crate) use self::config::TrainingTable;
pub use self::config::{
    CriticConfig, EvaluationConfig, LearningConfig, Lesson, NetworkConfig, SelfplayConfig, TableConfig,
    TeacherConfig, TrainConfig,
};
pub use self::error::TrainError;
use self::error::file_error;
use self::loss_sample::SampleSize;
pub use self::loss_sample::SampledLosses;
pub(crate) use self::metrics::Metrics;
pub use self::metrics::{OpponentShare, Row};
use self::opponents::Opponents;
pub use self::pace::pace;
pub use self::recipe::Pace;
pub use self::report::TrainReport;
use self::returns::Returns;
use self::search_values::SearchSamples;
use self::stage::Stage;
use self::stage_games::{FoundGames, StageGames, games_file, read_games};
use self::symmetric::symmetric;
pub(crate) use self::training_seeds::TrainingSeeds;
use self::training_tables::TrainingTables;
use self::window::Window;
use crate::atomic_file::{Durability, replace, sync_directory};
use crate::game_loop::{Arena, Fault, GameArena};
use crate::machine::Invocation;
use crate::manifest::{Provenance, ProvenanceError, Status, check_play_version};
use crate::parallel::{play_in_order, thread_pool};
use crate::run::Start;
use crate::run_directory::RunDirectory;
use crate::schedule::{Pairing, Schedule};
use crate::score_sources::ScoreSources;
use crate::shard::{SHARDS, Shard, ShardOutcome};
use crate::standings::StandingsBuilder;
use crate::summary::Summary;

/// How many games were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamesPlayed {
    /// Their number.
    pub games: u64,
    /// The number of their moves.
    pub moves: u64,
}

/// Is told how a training run goes.
pub trait TrainWatch: Send {
    /// So many of the stage's games have been played; `played` leaves out those that were before the run was
    /// resumed.
    fn games(&mut self, stage: u64, done: u64, all: u64, played: GamesPlayed);
    /// So many of the stage's steps have been made; the losses are those of the last one.
    fn step(&mut self, stage: u64, done: u64, all: u64, losses: &Losses);
    /// The stage's network is going to be measured against this opponent.
    fn measure(&mut self, stage: u64, opponent: &str);
    /// A game of this measurement was forfeited, the first one; the others are counted.
    fn fault(&mut self, fault: &Fault);
    /// A stage has ended.
    fn stage(&mut self, row: &Row);
}

/// Where and how a training run takes place.
#[derive(Debug)]
pub struct Training<'a> {
    /// What it does.
    pub config: &'a TrainConfig,
    /// The directory: `train.toml`, `machine.toml`, `net.safetensors`, `checkpoint.safetensors`, `metrics.csv`, an event file
    /// for TensorBoard, `report.html`, `report.md`, and `games/` with the games of each stage.
    pub directory: &'a Path,
    /// Threads that play; the results do not depend on it.
    pub threads: NonZeroUsize,
    /// The most stages that this start of the program finishes; all that are left if none. What the other processes play of a stage
    /// comes before it, so a run with shards goes on stage by stage.
    pub stages: Option<NonZeroU64>,
    /// What the network is trained by: a run may go on with another one. Weights differ by rounding then.
    pub backend: Backend,
    /// This start of the program, which `machine.toml` will list.
    pub invocation: Invocation,
}

impl Training<'_> {
    /// Trains for the game `G`, which the configuration names, until all stages are done or `stop` is set.
    ///
    /// # Errors
    /// See [`TrainError`]. Stages that ended before stay.
    pub fn run<G: Playable + ScoreSources>(
        &self,
        start: Start,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Status, TrainError> {
        let tables = self.checked_tables::<G>()?;
        let pool = thread_pool(self.threads)?;
        let directory = RunDirectory::exclusive(self.directory)?;
        let provenance = self.config.present_provenance().map_err(|problem| self.different(problem))?;
        let begun = self.begun(&directory, start, &provenance)?;
        let mut training_run = TrainingRun::<G>::begin(self, tables, pool, provenance.clone())?;
        if let Some(before) = begun.as_ref().filter(|_| training_run.has_more_stages()) {
            let same = check_play_version(before.provenance.as_ref());
            same.map_err(|problem| self.different(problem))?;
        }
        let found = training_run.find_games()?;
        // Whatever can be refused has been: from here on files change.
        self.prepare(&directory, begun.is_none().then_some(provenance))?;
        training_run.run(found, stop, watch)
    }

    /// Plays a part of the games of the stage that the run in the directory has come to, and puts their records there, where others
    /// may play other parts at the same time; a run that goes on takes them for its own. A run that has not begun is at its first
    /// stage.
    ///
    /// # Errors
    /// As [`run`](Training::run).
    pub fn play_shard<G: Playable + ScoreSources>(
        &self,
        shard: Shard,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<StageShard, TrainError> {
        let tables = self.checked_tables::<G>()?;
        let pool = thread_pool(self.threads)?;
        let directory = RunDirectory::shared(self.directory)?;
        let provenance = self.config.present_provenance().map_err(|problem| self.different(problem))?;
        if let Some(before) = self.begun(&directory, Start::Resume, &provenance)? {
            let same = check_play_version(before.provenance.as_ref());
            same.map_err(|problem| self.different(problem))?;
        }
        let Checkpoint { state, average, progress } = self.checkpoint::<G>()?;
        let stage = Stage { config: self.config, number: progress.stages };
        if stage.number >= Stage::count(self.config) {
            return Ok(StageShard::RunFinished);
        }
        let (generation, games) = (stage.generation(), shard.part(stage.games(), 1));
        if games_file(self.directory, stage).exists() {
            return Ok(StageShard::Part { generation, games, outcome: ShardOutcome::Present });
        }
        let network = average.map_or(state.network, |average| average.network);
        let stage_games = StageGames::new(self, (&tables, &pool), stage, network, &provenance)?;
        let outcome = stage_games.play_part(games.clone(), stop, watch)?;
        Ok(StageShard::Part { generation, games, outcome })
    }

    /// The tables of the game `G`, once everything that the configuration names has been found good.
    fn checked_tables<G: Playable>(&self) -> Result<TrainingTables<G>, TrainError> {
        self.config.check().map_err(TrainError::Config)?;
        self.backend.check()?;
        if G::FEATURES == 0 {
            return Err(TrainError::Config(format!("{} has no features for networks", G::NAME)));
        }
        let tables = self.config.tables::<G>().map_err(TrainError::Config)?;
        self.check_agents::<G>()?;
        if self.config.critic.is_some() {
            check_insights(G::NAME, &G::INSIGHTS)?;
        }
        let opponents = self.config.selfplay.as_ref().map(Opponents::new).unwrap_or_default();
        Ok(TrainingTables { tables, seeds: TrainingSeeds(self.config.seed), opponents })
    }

    /// Where the run in the directory stands.
    fn checkpoint<G: Playable>(&self) -> Result<Checkpoint, TrainError> {
        let path = self.directory.join(CHECKPOINT);
        if path.exists() {
            return checkpoint::read(&path, network_shape::<G>(self.config)).map_err(file_error(&path));
        }
        let state = TrainerState::new(first_network::<G>(self.config)?);
        Ok(Checkpoint { state, average: None, progress: TrainingProgress::default() })
    }

    /// Builds the teacher and the opponents of both kinds once, so that those that cannot be are found before anything is played.
    fn check_agents<G: Playable>(&self) -> Result<(), AgentSpecError> {
        let teacher = self.config.teacher.iter().map(|teacher| &teacher.agent);
        let opponents = self.config.evaluation.iter().flat_map(|evaluation| &evaluation.opponents);
        let seated = self.config.selfplay.iter().flat_map(|selfplay| &selfplay.opponents);
        teacher
            .chain(opponents)
            .chain(seated)
            .try_for_each(|spec| spec.parse::<AgentSpec>()?.build::<G>().map(drop))
    }

    /// The configuration of the run in the directory, which is the same and names the same files; `None` if none has begun
    /// there.
    fn begun(
        &self,
        directory: &RunDirectory,
        start: Start,
        provenance: &Provenance,
    ) -> Result<Option<TrainConfig>, TrainError> {
        // Only a run that goes on takes what others have played.
        let parts: &[&str] = if start == Start::Resume { &[SHARDS] } else { &[] };
        if directory.is_unused(SETTINGS, parts).map_err(file_error(self.directory))? {
            return Ok(None);
        }
        if start == Start::New {
            return Err(TrainError::NotEmpty(self.directory.to_owned()));
        }
        let path = self.directory.join(SETTINGS);
        let known = read_settings(&path).map_err(file_error(&path))?;
        // Not by its text: a key that is not there has its default, and a spec may use former keys.
        let known = TrainConfig::read(&known).map_err(file_error(&path))?;
        let same = self.config.check_same(&known);
        same.map_err(|difference| TrainError::Different { path: self.directory.to_owned(), difference })?;
        if known.version.is_none() {
            return Err(TrainError::Former(self.directory.to_owned()));
        }
        let files = known.provenance.as_ref().map_or(Ok(()), |before| provenance.check_files(before));
        files.map_err(|problem| self.different(problem))?;
        Ok(Some(known))
    }

    fn different(&self, problem: ProvenanceError) -> TrainError {
        TrainError::Provenance { path: self.directory.to_owned(), problem }
    }

    /// Makes the directory ready; a run that begins has a provenance and writes its settings.
    fn prepare(&self, directory: &RunDirectory, begins: Option<Provenance>) -> Result<(), TrainError> {
        directory.remove_leftovers(&[SHARDS]).map_err(file_error(self.directory))?;
        if let Some(provenance) = begins {
            let (version, provenance) = (Some(config::VERSION), Some(provenance));
            let config = TrainConfig { version, provenance, ..self.config.clone() };
            let written = directory.write_settings(SETTINGS, &config.to_toml());
            written.map_err(file_error(&self.directory.join(SETTINGS)))?;
        }
        let games = self.directory.join("games");
        let made = fs::create_dir_all(&games).and_then(|()| sync_directory(self.directory));
        made.map_err(file_error(&games))?;
        self.invocation.append(self.directory).map_err(file_error(self.directory))
    }
}

/// The name of the run's configuration in its directory.
const SETTINGS: &str = "train.toml";

/// The name of the file that says where the run stands.
const CHECKPOINT: &str = "checkpoint.safetensors";

/// What became of a part of a stage's games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StageShard {
    /// The run has no stage left whose games could be played.
    RunFinished,
    /// There is a stage.
    Part {
        /// Its generation; 0 for the teacher's games.
        generation: u64,
        /// The part's games, by their numbers in the run.
        games: Range<u64>,
        /// What became of them.
        outcome: ShardOutcome,
    },
}

/// Refuses a critic for a game whose value has no numbers that one could look at.
fn check_insights(game: &str, insights: &Insights) -> Result<(), TrainError> {
    if insights.seat.is_empty() {
        return Err(TrainError::Config(format!("critic: {game} has no numbers for a critic to look at")));
    }
    Ok(())
}

/// The sizes of a run's network.
fn network_shape<G: Playable>(config: &TrainConfig) -> Shape {
    let NetworkConfig { width, blocks } = config.network;
    if config.critic.is_some() { critic_shape::<G>(width, blocks) } else { shape_of::<G>(width, blocks) }
}

/// The network that a run begins with.
fn first_network<G: Playable>(config: &TrainConfig) -> Result<Network, TrainError> {
    let shape = network_shape::<G>(config);
    let Some(path) = &config.start else {
        let seed = TrainingSeeds(config.seed).network();
        return Ok(match config.critic {
            Some(_) => untrained_critic::<G>(shape.width, shape.blocks, seed),
            None => untrained::<G>(shape.width, shape.blocks, seed),
        });
    };
    let found = if config.critic.is_some() { read_critic::<G>(path) } else { neural::read::<G>(path) };
    let (network, about) = found.map_err(file_error(path))?;
    if about.width != shape.width || about.blocks > shape.blocks {
        let NetworkConfig { width, blocks } = config.network;
        let problem = format!(
            "found a network of width {} with {} blocks, expected width {width} with {blocks} or fewer",
            about.width, about.blocks
        );
        return Err(TrainError::File { path: path.clone(), problem });
    }
    Ok(network.deepened(shape.blocks, TrainingSeeds(config.seed).network()))
}

/// What a stage's games teach, game by game.
#[derive(Default)]
struct Examples {
    learned: Vec<Vec<Example>>,
    /// Those of every [`HELD_OUT`]th game, which show what the network knows of games that it has not learned
    /// from.
    held_out: Vec<Vec<Example>>,
}

/// One of so many games is held out.
const HELD_OUT: u64 = 20;

/// Whether nothing is learned from a game.
pub(crate) fn is_held_out(record: &Record) -> bool {
    record.index % HELD_OUT == HELD_OUT - 1
}

/// A run under way.
struct TrainingRun<'a, G: Playable> {
    training: &'a Training<'a>,
    tables: TrainingTables<G>,
    pool: ThreadPool,
    /// What decides the games beside the configuration.
    provenance: Provenance,
    trainer: Box<dyn Trainer>,
    averaging: Averaging,
    progress: TrainingProgress,
    /// Says what is expected on the way of the games that a critic learns from: the critic of another run
    /// that this one began with, or nothing but the game's own value.
    expects: Option<Embedded>,
    window: Window,
}

impl<'a, G: Playable + ScoreSources> TrainingRun<'a, G> {
    /// Begins, or goes on where the checkpoint stands.
    fn begin(
        training: &'a Training<'a>,
        tables: TrainingTables<G>,
        pool: ThreadPool,
        provenance: Provenance,
    ) -> Result<Self, TrainError> {
        let config = training.config;
        let Checkpoint { state, average, progress } = training.checkpoint::<G>()?;
        let trainer = training.backend.trainer(state, config.trainer())?;
        let expects = match (config.critic, &config.start) {
            (Some(_), Some(_)) => Some(Embedded::new(first_network::<G>(config)?)),
            _ => None,
        };
        let averaging = Averaging { steps: config.learning.average, mean: average };
        let window = Window::default();
        let mut training_run =
            TrainingRun { training, tables, pool, provenance, trainer, averaging, progress, expects, window };
        let (next, directory) = (training_run.stage(), training.directory);
        let first = next.learned_from().start;
        for number in first..next.number {
            let stage = Stage { config, number };
            let records = read_games(&games_file(directory, stage))?;
            let examples = training_run.examples(stage, &records)?;
            training_run.window.push(number, examples.learned, first);
        }
        Ok(training_run)
    }

    /// The stage that comes next.
    fn stage(&self) -> Stage<'a> {
        Stage { config: self.training.config, number: self.progress.stages }
    }

    fn has_more_stages(&self) -> bool {
        self.progress.stages < Stage::count(self.training.config)
    }

    /// The games of the next stage, if there is one.
    fn stage_games(&self) -> Result<Option<StageGames<'_, G>>, TrainError> {
        if !self.has_more_stages() {
            return Ok(None);
        }
        let network = self.averaging.network(&*self.trainer);
        let (played, provenance) = ((&self.tables, &self.pool), &self.provenance);
        StageGames::new(self.training, played, self.stage(), network, provenance).map(Some)
    }

    /// What is there of the next stage's games, if there is such a stage.
    fn find_games(&self) -> Result<Option<FoundGames>, TrainError> {
        self.stage_games()?.map(|games| games.find()).transpose()
    }

    /// Makes the stages that are left, or as many as are asked for; what is there of the first one's games has been found.
    fn run(
        &mut self,
        mut found: Option<FoundGames>,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Status, TrainError> {
        if !self.progress.rows.is_empty() {
            // A run may have been killed right after it wrote its checkpoint.
            self.write_course()?;
        }
        let mut left = self.training.stages.map_or(u64::MAX, NonZeroU64::get);
        while left > 0
            && let Some(games) = self.stage_games()?
        {
            let found = match found.take() {
                Some(found) => found,
                None => games.find()?,
            };
            let Some(records) = games.complete(found, stop, watch)? else { return Ok(Status::Interrupted) };
            let Some(row) = self.learn_from(&records, stop, watch)? else { return Ok(Status::Interrupted) };
            self.finish_stage(row, watch)?;
            left -= 1;
        }
        Ok(if self.has_more_stages() { Status::Interrupted } else { Status::Finished })
    }

    /// Learns from the games of the next stage, writes the network and measures it if that is due; `None` if stopped.
    fn learn_from(
        &mut self,
        records: &[Record],
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Option<Row>, TrainError> {
        let stage = self.stage();
        let Examples { learned, held_out } = self.examples(stage, records)?;
        self.progress.positions += learned.iter().map(Vec::len).sum::<usize>() as u64;
        self.window.push(stage.number, learned, stage.learned_from().start);
        let Some((losses, learning_rate)) = self.learn(stage, stop, watch)? else { return Ok(None) };
        let [seen, unseen] = self.seen_and_unseen(stage, &held_out);
        self.write_network()?;
        let shares = if self.is_measured(stage) { self.measure(stage, stop, watch)? } else { Vec::new() };
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let plies = records.iter().map(|record| record.moves.len()).sum::<usize>() as f64;
        Ok(Some(Row {
            generation: stage.generation(),
            steps: self.trainer.steps(),
            games: stage.games().end,
            positions: self.progress.positions,
            losses,
            seen,
            unseen,
            learning_rate,
            plies: plies / records.len() as f64,
            shares,
        }))
    }

    fn finish_stage(&mut self, row: Row, watch: &mut dyn TrainWatch) -> Result<(), TrainError> {
        watch.stage(&row);
        self.progress.stages += 1;
        self.progress.steps = self.trainer.steps();
        self.progress.rows.push(row);
        let path = self.training.directory.join(CHECKPOINT);
        let (state, average) = (self.trainer.state(), self.averaging.mean.clone());
        self.progress.averaged = average.as_ref().map_or(0, |average| average.count);
        let checkpoint = Checkpoint { state, average, progress: self.progress.clone() };
        checkpoint::write(&path, &checkpoint).map_err(file_error(&path))?;
        self.write_course()
    }

    /// Writes what tells of the stages so far: the table, the events and the report.
    fn write_course(&self) -> Result<(), TrainError> {
        let directory = self.training.directory;
        let evaluation = self.training.config.evaluation.as_ref();
        let opponents = evaluation.map_or(&[][..], |evaluation| &evaluation.opponents);
        let path = directory.join("metrics.csv");
        metrics::write(&path, &self.progress.rows, opponents).map_err(file_error(&path))?;
        let path = directory.join(events::FILE);
        events::write(&path, &self.progress.rows).map_err(file_error(&path))?;
        let report = TrainReport::read(directory).map_err(file_error(directory))?;
        report.write(directory).map_err(file_error(directory))
    }

    /// The examples of a stage's games.
    fn examples(&self, stage: Stage<'_>, records: &[Record]) -> Result<Examples, TrainError> {
        let found = match self.training.config.critic {
            Some(critic) => self.returns(records, critic),
            None => self.choices(records),
        };
        let path = games_file(self.training.directory, stage);
        let mut examples = Examples::default();
        for (record, found) in records.iter().zip(found.map_err(file_error(&path))?) {
            if is_held_out(record) { &mut examples.held_out } else { &mut examples.learned }.push(found);
        }
        Ok(examples)
    }

    /// What games teach a network that plays.
    fn choices(&self, records: &[Record]) -> Result<Vec<Vec<Example>>, String> {
        let mut samples = SearchSamples::default();
        let tables = &self.tables;
        records.iter().try_for_each(|record| samples.add::<G>(record, tables.of(record.index).rules))?;
        let values = samples.weighted(self.training.config.learning.search_value);
        let renames = self.training.config.learning.symmetries;
        let of_game = |record: &Record| {
            let rules = tables.of(record.index).rules;
            match tables.symmetry(record.index) {
                number if renames && number > 0 => {
                    examples::examples::<G>(&symmetric::<G>(record, rules, number)?, rules, values)
                }
                _ => examples::examples::<G>(record, rules, values),
            }
        };
        self.pool.install(|| records.par_iter().map(of_game).collect())
    }

    /// What games teach a critic.
    fn returns(&self, records: &[Record], critic: CriticConfig) -> Result<Vec<Vec<Example>>, String> {
        let (tables, expects) =
            (&self.tables, self.expects.as_ref().map(|network| network as &dyn Inference));
        let begin = || Returns::<G> { lambda: critic.lambda, critic: Critic::new(expects) };
        let of_game = |returns: &mut Returns<G>, record: &Record| {
            returns.examples(record, tables.of(record.index).rules)
        };
        self.pool.install(|| records.par_iter().map_init(begin, of_game).collect())
    }

    /// The network's losses as it stands on the stage's games that it has learned from, and on those held out.
    fn seen_and_unseen(&mut self, stage: Stage<'_>, held_out: &[Vec<Example>]) -> [Option<SampledLosses>; 2] {
        let groups = [self.window.latest(), held_out];
        let played = |games: &[Vec<Example>]| games.iter().filter(|game| !game.is_empty()).count();
        let size = SampleSize::for_both(groups.map(played));
        let mut rng = self.tables.seeds.losses(stage.number);
        groups.map(|games| size.losses(&mut *self.trainer, games, &mut rng))
    }

    /// Makes a stage's steps; returns the mean losses and the last learning rate, `None` if stopped.
    fn learn(
        &mut self,
        stage: Stage<'_>,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Option<(Option<Losses>, f32)>, TrainError> {
        let config = self.training.config;
        let steps = stage.steps();
        let pool = self.window.examples();
        let mut rng = self.tables.seeds.batches(stage.number);
        let (mut sum, mut learning_rate) = (Losses::default(), 0.0);
        for step in 0..steps {
            if pool.is_empty() {
                return Err(TrainError::NothingLearned(stage.generation()));
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let drawn = (0..config.learning.batch).map(|_| pool[rng.below(pool.len() as u64) as usize]);
            let batch: Vec<&Example> = drawn.collect();
            learning_rate = config.learning_rate(self.trainer.steps());
            let losses = self.trainer.step(&batch, learning_rate);
            self.averaging.take(&*self.trainer);
            sum.policy += losses.policy / steps as f32;
            sum.wins += losses.wins / steps as f32;
            sum.scores += losses.scores / steps as f32;
            watch.step(stage.generation(), step + 1, steps, &losses);
        }
        Ok(Some(((steps > 0).then_some(sum), learning_rate)))
    }

    fn network_file(&self) -> PathBuf {
        self.training.directory.join("net.safetensors")
    }

    fn write_network(&self) -> Result<(), TrainError> {
        let tables = self.tables.tables.iter();
        let rules = tables.map(|table| format!("{} {}", spec_of::<G>(table.rules), table.players));
        let (network, steps) = (self.averaging.network(&*self.trainer), self.trainer.steps());
        let (shape, rules) = (network.shape(), rules.collect());
        let about = match self.training.config.critic {
            Some(_) => about_critic::<G>(shape, steps, rules),
            None => About::new::<G>(shape, steps, rules),
        };
        let path = self.network_file();
        replace(&path, neural::to_bytes(&network, &about), Durability::Disk).map_err(file_error(&path))
    }

    fn is_measured(&self, stage: Stage<'_>) -> bool {
        let is_last = stage.number + 1 == Stage::count(stage.config);
        let evaluation = stage.config.evaluation.as_ref();
        evaluation.is_some_and(|it| stage.generation().is_multiple_of(it.every) || is_last)
    }

    /// The win share against each opponent at the first table, by seed blocks that are the same in all
    /// stages.
    fn measure(
        &self,
        stage: Stage<'_>,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Vec<OpponentShare>, TrainError> {
        let config = self.training.config;
        let file = self.network_file();
        let name = file.to_str().filter(|name| !name.contains([',', '=']));
        let name = name.ok_or_else(|| {
            TrainError::Config(format!("{}: expected a path without ',' and '='", file.display()))
        })?;
        let (Some(evaluation), Some(player)) =
            (&config.evaluation, config.player(name).map_err(TrainError::Config)?)
        else {
            return Ok(Vec::new());
        };
        let TrainingTable { rules, players, .. } = self.tables.tables[0];
        let arena = GameArena::<G> { rules };
        let seed = self.tables.seeds.measurements();
        let mut shares = Vec::new();
        for opponent in &evaluation.opponents {
            watch.measure(stage.generation(), opponent);
            let agents: [AgentSpec; 2] = [player.clone(), opponent.parse()?];
            let table = (arena.spec(), players);
            let schedule =
                Schedule::tournament(table, &agents, evaluation.games, seed, Pairing::Gauntlet(&agents[0]))?;
            let (mut standings, mut failed) = (StandingsBuilder::new(&schedule), false);
            play_in_order(
                (&arena, &schedule),
                0,
                &self.pool,
                stop,
                |played| played,
                |played| {
                    standings.push(&schedule.job(played.record.index), &played);
                    if let Some(fault) = played.fault.filter(|_| !std::mem::replace(&mut failed, true)) {
                        watch.fault(&fault);
                    }
                    Ok::<_, TrainError>(ControlFlow::Continue(()))
                },
            )?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let summary = Summary::new(&schedule, &standings.finish(), None)?;
            shares.push(OpponentShare::of_match(opponent, &summary));
        }
        Ok(shares)
    }
}
