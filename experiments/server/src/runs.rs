//! Runs by their files: what kind each is, how far it is, what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use azulejo_agents::bounded_file::{read_bytes, read_text};
use azulejo_agents::settings::parse_settings;
use azulejo_experiments::manifest::{Manifest, Status};
use azulejo_experiments::record_file::{Encoding, open_lines};
use azulejo_experiments::train::TrainConfig;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::files::{Root, entries, file_in};

/// The most bytes of a file that is read whole.
const MOST: u64 = 32 << 20;
/// How deep runs may lie.
const DEPTH: usize = 6;
/// How many files and folders are looked at.
const LOOKED_AT: usize = 50_000;
/// The folder with games that were played on the page.
pub(crate) const PLAYED: &str = "played";

/// A run, a study, or a file of records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RunInfo {
    /// Where it lies, below the root.
    pub path: String,
    /// What it is: the command that made it, `study`, `records` or `played`.
    pub kind: String,
    pub game: Option<String>,
    pub players: Option<usize>,
    pub agents: Vec<String>,
    /// Games in all; of training, rows of its metrics.
    pub games: Option<u64>,
    /// How many of them are there.
    pub done: Option<u64>,
    pub finished: bool,
    /// When one of its files last changed, in milliseconds since 1970.
    pub changed: Option<u64>,
}

impl RunInfo {
    fn new(root: &Root, place: &Path, kind: &str) -> Self {
        RunInfo {
            path: root.path_of(place),
            kind: kind.to_owned(),
            game: None,
            players: None,
            agents: Vec::new(),
            games: None,
            done: None,
            finished: true,
            changed: changed(place),
        }
    }
}

/// All runs below a folder, in the order of their paths.
pub(crate) fn all(root: &Root) -> Vec<RunInfo> {
    let (mut found, mut left) = (Vec::new(), LOOKED_AT);
    collect(root, root.folder(), DEPTH, &mut left, &mut found);
    found
}

/// Looks for runs in a folder and below. A run's own folders hold none.
fn collect(root: &Root, folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<RunInfo>) {
    for (path, about) in entries(folder) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if *left == 0 || hidden {
            continue;
        }
        *left -= 1;
        match read(root, &path) {
            Some(run) => {
                let study = run.kind == "study";
                found.push(run);
                if study {
                    collect(root, &path, depth - 1, left, found);
                }
            }
            None if about.is_dir() && depth > 1 => collect(root, &path, depth - 1, left, found),
            None => {}
        }
    }
}

/// The run at a place; `None` if there is none.
pub(crate) fn read(root: &Root, place: &Path) -> Option<RunInfo> {
    if !fs::symlink_metadata(place).ok()?.is_dir() {
        let info = RunInfo::new(root, place, "records");
        return is_records(place).then(|| RunInfo { done: Some(count(place)), ..info });
    }
    if let Some(manifest) = file_in(place, "manifest.toml").and_then(|file| read_manifest(&file)) {
        return Some(read_run(root, place, manifest));
    }
    if let Some(config) = file_in(place, "train.toml") {
        return Some(read_training(root, place, &config));
    }
    if place == root.folder().join(PLAYED) {
        let games = entries(place).iter().filter(|(path, _)| is_records(path)).count() as u64;
        return Some(RunInfo { done: Some(games), ..RunInfo::new(root, place, PLAYED) });
    }
    file_in(place, "summary.json").map(|_| RunInfo::new(root, place, "study"))
}

fn read_manifest(file: &Path) -> Option<Manifest> {
    parse_settings(&read_text(file, MOST).ok()?).ok()
}

fn read_run(root: &Root, place: &Path, manifest: Manifest) -> RunInfo {
    let games = manifest.settings.games;
    let finished = manifest.status == Status::Finished;
    let done = || games_file(place).map_or(0, |file| count(&file));
    RunInfo {
        game: Some(manifest.game),
        players: Some(manifest.players),
        agents: manifest.agents,
        games: Some(games),
        // A finished run may have ended before all games, by a test that was decided.
        done: Some(if finished && manifest.settings.sprt.is_none() { games } else { done() }),
        finished,
        ..RunInfo::new(root, place, &manifest.command.to_string())
    }
}

/// Rows of metrics are there for each generation, and one for what a teacher taught.
fn read_training(root: &Root, place: &Path, config: &Path) -> RunInfo {
    let info = RunInfo::new(root, place, "train");
    let config = read_text(config, MOST).ok().and_then(|text| TrainConfig::read(&text).ok());
    let Some(config) = config else { return RunInfo { finished: false, ..info } };
    let rows = metrics(place).len() as u64;
    let stages = config.generations + u64::from(config.teacher.is_some());
    let table = config.tables.first();
    RunInfo {
        game: table.map(|table| table.game.clone()),
        players: table.map(|table| table.players),
        games: Some(stages),
        done: Some(rows),
        finished: rows >= stages,
        ..info
    }
}

/// The file with the games of a run's folder.
pub(crate) fn games_file(folder: &Path) -> Option<PathBuf> {
    [Encoding::Plain, Encoding::Zstd].into_iter().find_map(|encoding| file_in(folder, encoding.file_name()))
}

/// Whether a file's name says that it holds records.
pub(crate) fn is_records(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let regular = || fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    (name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")) && regular()
}

/// The number of a file's lines, as far as it can be read.
fn count(file: &Path) -> u64 {
    let Ok(mut lines) = open_lines(file) else { return 0 };
    let mut count = 0;
    while let Some(Ok(_)) = lines.read() {
        count += 1;
    }
    count
}

/// What a run's `summary.json` says.
pub(crate) fn summary(place: &Path) -> Option<Value> {
    serde_json::from_slice(&read_bytes(&file_in(place, "summary.json")?, MOST).ok()?).ok()
}

/// The rows of a training run's `metrics.csv`: numbers, and texts where there are none.
pub(crate) fn metrics(place: &Path) -> Vec<Map<String, Value>> {
    let text =
        file_in(place, "metrics.csv").and_then(|file| read_bytes(&file, MOST).ok()).unwrap_or_default();
    let mut reader = csv::Reader::from_reader(&text[..]);
    let Ok(names) = reader.headers().cloned() else { return Vec::new() };
    let value = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Value::from(number),
        _ => Value::from(text),
    };
    let row = |row: csv::StringRecord| {
        names.iter().zip(&row).map(|(name, text)| (name.to_owned(), value(text))).collect()
    };
    // A row that is being written may be torn.
    reader.records().map_while(Result::ok).map(row).collect()
}

/// When one of the files of a place last changed.
fn changed(place: &Path) -> Option<u64> {
    let files = entries(place).into_iter().map(|(_, about)| about).filter(|about| about.is_file());
    let times = files.chain(fs::symlink_metadata(place).ok()).filter_map(|about| about.modified().ok());
    let since = times.max()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}
