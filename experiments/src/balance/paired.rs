//! The same deals under two sets of rules: [`PairedGames`].

use std::path::Path;

use crate::game_loop::{Arena, JobPlayer, Played};
use crate::game_statistics::is_regular;
use crate::measures::{BlockMean, told_of};
use crate::record_file::{Encoding, records};
use crate::schedule::{Schedule, Statistics};
use crate::stats::Estimate;

/// A run that was played, in its directory.
#[derive(Clone, Copy, Debug)]
pub struct PlayedRun<'a> {
    /// The game.
    pub arena: &'a dyn Arena,
    /// What was played.
    pub schedule: &'a Schedule,
    /// Where its records are.
    pub directory: &'a Path,
    /// How they are stored.
    pub encoding: Encoding,
}

impl PlayedRun<'_> {
    /// The schedule, so that games are recalled with their statistics.
    pub(super) fn measured(&self) -> Schedule {
        Schedule { statistics: Statistics::Kept, ..self.schedule.clone() }
    }

    /// The games in index order, as this player recalls them.
    pub(super) fn games(
        &self,
        player: &dyn JobPlayer,
    ) -> Result<impl Iterator<Item = Result<Played, String>>, String> {
        let path = self.directory.join(self.encoding.file_name());
        let found = records(&path).map_err(|error| error.to_string())?;
        Ok(found.map(move |found| {
            let (record, _) = found.map_err(|error| error.to_string())?;
            player.recall(record).map_err(|error| format!("{}: {error}", path.display()))
        }))
    }
}

/// How a game under changed rules differs from the one with the same deals and agents under the rules as they are. Games of one
/// seed have much in common, so their differences are known far better than those of unrelated games.
#[derive(Clone, Debug, Default)]
pub struct PairedGames {
    /// The number of pairs.
    pub games: u64,
    /// Pairs whose games have the same moves: play did not change, the points were only counted anew.
    pub alike: u64,
    /// What differs, by its name, with blocks as units.
    told: Vec<(String, BlockMean)>,
    /// The wins of each agent of the schedule for each seat that it holds.
    win_shares: Vec<BlockMean>,
}

impl PairedGames {
    /// The games of a run under changed rules beside those of the same schedule under the rules as they are.
    ///
    /// # Errors
    /// If records cannot be read, or the two runs are not of the same games.
    pub fn read(base: &PlayedRun<'_>, changed: &PlayedRun<'_>) -> Result<Self, String> {
        let schedules = [base, changed].map(PlayedRun::measured);
        let player =
            |run: &PlayedRun<'_>, schedule| run.arena.player(schedule).map_err(|error| error.to_string());
        let players = [player(base, &schedules[0])?, player(changed, &schedules[1])?];
        let mut paired = PairedGames {
            win_shares: vec![BlockMean::default(); changed.schedule.agents.len()],
            ..PairedGames::default()
        };
        let (mut before, mut block) = (base.games(&*players[0])?, 0);
        for now in changed.games(&*players[1])? {
            let now = now?;
            let index = now.record.index;
            let missing =
                || Err(format!("{}: found no game {index} to compare with", base.directory.display()));
            let before = before.next().unwrap_or_else(missing)?;
            let job = changed.schedule.job(index);
            if std::mem::replace(&mut block, job.block) != job.block {
                paired.close_block();
            }
            paired.push(&job.seats, &before, &now);
        }
        paired.close_block();
        Ok(paired)
    }

    fn push(&mut self, seats: &[usize], before: &Played, now: &Played) {
        self.games += 1;
        self.alike += u64::from(before.record.moves == now.record.moves);
        for (agent, mean) in self.win_shares.iter_mut().enumerate() {
            let own = (0..seats.len()).filter(|&seat| seats[seat] == agent);
            let changes: Vec<f64> =
                own.map(|seat| now.record.wins[seat] - before.record.wins[seat]).collect();
            if !changes.is_empty() {
                mean.push(changes.iter().sum::<f64>() / changes.len() as f64);
            }
        }
        let told = |played: &Played| {
            let statistics = played.statistics.as_ref().filter(|_| is_regular(&played.record));
            statistics.map(|statistics| told_of(&played.record, statistics))
        };
        let Some((before, now)) = told(before).zip(told(now)) else { return };
        if self.told.is_empty() {
            self.told = now.iter().map(|(name, _)| (name.clone(), BlockMean::default())).collect();
        }
        for ((_, mean), ((_, before), (_, now))) in self.told.iter_mut().zip(before.into_iter().zip(now)) {
            before.zip(now).into_iter().for_each(|(before, now)| mean.push(now - before));
        }
    }

    fn close_block(&mut self) {
        self.told.iter_mut().map(|(_, mean)| mean).chain(&mut self.win_shares).for_each(BlockMean::close);
    }

    /// What differs: the first seat's results, the figures of games, the points of each source.
    pub fn differences(&self) -> impl Iterator<Item = (&str, Option<Estimate>)> {
        self.told.iter().map(|(name, mean)| (name.as_str(), mean.estimate()))
    }

    /// By how much the win share of each agent of the schedule differs.
    pub fn win_shares(&self) -> impl Iterator<Item = Option<Estimate>> {
        self.win_shares.iter().map(BlockMean::estimate)
    }
}
