//! What an engine is told: [`ProtocolCommand`].

use std::fmt;
use std::time::Duration;

use azulejo::excerpt;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::split_word;

/// One line to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProtocolCommand<'a> {
    /// `ugi`: asks for the introduction.
    Ugi,
    /// `isready`: asks whether everything said so far has been done.
    IsReady,
    /// `setoption name <name> value <value>`
    SetOption {
        /// The option's name, one word.
        name: &'a str,
        /// The value, which may have blanks.
        value: &'a str,
    },
    /// `uginewgame`: the next positions are those of another game.
    NewGame,
    /// `position startpos …` or `position state <json> …`
    Position {
        /// The text of a state's JSON object; `None` for the start of a game.
        state: Option<&'a str>,
        /// The moves from there on, without blanks.
        moves: Vec<&'a str>,
    },
    /// `query …`
    Query(Query),
    /// `go …`: asks for the best action.
    Go(SearchLimits),
    /// `stop`: the search is to answer now.
    Stop,
    /// `quit`: the engine is to end.
    Quit,
}

/// What `query` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Who is to move, see [`turn_text`](super::turn_text).
    Turn,
    /// The legal actions, in the engine's order.
    Legal,
    /// The state's JSON object.
    State,
    /// Each seat's points so far.
    Scores,
    /// Each seat's share of the win, at the end of a game.
    Wins,
    /// A chance outcome drawn at random.
    Sample,
    /// The numbers of the state's active features, in ascending order.
    Features,
    /// The output of each legal action.
    Index,
}

/// The limits of one search; `None` leaves them to the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Simulations or nodes, above 0.
    pub nodes: Option<u64>,
    /// The time, in whole milliseconds: what is shorter is written as one.
    pub time: Option<Duration>,
    /// The processor time of each thread that searches, in whole milliseconds likewise.
    pub cpu: Option<Duration>,
    /// The search goes on until it is told to stop, and has no other limit.
    pub infinite: bool,
    /// How many of the best actions it tells, above 0, while it runs and at its end: see
    /// [`CandidateInfo`](super::CandidateInfo).
    pub multipv: Option<u64>,
}

const QUERIES: [(&str, Query); 8] = [
    ("turn", Query::Turn),
    ("legal", Query::Legal),
    ("state", Query::State),
    ("scores", Query::Scores),
    ("wins", Query::Wins),
    ("sample", Query::Sample),
    ("features", Query::Features),
    ("index", Query::Index),
];

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Its first word is none of the protocol.
    #[error(
        "unknown command '{0}'; known commands: ugi, isready, setoption, uginewgame, position, query, go, stop, quit"
    )]
    Unknown(String),
    /// What follows the first word is not as it should be.
    #[error("{command}: found '{found}', expected {expected}")]
    Malformed {
        /// The first word.
        command: &'static str,
        /// What follows it.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// The state is no JSON.
    #[error("position state: {0}")]
    Json(String),
}

impl<'a> ProtocolCommand<'a> {
    /// Reads a line; an empty line is no command.
    ///
    /// # Errors
    /// If the line is not one of the commands, complete and with nothing after it.
    pub fn read(line: &'a str) -> Result<Option<Self>, CommandError> {
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

impl fmt::Display for ProtocolCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProtocolCommand::Ugi => f.write_str("ugi"),
            ProtocolCommand::IsReady => f.write_str("isready"),
            ProtocolCommand::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            ProtocolCommand::NewGame => f.write_str("uginewgame"),
            ProtocolCommand::Position { state, moves } => {
                match state {
                    None => f.write_str("position startpos")?,
                    Some(json) => write!(f, "position state {json}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            ProtocolCommand::Query(query) => write!(f, "query {query}"),
            ProtocolCommand::Go(limits) => write!(f, "go{limits}"),
            ProtocolCommand::Stop => f.write_str("stop"),
            ProtocolCommand::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = QUERIES.iter().find(|(_, query)| query == self).map(|(word, _)| *word);
        f.write_str(word.expect("the table has every query"))
    }
}

/// What follows `go`, with a blank before each word.
impl fmt::Display for SearchLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.infinite {
            f.write_str(" infinite")?;
        }
        let millis = |time: Duration| u64::try_from(time.as_millis().max(1)).unwrap_or(u64::MAX);
        let limits = [
            ("nodes", self.nodes),
            ("movetime", self.time.map(millis)),
            ("cputime", self.cpu.map(millis)),
            ("multipv", self.multipv),
        ];
        let mut given = limits.into_iter().filter_map(|(word, limit)| Some((word, limit?)));
        given.try_for_each(|(word, limit)| write!(f, " {word} {limit}"))
    }
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
            let (json, rest) = split_json(rest).map_err(CommandError::Json)?;
            (Some(json), rest)
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

/// A JSON value at the beginning of a text, and what follows it.
fn split_json(text: &str) -> Result<(&str, &str), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next() {
        None => Err("a JSON object is missing".to_owned()),
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(_)) => Ok(text.split_at(values.byte_offset())),
    }
}

fn query(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let known = QUERIES.iter().find(|(name, _)| *name == rest);
    let expected = "turn, legal, state, scores, wins, sample, features or index";
    known.map(|(_, query)| ProtocolCommand::Query(*query)).ok_or_else(|| malformed("query", rest, expected))
}

