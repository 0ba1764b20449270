//! The schedule of a run: which agents sit where in which game, and on which deals.

use azulejo::record;
use azulejo_agents::AgentSpec;
use thiserror::Error;

/// The most games that one schedule holds.
pub(crate) const MAX_GAMES: u64 = 1_000_000_000;

/// A schedule that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Self-play needs one agent, or one for each seat.
    #[error("{agents} agents for {players} players: expected 1 or {players}")]
    Seats {
        /// The number of agents given.
        agents: usize,
        /// The number of seats.
        players: usize,
    },
    /// A tournament needs at least two agents.
    #[error("a tournament needs at least 2 agents, found {agents}")]
    TooFew {
        /// The number of agents given.
        agents: usize,
    },
    /// A sequential test compares two agents.
    #[error("a sequential test compares 2 agents, found {agents}")]
    NoDuel {
        /// The number of agents given.
        agents: usize,
    },
    /// The same agent is listed twice.
    #[error("agent '{agent}' is listed twice")]
    Duplicate {
        /// The agent's spec.
        agent: String,
    },
    /// Two agents are called the same.
    #[error("'{first}' and '{second}' are both called '{label}': give one of them another name=")]
    Label {
        /// The spec of the one that is listed first.
        first: String,
        /// The other one's.
        second: String,
        /// What both are called.
        label: String,
    },
    /// An option names an agent that does not take part.
    #[error("'{agent}', given with --{option}, is not one of the agents: {known}")]
    Absent {
        /// The option's name.
        option: &'static str,
        /// The spec as it was given.
        agent: String,
        /// The agents of the tournament.
        known: String,
    },
    /// Agents so near each other in the list fill no table.
    #[error(
        "--neighbors: found {places}, expected {least} to {most} places among {agents} agents for {players} players"
    )]
    Neighbors {
        /// The number of places given.
        places: usize,
        /// The fewest that fill a table.
        least: usize,
        /// The number of places between the first agent and the last.
        most: usize,
        /// The number of agents.
        agents: usize,
        /// The number of seats.
        players: usize,
    },
    /// A table for more players than there are agents cannot be filled by different ones.
    #[error("--neighbors: found {agents} agents, expected at least {players}, one for each seat")]
    Unfilled {
        /// The number of agents.
        agents: usize,
        /// The number of seats.
        players: usize,
    },
    /// Two ways to pair agents are asked for.
    #[error("gauntlet and neighbors: found both, expected at most one of them")]
    Pairings,
    /// The number of games is 0 or too large.
    #[error("{games} games: expected 1 to {MAX_GAMES} in all")]
    Games {
        /// The number of games.
        games: u128,
    },
}

/// Whether the agents of a line-up change seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Everybody keeps the seat given; every game has deals of its own.
    Fixed,
    /// As many games in a row as there are seats share their deals; in each the agents move on by one seat.
    Rotated,
}

/// What a tournament pairs with what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pairing<'a> {
    /// All with all.
    #[default]
    All,
    /// This agent with each of the others.
    Gauntlet(&'a AgentSpec),
    /// Those that stand at most so many places apart in the list.
    Neighbors(usize),
}

/// Whether records keep what searches found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analyses {
    /// Values and visit counts go into the records.
    Kept,
    /// Only the moves are recorded, and the searches that a time limits.
    Dropped,
}

/// Whether the statistics of each game are worked out, which takes longer than a quick agent's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistics {
    /// For reports.
    Kept,
    /// Only the result is asked for.
    Dropped,
}

/// The schedule of a run. It determines every record, byte for byte.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The game's spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The agents that take part, each once.
    pub agents: Vec<AgentSpec>,
    /// The master seed.
    pub seed: u64,
    /// Who plays together: for each line-up the number of the agent at each seat of its first game.
    pub lineups: Vec<Vec<usize>>,
    /// Whether the agents of a line-up change seats.
    pub rotation: Rotation,
    /// The number of games in all.
    pub games: u64,
    /// Games are cut off after this many moves.
    pub move_limit: usize,
    /// Whether records keep what searches found.
    pub analyses: Analyses,
    /// Whether the games' statistics are worked out beside the records; runs into a directory see to it
    /// themselves.
    pub statistics: Statistics,
}

/// One game of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The game's number in the run, from 0.
    pub index: u64,
    /// The seed block: games of one block have the same deals as long as their bags agree.
    pub block: u64,
    /// The line-up's number in the schedule.
    pub lineup: usize,
    /// The agent's number at each seat.
    pub seats: Vec<usize>,
}

