//! A program that speaks the engine protocol, seen from the other end: [`Engine`].

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use azulejo::shortened;
use thiserror::Error;

use super::error_log::LogFile;
use super::process::{Process, Silence};
use crate::protocol::{EngineOption, ProtocolCommand, ProtocolReply, SearchLimits};

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
pub(crate) struct Engine {
    process: Process,
    /// What it can be told with `setoption`, in small letters; `None` before it has introduced itself.
    offers: Option<Vec<String>>,
    /// What it calls itself; `None` if it has not said.
    name: Option<String>,
}

impl Engine {
    /// Starts a program with arguments; what it writes on its error output is added to the log.
    ///
    /// # Errors
    /// If the system cannot start it, or the log cannot be opened.
    ///
    /// # Panics
    /// If the command is empty.
    pub(crate) fn start(command: &[String], log: &LogFile) -> io::Result<Self> {
        Ok(Engine { process: Process::start(command, log.open()?)?, offers: None, name: None })
    }

    /// The running program.
    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Lets the engine introduce itself, unless it has done so: tells whether it did it now.
    ///
    /// # Errors
    /// If there is no `ugiok` within the limit.
    pub(crate) fn introduce(&mut self, limit: Duration) -> Result<bool, EngineError> {
        if self.offers.is_some() {
            return Ok(false);
        }
        self.say(&ProtocolCommand::Ugi);
        let (mut offers, mut name) = (Vec::new(), None);
        self.wait_for(ProtocolReply::UgiOk.word(), limit, None, |reply| match reply {
            ProtocolReply::Option { name, .. } => {
                if offers.len() < MOST_OPTIONS && name.len() <= LONGEST_NAME {
                    offers.push(name.to_ascii_lowercase());
                }
                None
            }
            ProtocolReply::Name(said) => {
                name = Some(said.to_owned());
                None
            }
            reply => (reply == ProtocolReply::UgiOk).then_some(()),
        })?;
        (self.offers, self.name) = (Some(offers), name);
        Ok(true)
    }

    /// What the engine calls itself, once it has introduced itself.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether the engine has introduced an option.
    pub(crate) fn offers(&self, option: EngineOption) -> bool {
        let option = option.name().to_ascii_lowercase();
        self.offers.as_ref().is_some_and(|offers| offers.contains(&option))
    }

    /// Tells the engine something that needs no answer.
    pub(crate) fn say(&mut self, command: &ProtocolCommand<'_>) {
        self.process.say(command);
    }

    /// Sets an option.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.say(&ProtocolCommand::SetOption { name, value });
    }

    /// Waits until the engine has done all that it was told.
    ///
    /// # Errors
    /// If it refuses something, or does not answer within the limit.
    pub(crate) fn ready(&mut self, limit: Duration) -> Result<(), EngineError> {
        self.say(&ProtocolCommand::IsReady);
        let ready = ProtocolReply::ReadyOk;
        self.wait_for(ready.word(), limit, None, |reply| (reply == ready).then_some(()))
    }

    /// Lets the engine think about its position; returns the action that it names. When the flag is set the
    /// engine is told to stop.
    ///
    /// # Errors
    /// If it refuses, or does not answer while one has patience.
    pub(crate) fn best_move(
        &mut self,
        limits: SearchLimits,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, EngineError> {
        self.say(&ProtocolCommand::Go(limits));
        let best = ProtocolReply::BestMove("").word();
        self.wait_for(best, patience, stop, |reply| match reply {
            ProtocolReply::BestMove(action) => Some(action.to_owned()),
            _ => None,
        })
    }

    /// Waits for the reply in which `pick` finds something, named `expected` in errors; what a search tells
    /// on the way is passed over.
    fn wait_for<T>(
        &mut self,
        expected: &'static str,
        mut limit: Duration,
        mut stop: Option<&AtomicBool>,
        mut pick: impl FnMut(ProtocolReply<'_>) -> Option<T>,
    ) -> Result<T, EngineError> {
        let mut deadline = Instant::now() + limit;
        let mut heard = None;
        loop {
            match self.process.hear(deadline, stop) {
                Ok(line) => match ProtocolReply::read(&line) {
                    Some(ProtocolReply::Error(_)) => return Err(EngineError::Refused(shortened(&line))),
                    Some(ProtocolReply::Info(_)) => {}
                    None if line.trim().is_empty() => {}
                    reply => match reply.and_then(&mut pick) {
                        Some(found) => return Ok(found),
                        None => heard = Some(shortened(&line)),
                    },
                },
                Err(Silence::Stop) => {
                    self.say(&ProtocolCommand::Stop);
                    (stop, limit, deadline) = (None, STOPPING, Instant::now() + STOPPING);
                }
                Err(Silence::Time) => return Err(EngineError::Time { expected, limit, heard }),
                Err(Silence::Ended(how)) => return Err(EngineError::Ended(how)),
                Err(Silence::Unreadable(error)) => return Err(EngineError::Unreadable(error.to_string())),
            }
        }
    }
}
