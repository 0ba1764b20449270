//! The games of a run as something that several processes play parts of: [`RunGames`].

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{Recall, Shard, ShardOutcome, SharedGames, play_part};
use crate::game_loop::{Fault, Played};
use crate::manifest::{Manifest, Provenance, Status, check_play_version};
use crate::parallel::{play_in_order, thread_pool};
use crate::record_file::Encoding;
use crate::run::{Run, RunError, Watch, check_begun_run, recall};
use crate::run_directory::RunDirectory;
use crate::schedule::Schedule;

/// Plays a part of a run and puts its records into the run's directory, where others may play other parts at the same time. It is
/// there as a whole or not at all.
///
/// # Errors
/// As [`run`](crate::run::run): if the directory has another run, or the part as another run has played it.
pub fn play_shard(
    run: &Run<'_>,
    shard: Shard,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<ShardOutcome, RunError> {
    run.arena.check_players(run.schedule.players)?;
    run.arena.player(run.schedule)?;
    let pool = thread_pool(run.threads)?;
    let directory = RunDirectory::shared(run.directory)?;
    let provenance = check_begun_run(run, &directory)?;
    let shared = RunGames { run, schedule: run.schedule, provenance };
    let games = shard.games(run.schedule);
    let part = Schedule { games: games.end, ..run.schedule.clone() };
    play_part(&shared, games.clone(), |writer| {
        watch.begin(0);
        let write_out = |played: Played| (played.record.to_line(), played.fault);
        let write = |(line, fault): (String, Option<Fault>)| {
            writer.push(&line)?;
            fault.iter().for_each(|fault| watch.fault(fault));
            watch.game();
            Ok::<_, RunError>(ControlFlow::Continue(()))
        };
        let next = play_in_order((run.arena, &part), games.start, &pool, stop, write_out, write);
        watch.end();
        next
    })
}

/// The games of a run.
#[derive(Debug)]
pub(crate) struct RunGames<'a> {
    pub run: &'a Run<'a>,
    /// The run's schedule, with the statistics that recalled games are to have.
    pub schedule: &'a Schedule,
    /// What decides the games beside the run's settings.
    pub provenance: Provenance,
}

impl SharedGames for RunGames<'_> {
    type Game = Played;
    type Error = RunError;

    fn directory(&self) -> &Path {
        self.run.directory
    }

    fn encoding(&self) -> Encoding {
        self.run.encoding
    }

    fn games(&self) -> Range<u64> {
        0..self.run.schedule.games
    }

    fn manifest(&self) -> String {
        let (status, provenance) = (Status::Finished, Some(self.provenance.clone()));
        Manifest { status, provenance, ..self.run.manifest.clone() }.to_toml()
    }

    fn check_manifest(&self, manifest: &str) -> Result<(), String> {
        let found = Manifest::read(manifest)?;
        self.run.manifest.check_same(&found).map_err(|difference| difference.to_string())?;
        let files = || self.provenance.check_files(found.provenance.as_ref().unwrap_or(&self.provenance));
        check_play_version(found.provenance.as_ref()).and_then(|()| files()).map_err(|it| it.to_string())
    }

    fn recall(&self) -> Result<Recall<'_, Played>, RunError> {
        let player = self.run.arena.recaller(self.schedule);
        Ok(Box::new(move |index, record| recall(self.run, &*player, index, record)))
    }
}
