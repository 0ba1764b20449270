//! Standings while games come in.

use azulejo::record::End;

use super::Standings;
use super::lineup::Lineup;
use super::sums::{BlockSums, RotationSums};
use crate::game_loop::{Effort, Played};
use crate::schedule::{Job, Schedule};

/// Standings that take in the games of a schedule, in index order.
#[derive(Debug)]
pub struct StandingsBuilder {
    standings: Standings,
    open: Option<OpenBlock>,
}

/// A block whose games are coming in.
#[derive(Debug)]
struct OpenBlock {
    block: u64,
    lineup: usize,
    sums: BlockSums,
    /// For each game the wins of all seats.
    wins: Vec<Vec<f64>>,
}

impl StandingsBuilder {
    /// The standings before the first game.
    pub fn new(schedule: &Schedule) -> Self {
        let lineups: Vec<Lineup> = schedule.lineups.iter().map(|seats| Lineup::new(seats)).collect();
        let standings = Standings {
            scores: lineups.iter().map(|lineup| vec![0.0; lineup.members.len()]).collect(),
            lineups,
            block_size: schedule.block_size(),
            seat_scores: vec![0.0; schedule.players],
            games: 0,
            plies: 0,
            rounds: 0,
            truncated: 0,
            forfeits: vec![0; schedule.agents.len()],
            efforts: vec![Effort::default(); schedule.agents.len()],
        };
        StandingsBuilder { standings, open: None }
    }

    /// Takes in the next game.
    pub fn push(&mut self, job: &Job, played: &Played) {
        if self.open.as_ref().is_some_and(|open| open.block != job.block) {
            self.close_block();
        }
        self.push_wins(job, &played.record.wins);
        self.push_scores(job, &played.record.scores);
        let (record, standings) = (&played.record, &mut self.standings);
        for (&agent, effort) in job.seats.iter().zip(&played.efforts) {
            standings.efforts[agent].add(*effort);
        }
        standings.games += 1;
        standings.plies += record.moves.len() as u64;
        standings.rounds += u64::from(played.rounds);
        match record.end {
            End::Finished => {}
            End::Truncated => standings.truncated += 1,
            End::Forfeit(seat) => standings.forfeits[job.seats[seat.index()]] += 1,
        }
    }

    fn push_wins(&mut self, job: &Job, wins: &[f64]) {
        let lineup = &self.standings.lineups[job.lineup];
        let open = self.open.get_or_insert_with(|| OpenBlock {
            block: job.block,
            lineup: job.lineup,
            sums: BlockSums::none(lineup.members.len(), wins.len()),
            wins: Vec::new(),
        });
        open.sums.games += 1.0;
        open.wins.push(wins.to_vec());
        for (seat, (&agent, win)) in job.seats.iter().zip(wins).enumerate() {
            open.sums.members[seated(lineup, agent)] += win;
            open.sums.seats[seat] += win;
        }
    }

    fn push_scores(&mut self, job: &Job, scores: &[i16]) {
        let standings = &mut self.standings;
        for (seat, (&agent, &score)) in job.seats.iter().zip(scores).enumerate() {
            let place = seated(&standings.lineups[job.lineup], agent);
            standings.scores[job.lineup][place] += f64::from(score);
            standings.seat_scores[seat] += f64::from(score);
        }
    }

    fn close_block(&mut self) {
        let Some(OpenBlock { lineup, sums, wins, .. }) = self.open.take() else { return };
        let lineup = &mut self.standings.lineups[lineup];
        lineup.blocks.push(sums);
        if wins.len() == self.standings.block_size {
            let games = wins.into_iter().enumerate().map(|(game, wins)| lineup.game_sums(game, wins));
            let block = RotationSums::new(games.collect());
            lineup.rotations.push(block);
        }
    }

    /// The standings after the last game: a block that is not complete counts as it is.
    pub fn finish(mut self) -> Standings {
        self.close_block();
        self.standings
    }
}

/// The place of a seated agent among the members of its line-up.
fn seated(lineup: &Lineup, agent: usize) -> usize {
    lineup.place_of(agent).expect("a job seats its line-up's agents")
}
