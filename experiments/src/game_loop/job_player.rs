//! The games of a schedule, played one after the other: [`JobPlayer`].

use azulejo::record::RecordError;
use azulejo::{End, History, Record};
use azulejo_agents::{Agent, AgentSpec, AgentSpecError, Playable};

use super::{Deals, Effort, Fault, FaultReason, FinishedGame, GameSetup, Participant};
use crate::game_statistics::GameStatistics;
use crate::schedule::{Job, Schedule, Statistics};
use crate::score_sources::ScoreSources;
use crate::stream::Stream;

/// A played game of a schedule.
#[derive(Clone, Debug)]
pub struct Played {
    /// The record.
    pub record: Record,
    /// The round in which the game ended, from 1.
    pub rounds: u32,
    /// What was spent at each seat by searches that a time limits.
    pub efforts: Vec<Effort>,
    /// Its statistics, if the schedule keeps them.
    pub statistics: Option<GameStatistics>,
    /// Why a seat forfeited, if one did.
    pub fault: Option<Fault>,
}

/// Something that plays the games of one schedule, one after the other.
pub trait JobPlayer: Send {
    /// Plays a game of the schedule.
    ///
    /// # Errors
    /// If an agent cannot be built.
    fn play(&mut self, job: &Job) -> Result<Played, AgentSpecError>;

    /// A game of the schedule's rules that was played before, by its record; why a seat forfeited is not
    /// known any more.
    ///
    /// # Errors
    /// If the record is not right.
    fn recall(&self, record: Record) -> Result<Played, RecordError>;
}

/// The agents of a schedule, built once and seated for game after game.
pub(super) struct SchedulePlayer<'a, G: Playable> {
    schedule: &'a Schedule,
    rules: &'static G::Rules,
    /// For each agent of the schedule the copies that do not play at the moment.
    idle: Vec<Vec<Box<dyn Agent<G>>>>,
}

impl<'a, G: Playable + ScoreSources> SchedulePlayer<'a, G> {
    /// A player for the games of a schedule under these rules.
    ///
    /// # Errors
    /// If an agent cannot be built for the game.
    pub(super) fn new(schedule: &'a Schedule, rules: &'static G::Rules) -> Result<Self, AgentSpecError> {
        let build = |spec: &AgentSpec| Ok(vec![spec.build::<G>()?]);
        let idle = schedule.agents.iter().map(build).collect::<Result<_, AgentSpecError>>()?;
        Ok(SchedulePlayer { schedule, rules, idle })
    }

    /// The same, with agents that are built when they have to play: to recall games takes none.
    pub(super) fn unseated(schedule: &'a Schedule, rules: &'static G::Rules) -> Self {
        let idle = schedule.agents.iter().map(|_| Vec::new()).collect();
        SchedulePlayer { schedule, rules, idle }
    }

    /// The job's agents in the order of seats.
    fn seated(&mut self, job: &Job) -> Result<Vec<Box<dyn Agent<G>>>, AgentSpecError> {
        let seated = job.seats.iter().map(|&number| match self.idle[number].pop() {
            Some(agent) => Ok(agent),
            None => self.schedule.agents[number].build(),
        });
        seated.collect()
    }

    /// Plays a game between these agents, one a seat.
    fn play_with(&self, job: &Job, agents: &mut [Box<dyn Agent<G>>]) -> FinishedGame<G> {
        let schedule = self.schedule;
        let seed = |seat: usize| Stream::Agents.seed(schedule.seed, &[job.index, seat as u64]);
        let participants = agents.iter_mut().enumerate();
        let participants =
            participants.map(|(seat, agent)| Participant { agent: &mut **agent, seed: seed(seat) });
        let setup = GameSetup {
            rules: self.rules,
            participants: participants.collect(),
            seats: (0..job.seats.len()).collect(),
            deals: Deals::new(schedule.seed, job.block),
            move_limit: schedule.move_limit,
            analyses: schedule.analyses,
        };
        setup.play()
    }

    /// What a game tells beside its record: its last round and, if the schedule keeps them, its statistics.
    fn told(&self, history: &History<G>, end: End) -> (u32, Option<GameStatistics>) {
        let kept = self.schedule.statistics == Statistics::Kept;
        (history.state().round(), kept.then(|| GameStatistics::of(history, end)))
    }
}

