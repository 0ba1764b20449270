//! The commands of the protocol as a line spells them.

use std::time::Duration;

use azulejo::excerpt;
use serde_json::Value;
use thiserror::Error;

/// One command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ProtocolCommand<'a> {
    /// `ugi`
    Ugi,
    /// `isready`
    IsReady,
    /// `setoption name <name> value <value>`
    SetOption { name: &'a str, value: &'a str },
    /// `uginewgame`
    NewGame,
    /// `position …`; the start is a state's JSON, or `None` for `startpos`.
    Position { state: Option<Value>, moves: Vec<&'a str> },
    /// `query …`
    Query(Query),
    /// `go …`
    Go { nodes: Option<u64>, time: Option<Duration> },
    /// `stop`
    Stop,
    /// `quit`
    Quit,
}

/// What `query` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Query {
    Turn,
    Legal,
    State,
    Scores,
    Wins,
    Sample,
}

const QUERIES: [(&str, Query); 6] = [
    ("turn", Query::Turn),
    ("legal", Query::Legal),
    ("state", Query::State),
    ("scores", Query::Scores),
    ("wins", Query::Wins),
    ("sample", Query::Sample),
];

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    #[error(
        "unknown command '{0}'; known commands: ugi, isready, setoption, uginewgame, position, query, go, stop, quit"
    )]
    Unknown(String),
    #[error("{command}: found '{found}', expected {expected}")]
    Malformed { command: &'static str, found: String, expected: &'static str },
    #[error("position state: {0}")]
    Json(String),
}

impl<'a> ProtocolCommand<'a> {
    /// Reads a line; an empty line is no command.
    ///
    /// # Errors
    /// If the line is not one of the commands, complete and with nothing after it.
    pub(super) fn read(line: &'a str) -> Result<Option<Self>, CommandError> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        let command = match word {
            "" => return Ok(None),
            "ugi" => alone("ugi", rest, ProtocolCommand::Ugi)?,
            "isready" => alone("isready", rest, ProtocolCommand::IsReady)?,
            "uginewgame" => alone("uginewgame", rest, ProtocolCommand::NewGame)?,
            "stop" => alone("stop", rest, ProtocolCommand::Stop)?,
            "quit" => alone("quit", rest, ProtocolCommand::Quit)?,
            "setoption" => set_option(rest)?,
            "position" => position(rest)?,
            "query" => query(rest)?,
            "go" => go(rest)?,
            _ => return Err(CommandError::Unknown(excerpt(word))),
        };
        Ok(Some(command))
    }
}

/// The first word and what follows it, without the blanks around.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

fn malformed(command: &'static str, found: &str, expected: &'static str) -> CommandError {
    CommandError::Malformed { command, found: excerpt(found), expected }
}

fn alone<'a>(
    name: &'static str,
    rest: &str,
    command: ProtocolCommand<'a>,
) -> Result<ProtocolCommand<'a>, CommandError> {
    if rest.is_empty() { Ok(command) } else { Err(malformed(name, rest, "nothing after it")) }
}

fn set_option(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let wrong = || malformed("setoption", rest, "name <name> value <value>");
    let (keyword, name_and_value) = split_word(rest);
    let (name, value) = split_word(name_and_value);
    let (middle, value) = split_word(value);
    if keyword != "name" || middle != "value" || name.is_empty() || value.is_empty() {
        return Err(wrong());
    }
    Ok(ProtocolCommand::SetOption { name, value })
}

fn position(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let (kind, rest) = split_word(rest);
    let (state, rest) = match kind {
        "startpos" => (None, rest),
        "state" => {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let state = values.next().map_or_else(
                || Err("a JSON object is missing".to_owned()),
                |value| value.map_err(|error| error.to_string()),
            );
            let end = values.byte_offset();
            (Some(state.map_err(CommandError::Json)?), &rest[end..])
        }
        _ => return Err(malformed("position", kind, "startpos or state <json>")),
    };
    match split_word(rest) {
        ("", _) => Ok(ProtocolCommand::Position { state, moves: Vec::new() }),
        ("moves", moves) => {
            Ok(ProtocolCommand::Position { state, moves: moves.split_whitespace().collect() })
        }
        (other, _) => Err(malformed("position", other, "moves <move> …, or nothing")),
    }
}

