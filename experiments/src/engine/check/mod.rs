//! The examination of an engine: does a program speak the protocol, and does it play by the same rules?

mod examiner;
mod games;
mod questions;

use std::io;
use std::time::Duration;

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

/// Examines a program: its manners first, then its rules in a game of every variant with every number of
/// players.
///
/// Every check has a process of its own, so that one fault does not spoil the others. If there is no
/// handshake, nothing else is asked. `report` gets the findings one by one.
///
/// # Errors
/// If the program cannot be started.
///
/// # Panics
/// If the command is empty.
pub fn examine(command: &[String], mut report: impl FnMut(Finding)) -> io::Result<()> {
    let mut look = |name: String, expected, ask: &dyn Fn(&mut Examiner) -> Result<(), Problem>| {
        let mut examiner = Examiner::start(command)?;
        let verdict = match ask(&mut examiner) {
            Ok(()) => CheckResult::Passed,
            Err(Problem::NotOffered(how)) => CheckResult::NotOffered(how),
            Err(Problem::Failed(how)) => CheckResult::Failed(how),
        };
        let passed = verdict == CheckResult::Passed;
        report(Finding { name, expected, verdict });
        Ok::<bool, io::Error>(passed)
    };
    let introduced = |ask: &dyn Fn(&mut Examiner) -> Result<(), Problem>, examiner: &mut Examiner| {
        examiner.introduce()?;
        ask(examiner)
    };
    let (handshake, others) = questions::CHECKS.split_first().expect("there are checks");
    if !look(handshake.name.to_owned(), handshake.expected, &handshake.ask)? {
        return Ok(());
    }
    for check in others {
        look(check.name.to_owned(), check.expected, &|examiner| introduced(&check.ask, examiner))?;
    }
    for game in GameSpec::all() {
        for players in 2..=azulejo::MAX_PLAYERS {
            let play = |examiner: &mut Examiner| games::compare(examiner, game, players);
            let name = format!("{game}, {players} players");
            look(name, games::EXPECTED, &|examiner| introduced(&play, examiner))?;
        }
    }
    Ok(())
}