impl<G: Playable + ScoreSources> JobPlayer for SchedulePlayer<'_, G> {
    fn play(&mut self, job: &Job) -> Result<Played, AgentSpecError> {
        let schedule = self.schedule;
        let mut agents = self.seated(job)?;
        let finished = self.play_with(job, &mut agents);
        let crashed = match &finished.fault {
            Some((seat, FaultReason::Crash(_))) => Some(seat.index()),
            _ => None,
        };
        for (seat, agent) in agents.into_iter().enumerate() {
            // What a panic leaves of an agent is not used again.
            if crashed != Some(seat) {
                self.idle[job.seats[seat]].push(agent);
            }
        }
        let record = finished.record(schedule.specs(job), schedule.seed, job.index);
        let record = Record { names: schedule.names(job), ..record };
        let (rounds, statistics) = self.told(&finished.history, finished.end);
        let fault = finished.fault.map(|(seat, reason)| Fault {
            index: job.index,
            seat,
            agent: schedule.agents[job.seats[seat.index()]].label(),
            ply: record.moves.len(),
            reason,
        });
        let efforts = Effort::of_seats(&finished.history, &record);
        Ok(Played { record, rounds, efforts, statistics, fault })
    }

    fn recall(&self, record: Record) -> Result<Played, RecordError> {
        let history = record.verified_history::<G>(self.rules)?;
        let (rounds, statistics) = self.told(&history, record.end);
        let efforts = Effort::of_seats(&history, &record);
        Ok(Played { record, rounds, efforts, statistics, fault: None })
    }
}

#[cfg(test)]
mod tests {
    use azulejo::GameSpec;

    use super::*;
    use crate::game_loop::job_player;
    use crate::schedule::Rotation;

    fn schedule(players: usize, agent: &str) -> Schedule {
        let game: GameSpec = "azul".parse().unwrap();
        Schedule::selfplay((game, players), &[agent.parse().unwrap()], 4, 7, Rotation::Rotated).unwrap()
    }

    #[test]
    fn games_finish_and_verify_with_any_number_of_players() {
        for players in 2..=4 {
            let schedule = schedule(players, "random");
            let played = job_player(&schedule).unwrap().play(&schedule.job(0)).unwrap();
            played.record.verify().unwrap();
            assert_eq!((played.record.end, played.record.players), (End::Finished, players));
            assert!(played.rounds >= 5);
        }
    }

    #[test]
    fn a_game_depends_on_nothing_but_its_job() {
        let schedule = schedule(3, "greedy");
        let mut used = job_player(&schedule).unwrap();
        used.play(&schedule.job(0)).unwrap();
        let fresh = job_player(&schedule).unwrap().play(&schedule.job(3)).unwrap();
        assert_eq!(used.play(&schedule.job(3)).unwrap().record, fresh.record);
    }

    #[test]
    fn games_of_a_block_begin_with_the_same_deal() {
        let schedule = schedule(2, "random");
        let mut player = job_player(&schedule).unwrap();
        let deals: Vec<String> =
            (0..4).map(|index| player.play(&schedule.job(index)).unwrap().record.moves[0].clone()).collect();
        assert!(deals[0] == deals[1] && deals[2] == deals[3] && deals[0] != deals[2], "{deals:?}");
    }

    #[test]
    fn long_games_are_truncated() {
        let mut schedule = schedule(2, "random");
        schedule.move_limit = 5;
        let played = job_player(&schedule).unwrap().play(&schedule.job(0)).unwrap();
        assert_eq!((played.record.end, played.record.moves.len()), (End::Truncated, 5));
        played.record.verify().unwrap();
    }

    #[test]
    fn what_agents_limited_by_time_spend_is_recorded_and_recalled() {
        let game: GameSpec = "azul".parse().unwrap();
        let agents = ["minimax:cpu=1", "mcts:sims=2"].map(|agent| agent.parse().unwrap());
        let schedule = Schedule::selfplay((game, 2), &agents, 1, 7, Rotation::Fixed).unwrap();
        let mut player = job_player(&schedule).unwrap();
        let Played { record, efforts, .. } = player.play(&schedule.job(0)).unwrap();
        let found: Vec<_> = record.analysis.iter().flatten().flatten().collect();
        assert_eq!((efforts[0].choices, efforts[1].choices), (found.len() as u64, 0));
        assert_eq!(efforts[0].nodes, found.iter().filter_map(|found| found.nodes).sum::<u64>());
        assert!(found.iter().all(|found| found.ms.is_some() && !found.visits.is_empty()));
        assert!(efforts[0].mean_cpu_ms() > Some(0.1) && efforts[0].mean_nodes() > Some(1.0), "{efforts:?}");
        assert_eq!((efforts[1].mean_cpu_ms(), efforts[1].mean_nodes()), (None, None));
        let recalled = player.recall(Record::from_line(&record.to_line()).unwrap()).unwrap();
        assert_eq!((recalled.record, recalled.efforts), (record, efforts));
    }

    #[test]
    fn a_recorded_game_is_recalled_with_its_statistics() {
        let mut schedule = schedule(3, "greedy");
        assert_eq!(job_player(&schedule).unwrap().play(&schedule.job(1)).unwrap().statistics, None);
        schedule.statistics = Statistics::Kept;
        let mut player = job_player(&schedule).unwrap();
        let played = player.play(&schedule.job(1)).unwrap();
        let recalled = player.recall(played.record.clone()).unwrap();
        assert_eq!((&recalled.record, &recalled.statistics), (&played.record, &played.statistics));
        assert_eq!(played.statistics.map(|it| it.rounds), Some(played.rounds));
        let mut wrong = played.record;
        wrong.scores[0] += 1;
        assert!(player.recall(wrong).is_err());
    }
}
