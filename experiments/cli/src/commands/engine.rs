//! `azulejo engine`

use std::io::{BufReader, Write, stdin, stdout};

use anyhow::{Context, bail};
use azulejo_agents::external::Words;
use azulejo_agents::parameters::ParameterValue;
use azulejo_experiments::engine::check::{CheckResult, Finding, examine};
use azulejo_experiments::engine::serve;
use azulejo_experiments::report::Table;
use clap::Args;

use super::signals::end_at_signals;
use super::tables::print;

/// Answer the engine protocol on standard input and output, or check a program that does
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  printf 'ugi\\nquery sample\\nquit\\n' | azulejo engine
  azulejo engine --check 'python3 scripts/examples/bot.py'
  azulejo tournament --games 20 greedy 'exec:cmd=python3 scripts/examples/bot.py,time=1000'")]
pub(super) struct EngineArgs {
    /// Check this program, given with its arguments as in a shell: its manners, and its rules against the
    /// built-in ones
    #[arg(long, value_name = "COMMAND", value_parser = Words::read)]
    check: Option<Words>,
}

impl EngineArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        end_at_signals()?;
        match &self.check {
            None => Ok(serve(BufReader::new(stdin()), stdout())?),
            Some(command) => check(command),
        }
    }
}

/// Examines a program and prints what was found.
fn check(command: &Words) -> anyhow::Result<()> {
    let mut findings: Vec<Finding> = Vec::new();
    examine(command.as_slice(), |finding| findings.push(finding))
        .with_context(|| format!("cannot start '{}'", command.print()))?;
    let found = |finding: &Finding| match &finding.verdict {
        CheckResult::Passed => ["pass", ""].map(str::to_owned),
        CheckResult::NotOffered(found) => ["not offered", found].map(str::to_owned),
        CheckResult::Failed(found) => ["FAIL", found].map(str::to_owned),
    };
    let table = Table::of(&findings)
        .text("check", |finding| finding.name.clone())
        .text("result", |finding| found(finding)[0].clone())
        .text("expected", |finding| finding.expected.to_owned())
        .text("found", |finding| found(finding)[1].clone());
    let mut out = stdout().lock();
    print(&mut out, &table.build())?;
    let failed = findings.iter().filter(|finding| matches!(finding.verdict, CheckResult::Failed(_))).count();
    if failed > 0 {
        bail!("'{}' fails {failed} of {} checks", command.print(), findings.len());
    }
    Ok(writeln!(out, "\n'{}' passes: nothing of {} checks fails", command.print(), findings.len())?)
}
