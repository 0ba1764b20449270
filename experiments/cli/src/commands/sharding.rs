//! `--shard`: one process plays a part of a run.

use std::io::Write;

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
    let differing = unrepeated(specs.iter().map(String::as_str));
    if !quiet && !differing.is_empty() {
        note(format!(
            "warning: {} think for a time or are other programs: parts that are played again may have other games, and machines that \
             are not alike make the match unfair",
            differing.join(", ")
        ));
    }
    let games = shard.games(run.schedule);
    let mut progress = Progress::new(games.end - games.start, quiet);
    let outcome = play_shard(run, shard, &STOP, &mut progress)?;
    let place = quoted(&run.directory.display().to_string());
    let told = match outcome {
        ShardOutcome::Interrupted => {
            bail!("interrupted: nothing of part {shard} is kept; play it again by the same command")
        }
        ShardOutcome::Empty => {
            format!("part {shard} has no games: there are fewer blocks of games than parts")
        }
        ShardOutcome::Played => {
            format!("part {shard}, games {} to {}, written to {place}", games.start, games.end - 1)
        }
        ShardOutcome::Present => {
            format!("part {shard}, games {} to {}, is in {place} already", games.start, games.end - 1)
        }
    };
    if quiet { Ok(()) } else { Ok(writeln!(output(), "{told}")?) }
}
