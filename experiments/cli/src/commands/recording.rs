//! What `selfplay` and `tournament` have in common: the run and the tables at the end.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use azulejo::GameSpec;
use azulejo_agents::AgentSpec;
use azulejo_experiments::Invocation;
use azulejo_experiments::Schedule;
use azulejo_experiments::agent_knowledge::AgentKnowledge;
use azulejo_experiments::game_loop::arena;
use azulejo_experiments::manifest::{Command, Manifest, Status, quoted};
use azulejo_experiments::record_file::Encoding;
use azulejo_experiments::run::{Run, Start, run};
use azulejo_experiments::schedule::{Analyses, Pairing};
use azulejo_experiments::stats::SprtSettings;
use azulejo_experiments::summary::AllForfeited;

use super::blindness::warn_of_blindness;
use super::contention::warn_of_contention;
use super::options::{RunOptions, threads};
use super::progress::Progress;
use super::sharding::play_part;
use super::signals::STOP;
use super::tables::print_summary;
use crate::output::output;

/// What only some runs have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extras<'a> {
    /// Who meets whom.
    pub pairing: Pairing<'a>,
    /// The agent whose rating is 0.
    pub anchor: Option<&'a AgentSpec>,
    /// The test that ends the run.
    pub sprt: Option<&'a SprtSettings>,
    /// The directory that `--out` names, where it is that of a study and the run's lies in it.
    pub study: Option<&'a Path>,
}

/// Plays the schedule into a directory and prints what came out. [`STOP`] ends it early.
pub(super) fn record(
    command: Command,
    (game, mut schedule): (GameSpec, Schedule),
    directory: &Path,
    options: &RunOptions,
    extras: Extras<'_>,
) -> anyhow::Result<()> {
    schedule.move_limit = options.move_limit;
    schedule.analyses = if options.analysis { Analyses::Kept } else { Analyses::Dropped };
    let encoding = if options.compress { Encoding::Zstd } else { Encoding::Plain };
    let mut manifest = Manifest::new(command, &schedule, encoding, extras.pairing, extras.anchor);
    manifest.settings.sprt = extras.sprt.map(ToString::to_string);
    let arena = arena(game);
    let it = Run {
        arena: &*arena,
        manifest,
        invocation: invocation(),
        schedule: &schedule,
        anchor: extras.anchor,
        sprt: extras.sprt,
        directory,
        encoding,
        threads: threads(options.threads),
    };
    if !options.quiet {
        warn_of_contention(&schedule.agents, it.threads);
        warn_of_blindness(&AgentKnowledge::of(game, &schedule.agents));
    }
    if let Some(shard) = options.shard {
        return play_part(&it, shard, options.quiet);
    }
    let start = if options.resume { Start::Resume } else { Start::New };
    let mut progress = Progress::new(schedule.games, options.quiet);
    let (summary, status) = run(&it, start, &STOP, &mut progress)?;
    let shown = |directory: &Path| quoted(&directory.display().to_string());
    if !options.quiet {
        let mut out = output();
        print_summary(&mut out, &summary, options.width.columns())?;
        writeln!(out, "\nwritten to {}", shown(directory))?;
    }
    match status {
        Status::Finished => Ok(AllForfeited::check(&summary)?),
        Status::Interrupted => bail!(
            "interrupted after {} of {} games; go on with the same command and --resume --out {}",
            summary.games,
            schedule.games,
            shown(extras.study.unwrap_or(directory))
        ),
    }
}

/// The present start of the program, with the command as it was given.
pub(super) fn invocation() -> Invocation {
    Invocation::now(std::env::args_os().skip(1))
}
