//! The standings of a run: what is counted of its games, and what the statistics are taken from.

mod builder;
#[cfg(test)]
mod coverage;
mod lineup;
mod sums;
#[cfg(test)]
mod tests;
mod win_share;

pub use self::builder::StandingsBuilder;
use self::lineup::Lineup;
pub(crate) use self::sums::{BlockSums, GameSums, RotationSums};
use self::win_share::{Part, Winner};
pub(crate) use self::win_share::{PlayedBlocks, WinShare};
use crate::game_loop::Effort;
use crate::stats::{Contest, HalfBlocks, Member, Stratum};

/// What the games of a schedule came to, by line-up and block of games with the same deals.
#[derive(Debug)]
pub struct Standings {
    lineups: Vec<Lineup>,
    /// The games of a complete block.
    block_size: usize,
    /// For each line-up and member the points of all seats that the member held.
    scores: Vec<Vec<f64>>,
    seat_scores: Vec<f64>,
    games: u64,
    plies: u64,
    rounds: u64,
    truncated: u64,
    /// The games that each agent of the schedule forfeited.
    forfeits: Vec<u64>,
    /// What each agent of the schedule has spent in searches that a time limits.
    efforts: Vec<Effort>,
}

/// With fewer blocks that tell seats from each other nothing is said of how seats vary.
const FEWEST_BLOCKS_OF_SEATS: u64 = 10;

/// A duel that was not played: half a block or less that either side wins, which keeps ratings finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImaginaryDuel {
    /// The two agents, or the same one at two seats.
    pub sides: [Member; 2],
    /// The part of a block that each of them wins.
    pub size: f64,
    /// The games of a block.
    games: f64,
}

impl ImaginaryDuel {
    /// The duel's result if each side wins such a part of a block.
    pub(crate) fn contest(&self, won: [f64; 2]) -> Contest {
        Contest { members: self.sides.to_vec(), wins: won.map(|part| part * self.games).to_vec() }
    }
}

impl Standings {
    /// The blocks of each line-up.
    pub(crate) fn blocks(&self) -> Vec<Stratum<BlockSums>> {
        self.lineups.iter().map(|lineup| lineup.blocks.clone()).collect()
    }

    /// The totals of each line-up; `None` where it has not played.
    pub(crate) fn totals(&self) -> Vec<Option<BlockSums>> {
        self.lineups.iter().map(|lineup| lineup.blocks.totals()).collect()
    }

    /// The number of games.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// The games that reached the move limit.
    pub(crate) fn truncated(&self) -> u64 {
        self.truncated
    }

    /// The games in which a seat forfeited.
    pub(crate) fn forfeits(&self) -> u64 {
        self.forfeits.iter().sum()
    }

    /// The games that an agent forfeited.
    pub(crate) fn forfeits_of(&self, agent: usize) -> u64 {
        self.forfeits[agent]
    }

    /// What an agent has spent in searches that a time limits.
    pub(crate) fn effort_of(&self, agent: usize) -> Effort {
        self.efforts[agent]
    }

    /// The mean number of moves a game, chance outcomes included; `None` without games.
    pub(crate) fn mean_plies(&self) -> Option<f64> {
        mean(self.plies as f64, self.games as f64)
    }

    /// The mean number of rounds a game; `None` without games.
    pub(crate) fn mean_rounds(&self) -> Option<f64> {
        mean(self.rounds as f64, self.games as f64)
    }

    /// The mean score at a seat; `None` without games.
    pub(crate) fn mean_seat_score(&self, seat: usize) -> Option<f64> {
        mean(self.seat_scores[seat], self.games as f64)
    }

    /// The games in which all of these agents took part, and the mean score of the first one in them.
    pub(crate) fn games_of(&self, agents: &[usize]) -> (u64, Option<f64>) {
        let (mut games, mut seats, mut score) = (0.0, 0.0, 0.0);
        for (number, lineup) in self.lineups_of(agents) {
            let played = lineup.blocks.totals().map_or(0.0, |totals| totals.games);
            if let Some(place) = agents.first().and_then(|&agent| lineup.place_of(agent)) {
                games += played;
                seats += played * lineup.members[place].seats;
                score += self.scores[number][place];
            }
        }
        (games as u64, mean(score, seats))
    }

    /// The win share of the first of these agents in games in which all of them took part.
    pub(crate) fn share_of(&self, agents: &[usize]) -> WinShare {
        let part = |(number, lineup): (usize, &Lineup)| {
            let place = lineup.place_of(*agents.first()?)?;
            Some(Part { lineup: number, winner: Winner::Member(place), seats: lineup.members[place].seats })
        };
        WinShare { parts: self.lineups_of(agents).filter_map(part).collect() }
    }

    /// The win share of a seat.
    pub(crate) fn share_of_seat(&self, seat: usize) -> WinShare {
        let part = |lineup| Part { lineup, winner: Winner::Seat(seat), seats: 1.0 };
        WinShare { parts: (0..self.lineups.len()).map(part).collect() }
    }

