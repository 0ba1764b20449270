//! `games`, `game`, `save` and `read`: records, by their place in a run or as they are pasted.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use azulejo::{Record, Seat, excerpt};
use azulejo_experiments::record_file::{open_lines, replace};
use hyper::StatusCode;
use serde::{Deserialize, Serialize};

use super::game_loss::GameLoss;
use crate::answer::CallError;
use crate::course::Course;
use crate::files::{Root, entries};
use crate::runs::{PLAYED, games_file, is_records};

/// The most games that are listed at once.
const MOST_LISTED: usize = 500;
/// The most letters of a player's name.
const MOST_NAME: usize = 200;

/// Which games of which run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GamesRequest {
    path: String,
    #[serde(default)]
    first: usize,
    #[serde(default)]
    count: Option<usize>,
    #[serde(default)]
    order: Order,
}

/// In which order games are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// As they lie there.
    #[default]
    Index,
    /// By what was lost of the win, the most first; only games that were judged.
    Loss,
    /// By the points lost, likewise.
    PointsLost,
}

impl Order {
    /// What a game is put in order by; nothing where games lie as they are.
    fn key(self, lost: GameLoss) -> Option<f32> {
        match self {
            Order::Index => None,
            Order::Loss => lost.loss,
            Order::PointsLost => lost.points_lost,
        }
    }
}

/// How many games there are, and some of them.
#[derive(Serialize)]
pub(super) struct GamesAnswer {
    total: usize,
    /// How many of them were judged; null where games are listed as they lie there.
    judged: Option<usize>,
    games: Vec<ListedGame>,
}

/// A game in a list.
#[derive(Serialize)]
struct ListedGame {
    /// Its place in the list, from 0.
    index: usize,
    players: usize,
    names: Vec<String>,
    scores: Vec<i16>,
    wins: Vec<f64>,
    end: String,
    /// What moves lost, all seats together; null where nobody judged them.
    #[serde(flatten)]
    lost: GameLoss,
}

/// Which game of which run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameRequest {
    path: String,
    index: usize,
}

/// A recorded game.
#[derive(Serialize)]
pub(super) struct GameAnswer {
    course: Course,
    names: Vec<String>,
    agents: Vec<String>,
    scores: Vec<i16>,
    wins: Vec<f64>,
    seed: u64,
    end: String,
}

/// A game that is to be kept.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaveRequest {
    id: String,
    record: PlayedGame,
}

/// A game with who plays it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayedGame {
    course: Course,
    names: Vec<String>,
    /// Specs of agents; `human` for persons. Without them the names.
    #[serde(default)]
    agents: Option<Vec<String>>,
    #[serde(default)]
    seed: u64,
}

/// Where a game was saved.
#[derive(Serialize)]
pub(super) struct SaveAnswer {
    saved: String,
}

/// A record as it was pasted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadRequest {
    text: String,
}

/// Lists games.
pub(super) fn games(root: &Root, request: GamesRequest) -> Result<GamesAnswer, CallError> {
    let (first, count) = (request.first, request.count.unwrap_or(MOST_LISTED).min(MOST_LISTED));
    let mut wanted: Vec<usize> = (first..first.saturating_add(count)).collect();
    let mut judged = None;
    if request.order != Order::Index {
        let order = lost_most(root, &request)?;
        judged = Some(order.len());
        wanted = order.into_iter().skip(first).take(count).collect();
    }
    let places: HashMap<usize, usize> =
        wanted.into_iter().enumerate().map(|(at, index)| (index, at)).collect();
    let mut games = Vec::new();
    let total = each_game(root, &request.path, |index, line| {
        if places.contains_key(&index) {
            games.push(list(index, line)?);
        }
        Ok(())
    })?;
    games.sort_by_key(|game| places[&game.index]);
    Ok(GamesAnswer { total, judged, games })
}

/// The indices of the games that were judged, those in which most was lost first.
fn lost_most(root: &Root, request: &GamesRequest) -> Result<Vec<usize>, CallError> {
    let mut lost: Vec<(usize, f32)> = Vec::new();
    each_game(root, &request.path, |index, line| {
        lost.extend(request.order.key(GameLoss::of_line(line)).map(|lost| (index, lost)));
        Ok(())
    })?;
    lost.sort_by(|one, other| other.1.total_cmp(&one.1));
    Ok(lost.into_iter().map(|(index, _)| index).collect())
}

/// A game of a list.
pub(super) fn game(root: &Root, request: GameRequest) -> Result<GameAnswer, CallError> {
    let mut found = None;
    each_game(root, &request.path, |index, line| {
        if index == request.index {
            found = Some(record(line)?);
        }
        Ok(())
    })?;
    let missing = || CallError::new(StatusCode::NOT_FOUND, format!("index: no game {}", request.index));
    tell(found.ok_or_else(missing)?)
}

