//! Training: a network plays against itself, learns from the games, and is measured, generation by
//! generation.
//!
//! A run is a row of *stages*: first a teacher's games, if there is one, then the generations. A stage plays
//! its games with the network as it stands, learns for a fixed number of steps from the games of the last
//! stages, writes a checkpoint and the network, and is measured if that is due. Everything in a stage follows
//! from the configuration, its seed and the stages before: on as many threads as one likes, and however often
//! the run is stopped.

mod averaging;
mod checkpoint;
mod config;
mod diagnosis;
mod error;
mod events;
pub(crate) mod examples;
mod loss_sample;
mod metrics;
mod outcomes;
mod pace;
mod random_moves;
mod recipe;
mod report;
mod returns;
pub(crate) mod search_values;
#[cfg(test)]
mod tests;
mod training_agent;
mod training_seeds;
mod training_tables;
mod window;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::{Record, spec_of};
use azulejo_agents::neural::{
    self, About, Backend, Critic, Embedded, Example, Inference, Losses, Network, Shape, Trainer,
    TrainerState, about_critic, critic_shape, read_critic, shape_of, untrained_critic,
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
pub use self::pace::pace;
pub use self::recipe::Pace;
pub use self::report::TrainReport;
use self::returns::Returns;
use self::search_values::SearchSamples;
use self::training_agent::StagePlayer;
pub(crate) use self::training_seeds::TrainingSeeds;
use self::training_tables::TrainingTables;
use self::window::Window;
use crate::atomic_file::{Durability, rename, replace, sync_directory};
use crate::game_loop::{Arena, Fault, GameArena};
use crate::machine::Invocation;
use crate::manifest::{Provenance, ProvenanceError, Status, check_play_version};
use crate::parallel::{play_in_order, thread_pool};
use crate::record_file::{Encoding, RecordWriter, open_lines};
use crate::rules_file::read_record;
use crate::run::Start;
use crate::run_directory::RunDirectory;
use crate::schedule::{Pairing, Schedule};
use crate::score_sources::ScoreSources;
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
        self.config.check().map_err(TrainError::Config)?;
        self.backend.check()?;
        if G::FEATURES == 0 {
            return Err(TrainError::Config(format!("{} has no features for networks", G::NAME)));
        }
        let tables = self.config.tables::<G>().map_err(TrainError::Config)?;
        self.check_agents::<G>()?;
        let pool = thread_pool(self.threads)?;
        let directory = RunDirectory::exclusive(self.directory)?;
        let provenance = self.config.present_provenance().map_err(|problem| self.different(problem))?;
        let begun = self.begun(&directory, start, &provenance)?;
        let mut training_run = TrainingRun::<G>::begin(self, tables, pool)?;
        if let Some(before) = begun.as_ref().filter(|_| training_run.has_more_stages()) {
            let same = check_play_version(before.provenance.as_ref());
            same.map_err(|problem| self.different(problem))?;
        }
        // Whatever can be refused has been: from here on files change.
        self.prepare(&directory, begun.is_none().then_some(provenance))?;
        training_run.run(stop, watch)
    }

    /// Builds the teacher and the opponents once, so that those that cannot be are found before anything is played.
    fn check_agents<G: Playable>(&self) -> Result<(), AgentSpecError> {
        let teacher = self.config.teacher.iter().map(|teacher| &teacher.agent);
        let opponents = self.config.evaluation.iter().flat_map(|evaluation| &evaluation.opponents);
        teacher.chain(opponents).try_for_each(|spec| spec.parse::<AgentSpec>()?.build::<G>().map(drop))
    }

    /// The configuration of the run in the directory, which is the same and names the same files; `None` if none has begun
    /// there.
    fn begun(
        &self,
        directory: &RunDirectory,
        start: Start,
        provenance: &Provenance,
    ) -> Result<Option<TrainConfig>, TrainError> {
        if directory.is_unused(SETTINGS, &[]).map_err(file_error(self.directory))? {
            return Ok(None);
        }
        if start == Start::New {
            return Err(TrainError::NotEmpty(self.directory.to_owned()));
        }
        let path = self.directory.join(SETTINGS);
        let known = read_settings(&path).map_err(file_error(&path))?;
        // Not by its text: a key that is not there has its default, and a spec may use former keys.
        let known = TrainConfig::read(&known).ok().filter(|known| known.is_same(self.config));
        let known = known.ok_or_else(|| TrainError::Different(self.directory.to_owned()))?;
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
        directory.remove_leftovers(&[]).map_err(file_error(self.directory))?;
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

/// Where a file is written until it is complete.
fn part_of(path: &Path) -> PathBuf {
    path.with_extension("part")
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
            None => Network::untrained(shape, seed),
        });
    };
    let found = if config.critic.is_some() { read_critic::<G>(path) } else { neural::read::<G>(path) };
    let (network, about) = found.map_err(file_error(path))?;
    if network.shape() != shape {
        let NetworkConfig { width, blocks } = config.network;
        let problem = format!(
            "found a network of width {} with {} blocks, expected width {width} with {blocks}",
            about.width, about.blocks
        );
        return Err(TrainError::File { path: path.clone(), problem });
    }
    Ok(network)
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

