//! The examination of an engine: does a program speak the protocol, and does it play by the same rules?

mod examiner;
mod games;
mod questions;

use std::io;
use std::time::{Duration, Instant};

use azulejo::GameSpec;
use azulejo_agents::external::EngineError;

use self::examiner::Examiner;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub name: String,
    /// What a good engine does.
    pub expected: &'static str,
    /// What this one did.
    pub verdict: CheckResult,
}

/// Whether an engine has passed a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// It did as expected.
    Passed,
    /// It answered with `error` where it may: tournaments do without, some tools do not.
    NotOffered(String),
    /// It did something else.
    Failed(String),
}

/// Why a check was not passed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    NotOffered(String),
    Failed(String),
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        Problem::Failed(error.to_string())
    }
}

impl Problem {
    /// The same where the engine may not refuse.
    fn insisted(self) -> Self {
        match self {
            Problem::NotOffered(found) | Problem::Failed(found) => Problem::Failed(found),
        }
    }
}

fn failed<T>(found: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Failed(found.into()))
}

/// A question to an engine.
struct ProtocolCheck {
    name: &'static str,
    expected: &'static str,
    ask: fn(&mut Examiner) -> Result<(), Problem>,
}

/// How long the engine may take for everything that is not a search.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the whole examination may take: an engine that hangs lets each check wait.
const BOUND: Duration = Duration::from_secs(300);

/// What an examination tells as it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckEvent<'a> {
    /// The check of this name begins.
    Begins(&'a str),
    /// A check has ended.
    Ends(Finding),
}

/// Examines a program: its manners first, then its rules in a game of each of these variants with every number of
/// players.
///
/// Every check has a process of its own, so that one fault does not spoil the others. If there is no
/// handshake, nothing else is asked; after five minutes the checks that are left fail without being asked. `report` is told
/// of each check as it begins and ends.
///
/// # Errors
/// If the program cannot be started, or what `report` returned.
///
/// # Panics
/// If the command is empty.
pub fn examine(
    command: &[String],
    games: &[GameSpec],
    report: impl FnMut(CheckEvent<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut examination = Examination { command, end: Instant::now() + BOUND, report };
    let (handshake, others) = questions::CHECKS.split_first().expect("there are checks");
    if examination.check(handshake.name, handshake.expected, &handshake.ask)? != CheckResult::Passed {
        return Ok(());
    }
    for check in others {
        examination.check(check.name, check.expected, &introduced(&check.ask))?;
    }
    for &game in games {
        for players in 2..=azulejo::MAX_PLAYERS {
            let play = |examiner: &mut Examiner| games::compare(examiner, game, players);
            let name = format!("{game}, {players} players");
            examination.check(&name, games::EXPECTED, &introduced(&play))?;
        }
    }
    Ok(())
}

/// A question after the handshake.
fn introduced(
    ask: &dyn Fn(&mut Examiner) -> Result<(), Problem>,
) -> impl Fn(&mut Examiner) -> Result<(), Problem> {
    move |examiner| {
        examiner.introduce()?;
        ask(examiner)
    }
}

/// An examination under way.
struct Examination<'a, R> {
    command: &'a [String],
    /// When it ends at the latest.
    end: Instant,
    report: R,
}

impl<R: FnMut(CheckEvent<'_>) -> io::Result<()>> Examination<'_, R> {
    /// Asks a question in a process of its own and reports what came of it.
    fn check(
        &mut self,
        name: &str,
        expected: &'static str,
        ask: &dyn Fn(&mut Examiner) -> Result<(), Problem>,
    ) -> io::Result<CheckResult> {
        let unstarted = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot start '{}': {error}", self.command[0]))
        };
        let mut examiner = Examiner::start(self.command, self.end).map_err(unstarted)?;
        (self.report)(CheckEvent::Begins(name))?;
        let verdict = if Instant::now() >= self.end {
            CheckResult::Failed(format!("not asked: the checks have taken {} s", BOUND.as_secs()))
        } else {
            match ask(&mut examiner) {
                Ok(()) => CheckResult::Passed,
                Err(Problem::NotOffered(how)) => CheckResult::NotOffered(how),
                Err(Problem::Failed(how)) => CheckResult::Failed(how),
            }
        };
        (self.report)(CheckEvent::Ends(Finding {
            name: name.to_owned(),
            expected,
            verdict: verdict.clone(),
        }))?;
        Ok(verdict)
    }
}
