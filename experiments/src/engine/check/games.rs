//! Games that an engine and the built-in one follow side by side.

use std::fmt::Display;
use std::time::Duration;

use azulejo::{GameSpec, Generator, Turn, shortened};
use azulejo_agents::protocol::{EngineOption, ProtocolCommand, Query, SearchLimits, turn_text};
use serde_json::Value;

use super::examiner::{Examiner, is_error, listed, response};
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
const QUERIES: [Query; 4] = [Query::Turn, Query::Legal, Query::State, Query::Scores];

/// Plays a random game and compares at every ply what the engine knows with what is so.
pub(super) fn compare(it: &mut Examiner, game: GameSpec, players: usize) -> Result<(), Problem> {
    for (option, value) in
        [(EngineOption::Game, game.to_string()), (EngineOption::Players, players.to_string())]
    {
        let answers = it.ask(&[&ProtocolCommand::SetOption { name: option.name(), value: &value }])?;
        if let Some(answer) = answers.first() {
            return Err(Problem::NotOffered(shortened(answer)));
        }
    }
    it.tell(ProtocolCommand::NewGame)?;
    let (mut board, mut rng) = (new_board(game, players), Generator::new(players as u64));
    let (mut moves, mut offered) = (Vec::<String>::new(), QUERIES.to_vec());
    // An engine that has chosen a move of the variant offers it.
    let mut plays = false;
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
                let own = !plays || rng.below(OWN_CHOICES) == 0;
                let action = if own {
                    it.go(SearchLimits { nodes: Some(5), ..SearchLimits::default() }, SEARCH)
                } else {
                    Ok(String::new())
                };
                let action = action.map_err(|problem| if plays { problem.insisted() } else { problem });
                let action = action.map_err(|problem| at(problem, moves.len(), moves.last()))?;
                plays = true;
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
    offered: &mut Vec<Query>,
) -> Result<(), Problem> {
    let position = [ProtocolCommand::Position { state: None, moves: moves.to_vec() }];
    let commands: Vec<_> =
        position.into_iter().chain(offered.iter().map(|&query| ProtocolCommand::Query(query))).collect();
    let lines: Vec<&dyn Display> = commands.iter().map(|command| command as &dyn Display).collect();
    let answers = it.ask(&lines)?;
    // Before anything was chosen the variant may be refused; afterwards the position is one of its own.
    if let Some(refusal) = answers.first().filter(|answer| moves.len() <= 1 && is_error(answer))
        && answers.len() > offered.len()
    {
        return Err(Problem::NotOffered(shortened(refusal)));
    }
    if answers.len() != offered.len() {
        return failed(format!("{} to 'position …' and {} queries", listed(&answers), offered.len()));
    }
    let mut missing = Vec::new();
    for (&query, answer) in offered.iter().zip(&answers) {
        match response(answer) {
            Ok(found) => same(board, query, &found)?,
            Err(Problem::NotOffered(_)) if moves.is_empty() => missing.push(query),
            Err(Problem::NotOffered(answer) | Problem::Failed(answer)) => return failed(answer),
        }
    }
    offered.retain(|query| !missing.contains(query));
    Ok(())
}

/// Compares an answer to a query with the built-in engine's.
pub(super) fn same(board: &dyn ProtocolBoard, query: Query, found: &str) -> Result<(), Problem> {
    let expected = match query {
        Query::Legal => return same_actions(&board.legal(), found),
        Query::State => return same_state(&board.state(), found),
        Query::Wins => return same_wins(board, found),
        // What is drawn is nobody's to know, and an engine's networks are its own.
        Query::Sample | Query::Features | Query::Index => return Ok(()),
        Query::Turn => turn_text(board.turn()),
        Query::Scores => {
            board.scores().as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
    };
    if found == expected {
        return Ok(());
    }
    failed(format!("query {query}: '{}', not '{expected}'", shortened(found)))
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