fn query(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let known = QUERIES.iter().find(|(name, _)| *name == rest);
    let expected = "turn, legal, state, scores, wins or sample";
    known.map(|(_, query)| ProtocolCommand::Query(*query)).ok_or_else(|| malformed("query", rest, expected))
}

fn go(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let (mut nodes, mut time) = (None, None);
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let value = words.next();
        let number = value.and_then(|value| value.parse::<u64>().ok()).filter(|&number| number > 0);
        match (word, number) {
            ("nodes", Some(number)) if nodes.is_none() => nodes = Some(number),
            ("movetime", Some(number)) if time.is_none() => time = Some(Duration::from_millis(number)),
            _ => {
                return Err(malformed(
                    "go",
                    rest,
                    "nodes <number>, movetime <milliseconds>, both or nothing",
                ));
            }
        }
    }
    Ok(ProtocolCommand::Go { nodes, time })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(line: &str) -> ProtocolCommand<'_> {
        ProtocolCommand::read(line).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        ProtocolCommand::read(line).unwrap_err().to_string()
    }

    #[test]
    fn every_command_reads() {
        assert_eq!(read("ugi"), ProtocolCommand::Ugi);
        assert_eq!(read("  isready "), ProtocolCommand::IsReady);
        assert_eq!(read("uginewgame"), ProtocolCommand::NewGame);
        assert_eq!(read("stop"), ProtocolCommand::Stop);
        assert_eq!(read("quit"), ProtocolCommand::Quit);
        assert_eq!(ProtocolCommand::read(" \t").unwrap(), None);
        let option = ProtocolCommand::SetOption { name: "Agent", value: "exec:cmd=bot --fast" };
        assert_eq!(read("setoption name Agent value exec:cmd=bot --fast"), option);
        for (name, query) in QUERIES {
            assert_eq!(read(&format!("query {name}")), ProtocolCommand::Query(query));
        }
    }

    #[test]
    fn limits_read_in_any_order() {
        assert_eq!(read("go"), ProtocolCommand::Go { nodes: None, time: None });
        let time = Some(Duration::from_millis(50));
        assert_eq!(read("go movetime 50 nodes 7"), ProtocolCommand::Go { nodes: Some(7), time });
    }

    #[test]
    fn a_state_ends_where_its_object_ends() {
        let position = |state, moves| ProtocolCommand::Position { state, moves };
        assert_eq!(read("position startpos"), position(None, vec![]));
        assert_eq!(read("position startpos moves a  b"), position(None, vec!["a", "b"]));
        let state = json!({"a moves b": [1, "}"]});
        let line = format!("position state {} moves c", "{ \"a moves b\" : [1, \"}\"] }");
        assert_eq!(read(&line), position(Some(state.clone()), vec!["c"]));
        assert_eq!(read("position state {\"a moves b\":[1,\"}\"]}"), position(Some(state), vec![]));
    }

    #[test]
    fn malformed_lines_are_refused() {
        assert!(error("uci").starts_with("unknown command 'uci'; known commands: ugi,"));
        for line in [
            "isready now",
            "quit 1",
            "setoption",
            "setoption name Game",
            "setoption name Game value",
            "setoption Game azul",
            "position",
            "position end",
            "position startpos a b",
            "position state",
            "position state {\"a\":1",
            "position state {} b",
            "query",
            "query legal now",
            "go nodes",
            "go nodes 0",
            "go nodes -1",
            "go nodes 5 nodes 6",
            "go infinite",
            "go movetime 1.5",
        ] {
            let command = line.split(' ').next().unwrap();
            assert!(error(line).starts_with(command), "{line}: {}", error(line));
        }
    }
}
