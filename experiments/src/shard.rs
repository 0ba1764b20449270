//! Parts of a run that several processes play, on one machine or on many: [`Shard`]. A run that goes on takes the records of such
//! parts for its own, so that their union is the run that one process would have played.
//!
//! A part's records lie in the run's directory as `shards/FROM-TO.jsonl`, where FROM is the index of its first game and TO that
//! of the first one after it, and beside them the manifest of the run as the one who played them knew it, `FROM-TO.toml`.

use std::fmt;
use std::fs;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo_agents::settings::read_settings;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::atomic_file::{Durability, UnplacedFile, directory_of, replace, sync_directory};
use crate::game_loop::{Fault, Played};
use crate::manifest::{Manifest, Provenance, Status, check_play_version};
use crate::parallel::{play_in_order, thread_pool};
use crate::record_file::{Encoding, RecordWriter, records};
use crate::run::{Run, RunError, Watch, check_begun_run, io_error, recall};
use crate::run_directory::RunDirectory;
use crate::schedule::{Schedule, Statistics};

/// The directory of shards in that of a run.
pub(crate) const SHARDS: &str = "shards";

/// The most parts of a run.
const MOST: u64 = 1_000_000;

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
        let size = schedule.block_size() as u64;
        let blocks = u128::from(schedule.games.div_ceil(size));
        let bound = |number: u64| {
            let blocks = (blocks * u128::from(number) / u128::from(self.of)) as u64;
            (blocks * size).min(schedule.games)
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

/// Plays a part of a run and puts its records into the run's directory, where others may play other parts at the same time. It is
/// there as a whole or not at all.
///
/// # Errors
/// As [`run`](crate::run::run): if the directory has another run, or the part as another run has played it.
pub fn play_shard(
    run: &Run<'_>,
    shard: Shard,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<ShardOutcome, RunError> {
    run.arena.check_players(run.schedule.players)?;
    run.arena.player(run.schedule)?;
    let pool = thread_pool(run.threads)?;
    let directory = RunDirectory::shared(run.directory)?;
    let provenance = check_begun_run(run, &directory)?;
    let part = ShardFile::of(run, shard.games(run.schedule));
    if part.games.is_empty() {
        return Ok(ShardOutcome::Empty);
    }
    let shards = directory_of(&part.path);
    fs::create_dir_all(shards).and_then(|()| sync_directory(run.directory)).map_err(io_error(shards))?;
    if part.path.exists() {
        part.check_manifest(run, &provenance)?;
        return Ok(ShardOutcome::Present);
    }
    // First, so that no records are without it.
    let manifest =
        Manifest { status: Status::Finished, provenance: Some(provenance), ..run.manifest.clone() };
    let path = part.manifest_path();
    replace(&path, manifest.to_toml(), Durability::Disk).map_err(io_error(&path))?;
    part.play(run, &pool, stop, watch)
}

/// The records of a part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShardFile {
    /// The indices of its games.
    games: Range<u64>,
    path: PathBuf,
}

impl ShardFile {
    /// Where the records of these games belong.
    fn of(run: &Run<'_>, games: Range<u64>) -> Self {
        let name = format!("{}-{}{}", games.start, games.end, ending(run.encoding));
        ShardFile { games, path: run.directory.join(SHARDS).join(name) }
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

    fn refuse(&self, problem: impl fmt::Display) -> RunError {
        RunError::Shard { path: self.path.clone(), problem: problem.to_string() }
    }

    /// Plays its games.
    fn play(
        &self,
        run: &Run<'_>,
        pool: &ThreadPool,
        stop: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<ShardOutcome, RunError> {
        let part = Schedule { games: self.games.end, ..run.schedule.clone() };
        let (file, unplaced) = UnplacedFile::create(&self.path).map_err(io_error(&self.path))?;
        let mut writer = RecordWriter::on(file, 0, &self.path, run.encoding);
        watch.begin(0);
        let write_out = |played: Played| (played.record.to_line(), played.fault);
        let write = |(line, fault): (String, Option<Fault>)| {
            writer.push(&line)?;
            fault.iter().for_each(|fault| watch.fault(fault));
            watch.game();
            Ok::<_, RunError>(ControlFlow::Continue(()))
        };
        let next = play_in_order((run.arena, &part), self.games.start, pool, stop, write_out, write);
        watch.end();
        if next? < self.games.end {
            return Ok(ShardOutcome::Interrupted);
        }
        writer.finish()?;
        let placed = unplaced.place().and_then(|()| sync_directory(directory_of(&self.path)));
        placed.map_err(io_error(&self.path))?;
        Ok(ShardOutcome::Played)
    }

    /// Checks that it was played as a part of this run, by a program and by files that play the same games.
    fn check_manifest(&self, run: &Run<'_>, provenance: &Provenance) -> Result<(), RunError> {
        let path = self.manifest_path();
        let text = read_settings(&path).map_err(io_error(&path))?;
        let manifest = Manifest::read(&text).map_err(|problem| RunError::Manifest { path, problem })?;
        run.manifest.check_same(&manifest).map_err(|difference| self.refuse(difference))?;
        check_play_version(manifest.provenance.as_ref()).map_err(|problem| self.refuse(problem))?;
        let played_by = manifest.provenance.unwrap_or_default();
        provenance.check_files(&played_by).map_err(|problem| self.refuse(problem))
    }

    /// Checks it as a whole: its manifest, and that it holds its games as the rules have them.
    fn check(&self, run: &Run<'_>, provenance: &Provenance) -> Result<(), RunError> {
        if self.games.is_empty() || self.games.end > run.schedule.games {
            return Err(self.refuse(format!("no games of this run, which has {}", run.schedule.games)));
        }
        self.check_manifest(run, provenance)?;
        let found =
            self.replay(run, Statistics::Dropped, self.games.start, |_| Ok(ControlFlow::Continue(())))?;
        if found == self.games.end { Ok(()) } else { Err(self.refuse(format!("game {found} is missing"))) }
    }

    /// Hands on its games from index `first` on, each replayed by the rules, until it ends or the receiver breaks off; returns the
    /// index after the last one.
    fn replay(
        &self,
        run: &Run<'_>,
        statistics: Statistics,
        first: u64,
        mut receive: impl FnMut(Played) -> Result<ControlFlow<()>, RunError>,
    ) -> Result<u64, RunError> {
        let schedule = Schedule { statistics, ..run.schedule.clone() };
        let player = run.arena.player(&schedule)?;
        let mut next = first;
        for found in records(&self.path)? {
            let (record, _) = found?;
            if record.index < first {
                continue;
            }
            if next >= self.games.end {
                return Err(self.refuse(format!("a record after its game {}", next - 1)));
            }
            let played = recall(run, &*player, next, record);
            let played = played.map_err(|problem| self.refuse(format!("game {next}: {problem}")))?;
            next += 1;
            if receive(played)?.is_break() {
                break;
            }
        }
        Ok(next)
    }

    /// Hands on its games from index `first` on, one of its own, until the receiver breaks off; returns the index after the last one.
    ///
    /// # Errors
    /// If it is not what it was when it was checked, or what the receiver returns.
    pub(crate) fn adopt(
        &self,
        run: &Run<'_>,
        first: u64,
        stop: &AtomicBool,
        mut receive: impl FnMut(Played) -> Result<ControlFlow<()>, RunError>,
    ) -> Result<u64, RunError> {
        let next = self.replay(run, Statistics::Kept, first, |played| {
            let flow = receive(played)?;
            Ok(if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow })
        })?;
        if next > first { Ok(next) } else { Err(self.refuse(format!("game {first} is missing"))) }
    }
}

/// How the names of such records end.
fn ending(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => ".jsonl",
        Encoding::Zstd => ".jsonl.zst",
    }
}

/// The parts of a run that lie in its directory, all of them checked, by their first games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shards {
    files: Vec<ShardFile>,
}

impl Shards {
    /// Those in the directory of a run, which has been held for it alone.
    ///
    /// # Errors
    /// The first one that is no part of this run, by its file.
    pub(crate) fn read(
        run: &Run<'_>,
        provenance: Option<&Provenance>,
        pool: &ThreadPool,
    ) -> Result<Self, RunError> {
        let directory = run.directory.join(SHARDS);
        let names = match fs::read_dir(&directory) {
            Ok(entries) => {
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        };
        let mut files: Vec<ShardFile> =
            names.map_err(io_error(&directory))?.into_iter().filter_map(ShardFile::at).collect();
        files.sort_by(|a, b| {
            (a.games.start, a.games.end, &a.path).cmp(&(b.games.start, b.games.end, &b.path))
        });
        let provenance = provenance.cloned().unwrap_or_default();
        let checks: Vec<Result<(), RunError>> =
            pool.install(|| files.par_iter().map(|file| file.check(run, &provenance)).collect());
        checks.into_iter().collect::<Result<(), RunError>>()?;
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

#[cfg(test)]
mod tests;
