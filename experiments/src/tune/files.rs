//! The directory of a tuning run: `tune.toml`, `steps.csv`, `checks.csv` and weights.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use azulejo_agents::bounded_file::read_text;
use azulejo_agents::settings::{parse_settings, read_settings};

use crate::atomic_file::{Durability, UnplacedFile, replace};
use crate::manifest::Provenance;
use crate::run_directory::RunDirectory;

use super::{Check, Point, Step, TuneError, TuneSettings};

const SETTINGS: &str = "tune.toml";
const STEPS: &str = "steps.csv";
const CHECKS: &str = "checks.csv";

/// The names of the weights that a run writes: the best so far, and the versions that play each other.
pub(super) const BEST: &str = "weights";
pub(super) const PLUS: &str = "plus";
pub(super) const MINUS: &str = "minus";
pub(super) const CANDIDATE: &str = "candidate";

/// The steps and tests of a run of tuning that was begun in a directory.
#[derive(Debug, Default)]
pub(super) struct TuningProgress {
    /// What decides its games beside the settings; none in runs of former versions.
    pub provenance: Option<Provenance>,
    pub steps: Vec<Step>,
    pub checks: Vec<Check>,
}

impl TuningProgress {
    /// What a directory has of tuning with these settings; `None` if none has begun there. Nothing is changed.
    pub(super) fn read(
        directory: &RunDirectory,
        settings: &TuneSettings,
        start: &Point,
    ) -> Result<Option<Self>, TuneError> {
        let path = directory.path();
        if directory.is_unused(SETTINGS, &[]).map_err(fault(path))? {
            return Ok(None);
        }
        let file = path.join(SETTINGS);
        if !file.exists() {
            return Err(TuneError::NotEmpty(path.to_owned()));
        }
        let provenance = check_same(&file, settings)?.provenance;
        let steps = read_steps(&path.join(STEPS), start)?;
        let checks = read_checks(&path.join(CHECKS), steps.len() as u64)?;
        Ok(Some(TuningProgress { provenance, steps, checks }))
    }
}

/// Writes down what tuning does, as it does it.
#[derive(Debug)]
pub(super) struct Journal {
    directory: PathBuf,
    steps: csv::Writer<File>,
    checks: csv::Writer<File>,
}

impl Journal {
    /// The journal in a directory, which goes on after what is in it already; settings are written where tuning begins.
    pub(super) fn open(
        directory: &RunDirectory,
        start: &Point,
        begins: Option<&TuneSettings>,
        (played, tested): (&[Step], &[Check]),
    ) -> Result<Self, TuneError> {
        directory.remove_leftovers(&[]).map_err(fault(directory.path()))?;
        if let Some(settings) = begins {
            let text =
                toml::to_string(settings).expect("settings are plain values, and their table comes last");
            let written = directory.write_settings(SETTINGS, &text);
            written.map_err(fault(&directory.path().join(SETTINGS)))?;
        }
        let directory = directory.path().to_owned();
        let (steps, checks) = (directory.join(STEPS), directory.join(CHECKS));
        Ok(Journal {
            steps: rewrite(&steps, step_header(start), played.iter().map(step_row))?,
            checks: rewrite(&checks, CHECK_HEADER.map(str::to_owned), tested.iter().map(check_row))?,
            directory,
        })
    }

    pub(super) fn add_step(&mut self, step: &Step) -> Result<(), TuneError> {
        let file = self.directory.join(STEPS);
        add(&mut self.steps, step_row(step)).map_err(fault(&file))
    }

    /// Adds a test; it and all steps before are on the disk afterwards.
    pub(super) fn add_check(&mut self, check: &Check) -> Result<(), TuneError> {
        let file = self.directory.join(CHECKS);
        add(&mut self.checks, check_row(check)).map_err(fault(&file))?;
        let files = [&self.steps, &self.checks].map(csv::Writer::get_ref);
        files.into_iter().try_for_each(File::sync_all).map_err(fault(&file))
    }

    /// The file of the weights with this name.
    fn weights_file(&self, name: &str) -> PathBuf {
        self.directory.join(name).with_extension("toml")
    }

    /// Writes the best weights so far; they are on the disk afterwards.
    pub(super) fn write_best(&self, start: &Point, values: &[f64]) -> Result<(), TuneError> {
        let path = self.weights_file(BEST);
        replace(&path, weights_text(start, values), Durability::Disk).map_err(fault(&path))
    }

