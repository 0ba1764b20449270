//! The other end of an engine's pipes during an examination: [`Examiner`].

use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use azulejo::shortened;
use azulejo_agents::external::{Process, Silence};
use azulejo_agents::protocol::{ProtocolCommand, ProtocolReply, Query, SearchLimits};

use super::{PATIENCE, Problem, failed};

/// The longest answer, in bytes.
const MOST: usize = 16 << 20;

/// Talks to one process of the engine.
pub(super) struct Examiner {
    process: Process,
    /// When no answer is waited for any more.
    end: Instant,
    /// What it answered to `ugi`.
    pub introduction: Vec<String>,
}

impl Examiner {
    /// Starts the engine, which is to have answered everything before `end`.
    pub(super) fn start(command: &[String], end: Instant) -> io::Result<Self> {
        Ok(Examiner { process: Process::start(command, None)?, end, introduction: Vec::new() })
    }

    /// The running engine.
    pub(super) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Sends `ugi` and reads the answer up to `ugiok`.
    pub(super) fn introduce(&mut self) -> Result<(), Problem> {
        self.process.say(ProtocolCommand::Ugi);
        self.introduction = self.hear_until(ProtocolReply::UgiOk, PATIENCE)?;
        Ok(())
    }

    /// The lines that come before a reply of this kind, with that one at the end.
    pub(super) fn hear_until(
        &mut self,
        awaited: ProtocolReply<'_>,
        limit: Duration,
    ) -> Result<Vec<String>, Problem> {
        self.hear_while(awaited, limit, |_| true)
    }

    /// The same, but an error that is not `expected` ends the waiting, as the last line.
    fn hear_while(
        &mut self,
        awaited: ProtocolReply<'_>,
        limit: Duration,
        expected: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, Problem> {
        let (word, deadline) = (awaited.word(), (Instant::now() + limit).min(self.end));
        let (mut lines, mut length) = (Vec::<String>::new(), 0);
        loop {
            let heard = self.process.hear(deadline, None);
            let last = || lines.last().map_or("nothing".to_owned(), |line| format!("'{}'", shortened(line)));
            match heard {
                Ok(line) => {
                    length += line.len();
                    if length > MOST {
                        return failed(format!(
                            "more than {MOST} bytes without {word}; last came {}",
                            last()
                        ));
                    }
                    let ends = !expected(&line)
                        || ProtocolReply::read(&line).is_some_and(|reply| reply.word() == word);
                    lines.push(line);
                    if ends {
                        return Ok(lines);
                    }
                }
                Err(Silence::Ended(how)) => return failed(format!("the engine ended: {how}")),
                Err(Silence::Unreadable(error)) => return failed(format!("unreadable output: {error}")),
                Err(Silence::Time | Silence::Stop) => {
                    return failed(format!(
                        "no {word} within {} ms; last came {}",
                        limit.as_millis(),
                        last()
                    ));
                }
            }
        }
    }

    /// What the engine answers to lines: everything up to the `readyok` that it is asked for after them.
    pub(super) fn ask(&mut self, lines: &[&dyn Display]) -> Result<Vec<String>, Problem> {
        lines.iter().for_each(|line| self.process.say(line));
        self.process.say(ProtocolCommand::IsReady);
        let mut answers = self.hear_until(ProtocolReply::ReadyOk, PATIENCE)?;
        answers.pop();
        Ok(answers)
    }

    /// Says something that needs no answer.
    pub(super) fn tell(&mut self, line: impl Display) -> Result<(), Problem> {
        let answers = self.ask(&[&line])?;
        match answers.first() {
            None => Ok(()),
            Some(answer) => failed(format!("'{}' to '{}'", shortened(answer), shortened(&line.to_string()))),
        }
    }

    /// Says something that must be refused in one line; returns that line.
    pub(super) fn refused(&mut self, line: impl Display) -> Result<String, Problem> {
        let answers = self.ask(&[&line])?;
        match &answers[..] {
            [answer] if is_error(answer) => Ok(answer.clone()),
            _ => failed(format!("{} to '{}'", listed(&answers), shortened(&line.to_string()))),
        }
    }

    /// The text after `response`.
    pub(super) fn query(&mut self, query: Query) -> Result<String, Problem> {
        let answers = self.ask(&[&ProtocolCommand::Query(query)])?;
        match &answers[..] {
            [answer] => response(answer),
            _ => failed(format!("{} to 'query {query}'", listed(&answers))),
        }
    }

    /// Lets the engine search; returns its choice. An error in its place is an answer, too: it does not offer that.
    pub(super) fn go(&mut self, limits: SearchLimits, patience: Duration) -> Result<String, Problem> {
        self.process.say(ProtocolCommand::Go(limits));
        let lines = self.hear_while(ProtocolReply::BestMove(""), patience, |line| !is_error(line))?;
        let (best, before) = lines.split_last().expect("the last line is bestmove or an error");
        if is_error(best) {
            return Err(Problem::NotOffered(shortened(best)));
        }
        let is_info = |line: &&String| matches!(ProtocolReply::read(line), Some(ProtocolReply::Info(_)));
        match before.iter().find(|line| !is_info(line)) {
            Some(line) => failed(format!("'{}' before bestmove", shortened(line))),
            None => Ok(best_move(best).unwrap_or_default().to_owned()),
        }
    }
}

/// The action of a line `bestmove …`; `None` if it is another one.
pub(super) fn best_move(line: &str) -> Option<&str> {
    match ProtocolReply::read(line) {
        Some(ProtocolReply::BestMove(action)) => Some(action),
        _ => None,
    }
}

/// The text of a line `response …`.
pub(super) fn response(answer: &str) -> Result<String, Problem> {
    match ProtocolReply::read(answer) {
        Some(ProtocolReply::Response(text)) => Ok(text.to_owned()),
        Some(ProtocolReply::Error(_)) => Err(Problem::NotOffered(shortened(answer))),
        _ => failed(format!("'{}', no response", shortened(answer))),
    }
}

pub(super) fn is_error(line: &str) -> bool {
    matches!(ProtocolReply::read(line), Some(ProtocolReply::Error(_)))
}

/// Answers for a message.
pub(super) fn listed(answers: &[String]) -> String {
    match answers {
        [] => "no answer".to_owned(),
        [answer] => format!("'{}'", shortened(answer)),
        [answer, ..] => format!("{} lines, the first one '{}',", answers.len(), shortened(answer)),
    }
}
