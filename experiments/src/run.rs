//! A run: the games of a schedule, played into a directory.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use azulejo::{Record, SpecError};
use azulejo_agents::settings::read_settings;
use azulejo_agents::{AgentSpec, AgentSpecError};
use rayon::ThreadPool;
use thiserror::Error;

use crate::atomic_file::{Durability, UnplacedFile, replace};
use crate::game_loop::{Arena, Fault, JobPlayer, Played};
use crate::machine::{self, Invocation};
use crate::manifest::{
    Manifest, Provenance, ProvenanceError, SettingDifference, Status, check_play_version, printed_spec,
};
use crate::measures::Measures;
use crate::parallel::{ThreadsError, play_in_order, thread_pool};
use crate::record_file::{Encoding, RecordFileError, RecordWriter, WrittenRecords};
use crate::report::RunReport;
use crate::run_directory::{RunDirectory, RunDirectoryError};
use crate::schedule::{Job, Schedule, ScheduleError, Statistics};
use crate::shard::{RunGames, SHARDS, ShardError, Shards};
use crate::standings::StandingsBuilder;
use crate::stats::{Sprt, SprtSettings, Verdict};
use crate::summary::{SprtSummary, Summary};

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file or directory could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What failed.
        cause: io::Error,
    },
    /// The directory for a new run has something in it.
    #[error("{} is not empty: choose another directory, or go on with its run by --resume", .0.display())]
    NotEmpty(PathBuf),
    /// The directory of a run to go on with has other things in it.
    #[error("{} holds no run to go on with: manifest.toml is missing", .0.display())]
    NoRun(PathBuf),
    /// The manifest there is not one.
    #[error("{}: {problem}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The run there has other settings.
    #[error("cannot go on with {}: {difference}", path.display())]
    Different {
        /// The directory.
        path: PathBuf,
        /// What differs.
        difference: SettingDifference,
    },
    /// The run there was played by other files, or its seed led to other games.
    #[error("cannot go on with {}: {problem}", path.display())]
    Provenance {
        /// The directory.
        path: PathBuf,
        /// What differs.
        problem: ProvenanceError,
    },
    /// A part of the run that another process has played is none.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The directory cannot be held.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// The record file could not be read or written.
    #[error(transparent)]
    Records(#[from] RecordFileError),
    /// An agent could not be built.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// The schedule and the anchor do not fit.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The game does not seat so many players.
    #[error(transparent)]
    Players(#[from] SpecError),
    /// The system starts fewer threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// The manifest's name in a run's directory.
const MANIFEST: &str = "manifest.toml";

/// Whether a run begins or goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In a directory in which no run has begun, and nothing else is.
    New,
    /// With what is in the directory; if that is nothing, from the beginning.
    Resume,
}

/// Where and how a schedule is played.
#[derive(Debug)]
pub struct Run<'a> {
    /// The game.
    pub arena: &'a dyn Arena,
    /// What is played.
    pub schedule: &'a Schedule,
    /// Its manifest.
    pub manifest: Manifest,
    /// The start of the program that plays it now.
    pub invocation: Invocation,
    /// The agent whose rating is 0.
    pub anchor: Option<&'a AgentSpec>,
    /// The test of the first agent against the other one that ends the run once it is decided.
    pub sprt: Option<&'a SprtSettings>,
    /// The directory.
    pub directory: &'a Path,
    /// How the records are stored.
    pub encoding: Encoding,
    /// The number of games that run at once.
    pub threads: NonZeroUsize,
}

/// Is told how a run goes.
pub trait Watch: Send {
    /// The run begins, or goes on after `games` games.
    fn begin(&mut self, games: u64);
    /// A game was played and recorded.
    fn game(&mut self);
    /// A seat forfeited.
    fn fault(&mut self, fault: &Fault);
    /// No game comes any more.
    fn end(&mut self);
}