impl Schedule {
    /// Self-play: one agent at all seats, or one agent for each seat in order.
    ///
    /// # Errors
    /// If the number of agents is neither 1 nor `players`, or `games` is out of range.
    pub fn selfplay(
        (game, players): (impl ToString, usize),
        seats: &[AgentSpec],
        games: u64,
        seed: u64,
        rotation: Rotation,
    ) -> Result<Self, ScheduleError> {
        if seats.len() != 1 && seats.len() != players {
            return Err(ScheduleError::Seats { agents: seats.len(), players });
        }
        let mut agents: Vec<AgentSpec> = Vec::new();
        let lineup = (0..players).map(|seat| {
            let spec = &seats[seat % seats.len()];
            agents.iter().position(|known| known == spec).unwrap_or_else(|| {
                agents.push(spec.clone());
                agents.len() - 1
            })
        });
        let lineups = vec![lineup.collect()];
        Schedule::checked(game.to_string(), players, agents, seed, lineups, rotation, u128::from(games))
    }

    /// A tournament: every pairing plays `games` games, rounded up to whole seed blocks of one game for each
    /// rotation of the seats.
    ///
    /// # Errors
    /// If there are fewer than 2 agents, an agent is listed twice, the gauntlet's agent is not listed, neighbors fill no table, or
    /// the number of games is out of range.
    pub fn tournament(
        (game, players): (impl ToString, usize),
        agents: &[AgentSpec],
        games: u64,
        seed: u64,
        pairing: Pairing<'_>,
    ) -> Result<Self, ScheduleError> {
        if agents.len() < 2 {
            return Err(ScheduleError::TooFew { agents: agents.len() });
        }
        if let Some(twice) = (1..agents.len()).find(|&place| agents[..place].contains(&agents[place])) {
            return Err(ScheduleError::Duplicate { agent: agents[twice].to_string() });
        }
        let lineups = match pairing {
            Pairing::All if agents.len() >= players => combinations(agents.len(), players),
            Pairing::All => multisets(agents.len(), players),
            Pairing::Gauntlet(one) => {
                let one = position("gauntlet", one, agents)?;
                let others = (0..agents.len()).filter(|&other| other != one);
                others.map(|other| lineup_of_one(one, other, players)).collect()
            }
            Pairing::Neighbors(places) => {
                check_neighbors(places, agents.len(), players)?;
                let near = |set: &Vec<usize>| set[players - 1] - set[0] <= places;
                combinations(agents.len(), players).into_iter().filter(near).collect()
            }
        };
        let blocks = u128::from(games).div_ceil(players as u128);
        let all = blocks * players as u128 * lineups.len() as u128;
        Schedule::checked(game.to_string(), players, agents.to_vec(), seed, lineups, Rotation::Rotated, all)
    }

    fn checked(
        game: String,
        players: usize,
        agents: Vec<AgentSpec>,
        seed: u64,
        lineups: Vec<Vec<usize>>,
        rotation: Rotation,
        games: u128,
    ) -> Result<Self, ScheduleError> {
        check_labels(&agents)?;
        let games = u64::try_from(games)
            .ok()
            .filter(|all| (1..=MAX_GAMES).contains(all))
            .ok_or(ScheduleError::Games { games })?;
        let move_limit = record::MOVE_LIMIT;
        let (analyses, statistics) = (Analyses::Dropped, Statistics::Dropped);
        Ok(Schedule {
            game,
            players,
            agents,
            seed,
            lineups,
            rotation,
            games,
            move_limit,
            analyses,
            statistics,
        })
    }

    /// The game with this index, which is below [`games`](Schedule::games).
    ///
    /// Line-ups take turns block by block, so that a run that is stopped early has games of all of them.
    pub fn job(&self, index: u64) -> Job {
        let size = self.block_size() as u64;
        let (block, shift) = (index / size, (index % size) as usize);
        let lineup = (block % self.lineups.len() as u64) as usize;
        let mut seats = self.lineups[lineup].clone();
        seats.rotate_right(shift);
        Job { index, block, lineup, seats }
    }

    /// The number of games of a seed block.
    pub fn block_size(&self) -> usize {
        match self.rotation {
            Rotation::Fixed => 1,
            Rotation::Rotated => self.players,
        }
    }

    /// The specs of the agents at a job's seats.
    pub(crate) fn specs(&self, job: &Job) -> Vec<String> {
        job.seats.iter().map(|&agent| self.agents[agent].to_string()).collect()
    }

