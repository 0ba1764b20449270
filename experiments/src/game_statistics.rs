//! What one game tells beyond its result: where the points came from, how much choice there was, who led
//! when.

use azulejo::record::result;
use azulejo::{End, History, PerPlayer, Record, Seat, Turn};

use crate::game_habits::HabitTally;
use crate::score_sources::{ScoreBreakdown, ScoreSources};

/// The statistics of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameStatistics {
    /// The names of the sources of points.
    pub sources: &'static [&'static str],
    /// For each source the points of each seat; for a finished game they add up to the scores.
    pub points: Vec<Vec<i16>>,
    /// How each seat played.
    pub habits: HabitTally,
    /// The players' decisions.
    pub decisions: u32,
    /// The legal actions of all decisions.
    pub choices: u64,
    /// The round in which the game ended, from 1.
    pub rounds: u32,
    /// How often another seat led alone at the end of a round than at the last one at which a seat did, the
    /// final scores included.
    pub lead_changes: u32,
    /// The points by which the winner was behind the leader at the end of a round, at most; `None` if there
    /// is no winner or more than one, or if only one round was played.
    pub behind: Option<i16>,
    /// The points between the winner, or who shared the win, and the best of the others; `None` if all shared
    /// it.
    pub margin: Option<i16>,
}

impl GameStatistics {
    /// The statistics of a game that stopped here in this way.
    pub(crate) fn of<G: ScoreSources>(history: &History<G>, end: End) -> Self {
        let (mut breakdown, mut legal) = (ScoreBreakdown::new(history.start()), Vec::new());
        let (mut decisions, mut choices) = (0, 0);
        let mut habits = HabitTally::new(history.start());
        // The points at the end of each round but the last.
        let mut standings: Vec<PerPlayer<i16>> = Vec::new();
        for ply in history.replay() {
            if matches!(ply.before.turn(), Turn::Player(_)) {
                ply.before.legal_actions(&mut legal);
                decisions += 1;
                choices += legal.len() as u64;
            }
            breakdown.follow(&ply);
            G::note(&ply, &mut habits);
            if ply.after.round() != ply.before.round() {
                standings.push(ply.after.scores());
            }
        }
        let (scores, wins) = result(history.state(), end);
        let winners: Vec<usize> = wins.iter().filter(|win| *win.1 > 0.0).map(|win| win.0.index()).collect();
        GameStatistics {
            sources: G::sources(history.start().rules()),
            points: breakdown.rows().map(|(_, points)| points.as_slice().to_vec()).collect(),
            habits,
            decisions,
            choices,
            rounds: history.state().round(),
            lead_changes: lead_changes(&standings, scores.as_slice()),
            behind: match winners[..] {
                [winner] => standings.iter().map(|standing| behind(standing, winner)).max(),
                _ => None,
            },
            margin: margin(scores.as_slice(), &winners),
        }
    }
}

fn behind(standing: &PerPlayer<i16>, seat: usize) -> i16 {
    let most = standing.as_slice().iter().max().copied().unwrap_or(0);
    most - standing[Seat::new(seat)]
}

/// The seat that has more points than all others.
fn leader(scores: &[i16]) -> Option<usize> {
    let most = scores.iter().max()?;
    let mut leaders = (0..scores.len()).filter(|&seat| scores[seat] == *most);
    leaders.next().filter(|_| leaders.next().is_none())
}

fn lead_changes(standings: &[PerPlayer<i16>], scores: &[i16]) -> u32 {
    let leaders = standings.iter().map(|standing| leader(standing.as_slice())).chain([leader(scores)]);
    let leaders: Vec<usize> = leaders.flatten().collect();
    leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

fn margin(scores: &[i16], winners: &[usize]) -> Option<i16> {
    let losers = (0..scores.len()).filter(|seat| !winners.contains(seat));
    let best = losers.map(|seat| scores[seat]).max()?;
    let won = winners.iter().map(|&seat| scores[seat]).max()?;
    Some(won - best)
}

/// Whether a record tells something of the rules, and not of a program that failed or never ended.
pub(crate) fn is_regular(record: &Record) -> bool {
    record.end == End::Finished
}

#[cfg(test)]
mod tests {
    use azulejo::GameSpec;

    use super::*;
    use crate::game_loop::job_player;
    use crate::schedule::{Rotation, Schedule, Statistics};

    #[test]
    fn a_game_of_each_kind_has_its_statistics() {
        for game in GameSpec::all() {
            for players in 2..=4 {
                let agents = ["greedy".parse().unwrap()];
                let mut schedule =
                    Schedule::selfplay((game, players), &agents, 3, 5, Rotation::Fixed).unwrap();
                schedule.statistics = Statistics::Kept;
                for index in 0..3 {
                    let played = job_player(&schedule).unwrap().play(&schedule.job(index)).unwrap();
                    let found = played.statistics.unwrap();
                    let sum = |seat: usize| found.points.iter().map(|points| points[seat]).sum::<i16>();
                    let sums: Vec<i16> = (0..players).map(sum).collect();
                    assert_eq!(sums, played.record.scores, "{game}");
                    assert_eq!(found.rounds, played.rounds);
                    assert!(found.decisions as usize <= played.record.moves.len());
                    assert!(found.choices >= u64::from(found.decisions));
                    assert!(found.lead_changes < found.rounds);
                    assert!(found.margin.is_none_or(|margin| margin >= 0), "{found:?}");
                }
            }
        }
    }

    #[test]
    fn leads_and_deficits_are_read_from_the_rounds() {
        let standing = |scores: [i16; 3]| PerPlayer::from_fn(3, |seat| scores[seat.index()]);
        let standings = [[5, 1, 0], [5, 5, 0], [6, 9, 0], [6, 9, 8]].map(standing);
        assert_eq!(lead_changes(&standings, &[20, 30, 31]), 2, "0, nobody, 1, 1, 2");
        assert_eq!(standings.iter().map(|at| behind(at, 2)).max(), Some(9));
        assert_eq!((margin(&[3, 9, 7], &[1]), margin(&[9, 9, 7], &[0, 1])), (Some(2), Some(2)));
        assert_eq!((margin(&[9, 9], &[0, 1]), leader(&[4, 4])), (None, None));
    }
}