/// Plays a run and writes `manifest.toml`, `machine.toml`, the records, `games.csv`, `summary.json`,
/// `report.html` and `report.md` into its directory.
///
/// Once `stop` is set the running games end and everything is written as for a finished run, except that the
/// status says [`Status::Interrupted`]. All files but `machine.toml` depend on the schedule alone, not on the
/// number of threads or on how often the run was interrupted.
///
/// # Errors
/// See [`RunError`]. Records that were written before stay.
pub fn run(
    run: &Run<'_>,
    start: Start,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<(Summary, Status), RunError> {
    // Agents that cannot be built are found before anything is written. Where games were written some may be left to play or none.
    run.arena.check_players(run.schedule.players)?;
    let schedule = Schedule { statistics: Statistics::Kept, ..run.schedule.clone() };
    let check_agents = || run.arena.player(&schedule).map(drop);
    let goes_on = start == Start::Resume && run.directory.join(run.encoding.file_name()).exists();
    if !goes_on {
        check_agents()?;
    }
    let pool = thread_pool(run.threads)?;
    let place = RunPlace::enter(run, start)?;
    let provenance = place.provenance.clone().unwrap_or_default();
    let shared = RunGames { run, schedule: run.schedule, provenance };
    let shards = Shards::read(&shared, &pool, |_| false)?;
    let mut derived = DerivedFiles::create(run)?;
    let (written, first) = read_written(run, &*run.arena.recaller(&schedule), &mut derived)?;
    let more = first < schedule.games && derived.flow().is_continue();
    if more {
        if goes_on {
            check_agents()?;
        }
        place.begin_playing()?;
    }
    // Whatever can be refused has been: from here on files change.
    run.invocation.append(run.directory).map_err(io_error(&run.directory.join(machine::FILE)))?;
    derived.place()?;
    let mut writer = written.go_on()?;
    watch.begin(first);
    let next = if more {
        let shared = RunGames { schedule: &schedule, ..shared };
        go_on((&shared, &pool), (first, &shards), (&mut writer, &mut derived), stop, watch)
    } else {
        Ok(first)
    };
    watch.end();
    let done = next? == run.schedule.games || derived.flow().is_break();
    writer.finish()?;
    let status = if done { Status::Finished } else { Status::Interrupted };
    let report = RunReport { manifest: place.manifest(status), summary: derived.close()? };
    report.write(run.directory).map_err(io_error(run.directory))?;
    // Last of all: a run that says that it is finished is.
    place.write(status)?;
    Ok((report.summary, status))
}

/// The records in the directory of a run, whose games are counted, and their number.
fn read_written(
    run: &Run<'_>,
    player: &dyn JobPlayer,
    derived: &mut DerivedFiles<'_>,
) -> Result<(WrittenRecords, u64), RunError> {
    let mut games = 0;
    let records = run.directory.join(run.encoding.file_name());
    let written = WrittenRecords::read(&records, run.encoding, |record| {
        let played = recall(run, player, games, record)?;
        games += 1;
        derived.push(&played).map_err(|error| error.to_string())
    })?;
    Ok((written, games))
}

/// Records the games from index `first` on: those that shards hold as they are there, the others are played. Returns the index of
/// the first one that is missing.
fn go_on(
    (shared, pool): (&RunGames<'_>, &ThreadPool),
    (first, shards): (u64, &Shards),
    (writer, derived): (&mut RecordWriter, &mut DerivedFiles<'_>),
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<u64, RunError> {
    let RunGames { run, schedule, .. } = *shared;
    let mut next = first;
    while next < schedule.games && derived.flow().is_continue() && !stop.load(Ordering::Relaxed) {
        next = match shards.holding(next) {
            Some(shard) => shard.adopt(shared, next, stop, |played| {
                writer.push(&played.record.to_line())?;
                derived.push(&played)?;
                watch.game();
                Ok(derived.flow())
            })?,
            None => {
                let games = shards.first_after(next).map_or(schedule.games, |end| end.min(schedule.games));
                let hole = Schedule { games, ..schedule.clone() };
                play(run, (&hole, pool), next, (&mut *writer, &mut *derived), stop, watch)?
            }
        };
    }
    Ok(next)
}

/// Plays and records the games from index `first` on. Returns the index of the first one that was not played.
fn play(
    run: &Run<'_>,
    (schedule, pool): (&Schedule, &ThreadPool),
    first: u64,
    (writer, derived): (&mut RecordWriter, &mut DerivedFiles<'_>),
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<u64, RunError> {
    let write_out = |played: Played| (played.record.to_line(), played);
    let play_on = |(line, played): (String, Played)| {
        writer.push(&line)?;
        derived.push(&played)?;
        if let Some(fault) = &played.fault {
            watch.fault(fault);
        }
        watch.game();
        Ok::<_, RunError>(derived.flow())
    };
    play_in_order((run.arena, schedule), first, pool, stop, write_out, play_on)
}

/// The directory of a run while it is played there, and what it says of the run.
struct RunPlace<'a> {
    directory: RunDirectory,
    settings: &'a Manifest,
    /// What the run that goes on has, or else this one.
    provenance: Option<Provenance>,
    /// Whether there is a run to go on with.
    begun: bool,
}

impl<'a> RunPlace<'a> {
    /// Holds the directory of a run and checks what it has.
    fn enter(run: &'a Run<'_>, start: Start) -> Result<Self, RunError> {
        let different = |problem| RunError::Provenance { path: run.directory.to_owned(), problem };
        let present = Provenance::of_agents(&run.schedule.agents).map_err(different)?;
        let directory = RunDirectory::exclusive(run.directory)?;
        // Only a run that goes on takes what others have played.
        let parts: &[&str] = if start == Start::Resume { &[SHARDS] } else { &[] };
        let unused = directory.is_unused(MANIFEST, parts).map_err(io_error(run.directory))?;
        let provenance = match start {
            _ if unused => Some(present),
            Start::New => return Err(RunError::NotEmpty(run.directory.to_owned())),
            Start::Resume => {
                let before = former_manifest(run)?;
                before.as_ref().map_or(Ok(()), |before| present.check_files(before)).map_err(different)?;
                before
            }
        };
        directory.remove_leftovers(&[SHARDS]).map_err(io_error(run.directory))?;
        Ok(RunPlace { directory, settings: &run.manifest, provenance, begun: !unused })
    }

    /// Says that there are games to be played, by this version of the program.
    fn begin_playing(&self) -> Result<(), RunError> {
        let path = self.directory.path();
        if self.begun {
            let different = |problem| RunError::Provenance { path: path.to_owned(), problem };
            check_play_version(self.provenance.as_ref()).map_err(different)?;
        }
        self.write(Status::Interrupted)
    }

    fn manifest(&self, status: Status) -> Manifest {
        Manifest { status, provenance: self.provenance.clone(), ..self.settings.clone() }
    }

    fn write(&self, status: Status) -> Result<(), RunError> {
        let written = self.directory.write_settings(MANIFEST, &self.manifest(status).to_toml());
        written.map_err(io_error(&self.directory.path().join(MANIFEST)))
    }
}

/// The provenance of the run in a directory, which must have the same settings.
fn former_manifest(run: &Run<'_>) -> Result<Option<Provenance>, RunError> {
    let path = run.directory.join(MANIFEST);
    let text = match read_settings(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunError::NoRun(run.directory.to_owned()));
        }
        Err(error) => return Err(io_error(&path)(error)),
    };
    let before = Manifest::read(&text).map_err(|problem| RunError::Manifest { path, problem })?;
    run.manifest
        .check_same(&before)
        .map_err(|difference| RunError::Different { path: run.directory.to_owned(), difference })?;
    Ok(before.provenance)
}

/// What decides a run's games, checked against what its directory has, for a process that plays a part of it.
///
/// # Errors
/// If the directory has another run, or something else.
pub(crate) fn check_begun_run(run: &Run<'_>, directory: &RunDirectory) -> Result<Provenance, RunError> {
    let different = |problem| RunError::Provenance { path: run.directory.to_owned(), problem };
    let present = Provenance::of_agents(&run.schedule.agents).map_err(different)?;
    if !directory.is_unused(MANIFEST, &[SHARDS]).map_err(io_error(run.directory))? {
        let before = former_manifest(run)?;
        check_play_version(before.as_ref()).map_err(different)?;
        before.as_ref().map_or(Ok(()), |before| present.check_files(before)).map_err(different)?;
    }
    Ok(present)
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |cause| RunError::Io { path, cause }
}

/// The schedule's game with this index, by the record found in the directory.
///
/// # Errors
/// If it is the record of another game, or of none.
pub(crate) fn recall(
    run: &Run<'_>,
    player: &dyn JobPlayer,
    index: u64,
    mut record: Record,
) -> Result<Played, String> {
    let schedule = run.schedule;
    if index >= schedule.games {
        return Err(format!("a record after the run's {} games", schedule.games));
    }
    let expected =
        (schedule.game.clone(), schedule.players, schedule.specs(&schedule.job(index)), schedule.seed, index);
    record.agents.iter_mut().for_each(|spec| *spec = printed_spec(spec));
    let game = run.arena.spec_in(&record).map_err(|error| error.to_string())?;
    let found = (game, record.players, record.agents.clone(), record.seed, record.index);
    if found != expected {
        return Err(format!("found {found:?}, expected {expected:?}"));
    }
    player.recall(record).map_err(|error| error.to_string())
}

/// Everything that is derived from the records: `games.csv` and `summary.json`.
struct DerivedFiles<'a> {
    run: &'a Run<'a>,
    csv: csv::Writer<File>,
    csv_path: PathBuf,
    /// The table until it is put in its place.
    unplaced: Option<UnplacedFile>,
    /// What each agent of the schedule is called.
    labels: Vec<String>,
    standings: StandingsBuilder,
    measures: Measures,
    test: Option<Sprt>,
}

impl<'a> DerivedFiles<'a> {
    /// Those of a run without games. Nothing is in its place yet.
    fn create(run: &'a Run<'a>) -> Result<Self, RunError> {
        let csv_path = run.directory.join("games.csv");
        let (file, unplaced) = UnplacedFile::create(&csv_path).map_err(io_error(&csv_path))?;
        let test = run.sprt.map(|settings| Sprt::new(settings, run.schedule.players));
        let mut derived = DerivedFiles {
            run,
            csv: csv::Writer::from_writer(file),
            csv_path,
            unplaced: Some(unplaced),
            labels: run.schedule.agents.iter().map(AgentSpec::label).collect(),
            standings: StandingsBuilder::new(run.schedule),
            measures: Measures::new(run.schedule),
            test,
        };
        derived.row(["index", "block", "seat", "agent", "score", "win", "plies", "rounds", "end"])?;
        Ok(derived)
    }

    /// Puts the table in the place of the one before.
    fn place(&mut self) -> Result<(), RunError> {
        self.unplaced.take().map_or(Ok(()), UnplacedFile::place).map_err(io_error(&self.csv_path))
    }

    fn row<const N: usize>(&mut self, fields: [&str; N]) -> Result<(), RunError> {
        self.csv.write_record(fields).map_err(|error| io_error(&self.csv_path)(io::Error::from(error)))
    }

    fn push(&mut self, played: &Played) -> Result<(), RunError> {
        let record = &played.record;
        let job: Job = self.run.schedule.job(record.index);
        self.standings.push(&job, played);
        self.measures.push(&job, played);
        if let Some(test) = &mut self.test {
            let seats = job.seats.iter().zip(&record.wins).filter(|(agent, _)| **agent == 0);
            test.push_game(seats.map(|(_, win)| win).sum());
        }
        let [index, block] = [job.index, job.block].map(|number| number.to_string());
        let [plies, rounds] = [record.moves.len() as u64, played.rounds.into()].map(|n: u64| n.to_string());
        let end = record.end.to_string();
        for (seat, &agent) in job.seats.iter().enumerate() {
            let agent = self.labels[agent].clone();
            let (score, win) = (record.scores[seat].to_string(), record.wins[seat].to_string());
            self.row([&index, &block, &seat.to_string(), &agent, &score, &win, &plies, &rounds, &end])?;
        }
        Ok(())
    }

    /// Whether more games are wanted: a test that is decided wants none.
    fn flow(&self) -> ControlFlow<()> {
        match self.test.as_ref().map_or(Verdict::Open, Sprt::verdict) {
            Verdict::Open => ControlFlow::Continue(()),
            Verdict::Null | Verdict::Alternative => ControlFlow::Break(()),
        }
    }

    fn close(mut self) -> Result<Summary, RunError> {
        let flushed = self.csv.flush().and_then(|()| self.csv.get_ref().sync_all());
        flushed.map_err(io_error(&self.csv_path))?;
        let test = self.run.sprt.zip(self.test.as_ref());
        let sprt = test.map(|(settings, test)| SprtSummary::new(settings, test));
        let summary = Summary::new(self.run.schedule, &self.standings.finish(), self.run.anchor)?;
        let summary = Summary { sprt, measures: self.measures.finish(), ..summary };
        let json = serde_json::to_string_pretty(&summary).expect("a summary has only plain values");
        let path = self.run.directory.join("summary.json");
        replace(&path, json + "\n", Durability::Disk).map_err(io_error(&path))?;
        Ok(summary)
    }
}