fn go(rest: &str) -> Result<ProtocolCommand<'_>, CommandError> {
    let wrong = || {
        let expected = "nodes <number>, movetime <milliseconds>, cputime <milliseconds>, or infinite instead of these, and \
                        multipv <number>, each at most once";
        malformed("go", rest, expected)
    };
    let mut limits = SearchLimits::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" && !limits.infinite {
            limits.infinite = true;
            continue;
        }
        let value = words.next();
        let number = value.and_then(|value| value.parse::<u64>().ok()).filter(|&number| number > 0);
        let time = number.map(Duration::from_millis);
        match word {
            "nodes" if number.is_some() && limits.nodes.is_none() => limits.nodes = number,
            "movetime" if time.is_some() && limits.time.is_none() => limits.time = time,
            "cputime" if time.is_some() && limits.cpu.is_none() => limits.cpu = time,
            "multipv" if number.is_some() && limits.multipv.is_none() => limits.multipv = number,
            _ => return Err(wrong()),
        }
    }
    let is_limited = limits.nodes.is_some() || limits.time.is_some() || limits.cpu.is_some();
    if limits.infinite && is_limited { Err(wrong()) } else { Ok(ProtocolCommand::Go(limits)) }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(read("go"), ProtocolCommand::Go(SearchLimits::default()));
        let time = Some(Duration::from_millis(50));
        assert_eq!(
            read("go movetime 50 nodes 7"),
            ProtocolCommand::Go(SearchLimits { nodes: Some(7), time, ..SearchLimits::default() })
        );
        let cpu = Some(Duration::from_millis(30));
        assert_eq!(
            read("go cputime 30 movetime 50"),
            ProtocolCommand::Go(SearchLimits { time, cpu, ..SearchLimits::default() })
        );
        let all = SearchLimits { infinite: true, multipv: Some(2), ..SearchLimits::default() };
        assert_eq!(read("go multipv 2 infinite"), ProtocolCommand::Go(all));
    }

    #[test]
    fn a_state_ends_where_its_object_ends() {
        let position = |state, moves| ProtocolCommand::Position { state, moves };
        assert_eq!(read("position startpos"), position(None, vec![]));
        assert_eq!(read("position startpos moves a  b"), position(None, vec!["a", "b"]));
        let state = r#"{ "a moves b" : [1, "}"] }"#;
        assert_eq!(read(&format!("position state {state} moves c")), position(Some(state), vec!["c"]));
        assert_eq!(read(&format!("position state {state}")), position(Some(state), vec![]));
    }

    #[test]
    fn every_command_prints_and_reads_back() {
        let millis = |millis: Option<u64>| millis.map(Duration::from_millis);
        let limits = |nodes, time, cpu| {
            let (time, cpu) = (millis(time), millis(cpu));
            ProtocolCommand::Go(SearchLimits { nodes, time, cpu, ..SearchLimits::default() })
        };
        let infinite = SearchLimits { infinite: true, ..SearchLimits::default() };
        let multipv = SearchLimits { multipv: Some(3), ..SearchLimits::default() };
        let position = |state, moves| ProtocolCommand::Position { state, moves };
        let commands = [
            (ProtocolCommand::Ugi, "ugi"),
            (ProtocolCommand::IsReady, "isready"),
            (ProtocolCommand::SetOption { name: "Style", value: "a, b" }, "setoption name Style value a, b"),
            (ProtocolCommand::NewGame, "uginewgame"),
            (position(None, vec![]), "position startpos"),
            (position(None, vec!["a", "b"]), "position startpos moves a b"),
            (position(Some("{\"a\":1}"), vec!["b"]), "position state {\"a\":1} moves b"),
            (limits(None, None, None), "go"),
            (limits(Some(7), None, None), "go nodes 7"),
            (limits(Some(7), Some(50), None), "go nodes 7 movetime 50"),
            (limits(None, None, Some(30)), "go cputime 30"),
            (limits(Some(7), Some(50), Some(30)), "go nodes 7 movetime 50 cputime 30"),
            (ProtocolCommand::Go(infinite), "go infinite"),
            (ProtocolCommand::Go(multipv), "go multipv 3"),
            (ProtocolCommand::Go(SearchLimits { multipv: Some(3), ..infinite }), "go infinite multipv 3"),
            (ProtocolCommand::Go(SearchLimits { nodes: Some(7), ..multipv }), "go nodes 7 multipv 3"),
            (ProtocolCommand::Stop, "stop"),
            (ProtocolCommand::Quit, "quit"),
        ];
        let queries = QUERIES.map(|(word, query)| (ProtocolCommand::Query(query), format!("query {word}")));
        let commands = commands.map(|(command, line)| (command, line.to_owned()));
        for (command, line) in commands.into_iter().chain(queries) {
            assert_eq!((command.to_string(), read(&line)), (line.clone(), command));
        }
        let brief = SearchLimits { time: Some(Duration::from_micros(10)), ..SearchLimits::default() };
        assert_eq!(ProtocolCommand::Go(brief).to_string(), "go movetime 1", "0 would be refused");
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
            "go infinite nodes 5",
            "go nodes 5 infinite",
            "go infinite infinite",
            "go infinite multipv 2 cputime 5",
            "go multipv",
            "go multipv 0",
            "go multipv 2 multipv 2",
            "go movetime 1.5",
            "go cputime",
            "go cputime 0",
            "go cputime 5 cputime 6",
        ] {
            let command = line.split(' ').next().unwrap();
            assert!(error(line).starts_with(command), "{line}: {}", error(line));
        }
    }
}