    /// What the agents at a job's seats are called; `None` if their specs say it.
    pub(crate) fn names(&self, job: &Job) -> Option<Vec<String>> {
        let named = job.seats.iter().any(|&agent| self.agents[agent].name().is_some());
        named.then(|| job.seats.iter().map(|&agent| self.agents[agent].label()).collect())
    }
}

/// An agent's number among the agents of a tournament.
///
/// # Errors
/// If it is not one of them; `option` is the command line option that named it.
pub(crate) fn position(
    option: &'static str,
    agent: &AgentSpec,
    agents: &[AgentSpec],
) -> Result<usize, ScheduleError> {
    agents.iter().position(|other| other == agent).ok_or_else(|| {
        let known: Vec<String> = agents.iter().map(ToString::to_string).collect();
        ScheduleError::Absent { option, agent: agent.to_string(), known: known.join(", ") }
    })
}

/// Refuses distances at which no table is filled, or that no two agents have.
fn check_neighbors(places: usize, agents: usize, players: usize) -> Result<(), ScheduleError> {
    if agents < players {
        return Err(ScheduleError::Unfilled { agents, players });
    }
    let (least, most) = (players - 1, agents - 1);
    let fits = (least..=most).contains(&places);
    if fits { Ok(()) } else { Err(ScheduleError::Neighbors { places, least, most, agents, players }) }
}

/// Refuses two agents that tables could not tell apart.
fn check_labels(agents: &[AgentSpec]) -> Result<(), ScheduleError> {
    let labels: Vec<String> = agents.iter().map(AgentSpec::label).collect();
    for (place, label) in labels.iter().enumerate() {
        if let Some(first) = labels[..place].iter().position(|other| other.eq_ignore_ascii_case(label)) {
            let (first, second) = (agents[first].to_string(), agents[place].to_string());
            return Err(ScheduleError::Label { first, second, label: label.clone() });
        }
    }
    Ok(())
}

/// One agent at seat 0 and copies of another at all other seats.
fn lineup_of_one(one: usize, other: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| if seat == 0 { one } else { other }).collect()
}

/// All sets of `size` different numbers below `n`, ascending.
fn combinations(n: usize, size: usize) -> Vec<Vec<usize>> {
    ascending(n, size).into_iter().filter(|set| set.windows(2).all(|pair| pair[0] < pair[1])).collect()
}

/// All multisets of `size` numbers below `n` in which each number occurs.
fn multisets(n: usize, size: usize) -> Vec<Vec<usize>> {
    ascending(n, size).into_iter().filter(|set| (0..n).all(|number| set.contains(&number))).collect()
}

