//! Parts of a run that several processes play, on one machine or on many: [`Shard`]. A run that goes on takes the records of such
//! parts for its own, so that their union is the run that one process would have played.
//!
//! A part's records lie in the run's directory as `shards/FROM-TO.jsonl`, where FROM is the index of its first game and TO that
//! of the first one after it, and beside them what the one who played them knew of the run, `FROM-TO.toml`. What has parts
//! are the games of a run, or of a stage of training.

mod run_games;

use std::fmt;
use std::fs;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::Record;
use azulejo_agents::settings::read_settings;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use thiserror::Error;

pub(crate) use self::run_games::RunGames;
pub use self::run_games::play_shard;
use crate::atomic_file::{Durability, UnplacedFile, directory_of, replace, sync_directory};
use crate::record_file::{Encoding, RecordFileError, RecordWriter, records};
use crate::schedule::Schedule;

/// The directory of shards in that of a run.
pub(crate) const SHARDS: &str = "shards";

/// The most parts of a run.
const MOST: u64 = 1_000_000;

/// A file of a part that cannot be read or written, or is none of the run.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct ShardError {
    /// The file, or the directory of the parts.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

/// One of several parts of a run of about the same size. `FromStr` and `Display` are `I/N`: part I, from 1, of N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => Ok(Shard { number, of }),
            _ => Err(format!("expected I/N, part I of N, with I from 1 to N and N at most {MOST}")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// The indices of its games in a schedule: whole seed blocks, none where there are more shards than blocks.
    pub fn games(self, schedule: &Schedule) -> Range<u64> {
        self.part(0..schedule.games, schedule.block_size() as u64)
    }

    /// Its part of these games, in whole blocks of a size.
    pub(crate) fn part(self, games: Range<u64>, block: u64) -> Range<u64> {
        let all = games.end - games.start;
        let blocks = u128::from(all.div_ceil(block));
        let bound = |number: u64| {
            let blocks = (blocks * u128::from(number) / u128::from(self.of)) as u64;
            games.start + (blocks * block).min(all)
        };
        bound(self.number - 1)..bound(self.number)
    }
}

/// What became of a part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardOutcome {
    /// It has been played.
    Played,
    /// It was there already.
    Present,
    /// It has no games.
    Empty,
    /// It was ended early; nothing of it is kept.
    Interrupted,
}

/// Games that other processes may play parts of, and the one door by which their records come back.
pub(crate) trait SharedGames: Sync {
    /// A game that was taken from its record.
    type Game;
    /// Why they cannot be played.
    type Error: From<ShardError> + From<RecordFileError> + Send;

    /// The directory of the run.
    fn directory(&self) -> &Path;
    /// How the records of a part are stored.
    fn encoding(&self) -> Encoding;
    /// Their indices.
    fn games(&self) -> Range<u64>;
    /// What decides these games, as the manifest of a part has it.
    fn manifest(&self) -> String;
    /// Checks that a part with this manifest was played as one of these games, by a program and by files that play the same ones.
    ///
    /// # Errors
    /// What differs.
    fn check_manifest(&self, manifest: &str) -> Result<(), String>;
    /// What takes the game of an index from a record, or says why it is not the record of that game.
    ///
    /// # Errors
    /// If such a thing cannot be made.
    fn recall(&self) -> Result<Recall<'_, Self::Game>, Self::Error>;
}

/// What [`SharedGames::recall`] returns.
pub(crate) type Recall<'a, Game> = Box<dyn FnMut(u64, Record) -> Result<Game, String> + 'a>;

/// Puts a part of some games into the run's directory, where others may put other parts at the same time. It is there as a whole or
/// not at all. `play` writes its records and returns the index of the first game that was not played.
///
/// # Errors
/// If a file cannot be written or the part is there as others have played it, and what `play` returns.
pub(crate) fn play_part<S: SharedGames>(
    shared: &S,
    games: Range<u64>,
    play: impl FnOnce(&mut RecordWriter) -> Result<u64, S::Error>,
) -> Result<ShardOutcome, S::Error> {
    if games.is_empty() {
        return Ok(ShardOutcome::Empty);
    }
    let part = ShardFile::of(shared, games);
    let shards = directory_of(&part.path);
    fs::create_dir_all(shards)
        .and_then(|()| sync_directory(shared.directory()))
        .map_err(shard_error(shards))?;
    if part.path.exists() {
        part.check_manifest(shared)?;
        return Ok(ShardOutcome::Present);
    }
    // First, so that no records are without it.
    let path = part.manifest_path();
    replace(&path, shared.manifest(), Durability::Disk).map_err(shard_error(&path))?;
    part.write(shared.encoding(), play)
}

/// The records of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShardFile {
    /// The indices of its games.
    games: Range<u64>,
    path: PathBuf,
}

impl ShardFile {
    /// Where the records of these games belong.
    fn of(shared: &impl SharedGames, games: Range<u64>) -> Self {
        let name = format!("{}-{}{}", games.start, games.end, ending(shared.encoding()));
        ShardFile { games, path: shared.directory().join(SHARDS).join(name) }
    }

    /// The file with this path, if its name is that of a part's records.
    fn at(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let stem =
            [Encoding::Plain, Encoding::Zstd].into_iter().find_map(|kind| name.strip_suffix(ending(kind)))?;
        let (from, to) = stem.split_once('-')?;
        let games: Range<u64> = from.parse().ok()?..to.parse().ok()?;
        Some(ShardFile { games, path })
    }

    fn manifest_path(&self) -> PathBuf {
        directory_of(&self.path).join(format!("{}-{}.toml", self.games.start, self.games.end))
    }

