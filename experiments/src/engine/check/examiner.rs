//! The other end of an engine's pipes during an examination: [`Examiner`].

use std::io;
use std::time::{Duration, Instant};

use azulejo::shortened;
use azulejo_agents::external::{Process, Silence};

use super::{PATIENCE, Problem, failed};

/// The longest answer, in bytes.
const MOST: usize = 16 << 20;

/// Talks to one process of the engine.
pub(super) struct Examiner {
    process: Process,
    /// What it answered to `ugi`.
    pub introduction: Vec<String>,
}

impl Examiner {
    /// Starts the engine.
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        Ok(Examiner { process: Process::start(command)?, introduction: Vec::new() })
    }

    /// The running engine.
    pub(super) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Sends `ugi` and reads the answer up to `ugiok`.
    pub(super) fn introduce(&mut self) -> Result<(), Problem> {
        self.process.say("ugi");
        self.introduction = self.hear_until("ugiok", PATIENCE)?;
        Ok(())
    }

    /// The lines that come before one that begins with a word, with that one at the end.
    pub(super) fn hear_until(&mut self, word: &str, limit: Duration) -> Result<Vec<String>, Problem> {
        let deadline = Instant::now() + limit;
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
                    let ends = line.split_whitespace().next() == Some(word);
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
    pub(super) fn ask(&mut self, lines: &[&str]) -> Result<Vec<String>, Problem> {
        lines.iter().chain(&["isready"]).for_each(|line| self.process.say(line));
        let mut answers = self.hear_until("readyok", PATIENCE)?;
        answers.pop();
        Ok(answers)
    }

    /// Says something that needs no answer.
    pub(super) fn tell(&mut self, line: &str) -> Result<(), Problem> {
        let answers = self.ask(&[line])?;
        match answers.first() {
            None => Ok(()),
            Some(answer) => failed(format!("'{}' to '{}'", shortened(answer), shortened(line))),
        }
    }

    /// Says something that must be refused in one line; returns that line.
    pub(super) fn refused(&mut self, line: &str) -> Result<String, Problem> {
        let answers = self.ask(&[line])?;
        match &answers[..] {
            [answer] if is_error(answer) => Ok(answer.clone()),
            _ => failed(format!("{} to '{}'", listed(&answers), shortened(line))),
        }
    }

    /// The text after `response`.
    pub(super) fn query(&mut self, what: &str) -> Result<String, Problem> {
        let answers = self.ask(&[&format!("query {what}")])?;
        match &answers[..] {
            [answer] => response(answer),
            _ => failed(format!("{} to 'query {what}'", listed(&answers))),
        }
    }

    /// Lets the engine search; returns its choice.
    pub(super) fn go(&mut self, limits: &str, patience: Duration) -> Result<String, Problem> {
        self.process.say(&format!("go {limits}"));
        let lines = self.hear_until("bestmove", patience)?;
        let (best, before) = lines.split_last().expect("the last line is bestmove");
        match before.iter().find(|line| !line.starts_with("info")) {
            Some(line) => failed(format!("'{}' before bestmove", shortened(line))),
            None => Ok(best.split_whitespace().nth(1).unwrap_or_default().to_owned()),
        }
    }
}

/// The text of a line `response …`.
pub(super) fn response(answer: &str) -> Result<String, Problem> {
    match answer.trim().strip_prefix("response") {
        Some(text) if text.is_empty() || text.starts_with(' ') => Ok(text.trim().to_owned()),
        _ if is_error(answer) => Err(Problem::NotOffered(shortened(answer))),
        _ => failed(format!("'{}', no response", shortened(answer))),
    }
}

fn is_error(line: &str) -> bool {
    line.split_whitespace().next() == Some("error")
}

/// Answers for a message.
pub(super) fn listed(answers: &[String]) -> String {
    match answers {
        [] => "no answer".to_owned(),
        [answer] => format!("'{}'", shortened(answer)),
        [answer, ..] => format!("{} lines, the first one '{}',", answers.len(), shortened(answer)),
    }
}
