//! What `selfplay` and `tournament` have in common: the run and the tables at the end.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use azulejo_agents::AgentSpec;
use azulejo_experiments::Plan;
use azulejo_experiments::manifest::{Command, Manifest, Status};
use azulejo_experiments::plan::Analyses;
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::run::{Run, Start, run};

use super::options::{RunOptions, threads};
use super::progress::Progress;
use super::signals::{STOP, stop_at_signals};
use super::tables::print_summary;

/// Plays the plan into a directory and prints what came out.
pub(super) fn record(
    command: Command,
    mut plan: Plan,
    options: &RunOptions,
    gauntlet: Option<&AgentSpec>,
    anchor: Option<&AgentSpec>,
) -> anyhow::Result<()> {
    plan.move_limit = options.move_limit;
    plan.analyses = if options.analysis { Analyses::Kept } else { Analyses::Dropped };
    let encoding = if options.compress { Encoding::Zstd } else { Encoding::Plain };
    let directory = options.out.clone().unwrap_or_else(|| default_directory(&command.to_string()));
    let it = Run {
        manifest: Manifest::new(command, &plan, encoding, gauntlet, anchor),
        plan: &plan,
        anchor,
        directory: &directory,
        encoding,
        threads: threads(options.threads),
    };
    let start = if options.resume { Start::Resume } else { Start::New };
    stop_at_signals()?;
    let mut progress = Progress::new(plan.games, options.quiet);
    let (summary, status) = run(&it, start, &STOP, &mut progress)?;
    let place = directory.display();
    if !options.quiet {
        let mut out = stdout().lock();
        print_summary(&mut out, &summary)?;
        writeln!(out, "\nwritten to {place}")?;
    }
    match status {
        Status::Finished => Ok(()),
        Status::Interrupted => bail!(
            "interrupted after {} of {} games; go on with the same command and --resume --out {place}",
            summary.games,
            plan.games
        ),
    }
}

/// `results/<kind>/<time>`, with a number behind it if there is such a directory already.
pub(super) fn default_directory(kind: &str) -> PathBuf {
    let (time, parent) = (time(), ["results", kind].iter().collect::<PathBuf>());
    let names = std::iter::once(time.clone()).chain((2..).map(|number: u64| format!("{time}-{number}")));
    let mut free = names.map(|name| parent.join(name)).filter(|path| !path.exists());
    free.next().expect("some number is free")
}

/// The present time as names of files have it.
pub(super) fn time() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H-%M-%S").to_string()
}
