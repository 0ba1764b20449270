//! The games of a stage, wherever they are played: [`StageGames`].

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::{Record, spec_of};
use azulejo_agents::Playable;
use azulejo_agents::neural::Network;
use rayon::ThreadPool;

use super::error::file_error;
use super::examples;
use super::search_values::SearchValues;
use super::stage::Stage;
use super::stage_manifest::StageManifest;
use super::training_agent::StagePlayer;
use super::training_tables::TrainingTables;
use super::{GamesPlayed, TrainError, TrainWatch, Training};
use crate::atomic_file::rename;
use crate::manifest::{Provenance, printed_spec};
use crate::record_file::{Encoding, RecordWriter, WrittenRecords, open_lines};
use crate::rules_file::read_record;
use crate::shard::{Recall, ShardOutcome, Shards, SharedGames, play_part};

/// The games of a stage. They depend on the run's configuration and the network that plays, and each on its number beside.
pub(super) struct StageGames<'a, G: Playable> {
    training: &'a Training<'a>,
    tables: &'a TrainingTables<G>,
    pool: &'a ThreadPool,
    stage: Stage<'a>,
    player: StagePlayer,
    /// How many games each thread plays in turns.
    in_turns: usize,
    manifest: StageManifest,
}

/// What is there of a stage's games.
pub(super) enum FoundGames {
    /// All of them, in the stage's file.
    All(Vec<Record>),
    /// The first ones, in a file that goes on, and what other processes have played.
    Part { records: Vec<Record>, written: WrittenRecords, shards: Shards },
}

impl<'a, G: Playable> StageGames<'a, G> {
    /// Those of a stage in which this network plays, unless a teacher does.
    ///
    /// # Errors
    /// If who plays them cannot be made.
    pub(super) fn new(
        training: &'a Training<'a>,
        (tables, pool): (&'a TrainingTables<G>, &'a ThreadPool),
        stage: Stage<'a>,
        network: Network,
        provenance: &Provenance,
    ) -> Result<Self, TrainError> {
        let manifest = StageManifest::new(training, stage, &network, provenance);
        let (player, in_turns) = match stage.teacher() {
            Some(teacher) => (StagePlayer::Teacher(teacher.agent.parse()?, teacher.clone()), 1),
            None => {
                let selfplay = training.config.selfplay.clone();
                let selfplay = selfplay.expect("a configuration with generations has been checked for it");
                let network = training.backend.inference(network)?;
                (StagePlayer::Network(network.into(), selfplay), training.backend.games_per_thread())
            }
        };
        Ok(StageGames { training, tables, pool, stage, player, in_turns, manifest })
    }

    /// What is there of them. Nothing is changed.
    ///
    /// # Errors
    /// If a file cannot be read, or has something else than games of this stage.
    pub(super) fn find(&self) -> Result<FoundGames, TrainError> {
        let path = games_file(self.training.directory, self.stage);
        if path.exists() {
            return read_games(&path).map(FoundGames::All);
        }
        let (mut records, mut recall) = (Vec::new(), self.recall()?);
        let written = WrittenRecords::read(&part_of(&path), Encoding::Zstd, |record| {
            let index = self.games().start + records.len() as u64;
            recall(index, record).map(|record| records.push(record))
        })?;
        let all = self.games();
        let other_stages =
            |games: &Range<u64>| !games.is_empty() && (games.end <= all.start || games.start >= all.end);
        let shards = Shards::read(self, self.pool, other_stages)?;
        Ok(FoundGames::Part { records, written, shards })
    }

