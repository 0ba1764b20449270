//! `azulejo engine`

use std::io::{BufReader, Write, stdin, stdout};

use anyhow::bail;
use azulejo::GameSpec;
use azulejo_agents::external::Words;
use azulejo_agents::parameters::ParameterValue;
use azulejo_experiments::engine::check::{CheckEvent, CheckResult, Finding, examine};
use azulejo_experiments::engine::serve;
use azulejo_experiments::rules_file::read_game;
use clap::Args;

use super::signals::end_at_signals;
use super::width::{WidthOption, Wrapping};
use crate::output::output;

/// Answer the engine protocol on standard input and output, or check a program that does
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  printf 'ugi\\nquery sample\\nquit\\n' | azulejo engine
  azulejo engine --check 'python3 scripts/examples/bot.py'
  azulejo engine --check ./bot --game azul
  azulejo tournament --games 20 greedy 'exec:cmd=python3 scripts/examples/bot.py,time=1000'")]
pub(super) struct EngineArgs {
    /// Check this program, given with its arguments as in a shell: its manners, and its rules against the
    /// built-in ones
    #[arg(long, value_name = "COMMAND", value_parser = Words::read)]
    check: Option<Words>,
    /// With --check, only the games of this variant, or of all variants of a game; may be given several times
    /// [default: all variants of all games]
    #[arg(long = "game", value_name = "SPEC", value_parser = read_game, requires = "check")]
    games: Vec<GameSpec>,
    #[command(flatten)]
    width: WidthOption,
}

impl EngineArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        end_at_signals()?;
        match &self.check {
            None => Ok(serve(BufReader::new(stdin()), stdout())?),
            Some(command) => check(command, &variants(&self.games), self.width.columns()),
        }
    }
}

/// All variants of the games that are named without an option, and those that are named with one; all if none is.
fn variants(named: &[GameSpec]) -> Vec<GameSpec> {
    let is_named = |game: &GameSpec| {
        let (game, mut named) = (game.to_string(), named.iter().map(ToString::to_string));
        named.any(|name| game == name || game.starts_with(&format!("{name}:")))
    };
    let known = GameSpec::all();
    let others = named.iter().copied().filter(|game| !known.contains(game));
    known.iter().copied().filter(|game| named.is_empty() || is_named(game)).chain(others).collect()
}

/// Examines a program; prints each check as it begins, and what was found as it ends.
fn check(command: &Words, games: &[GameSpec], columns: usize) -> anyhow::Result<()> {
    let (mut out, mut asked, mut failed) = (output(), 0, 0);
    let width = games.iter().map(|game| game.to_string().len() + ", 4 players".len()).fold(20, usize::max);
    let wrapping = Wrapping { columns: columns.saturating_sub(width + 2), indent: width + 2 };
    examine(command.as_slice(), games, |event| match event {
        CheckEvent::Begins(name) => {
            write!(out, "{name:width$}  ")?;
            out.flush()
        }
        CheckEvent::Ends(Finding { expected, verdict, .. }) => {
            asked += 1;
            match verdict {
                CheckResult::Passed => writeln!(out, "pass"),
                CheckResult::NotOffered(found) => {
                    wrapping.write(&mut out, "", &format!("not offered: {found}"))
                }
                CheckResult::Failed(found) => {
                    failed += 1;
                    wrapping.write(&mut out, "", &format!("FAIL: found {found}; expected {expected}"))
                }
            }
        }
    })?;
    if failed > 0 {
        bail!("'{}' fails {failed} of {asked} checks", command.print());
    }
    Ok(writeln!(out, "\n'{}' passes: nothing of {asked} checks fails", command.print())?)
}