    /// The results as the rating sees them, for totals of each line-up; line-ups with one agent say nothing.
    pub(crate) fn contests(&self, totals: &[Option<BlockSums>]) -> Vec<Contest> {
        let pairs = self.lineups.iter().zip(totals).filter(|(lineup, _)| lineup.members.len() > 1);
        let contest = |(lineup, totals): (&Lineup, &Option<BlockSums>)| {
            Some(Contest { members: lineup.members.clone(), wins: totals.as_ref()?.members.clone() })
        };
        pairs.filter_map(contest).collect()
    }

    /// The complete blocks of each line-up game by game: what [`deals_ratio`](Standings::deals_ratio) takes
    /// totals of.
    pub(crate) fn rotations(&self) -> Vec<Stratum<RotationSums>> {
        self.lineups.iter().map(|lineup| lineup.rotations.clone()).collect()
    }

    /// Whether enough blocks tell seats from each other for something to be said of how seats vary: those in which seats won
    /// different shares. Where one agent wins all games of a block it wins at every seat.
    pub(crate) fn tell_of_seats(&self) -> bool {
        let differs = |sums: &BlockSums| sums.seats.iter().any(|wins| *wins != sums.seats[0]);
        let blocks: u64 = self.lineups.iter().map(|lineup| lineup.blocks.blocks_with(differs)).sum();
        blocks >= FEWEST_BLOCKS_OF_SEATS
    }

    /// Imaginary duels of the agents that have met. However many opponents two agents have, at least one of them wins
    /// half a block in all and loses one: with half a block for each opponent, one strong agent among three
    /// would lose as much as if it were weaker.
    pub(crate) fn duels_of_agents(&self) -> Vec<ImaginaryDuel> {
        let agents = 0..self.forfeits.len();
        let all = agents.clone().flat_map(|a| (a + 1..agents.end).map(move |b| [a, b]));
        let met: Vec<[usize; 2]> = all.filter(|pair| self.games_of(pair).0 > 0).collect();
        let opponents = |agent: usize| met.iter().filter(|pair| pair.contains(&agent)).count();
        let duel = |&[a, b]: &[usize; 2]| {
            let size = HalfBlocks::SIZE / opponents(a).min(opponents(b)) as f64;
            ImaginaryDuel { sides: [(a, 1.0).into(), (b, 1.0).into()], size, games: self.block_size as f64 }
        };
        met.iter().map(duel).collect()
    }

    /// Imaginary duels of an agent against itself at two seats, so that each seat wins half a block in all and
    /// loses one.
    pub(crate) fn duels_of_seats(&self) -> Vec<ImaginaryDuel> {
        let players = self.seat_scores.len();
        let at = |seat| Member { agent: 0, seats: 1.0, seat: Some(seat) };
        let size = HalfBlocks::SIZE / (players - 1) as f64;
        let all = (0..players).flat_map(|a| (a + 1..players).map(move |b| [at(a), at(b)]));
        all.map(|sides| ImaginaryDuel { sides, size, games: self.block_size as f64 }).collect()
    }

    /// The results seat by seat. Empty where agents do not change seats, unless there is but one: then
    /// nothing tells a seat's strength from that of who sits there.
    pub(crate) fn seat_contests(&self, totals: &[Option<RotationSums>]) -> Vec<Contest> {
        if self.block_size == 1 && self.lineups.iter().any(|lineup| lineup.members.len() > 1) {
            return Vec::new();
        }
        let contest = |lineup: &Lineup, game: usize, sums: &GameSums| {
            let member = |(seat, agent)| Member { agent, seats: 1.0, seat: Some(seat) };
            let members = lineup.agents_at(game).into_iter().enumerate().map(member);
            Contest { members: members.collect(), wins: sums.seats.clone() }
        };
        let mut contests = Vec::new();
        for (lineup, totals) in self.lineups.iter().zip(totals) {
            let games = totals.iter().flat_map(|totals| totals.games.iter().enumerate());
            contests.extend(games.map(|(game, sums)| contest(lineup, game, sums)));
        }
        contests
    }

    /// The variance of a block's result as a share of what it would be if its games had deals of their own:
    /// that of the sum of an agent's wins over the sum of the variances of the single games, each at its own
    /// seats. Below 1 the shared deals made results more precise. Over all line-ups; `None` without complete
    /// blocks of several games that vary.
    pub(crate) fn deals_ratio(&self, totals: &[Option<RotationSums>]) -> Option<f64> {
        let (mut shared, mut single) = (0.0, 0.0);
        let played = self.lineups.iter().zip(totals).filter(|(lineup, _)| lineup.members.len() > 1);
        for totals in played.filter_map(|(_, totals)| totals.as_ref()) {
            let variance = |sum: f64, squares: f64| squares - sum * sum / totals.blocks;
            let all: f64 = totals.games.iter().map(|game| game.wins).sum();
            shared += variance(all, totals.squared_wins);
            single += totals.games.iter().map(|game| variance(game.wins, game.squared_wins)).sum::<f64>();
        }
        /// What rounding may leave of the variance of games that are all alike.
        const NOTHING: f64 = 1e-9;
        (self.block_size > 1 && single > NOTHING).then(|| shared / single)
    }

    fn lineups_of<'a>(&'a self, agents: &'a [usize]) -> impl Iterator<Item = (usize, &'a Lineup)> + 'a {
        let all = self.lineups.iter().enumerate();
        all.filter(|(_, lineup)| agents.iter().all(|&agent| lineup.place_of(agent).is_some()))
    }
}

fn mean(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}