    /// Plays those that were not found and writes all into the stage's file; `None` if stopped.
    pub(super) fn complete(
        self,
        found: FoundGames,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<Option<Vec<Record>>, TrainError> {
        let (mut records, written, shards) = match found {
            FoundGames::All(records) => return Ok(Some(records)),
            FoundGames::Part { records, written, shards } => (records, written, shards),
        };
        let (all, mut writer, mut played) = (self.games(), written.go_on()?, GamesPlayed::default());
        let mut next = all.start + records.len() as u64;
        while next < all.end {
            let before = records.len();
            if let Some(shard) = shards.holding(next) {
                shard.adopt(&self, next, stop, |record| {
                    records.push(record);
                    Ok(ControlFlow::Continue(()))
                })?;
            } else {
                let end = shards.first_after(next).map_or(all.end, |first| first.min(all.end));
                records.extend(self.play(next..end)?);
                played.add(&records[before..]);
            }
            records[before..].iter().try_for_each(|record| writer.push(&record.to_line()))?;
            next = all.start + records.len() as u64;
            watch.games(self.stage.generation(), records.len() as u64, all.end - all.start, played);
            if stop.load(Ordering::Relaxed) {
                writer.finish()?;
                return Ok(None);
            }
        }
        writer.finish()?;
        let path = games_file(self.training.directory, self.stage);
        rename(&part_of(&path), &path).map_err(file_error(&path))?;
        Ok(Some(records))
    }

    /// Plays a part of them for the one who learns from all.
    pub(super) fn play_part(
        &self,
        games: Range<u64>,
        stop: &AtomicBool,
        watch: &mut dyn TrainWatch,
    ) -> Result<ShardOutcome, TrainError> {
        let (first, end, mut played) = (games.start, games.end, GamesPlayed::default());
        play_part(self, games, |writer: &mut RecordWriter| {
            let mut next = first;
            while next < end && !stop.load(Ordering::Relaxed) {
                let records = self.play(next..end)?;
                records.iter().try_for_each(|record| writer.push(&record.to_line()))?;
                next += records.len() as u64;
                played.add(&records);
                watch.games(self.stage.generation(), next - first, end - first, played);
            }
            Ok(next)
        })
    }

    /// Plays the first of these games, as many as lie between two looks at the order to stop.
    fn play(&self, games: Range<u64>) -> Result<Vec<Record>, TrainError> {
        let most = 64.max(4 * (self.training.threads.get() * self.in_turns) as u64);
        let games = games.start..games.end.min(games.start + most);
        self.pool.install(|| self.tables.play(&self.player, games, self.in_turns))
    }

    /// Checks that a record is that of the game with this number, and that the game can be learned from.
    fn check_record(&self, index: u64, record: &Record) -> Result<(), String> {
        let seed = self.training.config.seed;
        if (record.seed, record.index) != (seed, index) {
            let Record { seed: found, index: other, .. } = record;
            return Err(format!("found game {other} of seed {found}, expected {index} of seed {seed}"));
        }
        let table = self.tables.of(index);
        let expected = (spec_of::<G>(table.rules), table.players, self.tables.names(&self.player, index));
        let rules = record.rules_of::<G>().map_err(|error| error.to_string())?;
        let agents: Vec<String> = record.agents.iter().map(|spec| printed_spec(spec)).collect();
        let found = (spec_of::<G>(rules), record.players, agents);
        if found != expected {
            return Err(format!("found {found:?}, expected {expected:?}"));
        }
        record.verified_history::<G>(table.rules).map_err(|error| error.to_string())?;
        examples::examples::<G>(record, table.rules, SearchValues::IGNORED).map(drop)
    }
}

impl<G: Playable> SharedGames for StageGames<'_, G> {
    type Game = Record;
    type Error = TrainError;

    fn directory(&self) -> &Path {
        self.training.directory
    }

    fn encoding(&self) -> Encoding {
        Encoding::Zstd
    }

    fn games(&self) -> Range<u64> {
        self.stage.games()
    }

    fn manifest(&self) -> String {
        self.manifest.to_toml()
    }

    fn check_manifest(&self, manifest: &str) -> Result<(), String> {
        self.manifest.check_same(manifest)
    }

    fn recall(&self) -> Result<Recall<'_, Record>, TrainError> {
        Ok(Box::new(|index, record| self.check_record(index, &record).map(|()| record)))
    }
}

impl GamesPlayed {
    fn add(&mut self, records: &[Record]) {
        self.games += records.len() as u64;
        self.moves += records.iter().map(|record| record.moves.len() as u64).sum::<u64>();
    }
}

/// Where a stage's games are written when all are there.
pub(super) fn games_file(directory: &Path, stage: Stage<'_>) -> PathBuf {
    directory.join("games").join(format!("{:05}.jsonl.zst", stage.generation()))
}

/// Where a file is written until it is complete.
fn part_of(path: &Path) -> PathBuf {
    path.with_extension("part")
}

/// The games in a stage's file.
pub(super) fn read_games(path: &Path) -> Result<Vec<Record>, TrainError> {
    let mut lines = open_lines(path).map_err(file_error(path))?;
    let mut records = Vec::new();
    while let Some(line) = lines.read() {
        let (text, _) = line.map_err(file_error(path))?;
        records.push(read_record(&text).map_err(file_error(path))?);
    }
    Ok(records)
}

#[cfg(test)]
mod tests;