/// A run under way.
struct TrainingRun<'a, G: Playable> {
    training: &'a Training<'a>,
    tables: TrainingTables<G>,
    pool: ThreadPool,
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
        tables: Vec<TrainingTable<G>>,
        pool: ThreadPool,
    ) -> Result<Self, TrainError> {
        let config = training.config;
        if config.critic.is_some() && G::INSIGHTS.seat.is_empty() {
            return Err(TrainError::Config(format!(
                "critic: {} has no numbers for a critic to look at",
                G::NAME
            )));
        }
        let path = training.directory.join("checkpoint.safetensors");
        let Checkpoint { state, average, progress } = if path.exists() {
            checkpoint::read(&path, network_shape::<G>(config)).map_err(file_error(&path))?
        } else {
            let network = first_network::<G>(config)?;
            Checkpoint {
                state: TrainerState::new(network),
                average: None,
                progress: TrainingProgress::default(),
            }
        };
        let trainer = training.backend.trainer(state, config.trainer())?;
        let tables = TrainingTables { tables, seeds: TrainingSeeds(config.seed) };
        let expects = match (config.critic, &config.start) {
            (Some(_), Some(_)) => Some(Embedded::new(first_network::<G>(config)?)),
            _ => None,
        };
        let averaging = Averaging { steps: config.learning.average, mean: average };
        let window = Window::default();
        let mut training_run =
            TrainingRun { training, tables, pool, trainer, averaging, progress, expects, window };
        let stages = training_run.stages_learned_from(training_run.progress.stages);
        for stage in stages.start..training_run.progress.stages {
            let records = training_run.read_games(stage)?;
            let examples = training_run.examples(stage, &records)?;
            training_run.window.push(stage, examples.learned, stages.start);
        }
        Ok(training_run)
    }

    /// The number of stages of the whole run.
    fn stages(&self) -> u64 {
        let config = self.training.config;
        config.generations + u64::from(config.teacher.is_some())
    }

    fn has_more_stages(&self) -> bool {
        self.progress.stages < self.stages()
    }

    fn run(&mut self, stop: &AtomicBool, watch: &mut dyn TrainWatch) -> Result<Status, TrainError> {
        let stages = self.stages();
        if !self.progress.rows.is_empty() {
            // A run may have been killed right after it wrote its checkpoint.
            self.write_course()?;
        }
        while self.has_more_stages() {
            let stage = self.progress.stages;
            let Some(records) = self.play(stage, stop, watch)? else { return Ok(Status::Interrupted) };
            let Examples { learned, held_out } = self.examples(stage, &records)?;
            self.progress.positions += learned.iter().map(Vec::len).sum::<usize>() as u64;
            self.window.push(stage, learned, self.stages_learned_from(stage).start);
            let Some((losses, learning_rate)) = self.learn(stage, stop, watch)? else {
                return Ok(Status::Interrupted);
            };
            let [seen, unseen] = self.seen_and_unseen(stage, &held_out);
            self.write_network()?;
            let shares =
                if self.is_measured(stage, stages) { self.measure(stage, stop, watch)? } else { Vec::new() };
            if stop.load(Ordering::Relaxed) {
                return Ok(Status::Interrupted);
            }
            let plies = records.iter().map(|record| record.moves.len()).sum::<usize>() as f64;
            let row = Row {
                generation: self.generation(stage),
                steps: self.trainer.steps(),
                games: self.first_game(stage) + records.len() as u64,
                positions: self.progress.positions,
                losses,
                seen,
                unseen,
                learning_rate,
                plies: plies / records.len() as f64,
                shares,
            };
            self.finish_stage(row, watch)?;
        }
        Ok(Status::Finished)
    }

    fn finish_stage(&mut self, row: Row, watch: &mut dyn TrainWatch) -> Result<(), TrainError> {
        watch.stage(&row);
        self.progress.stages += 1;
        self.progress.steps = self.trainer.steps();
        self.progress.rows.push(row);
        let path = self.training.directory.join("checkpoint.safetensors");
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

    /// Whether the stage is the teacher's.
    fn is_taught(&self, stage: u64) -> bool {
        stage == 0 && self.training.config.teacher.is_some()
    }

    /// The generation that a stage is; 0 for the teacher's.
    fn generation(&self, stage: u64) -> u64 {
        stage + 1 - u64::from(self.training.config.teacher.is_some())
    }

    /// The stages whose games a stage learns from. A teacher's games are not mixed with others.
    fn stages_learned_from(&self, stage: u64) -> std::ops::Range<u64> {
        let first = u64::from(self.training.config.teacher.is_some());
        if self.is_taught(stage) {
            return 0..1;
        }
        let window = self.training.config.learning.window;
        first.max((stage + 1).saturating_sub(window))..stage + 1
    }

    /// The number in the run of a stage's first game.
    fn first_game(&self, stage: u64) -> u64 {
        let config = self.training.config;
        let taught = config.teacher.as_ref().map_or(0, |teacher| teacher.games);
        let games = config.selfplay.as_ref().map_or(0, |selfplay| selfplay.games);
        if stage == 0 { 0 } else { taught + (self.generation(stage) - 1) * games }
    }

    fn games_file(&self, stage: u64) -> PathBuf {
        self.training.directory.join("games").join(format!("{:05}.jsonl.zst", self.generation(stage)))
    }

    /// Plays a stage's games and writes them, or reads them if they have been written; `None` if stopped.
    fn play(
        &self,
        stage: u64,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Option<Vec<Record>>, TrainError> {
        if self.games_file(stage).exists() {
            return self.read_games(stage).map(Some);
        }
        let first = self.first_game(stage);
        let (player, games, in_turns) = self.player(stage)?;
        let (mut records, mut written) = self.resume_games(stage)?;
        let mut played = GamesPlayed::default();
        // Games between two looks at the order to stop.
        let part = 64.max(4 * (self.training.threads.get() * in_turns) as u64);
        while (records.len() as u64) < games {
            let from = first + records.len() as u64;
            let to = (from + part).min(first + games);
            let tables = &self.tables;
            let found = self.pool.install(|| tables.play(&player, from..to, in_turns))?;
            found.iter().try_for_each(|record| written.push(&record.to_line()))?;
            played.games += found.len() as u64;
            played.moves += found.iter().map(|record| record.moves.len() as u64).sum::<u64>();
            records.extend(found);
            watch.games(self.generation(stage), records.len() as u64, games, played);
            if stop.load(Ordering::Relaxed) {
                written.finish()?;
                return Ok(None);
            }
        }
        written.finish()?;
        let path = self.games_file(stage);
        rename(&part_of(&path), &path).map_err(file_error(&path))?;
        Ok(Some(records))
    }

    /// The games of a stage that were played before the run was interrupted, and the file in which they go
    /// on.
    fn resume_games(&self, stage: u64) -> Result<(Vec<Record>, RecordWriter), TrainError> {
        let (seed, first) = (self.training.config.seed, self.first_game(stage));
        let mut records = Vec::new();
        let path = part_of(&self.games_file(stage));
        let written = RecordWriter::resume(&path, Encoding::Zstd, |record: Record| {
            let expected = first + records.len() as u64;
            if (record.seed, record.index) != (seed, expected) {
                let Record { seed: found, index, .. } = record;
                return Err(format!(
                    "found game {index} of seed {found}, expected {expected} of seed {seed}"
                ));
            }
            records.push(record);
            Ok(())
        })?;
        Ok((records, written))
    }

    /// Who plays a stage's games, how many, and how many each thread plays in turns.
    fn player(&self, stage: u64) -> Result<(StagePlayer, u64, usize), TrainError> {
        let Training { config, backend, .. } = self.training;
        match &config.teacher {
            Some(teacher) if stage == 0 => {
                let player = StagePlayer::Teacher(teacher.agent.parse()?, teacher.clone());
                Ok((player, teacher.games, 1))
            }
            _ => {
                let network = backend.inference(self.averaging.network(&*self.trainer))?;
                let selfplay = config
                    .selfplay
                    .clone()
                    .expect("a configuration with generations has been checked for it");
                let games = selfplay.games;
                Ok((StagePlayer::Network(network.into(), selfplay), games, backend.games_per_thread()))
            }
        }
    }

    fn read_games(&self, stage: u64) -> Result<Vec<Record>, TrainError> {
        let path = self.games_file(stage);
        let mut lines = open_lines(&path).map_err(file_error(&path))?;
        let mut records = Vec::new();
        while let Some(line) = lines.read() {
            let (text, _) = line.map_err(file_error(&path))?;
            records.push(read_record(&text).map_err(file_error(&path))?);
        }
        Ok(records)
    }

    /// The examples of a stage's games.
    fn examples(&self, stage: u64, records: &[Record]) -> Result<Examples, TrainError> {
        let found = match self.training.config.critic {
            Some(critic) => self.returns(records, critic),
            None => self.choices(records),
        };
        let path = self.games_file(stage);
        let mut examples = Examples::default();
        for (record, found) in records.iter().zip(found.map_err(file_error(&path))?) {
            let is_held_out = record.index % HELD_OUT == HELD_OUT - 1;
            if is_held_out { &mut examples.held_out } else { &mut examples.learned }.push(found);
        }
        Ok(examples)
    }

    /// What games teach a network that plays.
    fn choices(&self, records: &[Record]) -> Result<Vec<Vec<Example>>, String> {
        let mut samples = SearchSamples::default();
        let tables = &self.tables;
        records.iter().try_for_each(|record| samples.add::<G>(record, tables.of(record.index).rules))?;
        let values = samples.weighted(self.training.config.learning.search_value);
        let of_game =
            |record: &Record| examples::examples::<G>(record, tables.of(record.index).rules, values);
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
    fn seen_and_unseen(&mut self, stage: u64, held_out: &[Vec<Example>]) -> [Option<SampledLosses>; 2] {
        let groups = [self.window.latest(), held_out];
        let played = |games: &[Vec<Example>]| games.iter().filter(|game| !game.is_empty()).count();
        let size = SampleSize::for_both(groups.map(played));
        let mut rng = self.tables.seeds.losses(stage);
        groups.map(|games| size.losses(&mut *self.trainer, games, &mut rng))
    }

    /// Makes a stage's steps; returns the mean losses and the last learning rate, `None` if stopped.
    fn learn(
        &mut self,
        stage: u64,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Option<(Option<Losses>, f32)>, TrainError> {
        let config = self.training.config;
        let steps = match &config.teacher {
            Some(teacher) if stage == 0 => teacher.steps,
            _ => config.learning.steps,
        };
        let pool = self.window.examples();
        let mut rng = self.tables.seeds.batches(stage);
        let (mut sum, mut learning_rate) = (Losses::default(), 0.0);
        for step in 0..steps {
            if pool.is_empty() {
                return Err(TrainError::NothingLearned(self.generation(stage)));
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
            watch.step(self.generation(stage), step + 1, steps, &losses);
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

    fn is_measured(&self, stage: u64, stages: u64) -> bool {
        let evaluation = self.training.config.evaluation.as_ref();
        evaluation.is_some_and(|it| self.generation(stage).is_multiple_of(it.every) || stage + 1 == stages)
    }

    /// The win share against each opponent at the first table, by seed blocks that are the same in all
    /// stages.
    fn measure(
        &self,
        stage: u64,
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
            watch.measure(self.generation(stage), opponent);
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