    /// Writes `<name>.toml` and returns its path as agents read it.
    pub(super) fn write_weights(
        &self,
        name: &str,
        start: &Point,
        values: &[f64],
    ) -> Result<String, TuneError> {
        let path = self.weights_file(name);
        replace(&path, weights_text(start, values), Durability::Process).map_err(fault(&path))?;
        Ok(path.display().to_string())
    }
}

fn weights_text(start: &Point, values: &[f64]) -> String {
    toml::to_string(&start.table(values)).expect("weights are plain values")
}

fn fault<E: std::fmt::Display>(file: &Path) -> impl Fn(E) -> TuneError {
    let file = file.display().to_string();
    move |problem| TuneError::File { file: file.clone(), problem: problem.to_string() }
}

/// The settings in a file, which must be these.
fn check_same(file: &Path, settings: &TuneSettings) -> Result<TuneSettings, TuneError> {
    let text = read_settings(file).map_err(fault(file))?;
    let before: TuneSettings = parse_settings(&text).map_err(fault(file))?;
    let same = TuneSettings { provenance: settings.provenance.clone(), ..before.clone() } == *settings;
    same.then_some(before).ok_or_else(|| fault(file)("tuning with other settings was begun here"))
}

/// A new file with these rows, which are on the disk, and to which others can be added.
fn rewrite(
    file: &Path,
    header: impl IntoIterator<Item = String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<csv::Writer<File>, TuneError> {
    let fill = || -> csv::Result<_> {
        let (new, unplaced) = UnplacedFile::create(file)?;
        let mut writer = csv::Writer::from_writer(new);
        writer.write_record(header)?;
        rows.into_iter().try_for_each(|row| writer.write_record(row))?;
        writer.flush()?;
        writer.get_ref().sync_all()?;
        unplaced.place()?;
        Ok(writer)
    };
    fill().map_err(fault(file))
}

fn add(writer: &mut csv::Writer<File>, row: Vec<String>) -> csv::Result<()> {
    writer.write_record(row)?;
    Ok(writer.flush()?)
}

fn step_header(start: &Point) -> Vec<String> {
    let names = start.names().iter().cloned();
    ["step", "lead"].map(str::to_owned).into_iter().chain(names).collect()
}

fn step_row(step: &Step) -> Vec<String> {
    let values = step.point.iter().map(f64::to_string);
    [step.number.to_string(), step.lead.to_string()].into_iter().chain(values).collect()
}

/// The longest journal that is read, in bytes.
const MAX_JOURNAL: u64 = 256 << 20;

/// The complete rows of a file with their line numbers; the last one may be torn.
fn read_rows(file: &Path) -> Result<Vec<(usize, Vec<String>)>, TuneError> {
    let text = match read_text(file, MAX_JOURNAL) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fault(file)(error)),
    };
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = complete.lines().enumerate().skip(1);
    Ok(lines.map(|(line, text)| (line + 1, text.split(',').map(str::to_owned).collect())).collect())
}

fn read_steps(file: &Path, start: &Point) -> Result<Vec<Step>, TuneError> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, fields) in read_rows(file)? {
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| field.parse().ok()).collect();
        let due = steps.len() as u64 + 1;
        match numbers.as_deref() {
            Some([number, lead, point @ ..])
                if *number == due as f64 && point.len() == start.values().len() =>
            {
                steps.push(Step { number: due, lead: *lead, point: point.to_vec() });
            }
            _ => return Err(fault(file)(format!("line {line}: expected step {due} with its weights"))),
        }
    }
    Ok(steps)
}

const CHECK_HEADER: [&str; 5] = ["step", "games", "share", "even", "better"];

fn check_row(check: &Check) -> Vec<String> {
    let Check { step, games, share, even, better } = check;
    vec![step.to_string(), games.to_string(), share.to_string(), even.to_string(), better.to_string()]
}

fn read_checks(file: &Path, steps: u64) -> Result<Vec<Check>, TuneError> {
    let read = |fields: &[String]| -> Option<Check> {
        let [step, games, share, even, better] = fields else { return None };
        let (step, games) =
            (step.parse().ok().filter(|step| (1..=steps).contains(step))?, games.parse().ok()?);
        Some(Check {
            step,
            games,
            share: share.parse().ok()?,
            even: even.parse().ok()?,
            better: better.parse().ok()?,
        })
    };
    let rows = read_rows(file)?;
    let checks = rows.iter().map(|(line, fields)| {
        read(fields)
            .ok_or_else(|| fault(file)(format!("line {line}: expected a test after one of {steps} steps")))
    });
    checks.collect()
}
