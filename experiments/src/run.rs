//! A run: the games of a schedule, played into a directory.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use azulejo::{Record, SpecError};
use azulejo_agents::settings::{parse_settings, read_settings};
use azulejo_agents::{AgentSpec, AgentSpecError};
use thiserror::Error;

use crate::game_loop::{Arena, Fault, JobPlayer, Played};
use crate::machine::{self, Invocation};
use crate::manifest::{Manifest, SettingDifference, Status, printed_spec};
use crate::measures::Measures;
use crate::parallel::play_in_order;
use crate::record_file::{Encoding, RecordFileError, RecordWriter};
use crate::report::RunReport;
use crate::schedule::{Job, Schedule, ScheduleError, Statistics};
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
}

/// Whether a run begins or goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In a directory that is empty or does not exist.
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
    // Agents that cannot be built are found before anything is written.
    run.arena.check_players(run.schedule.players)?;
    let schedule = Schedule { statistics: Statistics::Kept, ..run.schedule.clone() };
    let player = run.arena.player(&schedule)?;
    prepare(run, start)?;
    run.invocation.append(run.directory).map_err(io_error(&run.directory.join(machine::FILE)))?;
    let mut derived = DerivedFiles::open(run)?;
    let records = run.directory.join(run.encoding.file_name());
    let mut first = 0;
    let mut writer = match start {
        Start::New => RecordWriter::create(&records, run.encoding)?,
        Start::Resume => RecordWriter::resume(&records, run.encoding, |record| {
            let played = recall(run, &*player, first, record)?;
            first += 1;
            derived.push(&played).map_err(|error| error.to_string())
        })?,
    };
    drop(player);
    watch.begin(first);
    let first_flow = derived.flow();
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
    let next = match first_flow {
        ControlFlow::Continue(()) => {
            play_in_order((run.arena, &schedule), first, run.threads, stop, write_out, play_on)
        }
        ControlFlow::Break(()) => Ok(first),
    };
    watch.end();
    let next = next?;
    writer.finish()?;
    let done = next == run.schedule.games || derived.flow().is_break();
    let status = if done { Status::Finished } else { Status::Interrupted };
    let summary = derived.close()?;
    write_manifest(run, status)?;
    let manifest = Manifest { status, ..run.manifest.clone() };
    let report = RunReport { manifest, summary };
    report.write(run.directory).map_err(io_error(run.directory))?;
    Ok((report.summary, status))
}

/// Makes the directory and puts the manifest there, or checks what it has.
fn prepare(run: &Run<'_>, start: Start) -> Result<(), RunError> {
    let directory = run.directory;
    fs::create_dir_all(directory).map_err(io_error(directory))?;
    let empty = fs::read_dir(directory).map_err(io_error(directory))?.next().is_none();
    match start {
        _ if empty => write_manifest(run, Status::Interrupted),
        Start::New => Err(RunError::NotEmpty(directory.to_owned())),
        Start::Resume => check_manifest(run),
    }
}

fn check_manifest(run: &Run<'_>) -> Result<(), RunError> {
    let path = run.directory.join("manifest.toml");
    let text = match read_settings(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunError::NoRun(run.directory.to_owned()));
        }
        Err(error) => return Err(io_error(&path)(error)),
    };
    let before: Manifest = parse_settings(&text).map_err(|problem| RunError::Manifest { path, problem })?;
    run.manifest
        .check_same(&before)
        .map_err(|difference| RunError::Different { path: run.directory.to_owned(), difference })
}

fn write_manifest(run: &Run<'_>, status: Status) -> Result<(), RunError> {
    let manifest = Manifest { status, ..run.manifest.clone() };
    replace(&run.directory.join("manifest.toml"), &manifest.to_toml())
}

/// Writes a file so that at every moment either the old or the new content is there.
fn replace(path: &Path, text: &str) -> Result<(), RunError> {
    let new = path.with_extension("new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(io_error(path))
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |cause| RunError::Io { path, cause }
}

/// The schedule's game with this index, by the record found in the directory.
fn recall(run: &Run<'_>, player: &dyn JobPlayer, index: u64, mut record: Record) -> Result<Played, String> {
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
    csv: csv::Writer<fs::File>,
    csv_path: PathBuf,
    standings: StandingsBuilder,
    measures: Measures,
    test: Option<Sprt>,
}

impl<'a> DerivedFiles<'a> {
    fn open(run: &'a Run<'a>) -> Result<Self, RunError> {
        let csv_path = run.directory.join("games.csv");
        let csv = csv::Writer::from_writer(fs::File::create(&csv_path).map_err(io_error(&csv_path))?);
        let test = run.sprt.map(|settings| Sprt::new(settings, run.schedule.players));
        let mut derived = DerivedFiles {
            run,
            csv,
            csv_path,
            standings: StandingsBuilder::new(run.schedule),
            measures: Measures::new(run.schedule),
            test,
        };
        derived.row(["index", "block", "seat", "agent", "score", "win", "plies", "rounds", "end"])?;
        Ok(derived)
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
        for (seat, agent) in record.agents.iter().enumerate() {
            let (score, win) = (record.scores[seat].to_string(), record.wins[seat].to_string());
            self.row([&index, &block, &seat.to_string(), agent, &score, &win, &plies, &rounds, &end])?;
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
        self.csv.flush().map_err(io_error(&self.csv_path))?;
        let test = self.run.sprt.zip(self.test.as_ref());
        let sprt = test.map(|(settings, test)| SprtSummary::new(settings, test));
        let summary = Summary::new(self.run.schedule, &self.standings.finish(), self.run.anchor)?;
        let summary = Summary { sprt, measures: self.measures.finish(), ..summary };
        let json = serde_json::to_string_pretty(&summary).expect("a summary has only plain values");
        replace(&self.run.directory.join("summary.json"), &(json + "\n"))?;
        Ok(summary)
    }
}
