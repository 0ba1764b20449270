//! The directory of a tuning run: `tune.toml`, `steps.csv`, `checks.csv` and weights.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use azulejo_agents::settings::{parse_settings, read_settings};

use super::{Check, Point, Step, TuneError, TuneSettings};

/// Writes down what tuning does, as it does it.
#[derive(Debug)]
pub(super) struct Journal {
    directory: PathBuf,
    steps: csv::Writer<File>,
    checks: csv::Writer<File>,
}

const STEPS: &str = "steps.csv";
const CHECKS: &str = "checks.csv";

impl Journal {
    /// The journal in a directory, with the steps and tests that are in it already.
    pub(super) fn open(
        directory: &Path,
        settings: &TuneSettings,
        start: &Point,
    ) -> Result<(Self, Vec<Step>, Vec<Check>), TuneError> {
        fs::create_dir_all(directory).map_err(fault(directory))?;
        let file = directory.join("tune.toml");
        if file.exists() {
            check_same(&file, settings)?;
        } else {
            let text = toml::to_string(settings).expect("settings are plain values");
            fs::write(&file, text).map_err(fault(&file))?;
        }
        let (steps, checks) = (directory.join(STEPS), directory.join(CHECKS));
        let played = read_steps(&steps, start)?;
        let tested = read_checks(&checks, played.len() as u64)?;
        let journal = Journal {
            directory: directory.to_owned(),
            steps: rewrite(&steps, step_header(start), played.iter().map(step_row))?,
            checks: rewrite(&checks, CHECK_HEADER.map(str::to_owned), tested.iter().map(check_row))?,
        };
        Ok((journal, played, tested))
    }

    pub(super) fn add_step(&mut self, step: &Step) -> Result<(), TuneError> {
        let file = self.directory.join(STEPS);
        add(&mut self.steps, step_row(step)).map_err(fault(&file))
    }

    pub(super) fn add_check(&mut self, check: &Check) -> Result<(), TuneError> {
        let file = self.directory.join(CHECKS);
        add(&mut self.checks, check_row(check)).map_err(fault(&file))
    }

    /// Writes `<name>.toml` and returns its path as agents read it.
    pub(super) fn write_weights(
        &self,
        name: &str,
        start: &Point,
        values: &[f64],
    ) -> Result<String, TuneError> {
        let path = self.directory.join(name).with_extension("toml");
        let text = toml::to_string(&start.table(values)).expect("weights are plain values");
        let new = path.with_extension("new");
        fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(fault(&path))?;
        Ok(path.display().to_string())
    }
}

fn fault<E: std::fmt::Display>(file: &Path) -> impl Fn(E) -> TuneError {
    let file = file.display().to_string();
    move |problem| TuneError::File { file: file.clone(), problem: problem.to_string() }
}

fn check_same(file: &Path, settings: &TuneSettings) -> Result<(), TuneError> {
    let text = read_settings(file).map_err(fault(file))?;
    let before: TuneSettings = parse_settings(&text).map_err(fault(file))?;
    let same = before == *settings;
    same.then_some(()).ok_or_else(|| fault(file)("tuning with other settings was begun here"))
}

/// A new file with these rows, to which others can be added.
fn rewrite(
    file: &Path,
    header: impl IntoIterator<Item = String>,
    rows: impl Iterator<Item = Vec<String>>,
) -> Result<csv::Writer<File>, TuneError> {
    let new = file.with_extension("new");
    let fill = || -> csv::Result<()> {
        let mut writer = csv::Writer::from_path(&new)?;
        writer.write_record(header)?;
        rows.into_iter().try_for_each(|row| writer.write_record(row))?;
        writer.flush()?;
        Ok(fs::rename(&new, file)?)
    };
    fill().map_err(fault(file))?;
    let end = OpenOptions::new().append(true).open(file).map_err(fault(file))?;
    Ok(csv::Writer::from_writer(end))
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

/// The complete rows of a file with their line numbers; the last one may be torn.
fn read_rows(file: &Path) -> Result<Vec<(usize, Vec<String>)>, TuneError> {
    let text = match fs::read_to_string(file) {
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