    fn refuse(&self, problem: impl fmt::Display) -> ShardError {
        ShardError { path: self.path.clone(), problem: problem.to_string() }
    }

    /// Has its games written and puts them in their place.
    fn write<E: From<ShardError> + From<RecordFileError>>(
        &self,
        encoding: Encoding,
        play: impl FnOnce(&mut RecordWriter) -> Result<u64, E>,
    ) -> Result<ShardOutcome, E> {
        let (file, unplaced) = UnplacedFile::create(&self.path).map_err(shard_error(&self.path))?;
        let mut writer = RecordWriter::on(file, 0, &self.path, encoding);
        if play(&mut writer)? < self.games.end {
            return Ok(ShardOutcome::Interrupted);
        }
        writer.finish()?;
        let placed = unplaced.place().and_then(|()| sync_directory(directory_of(&self.path)));
        placed.map_err(shard_error(&self.path))?;
        Ok(ShardOutcome::Played)
    }

    /// Checks what the one who played it knew of the run.
    fn check_manifest(&self, shared: &impl SharedGames) -> Result<(), ShardError> {
        let path = self.manifest_path();
        let text = read_settings(&path).map_err(shard_error(&path))?;
        shared.check_manifest(&text).map_err(|problem| ShardError { path, problem })
    }

    /// Checks it as a whole: its manifest, and that it holds its games as the rules have them.
    fn check<S: SharedGames>(&self, shared: &S) -> Result<(), S::Error> {
        let all = shared.games();
        if self.games.is_empty() || self.games.start < all.start || self.games.end > all.end {
            let last = all.end.saturating_sub(1);
            return Err(self.refuse(format!("expected some of the games {} to {last}", all.start)).into());
        }
        self.check_manifest(shared)?;
        let found = self.replay(shared, self.games.start, |_| Ok(ControlFlow::Continue(())))?;
        if found == self.games.end {
            Ok(())
        } else {
            Err(self.refuse(format!("game {found} is missing")).into())
        }
    }

    /// Hands on its games from index `first` on, each replayed by the rules, until it ends or the receiver breaks off; returns the
    /// index after the last one.
    fn replay<S: SharedGames>(
        &self,
        shared: &S,
        first: u64,
        mut receive: impl FnMut(S::Game) -> Result<ControlFlow<()>, S::Error>,
    ) -> Result<u64, S::Error> {
        let mut recall = shared.recall()?;
        let mut next = first;
        for found in records(&self.path)? {
            let (record, _) = found?;
            if record.index < first {
                continue;
            }
            if next >= self.games.end {
                return Err(self.refuse(format!("a record after its game {}", next - 1)).into());
            }
            let game = recall(next, record);
            let game = game.map_err(|problem| self.refuse(format!("game {next}: {problem}")))?;
            next += 1;
            if receive(game)?.is_break() {
                break;
            }
        }
        Ok(next)
    }

    /// Hands on its games from index `first` on, one of its own, until the receiver breaks off; returns the index after the last one.
    ///
    /// # Errors
    /// If it is not what it was when it was checked, or what the receiver returns.
    pub(crate) fn adopt<S: SharedGames>(
        &self,
        shared: &S,
        first: u64,
        stop: &AtomicBool,
        mut receive: impl FnMut(S::Game) -> Result<ControlFlow<()>, S::Error>,
    ) -> Result<u64, S::Error> {
        let next = self.replay(shared, first, |game| {
            let flow = receive(game)?;
            Ok(if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow })
        })?;
        if next > first { Ok(next) } else { Err(self.refuse(format!("game {first} is missing")).into()) }
    }
}

/// How the names of such records end.
fn ending(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => ".jsonl",
        Encoding::Zstd => ".jsonl.zst",
    }
}

/// The parts of some games that lie in a run's directory, all of them checked, by their first games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shards {
    files: Vec<ShardFile>,
}

impl Shards {
    /// Those of a run that is held alone, but for those that `is_other` knows to hold games of others.
    ///
    /// # Errors
    /// The first one that is no part of these games, by its file.
    pub(crate) fn read<S: SharedGames>(
        shared: &S,
        pool: &ThreadPool,
        is_other: impl Fn(&Range<u64>) -> bool,
    ) -> Result<Self, S::Error> {
        let directory = shared.directory().join(SHARDS);
        let names = match fs::read_dir(&directory) {
            Ok(entries) => {
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let found = names.map_err(shard_error(&directory))?.into_iter().filter_map(ShardFile::at);
        let mut files: Vec<ShardFile> = found.filter(|file| !is_other(&file.games)).collect();
        files.sort_by(|a, b| {
            (a.games.start, a.games.end, &a.path).cmp(&(b.games.start, b.games.end, &b.path))
        });
        let checks: Vec<Result<(), S::Error>> =
            pool.install(|| files.par_iter().map(|file| file.check(shared)).collect());
        checks.into_iter().collect::<Result<(), S::Error>>()?;
        Ok(Shards { files })
    }

    /// One that holds the game with this index.
    pub(crate) fn holding(&self, index: u64) -> Option<&ShardFile> {
        self.files.iter().find(|file| file.games.contains(&index))
    }

    /// The first game after this index that one of them holds.
    pub(crate) fn first_after(&self, index: u64) -> Option<u64> {
        self.files.iter().map(|file| file.games.start).find(|start| *start > index)
    }
}

fn shard_error(path: &Path) -> impl FnOnce(io::Error) -> ShardError {
    let path = path.to_owned();
    move |cause| ShardError { path, problem: cause.to_string() }
}

#[cfg(test)]
mod tests;
