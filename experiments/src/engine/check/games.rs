//! Games that an engine and the built-in one follow side by side.

use std::time::Duration;

use azulejo::{GameSpec, Generator, Turn, shortened};
use serde_json::Value;

use super::examiner::{Examiner, listed, response};
use super::{Problem, failed};
use crate::engine::board::{PositionStart, ProtocolBoard, new_board};

/// What a game shows.
pub(super) const EXPECTED: &str =
    "in a random game: turn, legal actions, state, points, best moves by the rules";

/// One of so many choices is the engine's own.
const OWN_CHOICES: u64 = 8;
/// How long a search for a few nodes may take.
const SEARCH: Duration = Duration::from_secs(30);
/// What is compared at every ply, if the engine offers it.
const QUERIES: [&str; 4] = ["turn", "legal", "state", "scores"];

/// Plays a random game and compares at every ply what the engine knows with what is so.
pub(super) fn compare(it: &mut Examiner, game: GameSpec, players: usize) -> Result<(), Problem> {
    for option in [format!("Game value {game}"), format!("Players value {players}")] {
        let answers = it.ask(&[&format!("setoption name {option}")])?;
        if let Some(answer) = answers.first() {
            return Err(Problem::NotOffered(shortened(answer)));
        }
    }
    it.tell("uginewgame")?;
    let (mut board, mut rng) = (new_board(game, players), Generator::new(players as u64));
    let (mut moves, mut offered) = (Vec::<String>::new(), QUERIES.to_vec());
    loop {
        let tokens: Vec<&str> = moves.iter().map(String::as_str).collect();
        board.set(PositionStart::Game(players), &tokens).expect("the moves are legal");
        follow(it, &*board, &tokens, &mut offered)
            .map_err(|problem| at(problem, moves.len(), moves.last()))?;
        match board.turn() {
            Turn::Over => return Ok(()),
            Turn::Chance => moves.extend(board.sample(&mut rng)),
            Turn::Player(_) => {
                let legal = board.legal();
                let own = rng.below(OWN_CHOICES) == 0;
                let action = if own { it.go("nodes 5", SEARCH) } else { Ok(String::new()) };
                let action = action.map_err(|problem| at(problem, moves.len(), moves.last()))?;
                match legal.iter().find(|legal| **legal == action) {
                    Some(action) => moves.push(action.clone()),
                    None if own => {
                        let found = format!("'bestmove {}', which is not legal", shortened(&action));
                        return Err(at(Problem::Failed(found), moves.len(), moves.last()));
                    }
                    None => moves.push(legal[rng.below(legal.len() as u64) as usize].clone()),
                }
            }
        }
    }
}

/// Sets the position and compares the answers to all queries that the engine offers.
fn follow(
    it: &mut Examiner,
    board: &dyn ProtocolBoard,
    moves: &[&str],
    offered: &mut Vec<&'static str>,
) -> Result<(), Problem> {
    let position = format!("position startpos {}", moves_clause(moves));
    let queries: Vec<String> = offered.iter().map(|what| format!("query {what}")).collect();
    let lines: Vec<&str> =
        [position.as_str()].into_iter().chain(queries.iter().map(String::as_str)).collect();
    let answers = it.ask(&lines)?;
    if answers.len() != offered.len() {
        return failed(format!("{} to 'position …' and {} queries", listed(&answers), offered.len()));
    }
    let mut missing = Vec::new();
    for (what, answer) in offered.iter().zip(&answers) {
        match response(answer) {
            Ok(found) => same(board, what, &found)?,
            Err(Problem::NotOffered(_)) if moves.is_empty() => missing.push(*what),
            Err(Problem::NotOffered(answer) | Problem::Failed(answer)) => return failed(answer),
        }
    }
    offered.retain(|what| !missing.contains(what));
    Ok(())
}

/// `moves …`, or nothing.
pub(super) fn moves_clause(moves: &[&str]) -> String {
    if moves.is_empty() { String::new() } else { format!("moves {}", moves.join(" ")) }
}

/// Compares an answer to a query with the built-in engine's.
pub(super) fn same(board: &dyn ProtocolBoard, what: &str, found: &str) -> Result<(), Problem> {
    let spoken = |values: Vec<String>| values.join(" ");
    let expected = match what {
        "legal" => return same_actions(&board.legal(), found),
        "state" => return same_state(&board.state(), found),
        "turn" => match board.turn() {
            Turn::Player(seat) => seat.to_string(),
            Turn::Chance => "chance".to_owned(),
            Turn::Over => "over".to_owned(),
        },
        "scores" => spoken(board.scores().as_slice().iter().map(ToString::to_string).collect()),
        _ => return same_wins(board, found),
    };
    if found == expected {
        return Ok(());
    }
    failed(format!("query {what}: '{}', not '{expected}'", shortened(found)))
}

fn same_actions(expected: &[String], found: &str) -> Result<(), Problem> {
    let found: Vec<&str> = found.split_whitespace().collect();
    if let Some(action) = expected.iter().find(|action| !found.contains(&action.as_str())) {
        return failed(format!("query legal: {action} is missing"));
    }
    if let Some(action) = found.iter().find(|action| !expected.iter().any(|legal| legal == *action)) {
        return failed(format!("query legal: {} is not legal", shortened(action)));
    }
    if found.len() > expected.len() {
        return failed("query legal: an action is listed twice");
    }
    match found.iter().zip(expected).find(|(found, expected)| *found != *expected) {
        None => Ok(()),
        Some((found, expected)) => failed(format!("query legal: {found} stands where {expected} belongs")),
    }
}

fn same_state(expected: &str, found: &str) -> Result<(), Problem> {
    let read = |text: &str| serde_json::from_str::<Value>(text);
    match (read(expected), read(found)) {
        (Ok(expected), Ok(found)) => match difference("", &expected, &found) {
            None => Ok(()),
            Some(difference) => failed(format!("query state: {difference}")),
        },
        _ => failed(format!("query state: '{}' is no JSON", shortened(found))),
    }
}

/// Where something expected is missing or different; what else is there does not matter.
fn difference(key: &str, expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Object(entries), Value::Object(others)) => entries.iter().find_map(|(name, expected)| {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            difference(&key, expected, others.get(name).unwrap_or(&Value::Null))
        }),
        (Value::Array(entries), Value::Array(others)) if entries.len() == others.len() => {
            let pairs = entries.iter().zip(others).enumerate();
            pairs
                .into_iter()
                .find_map(|(at, (expected, found))| difference(&format!("{key}[{at}]"), expected, found))
        }
        _ if expected == found => None,
        _ => Some(format!(
            "{key} is {}, not {}",
            shortened(&found.to_string()),
            shortened(&expected.to_string())
        )),
    }
}

fn same_wins(board: &dyn ProtocolBoard, found: &str) -> Result<(), Problem> {
    let expected = board.wins().map_or(Vec::new(), |wins| wins.as_slice().to_vec());
    let shares: Vec<f64> = found.split_whitespace().filter_map(|share| share.parse().ok()).collect();
    let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-3;
    if shares.len() == expected.len() && shares.iter().zip(&expected).all(same) {
        return Ok(());
    }
    failed(format!("query wins: '{}', not {expected:?}", shortened(found)))
}

/// Says at which ply something was found.
fn at(problem: Problem, ply: usize, last: Option<&String>) -> Problem {
    match problem {
        Problem::NotOffered(found) => Problem::NotOffered(found),
        Problem::Failed(found) => {
            Problem::Failed(format!("ply {ply}, after {}: {found}", last.map_or("nothing", String::as_str)))
        }
    }
}