/// All lists of `size` numbers below `n` that never descend.
fn ascending(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..size {
        let longer = |list: Vec<usize>| {
            let from = list.last().copied().unwrap_or(0);
            (from..n).map(move |number| list.iter().copied().chain([number]).collect())
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(names: &[&str]) -> Vec<AgentSpec> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    fn three() -> Vec<AgentSpec> {
        specs(&["random", "greedy", "greedy:weights=other.toml"])
    }

    fn azul(players: usize) -> (&'static str, usize) {
        ("azul", players)
    }

    #[test]
    fn two_player_tournaments_pair_all_with_all() {
        let schedule = Schedule::tournament(azul(2), &three(), 3, 1, Pairing::All).unwrap();
        assert_eq!(schedule.lineups, [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(schedule.games, 3 * 4, "3 games a pairing are rounded up to 2 blocks of 2");
    }

    #[test]
    fn a_block_holds_every_rotation_once() {
        let schedule = Schedule::tournament(azul(3), &three(), 6, 1, Pairing::All).unwrap();
        assert_eq!(schedule.lineups, [[0, 1, 2]]);
        let jobs: Vec<Job> = (0..schedule.games).map(|index| schedule.job(index)).collect();
        let seats: Vec<&[usize]> = jobs.iter().map(|job| job.seats.as_slice()).collect();
        assert_eq!(seats[..3], [[0, 1, 2], [2, 0, 1], [1, 2, 0]]);
        assert_eq!(jobs.iter().map(|job| job.block).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn few_agents_at_a_large_table_appear_in_every_mixture() {
        let schedule = Schedule::tournament(azul(4), &three()[..2], 1, 1, Pairing::All).unwrap();
        assert_eq!(schedule.lineups, [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]);
        let schedule = Schedule::tournament(azul(4), &three(), 1, 1, Pairing::All).unwrap();
        assert_eq!(schedule.lineups, [[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2]]);
    }

    #[test]
    fn a_gauntlet_seats_one_against_copies_of_each_other() {
        let agents = three();
        let schedule = Schedule::tournament(azul(3), &agents, 1, 1, Pairing::Gauntlet(&agents[1])).unwrap();
        assert_eq!(schedule.lineups, [[1, 0, 0], [1, 2, 2]]);
    }

    #[test]
    fn neighbors_play_only_each_other() {
        let agents = specs(&["ladder:level=1", "ladder:level=2", "ladder:level=3", "ladder:level=4"]);
        let lineups = |players, places| {
            Schedule::tournament(azul(players), &agents, 1, 1, Pairing::Neighbors(places))
                .map(|schedule| schedule.lineups)
        };
        assert_eq!(lineups(2, 1).unwrap(), [[0, 1], [1, 2], [2, 3]]);
        assert_eq!(lineups(2, 2).unwrap(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(lineups(3, 2).unwrap(), [[0, 1, 2], [1, 2, 3]]);
        let all = Schedule::tournament(azul(2), &agents, 1, 1, Pairing::All).unwrap().lineups;
        assert_eq!(lineups(2, 3).unwrap(), all);
        for (players, places, expected) in [(2, 0, "1 to 3"), (3, 1, "2 to 3"), (2, 4, "1 to 3")] {
            let error = lineups(players, places).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("--neighbors: found {places}, expected {expected} places")),
                "{error}"
            );
        }
        let unfilled = Schedule::tournament(azul(4), &agents[..3], 1, 1, Pairing::Neighbors(2));
        let expected = "--neighbors: found 3 agents, expected at least 4, one for each seat";
        assert_eq!(unfilled.unwrap_err().to_string(), expected);
    }

    #[test]
    fn line_ups_take_turns() {
        let schedule = Schedule::tournament(azul(2), &three(), 4, 1, Pairing::All).unwrap();
        let lineups: Vec<usize> = (0..12).map(|index| schedule.job(index).lineup).collect();
        assert_eq!(lineups, [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn selfplay_counts_equal_agents_once() {
        let seats = specs(&["greedy", "random", "greedy"]);
        let schedule = Schedule::selfplay(azul(3), &seats, 5, 1, Rotation::Fixed).unwrap();
        assert_eq!((schedule.agents.len(), &schedule.lineups[0]), (2, &vec![0, 1, 0]));
        assert_eq!(schedule.job(4), Job { index: 4, block: 4, lineup: 0, seats: vec![0, 1, 0] });
        let one = Schedule::selfplay(azul(4), &seats[..1], 5, 1, Rotation::Fixed).unwrap();
        assert_eq!(one.lineups, [[0, 0, 0, 0]]);
    }

    #[test]
    fn faults_are_named() {
        let agents = three();
        let error = |result: Result<Schedule, ScheduleError>| result.unwrap_err().to_string();
        let tournament =
            |agents: &[AgentSpec], games| Schedule::tournament(azul(2), agents, games, 1, Pairing::All);
        assert_eq!(error(tournament(&agents[..1], 2)), "a tournament needs at least 2 agents, found 1");
        let twice = specs(&["random", "greedy", "random"]);
        assert_eq!(error(tournament(&twice, 2)), "agent 'random' is listed twice");
        assert!(error(tournament(&agents, 0)).starts_with("0 games"));
        assert!(error(tournament(&agents, u64::MAX)).contains("expected 1 to"));
        let selfplay = Schedule::selfplay(azul(4), &agents, 1, 1, Rotation::Fixed);
        assert_eq!(error(selfplay), "3 agents for 4 players: expected 1 or 4");
        let alike = specs(&["mcts:sims=5,name=Old", "random", "mcts:sims=9,name=old"]);
        assert_eq!(
            error(tournament(&alike, 2)),
            "'mcts:sims=5,name=Old' and 'mcts:sims=9,name=old' are both called 'old': give one of them another name="
        );
        assert!(tournament(&specs(&["mcts:sims=5,name=Old", "mcts:sims=5,name=New"]), 2).is_ok());
        let other = "greedy:weights=x".parse().unwrap();
        let gauntlet = Schedule::tournament(azul(2), &agents, 1, 1, Pairing::Gauntlet(&other));
        assert!(error(gauntlet).starts_with("'greedy:weights=x', given with --gauntlet, is not one of"));
    }
}
