//! A program that speaks the engine protocol, seen from the other end: [`Engine`].

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use azulejo::shortened;
use thiserror::Error;

use super::process::{Process, Silence};

/// What an external program did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// It could not be started.
    #[error("the engine does not start: {0}")]
    Start(String),
    /// It did not answer in time.
    #[error("no {expected} within {} ms{}", limit.as_millis(), heard.as_ref().map_or(String::new(), |heard| format!(", the last line was '{heard}'")))]
    Time {
        /// The word that the answer begins with.
        expected: &'static str,
        /// The time that it had.
        limit: Duration,
        /// The last line that it printed instead.
        heard: Option<String>,
    },
    /// It ended.
    #[error("the engine ended: {0}")]
    Ended(String),
    /// It printed something that is no line of text.
    #[error("unreadable output: {0}")]
    Unreadable(String),
    /// It said that it cannot do what it was asked.
    #[error("the engine refused: {0}")]
    Refused(String),
    /// It chose what is no legal action.
    #[error("illegal action {action}: {why}")]
    Action {
        /// What it chose.
        action: String,
        /// Why it cannot be played.
        why: String,
    },
}

/// No more options are remembered, and none with a longer name, in bytes.
const MOST_OPTIONS: usize = 1000;
const LONGEST_NAME: usize = 200;
/// How long a program that was told to stop may take.
const STOPPING: Duration = Duration::from_secs(1);

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    /// What it can be told with `setoption`, in small letters; `None` before it has introduced itself.
    offers: Option<Vec<String>>,
}

impl Engine {
    /// Starts a program with arguments.
    ///
    /// # Errors
    /// If the system cannot start it.
    ///
    /// # Panics
    /// If the command is empty.
    pub fn start(command: &[String]) -> io::Result<Self> {
        Ok(Engine { process: Process::start(command)?, offers: None })
    }

    /// The running program.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Lets the engine introduce itself, unless it has done so: tells whether it did it now.
    ///
    /// # Errors
    /// If there is no `ugiok` within the limit.
    pub fn introduce(&mut self, limit: Duration) -> Result<bool, EngineError> {
        if self.offers.is_some() {
            return Ok(false);
        }
        self.say("ugi");
        let mut offers = Vec::new();
        self.wait_for("ugiok", limit, None, |line| {
            if offers.len() < MOST_OPTIONS {
                offers.extend(offered(line));
            }
        })?;
        self.offers = Some(offers);
        Ok(true)
    }

    /// Whether the engine has introduced an option of this name.
    pub fn offers(&self, option: &str) -> bool {
        let option = option.to_ascii_lowercase();
        self.offers.as_ref().is_some_and(|offers| offers.contains(&option))
    }

    /// Tells the engine a line that needs no answer.
    pub fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Sets an option.
    pub fn set(&mut self, option: &str, value: &str) {
        self.say(&format!("setoption name {option} value {value}"));
    }

    /// Waits until the engine has done all that it was told.
    ///
    /// # Errors
    /// If it refuses something, or does not answer within the limit.
    pub fn ready(&mut self, limit: Duration) -> Result<(), EngineError> {
        self.say("isready");
        self.wait_for("readyok", limit, None, |_| ()).map(drop)
    }

    /// Lets the engine think about its position; returns the word after `bestmove`. When the flag is set the
    /// engine is told to stop.
    ///
    /// # Errors
    /// If it refuses, or does not answer within the limit.
    pub fn best_move(
        &mut self,
        go: &str,
        limit: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, EngineError> {
        self.say(go);
        let line = self.wait_for("bestmove", limit, stop, |_| ())?;
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }

    /// Waits for a line that begins with a word and shows the lines before to `pass`, except for those of a
    /// search.
    fn wait_for(
        &mut self,
        expected: &'static str,
        mut limit: Duration,
        mut stop: Option<&AtomicBool>,
        mut pass: impl FnMut(&str),
    ) -> Result<String, EngineError> {
        let mut deadline = Instant::now() + limit;
        let mut heard = None;
        loop {
            match self.process.hear(deadline, stop) {
                Ok(line) => match line.split_whitespace().next() {
                    Some(word) if word == expected => return Ok(line),
                    Some("error") => return Err(EngineError::Refused(shortened(&line))),
                    Some("info") | None => {}
                    Some(_) => {
                        pass(&line);
                        heard = Some(shortened(&line));
                    }
                },
                Err(Silence::Stop) => {
                    self.say("stop");
                    (stop, limit, deadline) = (None, STOPPING, Instant::now() + STOPPING);
                }
                Err(Silence::Time) => return Err(EngineError::Time { expected, limit, heard }),
                Err(Silence::Ended(how)) => return Err(EngineError::Ended(how)),
                Err(Silence::Unreadable(error)) => return Err(EngineError::Unreadable(error.to_string())),
            }
        }
    }
}

/// The name in a line `option name <name> type …`, in small letters.
fn offered(line: &str) -> Option<String> {
    let after = line.trim().strip_prefix("option")?.trim_start().strip_prefix("name ")?;
    let name = after.split(" type ").next().unwrap_or(after).trim();
    (name.len() <= LONGEST_NAME).then(|| name.to_ascii_lowercase())
}
