//! `--shard`: one process plays a part of a run.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::bail;
use azulejo_experiments::manifest::quoted;
use azulejo_experiments::report::unrepeated;
use azulejo_experiments::run::Run;
use azulejo_experiments::shard::{Shard, ShardOutcome, play_shard};

use super::progress::Progress;
use super::signals::STOP;
use crate::output::{note, output};

/// Plays a part of a run into its directory and says where it is. [`STOP`] ends it early.
pub(super) fn play_part(run: &Run<'_>, shard: Shard, quiet: bool) -> anyhow::Result<()> {
    let specs: Vec<String> = run.schedule.agents.iter().map(ToString::to_string).collect();
    if !quiet {
        warn_of_unrepeated(specs.iter().map(String::as_str));
    }
    let games = shard.games(run.schedule);
    let mut progress = Progress::new(games.end - games.start, quiet);
    let outcome = play_shard(run, shard, &STOP, &mut progress)?;
    let said = told(shard, &games, outcome, run.directory)?;
    if quiet { Ok(()) } else { Ok(writeln!(output(), "{said}")?) }
}

/// Says on the error output which of the agents do not play the same games again.
pub(super) fn warn_of_unrepeated<'a>(specs: impl IntoIterator<Item = &'a str>) {
    let differing = unrepeated(specs);
    if !differing.is_empty() {
        note(format!(
            "warning: {} think for a time or are other programs: parts that are played again may have other games, and machines that \
             are not alike make the match unfair",
            differing.join(", ")
        ));
    }
}

/// What became of a part with these games in a run's directory.
///
/// # Errors
/// If it was ended early.
pub(super) fn told(
    shard: Shard,
    games: &Range<u64>,
    outcome: ShardOutcome,
    directory: &Path,
) -> anyhow::Result<String> {
    let place = quoted(&directory.display().to_string());
    let last = games.end.saturating_sub(1);
    Ok(match outcome {
        ShardOutcome::Interrupted => {
            bail!("interrupted: nothing of part {shard} is kept; play it again by the same command")
        }
        ShardOutcome::Empty => {
            format!("part {shard} has no games: there are fewer blocks of games than parts")
        }
        ShardOutcome::Played => format!("part {shard}, games {} to {last}, written to {place}", games.start),
        ShardOutcome::Present => {
            format!("part {shard}, games {} to {last}, is in {place} already", games.start)
        }
    })
}