/// Reads a pasted record.
pub(super) fn read(_: &Root, request: ReadRequest) -> Result<GameAnswer, CallError> {
    let record = record(request.text.trim())?;
    record.verify().map_err(CallError::bad)?;
    tell(record)
}

/// Writes a game into the folder of played games.
pub(super) fn save(root: &Root, request: SaveRequest) -> Result<SaveAnswer, CallError> {
    let SaveRequest { id, record: PlayedGame { course, names, agents, seed } } = request;
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !(1..=40).contains(&id.len()) || !id.bytes().all(known) {
        let expected = "expected 1 to 40 small letters, digits and -";
        return Err(CallError::bad(format!("id: found '{}', {expected}", excerpt(&id))));
    }
    if course.start.is_some() {
        return Err(CallError::bad("course.start: a record begins at the game's first state"));
    }
    let agents = agents.unwrap_or_else(|| names.clone());
    check_names("names", &names, course.players)?;
    check_names("agents", &agents, course.players)?;
    let (_, position) = course.read()?;
    let record = Record { names: Some(names), ..position.record(agents, seed) };
    let folder = played(root)?;
    let path = folder.join(format!("{id}.jsonl"));
    if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
        return Err(CallError::new(StatusCode::FORBIDDEN, "id: what lies there is no file"));
    }
    replace(&path, &record.to_line()).map_err(failed)?;
    Ok(SaveAnswer { saved: root.path_of(&path) })
}

/// The folder of played games, which is made where it is missing.
fn played(root: &Root) -> Result<PathBuf, CallError> {
    fs::create_dir_all(root.folder()).map_err(failed)?;
    let folder = root.folder().join(PLAYED);
    match fs::symlink_metadata(&folder) {
        Ok(about) if about.is_dir() => Ok(folder),
        Ok(_) => Err(CallError::new(
            StatusCode::FORBIDDEN,
            "what lies in the place of the folder 'played' is none",
        )),
        Err(_) => fs::create_dir(&folder).map(|()| folder).map_err(failed),
    }
}

/// The error for a disk that is full, say.
fn failed(error: impl ToString) -> CallError {
    CallError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

/// Whether there is a name for each seat that can be shown.
fn check_names(key: &str, names: &[String], players: usize) -> Result<(), CallError> {
    if names.len() != players {
        return Err(CallError::bad(format!("{key}: found {}, expected {players}", names.len())));
    }
    let odd = |name: &&String| name.chars().count() > MOST_NAME || name.chars().any(char::is_control);
    match names.iter().find(odd) {
        Some(name) => Err(CallError::bad(format!("{key}: '{}' cannot be shown", excerpt(name)))),
        None => Ok(()),
    }
}

/// Hands each game of a run, of a file of records, or of the folder of played games to `seen`; returns how many there are.
fn each_game(
    root: &Root,
    path: &str,
    mut seen: impl FnMut(usize, &str) -> Result<(), CallError>,
) -> Result<usize, CallError> {
    let mut index = 0;
    for file in files(root, &root.find(path)?)? {
        let mut lines = open_lines(&file).map_err(failed)?;
        // The last line of a run that goes on may be torn.
        while let Some(Ok((line, _))) = lines.read() {
            if line.is_empty() {
                continue;
            }
            seen(index, &line)?;
            index += 1;
        }
    }
    Ok(index)
}

/// The files with the games of a place.
fn files(root: &Root, place: &Path) -> Result<Vec<PathBuf>, CallError> {
    if is_records(place) {
        return Ok(vec![place.to_owned()]);
    }
    if place == root.folder().join(PLAYED) {
        let all = entries(place).into_iter().map(|(path, _)| path);
        return Ok(all.filter(|path| is_records(path)).collect());
    }
    let missing = || CallError::new(StatusCode::NOT_FOUND, "path: no games lie there");
    games_file(place).map(|file| vec![file]).ok_or_else(missing)
}

/// A line as a record. Files that old records name are not opened.
fn record(line: &str) -> Result<Record, CallError> {
    Record::from_line(line).map_err(CallError::bad)
}

fn list(index: usize, line: &str) -> Result<ListedGame, CallError> {
    let record = record(line)?;
    Ok(ListedGame {
        index,
        players: record.players,
        names: names(&record),
        lost: GameLoss::of_line(line),
        end: record.end.to_string(),
        scores: record.scores,
        wins: record.wins,
    })
}

fn names(record: &Record) -> Vec<String> {
    let seats = Seat::all(record.agents.len().min(usize::from(u8::MAX)));
    seats.map(|seat| record.name(seat).unwrap_or("?").to_owned()).collect()
}

fn tell(record: Record) -> Result<GameAnswer, CallError> {
    let game = record.spec().map_err(CallError::bad)?;
    let players = game.check_players(record.players).map_err(CallError::bad)?;
    let names = names(&record);
    let Record { moves, agents, scores, wins, seed, end, .. } = record;
    let course = Course { game: game.to_string(), players, start: None, moves };
    Ok(GameAnswer { course, names, agents, scores, wins, seed, end: end.to_string() })
}
