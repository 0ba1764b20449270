//! What an engine answers: [`ProtocolReply`].

use std::fmt;
use std::time::Duration;

use azulejo::{Game, Turn};

use super::split_word;
use crate::agent::SearchSummary;

/// One line of an engine's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolReply<'a> {
    /// `id name <name>`: the engine's name.
    Name(&'a str),
    /// `option name <name> type <kind>`: what `setoption` can set.
    Option {
        /// Its name; empty if the line has none.
        name: &'a str,
        /// Its type with default and bounds; empty if the line has none.
        kind: &'a str,
    },
    /// `ugiok`: the introduction is over.
    UgiOk,
    /// `readyok`: everything said so far has been done.
    ReadyOk,
    /// `response <text>`: the answer to a query, which may be empty.
    Response(&'a str),
    /// `info <text>`: what a search has found so far, see [`SearchInfo`].
    Info(&'a str),
    /// `bestmove <action>`: what a search chose; empty if the line names nothing.
    BestMove(&'a str),
    /// `error <message>`: why something could not be done.
    Error(&'a str),
}

impl<'a> ProtocolReply<'a> {
    /// Reads a line; `None` if it is empty or begins with no word of the protocol.
    pub fn read(line: &'a str) -> Option<Self> {
        let (word, rest) = split_word(line);
        Some(match word {
            "id" => ProtocolReply::Name(rest.strip_prefix("name ")?.trim_start()),
            "option" => option(rest),
            "ugiok" => ProtocolReply::UgiOk,
            "readyok" => ProtocolReply::ReadyOk,
            "response" => ProtocolReply::Response(rest),
            "info" => ProtocolReply::Info(rest),
            "bestmove" => ProtocolReply::BestMove(split_word(rest).0),
            "error" => ProtocolReply::Error(rest),
            _ => return None,
        })
    }

    /// The word that such a line begins with.
    pub fn word(&self) -> &'static str {
        match self {
            ProtocolReply::Name(_) => "id",
            ProtocolReply::Option { .. } => "option",
            ProtocolReply::UgiOk => "ugiok",
            ProtocolReply::ReadyOk => "readyok",
            ProtocolReply::Response(_) => "response",
            ProtocolReply::Info(_) => "info",
            ProtocolReply::BestMove(_) => "bestmove",
            ProtocolReply::Error(_) => "error",
        }
    }
}

/// An option by what follows that word; a name may have blanks.
fn option(rest: &str) -> ProtocolReply<'_> {
    let named = rest.strip_prefix("name ").unwrap_or_default();
    let (name, kind) = named.split_once(" type ").unwrap_or((named, ""));
    ProtocolReply::Option { name: name.trim(), kind: kind.trim() }
}

impl fmt::Display for ProtocolReply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match *self {
            ProtocolReply::Name(name) => write!(f, " name {name}"),
            ProtocolReply::Option { name, kind } => write!(f, " name {name} type {kind}"),
            ProtocolReply::Response(text)
            | ProtocolReply::Info(text)
            | ProtocolReply::BestMove(text)
            | ProtocolReply::Error(text)
                if !text.is_empty() =>
            {
                write!(f, " {text}")
            }
            _ => Ok(()),
        }
    }
}

/// What a search found, as the text of an `info` line: depth in plies, nodes, milliseconds, nodes a second,
/// what each seat can expect from −1 to 1, and the expected line of play.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    depth: usize,
    nodes: u64,
    time: Duration,
    score: Vec<f32>,
    line: Vec<String>,
}

impl<G: Game> From<&SearchSummary<G>> for SearchInfo {
    fn from(search: &SearchSummary<G>) -> Self {
        SearchInfo {
            depth: search.depth,
            nodes: search.nodes,
            time: search.time,
            score: search.values.as_slice().to_vec(),
            line: search.line().iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {} nodes {} time {}", self.depth, self.nodes, self.time.as_millis())?;
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 {
            write!(f, " nps {:.0}", self.nodes as f64 / seconds)?;
        }
        f.write_str(" score")?;
        self.score.iter().try_for_each(|value| write!(f, " {value:.4}"))?;
        if self.line.is_empty() { Ok(()) } else { write!(f, " pv {}", self.line.join(" ")) }
    }
}

/// Whose turn it is, as the response to `query turn`: a seat, `chance` or `over`.
pub fn turn_text(turn: Turn) -> String {
    match turn {
        Turn::Player(seat) => seat.to_string(),
        Turn::Chance => "chance".to_owned(),
        Turn::Over => "over".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reply_prints_and_reads_back() {
        for (reply, line) in [
            (ProtocolReply::Name("azulejo 0.1.0"), "id name azulejo 0.1.0"),
            (
                ProtocolReply::Option { name: "Own Book", kind: "check default true" },
                "option name Own Book type check default true",
            ),
            (ProtocolReply::UgiOk, "ugiok"),
            (ProtocolReply::ReadyOk, "readyok"),
            (ProtocolReply::Response("12 30"), "response 12 30"),
            (ProtocolReply::Response(""), "response"),
            (ProtocolReply::Info("depth 3 nodes 5"), "info depth 3 nodes 5"),
            (ProtocolReply::BestMove("3B2"), "bestmove 3B2"),
            (ProtocolReply::BestMove(""), "bestmove"),
            (ProtocolReply::Error("no agent"), "error no agent"),
        ] {
            assert_eq!((reply.to_string().as_str(), ProtocolReply::read(line)), (line, Some(reply)));
            assert!(line.starts_with(reply.word()));
        }
    }

    #[test]
    fn replies_of_other_engines_are_read_leniently() {
        let read = ProtocolReply::read;
        assert_eq!(read("  bestmove 3B2 ponder 0K2\t"), Some(ProtocolReply::BestMove("3B2")));
        assert_eq!(read("ugiok now"), Some(ProtocolReply::UgiOk));
        assert_eq!(read("option name Hash"), Some(ProtocolReply::Option { name: "Hash", kind: "" }));
        assert_eq!(read("option Hash"), Some(ProtocolReply::Option { name: "", kind: "" }));
        for line in ["", " \t", "my best move is 3", "id author nobody", "bestmoves"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn what_a_search_found_is_told_in_one_line() {
        let info = SearchInfo {
            depth: 9,
            nodes: 2000,
            time: Duration::from_millis(40),
            score: vec![0.0534, -0.0534],
            line: vec!["3B2".to_owned(), "0K2".to_owned()],
        };
        let expected = "depth 9 nodes 2000 time 40 nps 50000 score 0.0534 -0.0534 pv 3B2 0K2";
        assert_eq!(info.to_string(), expected);
        let nothing = SearchInfo { time: Duration::ZERO, line: Vec::new(), ..info };
        assert_eq!(nothing.to_string(), "depth 9 nodes 2000 time 0 score 0.0534 -0.0534");
    }
}
