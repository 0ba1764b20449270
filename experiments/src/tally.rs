//! The running count of a run's results.

use azulejo::record::End;

use crate::game_loop::Played;
use crate::plan::{Job, Plan};
use crate::stats::{Contest, Member, Stratum, Totals};

/// Counts the games of a plan, given in index order.
///
/// For each line-up the blocks' sums: the number of games, then the wins of each of its agents, then the wins of
/// each seat.
#[derive(Debug)]
pub struct Tally {
    lineups: Vec<LineUp>,
    open: Option<OpenBlock>,
    players: usize,
    /// The games of a complete block.
    size: usize,
    /// Points of all seats that an agent held, for each pair of line-up and member.
    scores: Vec<Vec<f64>>,
    seat_scores: Vec<f64>,
    games: u64,
    plies: u64,
    rounds: u64,
    truncated: u64,
    /// The games that each agent of the plan forfeited.
    forfeits: Vec<u64>,
}

/// The agents of a line-up, each once, and their blocks.
#[derive(Debug)]
struct LineUp {
    members: Vec<(usize, f64)>,
    /// The agents at the seats of a block's first game.
    seats: Vec<usize>,
    blocks: Stratum,
    /// The complete blocks game by game: see [`Course`].
    courses: Stratum,
}

/// A block whose games are being counted.
#[derive(Debug)]
struct OpenBlock {
    block: u64,
    lineup: usize,
    sums: Totals,
    /// For each game the wins of all seats.
    wins: Vec<Vec<f64>>,
}

/// Where a block's games are in the sums of [`LineUp::courses`].
///
/// First comes 1, so that sums over blocks begin with their number, then the square of the first agent's wins in the
/// block. Then for each game of the block its wins, their square, and the wins of each seat.
#[derive(Clone, Copy, Debug)]
struct Course {
    players: usize,
}

impl Course {
    const SQUARE: usize = 1;

    fn wins(self, game: usize) -> usize {
        2 + game * (2 + self.players)
    }

    fn seat(self, game: usize, seat: usize) -> usize {
        self.wins(game) + 2 + seat
    }

    /// The sums of a block in which `wins` tells what the first agent and each seat won in each game.
    fn sums(self, games: &[(f64, Vec<f64>)]) -> Totals {
        let all: f64 = games.iter().map(|(wins, _)| wins).sum();
        let mut sums = vec![1.0, all * all];
        for (wins, seats) in games {
            sums.extend([*wins, wins * wins]);
            sums.extend(seats);
        }
        sums
    }
}

/// A share of wins per seat and game: sums of wins over sums of seats.
///
/// Each part names a line-up, the place in its totals, and the seats to which the place belongs.
#[derive(Clone, Debug, Default)]
pub struct Share(Vec<(usize, usize, f64)>);

impl Tally {
    /// A count of no games.
    pub fn new(plan: &Plan) -> Self {
        let lineups: Vec<LineUp> = plan.lineups.iter().map(|seats| LineUp::new(seats)).collect();
        Tally {
            scores: lineups.iter().map(|lineup| vec![0.0; lineup.members.len()]).collect(),
            lineups,
            open: None,
            players: plan.players,
            size: plan.block_size(),
            seat_scores: vec![0.0; plan.players],
            games: 0,
            plies: 0,
            rounds: 0,
            truncated: 0,
            forfeits: vec![0; plan.agents.len()],
        }
    }

    /// Counts the next game.
    pub fn push(&mut self, job: &Job, played: &Played) {
        let record = &played.record;
        if self.open.as_ref().is_some_and(|open| open.block != job.block) {
            self.close_block();
        }
        let members = &self.lineups[job.lineup].members;
        let width = 1 + members.len() + self.players;
        let open = self.open.get_or_insert_with(|| OpenBlock {
            block: job.block,
            lineup: job.lineup,
            sums: vec![0.0; width],
            wins: Vec::new(),
        });
        open.sums[0] += 1.0;
        open.wins.push(record.wins.clone());
        for (seat, agent) in job.seats.iter().enumerate() {
            let member = member_of(members, *agent);
            open.sums[1 + member] += record.wins[seat];
            open.sums[1 + members.len() + seat] += record.wins[seat];
            self.scores[job.lineup][member] += f64::from(record.scores[seat]);
            self.seat_scores[seat] += f64::from(record.scores[seat]);
        }
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.rounds += u64::from(played.statistics.rounds);
        match record.end {
            End::Finished => {}
            End::Truncated => self.truncated += 1,
            End::Forfeit(seat) => self.forfeits[job.seats[seat.index()]] += 1,
        }
    }

    fn close_block(&mut self) {
        let Some(open) = self.open.take() else { return };
        let lineup = &mut self.lineups[open.lineup];
        lineup.blocks.push(open.sums);
        if open.wins.len() == self.size {
            let games: Vec<(f64, Vec<f64>)> = open
                .wins
                .into_iter()
                .enumerate()
                .map(|(game, wins)| (lineup.wins_of_the_first(game, &wins), wins))
                .collect();
            lineup.courses.push(Course { players: self.players }.sums(&games));
        }
    }

    /// Ends the count: a block that is not complete counts as it is.
    pub fn finish(mut self) -> Count {
        self.close_block();
        Count(self)
    }
}

impl LineUp {
    fn new(seats: &[usize]) -> Self {
        let mut members: Vec<(usize, f64)> = Vec::new();
        for &agent in seats {
            match members.iter_mut().find(|(known, _)| *known == agent) {
                Some((_, seats)) => *seats += 1.0,
                None => members.push((agent, 1.0)),
            }
        }
        LineUp { members, seats: seats.to_vec(), blocks: Stratum::default(), courses: Stratum::default() }
    }

    /// The agent at each seat in a block's game with this number.
    fn agents_at(&self, game: usize) -> Vec<usize> {
        let mut seats = self.seats.clone();
        seats.rotate_right(game);
        seats
    }

    fn wins_of_the_first(&self, game: usize, wins: &[f64]) -> f64 {
        let first = self.members[0].0;
        self.agents_at(game).iter().zip(wins).filter(|(agent, _)| **agent == first).map(|(_, win)| win).sum()
    }

    /// The complete blocks, and for each agent half an imaginary one in which it wins everything.
    fn courses_with_imaginary_blocks(&self, players: usize, size: usize) -> Stratum {
        let mut courses = self.courses.clone();
        for (winner, held) in &self.members {
            let games: Vec<(f64, Vec<f64>)> = (0..size)
                .map(|game| {
                    let won = |agent: &usize| if agent == winner { 1.0 / held } else { 0.0 };
                    let wins: Vec<f64> = self.agents_at(game).iter().map(won).collect();
                    (self.wins_of_the_first(game, &wins), wins)
                })
                .collect();
            courses.imagine(Course { players }.sums(&games), 0.5);
        }
        courses
    }

    /// The blocks, and for each agent an imaginary part of a block, of the size that `weight` tells, in which it wins
    /// everything.
    fn with_imaginary_blocks(&self, players: usize, weight: impl Fn(usize) -> f64) -> Stratum {
        let mut blocks = self.blocks.clone();
        let games = blocks.totals().map_or(0.0, |totals| totals[0] / blocks.blocks() as f64);
        for (place, &(winner, _)) in self.members.iter().enumerate() {
            let mut sums = vec![0.0; 1 + self.members.len() + players];
            sums[0] = games;
            sums[1 + place] = games;
            sums[1 + self.members.len()..].fill(games / players as f64);
            blocks.imagine(sums, weight(winner));
        }
        blocks
    }

    fn seats_of(&self, agent: usize) -> Option<(usize, f64)> {
        let place = self.members.iter().position(|(member, _)| *member == agent)?;
        Some((place, self.members[place].1))
    }
}

fn member_of(members: &[(usize, f64)], agent: usize) -> usize {
    members.iter().position(|(member, _)| *member == agent).expect("a job seats its line-up's agents")
}

/// What the halves of imaginary blocks are spread over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imagined {
    /// Every line-up has all of them: for what is told of one line-up.
    PerLineUp,
    /// All line-ups of an agent together: for what is told of an agent.
    PerAgent,
}

/// A finished count.
#[derive(Debug)]
pub struct Count(Tally);

impl Count {
    /// The blocks of each line-up, with imaginary ones, so that one-sided results have intervals too: each agent wins
    /// half a block, of each line-up or in all.
    pub fn strata(&self, imagined: Imagined) -> Vec<Stratum> {
        let lineups = |agent| match imagined {
            Imagined::PerLineUp => 1,
            Imagined::PerAgent => self.lineups_of(&[agent]).count(),
        };
        let weight = |agent| 0.5 / lineups(agent) as f64;
        let strata = self.0.lineups.iter();
        strata.map(|lineup| lineup.with_imaginary_blocks(self.0.players, weight)).collect()
    }

    /// The totals of each line-up; `None` where it has not played.
    pub fn totals(&self) -> Vec<Option<Totals>> {
        self.0.lineups.iter().map(|lineup| lineup.blocks.totals()).collect()
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.0.games
    }

    /// The games that reached the move limit.
    pub fn truncated(&self) -> u64 {
        self.0.truncated
    }

    /// The games in which a seat forfeited.
    pub fn forfeits(&self) -> u64 {
        self.0.forfeits.iter().sum()
    }

    /// The games that an agent forfeited.
    pub fn forfeits_of(&self, agent: usize) -> u64 {
        self.0.forfeits[agent]
    }

    /// The mean number of moves a game, chance outcomes included; `None` without games.
    pub fn mean_plies(&self) -> Option<f64> {
        mean(self.0.plies as f64, self.0.games as f64)
    }

    /// The mean number of rounds a game; `None` without games.
    pub fn mean_rounds(&self) -> Option<f64> {
        mean(self.0.rounds as f64, self.0.games as f64)
    }

    /// The mean score at a seat; `None` without games.
    pub fn mean_seat_score(&self, seat: usize) -> Option<f64> {
        mean(self.0.seat_scores[seat], self.0.games as f64)
    }

    /// The games in which all of these agents took part, and the mean score of the first one in them.
    pub fn games_of(&self, agents: &[usize]) -> (u64, Option<f64>) {
        let (mut games, mut seats, mut score) = (0.0, 0.0, 0.0);
        for (number, lineup) in self.lineups_of(agents) {
            let played = lineup.blocks.totals().map_or(0.0, |totals| totals[0]);
            if let Some((place, held)) = agents.first().and_then(|&agent| lineup.seats_of(agent)) {
                games += played;
                seats += played * held;
                score += self.0.scores[number][place];
            }
        }
        (games as u64, mean(score, seats))
    }

    /// The win share of the first of these agents in games in which all of them took part.
    pub fn share_of(&self, agents: &[usize]) -> Share {
        let part = |(number, lineup): (usize, &LineUp)| {
            let (place, seats) = lineup.seats_of(*agents.first()?)?;
            Some((number, 1 + place, seats))
        };
        Share(self.lineups_of(agents).filter_map(part).collect())
    }

    /// The win share of a seat.
    pub fn share_of_seat(&self, seat: usize) -> Share {
        let parts = self.0.lineups.iter().enumerate();
        Share(parts.map(|(number, lineup)| (number, 1 + lineup.members.len() + seat, 1.0)).collect())
    }

    /// The results as the rating sees them, for totals of each line-up; line-ups with one agent say nothing.
    pub fn contests(&self, totals: &[Option<Totals>]) -> Vec<Contest> {
        let pairs = self.0.lineups.iter().zip(totals);
        pairs
            .filter(|(lineup, _)| lineup.members.len() > 1)
            .filter_map(|(lineup, totals)| {
                let wins = totals.as_ref()?[1..=lineup.members.len()].to_vec();
                let members = lineup.members.iter().map(|&member| member.into()).collect();
                Some(Contest { members, wins })
            })
            .collect()
    }

    /// The complete blocks of each line-up game by game: what [`deals_ratio`](Count::deals_ratio) takes totals of.
    pub fn courses(&self) -> Vec<Stratum> {
        self.0.lineups.iter().map(|lineup| lineup.courses.clone()).collect()
    }

    /// The same with imaginary blocks: what [`seat_contests`](Count::seat_contests) takes totals of.
    pub fn courses_with_imaginary_blocks(&self) -> Vec<Stratum> {
        let (players, size) = (self.0.players, self.0.size);
        self.0.lineups.iter().map(|lineup| lineup.courses_with_imaginary_blocks(players, size)).collect()
    }

    /// The results seat by seat. Empty where agents do not change seats, unless there is but one: then nothing tells a
    /// seat's strength from that of who sits there.
    pub fn seat_contests(&self, totals: &[Option<Totals>]) -> Vec<Contest> {
        let tally = &self.0;
        if tally.size == 1 && tally.lineups.iter().any(|lineup| lineup.members.len() > 1) {
            return Vec::new();
        }
        let course = Course { players: tally.players };
        let played =
            tally.lineups.iter().zip(totals).filter_map(|(lineup, totals)| Some((lineup, totals.as_ref()?)));
        played
            .flat_map(|(lineup, totals)| {
                (0..tally.size).map(move |game| {
                    let seated = lineup.agents_at(game).into_iter().enumerate();
                    Contest {
                        members: seated
                            .map(|(seat, agent)| Member { agent, seats: 1.0, seat: Some(seat) })
                            .collect(),
                        wins: (0..tally.players).map(|seat| totals[course.seat(game, seat)]).collect(),
                    }
                })
            })
            .collect()
    }

    /// The variance of a block's result as a share of what it would be if its games had deals of their own: that of the
    /// sum of an agent's wins over the sum of the variances of the single games, each at its own seats. Below 1 the
    /// shared deals made results more precise. Over all line-ups; `None` without complete blocks of several games that
    /// vary. Imaginary blocks do not belong here: an agent wins all games of one, as if its deals had made it.
    pub fn deals_ratio(&self, totals: &[Option<Totals>]) -> Option<f64> {
        let course = Course { players: self.0.players };
        let (mut shared, mut single) = (0.0, 0.0);
        let played = self.0.lineups.iter().zip(totals).filter(|(lineup, _)| lineup.members.len() > 1);
        for totals in played.filter_map(|(_, totals)| totals.as_ref()) {
            let blocks = totals[0];
            let variance = |sum: f64, squares: f64| squares - sum * sum / blocks;
            let games = (0..self.0.size).map(|game| course.wins(game));
            let all: f64 = games.clone().map(|place| totals[place]).sum();
            shared += variance(all, totals[Course::SQUARE]);
            single += games.map(|place| variance(totals[place], totals[place + 1])).sum::<f64>();
        }
        /// What rounding may leave of the variance of games that are all alike.
        const NOTHING: f64 = 1e-9;
        (self.0.size > 1 && single > NOTHING).then(|| shared / single)
    }

    fn lineups_of<'a>(&'a self, agents: &'a [usize]) -> impl Iterator<Item = (usize, &'a LineUp)> + 'a {
        let all = self.0.lineups.iter().enumerate();
        all.filter(|(_, lineup)| agents.iter().all(|&agent| lineup.seats_of(agent).is_some()))
    }
}

impl Share {
    /// The share for totals of each line-up; `None` without games.
    pub fn value(&self, totals: &[Option<Totals>]) -> Option<f64> {
        let (mut wins, mut seats) = (0.0, 0.0);
        for &(lineup, place, held) in &self.0 {
            if let Some(totals) = &totals[lineup] {
                wins += totals[place];
                seats += totals[0] * held;
            }
        }
        mean(wins, seats)
    }

    /// Whether its games can tell how much it varies: there are at least two blocks.
    pub fn varies(&self, strata: &[Stratum]) -> bool {
        self.0.iter().map(|&(lineup, ..)| strata[lineup].blocks()).sum::<u64>() > 1
    }
}

fn mean(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use azulejo::record::{FORMAT, VERSION};
    use azulejo::{Record, Seat};

    use super::*;
    use crate::game_statistics::GameStatistics;
    use crate::plan::Pairing;
    use crate::summary::Summary;

    /// Two agents at a table of three: line-ups 0 0 1 and 0 1 1.
    fn plan(games: u64) -> Plan {
        let agents = ["random".parse().unwrap(), "greedy".parse().unwrap()];
        Plan::tournament(("azul", 3), &agents, games, 1, Pairing::All).unwrap()
    }

    /// All pairs of these agents at tables of two.
    fn duels(agents: &[&str], games: u64) -> Plan {
        let agents: Vec<azulejo_agents::AgentSpec> =
            agents.iter().map(|agent| agent.parse().unwrap()).collect();
        Plan::tournament(("azul", 2), &agents, games, 1, Pairing::All).unwrap()
    }

    /// A game that the agent with number `winner` wins at the first of its seats; each agent has as many points
    /// as ten times its number, plus its seat.
    fn game(plan: &Plan, index: u64, winner: usize) -> Played {
        let job = plan.job(index);
        let seat = job.seats.iter().position(|&agent| agent == winner).unwrap();
        let points = |(seat, &agent): (usize, &usize)| (10 * agent + seat) as i16;
        let record = Record {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: "azul".to_owned(),
            rules: None,
            players: plan.players,
            agents: plan.specs(&job),
            seed: 1,
            index,
            moves: vec!["0B0".to_owned(); 5],
            scores: job.seats.iter().enumerate().map(points).collect(),
            wins: (0..plan.players).map(|other| f64::from(u8::from(other == seat))).collect(),
            end: if index == 0 { End::Truncated } else { End::Finished },
            reason: None,
            analysis: None,
        };
        let statistics = GameStatistics { rounds: 6, ..GameStatistics::default() };
        Played { record, statistics, fault: None }
    }

    fn counted(plan: &Plan, winners: &[usize]) -> Count {
        let mut tally = Tally::new(plan);
        for (index, &winner) in (0..).zip(winners) {
            tally.push(&plan.job(index), &game(plan, index, winner));
        }
        tally.finish()
    }

    #[test]
    fn shares_count_wins_for_each_seat_and_game() {
        let plan = plan(3);
        // A block of line-up 0 0 1, then one of 0 1 1.
        let count = counted(&plan, &[0, 0, 1, 1, 1, 1]);
        let totals = count.totals();
        let share = |agents: &[usize]| count.share_of(agents).value(&totals).unwrap();
        assert_eq!(share(&[0]), 2.0 / 9.0, "2 wins with 2 seats in 3 games and 1 seat in 3 games");
        assert_eq!(share(&[1]), 4.0 / 9.0);
        assert_eq!((share(&[0, 1]), share(&[1, 0])), (share(&[0]), share(&[1])));
        let seats: f64 = (0..3).map(|seat| count.share_of_seat(seat).value(&totals).unwrap()).sum();
        assert!((seats - 1.0).abs() < 1e-12);
        let contests = count.contests(&totals);
        let members = |list: [(usize, f64); 2]| list.map(Member::from).to_vec();
        assert_eq!(contests[0], Contest { members: members([(0, 2.0), (1, 1.0)]), wins: vec![2.0, 1.0] });
        assert_eq!(contests[1], Contest { members: members([(0, 1.0), (1, 2.0)]), wins: vec![0.0, 3.0] });
    }

    #[test]
    fn means_are_over_seats_and_games() {
        let plan = plan(3);
        let count = counted(&plan, &[0, 0, 1, 1, 1, 1]);
        // Every agent sits at every seat equally often: 1 on average.
        assert_eq!(count.games_of(&[0]), (6, Some(1.0)));
        assert_eq!(count.games_of(&[1, 0]), (6, Some(11.0)));
        assert_eq!((count.mean_plies(), count.mean_rounds()), (Some(5.0), Some(6.0)));
        assert_eq!((count.games(), count.truncated(), count.forfeits()), (6, 1, 0));
    }

    #[test]
    fn forfeits_belong_to_the_agent_at_the_seat() {
        let plan = duels(&["random", "greedy"], 2);
        let mut tally = Tally::new(&plan);
        for index in 0..2 {
            let mut played = game(&plan, index, 0);
            // The second game has the seats the other way round.
            played.record.end = End::Forfeit(Seat::new(index as usize));
            tally.push(&plan.job(index), &played);
        }
        let count = tally.finish();
        assert_eq!((count.forfeits(), count.forfeits_of(0), count.forfeits_of(1)), (2, 2, 0));
    }

    #[test]
    fn an_incomplete_block_counts_and_unplayed_line_ups_do_not() {
        let plan = plan(3);
        let count = counted(&plan, &[0, 1]);
        let totals = count.totals();
        assert_eq!(count.share_of(&[1]).value(&totals), Some(0.5));
        assert!(totals[1].is_none());
        let nothing = counted(&plan, &[]);
        assert_eq!(nothing.share_of(&[0]).value(&nothing.totals()), None);
        let summary = Summary::new(&plan, &nothing, None).unwrap();
        assert_eq!(
            (summary.plies, summary.agents[0].mean_score, summary.agents[0].rating),
            (None, None, None)
        );
        assert_eq!((summary.seats[0].win_share, summary.pairs.len()), (None, 0));
    }

    #[test]
    fn intervals_need_two_blocks() {
        let one = counted(&plan(3), &[0, 0, 1]);
        let summary = Summary::new(&plan(3), &one, None).unwrap();
        assert!(
            summary.agents.iter().all(|agent| agent.win_share_low.is_none() && agent.rating_low.is_none())
        );
        assert!(summary.agents.iter().all(|agent| agent.win_share.is_some() && agent.rating.is_some()));
        // A block of each line-up, 0 0 1 and 0 1 1: together they vary.
        let two = counted(&plan(3), &[0, 0, 1, 1, 1, 1]);
        let summary = Summary::new(&plan(3), &two, None).unwrap();
        let agent = &summary.agents[1];
        assert!(agent.win_share_low < agent.win_share && agent.win_share < agent.win_share_high, "{agent:?}");
        assert!(agent.rating_low < agent.rating && agent.rating < agent.rating_high, "{agent:?}");
    }

    #[test]
    fn single_blocks_of_many_line_ups_vary_as_many_blocks_of_one() {
        // Agent 3 wins two of three blocks, in 27 line-ups of one block each or in one of 27 blocks.
        let width = |lineups: usize, blocks: usize| {
            let strata: Vec<Stratum> = (0..lineups)
                .map(|lineup| {
                    let mut stratum = Stratum::default();
                    (0..blocks).for_each(|block| {
                        let won = f64::from(u8::from((lineup + block) % 3 > 0));
                        stratum.push(vec![1.0, won]);
                    });
                    stratum
                })
                .collect();
            let share = Share((0..lineups).map(|lineup| (lineup, 1, 1.0)).collect());
            let found = crate::stats::bootstrap(&strata, azulejo::Generator::new(1), |totals| {
                vec![share.value(totals)]
            });
            let interval = found[0].unwrap();
            interval.high - interval.low
        };
        let (many, one) = (width(27, 1), width(1, 27));
        assert!((many / one - 1.0).abs() < 0.1, "{many} and {one}");
    }

    #[test]
    fn intervals_hold_their_estimates_however_one_sided_the_games_are() {
        // Six agents of whom the one with the higher number always wins: many one-sided line-ups.
        let agents: Vec<azulejo_agents::AgentSpec> =
            (1..=6).map(|n| format!("mcts:sims={n}").parse().unwrap()).collect();
        let plan = Plan::tournament(("azul", 3), &agents, 30, 1, Pairing::All).unwrap();
        let winners: Vec<usize> =
            (0..plan.games).map(|index| *plan.job(index).seats.iter().max().unwrap()).collect();
        let summary = Summary::new(&plan, &counted(&plan, &winners), None).unwrap();
        for agent in &summary.agents {
            let holds =
                |low: Option<f64>, value: Option<f64>, high: Option<f64>| low <= value && value <= high;
            assert!(holds(agent.win_share_low, agent.win_share, agent.win_share_high), "{agent:?}");
            assert!(holds(agent.rating_low, agent.rating, agent.rating_high), "{agent:?}");
        }
    }

    #[test]
    fn a_perfect_score_has_a_finite_rating_that_its_interval_holds() {
        let plan = duels(&["random", "greedy"], 200);
        let count = counted(&plan, &[1; 200]);
        let summary = Summary::new(&plan, &count, None).unwrap();
        let (random, greedy) = (&summary.agents[0], &summary.agents[1]);
        // 100 blocks and half an imaginary one for each: 100.5 to 0.5.
        let difference = greedy.rating.unwrap() - random.rating.unwrap();
        assert!((difference - 400.0 * 201f64.log10()).abs() < 1e-6, "{difference}");
        // The interval of the share is Jeffreys': from 0.9752, which is 400 · log₁₀ 39.3 = 638 points.
        assert!((greedy.win_share_low.unwrap() - 0.9752).abs() < 0.002, "{greedy:?}");
        let low = greedy.rating_low.unwrap() - random.rating_high.unwrap();
        assert!((low - 638.0).abs() < 25.0, "{low}");
    }

    #[test]
    fn upsets_that_never_happened_do_not_pull_the_far_agents_together() {
        // The stronger wins three of four against its neighbor and everything against others: intervals lie around
        // the ratings.
        let plan = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3", "mcts:sims=4"], 80);
        let lineups = plan.lineups.len() as u64;
        let winners: Vec<usize> = (0..plan.games)
            .map(|index| {
                let job = plan.job(index);
                let (low, high) = (job.seats[0].min(job.seats[1]), job.seats[0].max(job.seats[1]));
                if high == low + 1 && (job.block / lineups).is_multiple_of(4) { low } else { high }
            })
            .collect();
        let summary = Summary::new(&plan, &counted(&plan, &winners), None).unwrap();
        for agent in &summary.agents {
            let (low, value, high) =
                (agent.rating_low.unwrap(), agent.rating.unwrap(), agent.rating_high.unwrap());
            assert!(low < value && value < high, "{agent:?}");
            assert!((0.4..2.5).contains(&((high - value) / (value - low))), "{agent:?}");
        }
    }

    #[test]
    fn only_agents_that_are_connected_are_rated() {
        let plan = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3", "mcts:sims=4"], 2);
        // Only the first line-up and the one of the other two have played.
        let mut tally = Tally::new(&plan);
        for index in (0..plan.games).filter(|&index| {
            let seats = plan.job(index).seats;
            seats.contains(&0) == seats.contains(&1)
        }) {
            tally.push(&plan.job(index), &game(&plan, index, plan.job(index).seats[0]));
        }
        let count = tally.finish();
        let rated = |anchor: Option<&azulejo_agents::AgentSpec>| -> Vec<bool> {
            let summary = Summary::new(&plan, &count, anchor).unwrap();
            summary.agents.iter().map(|agent| agent.rating.is_some()).collect()
        };
        assert_eq!(rated(None), [true, true, false, false]);
        assert_eq!(rated(Some(&plan.agents[3])), [false, false, true, true]);
    }

    #[test]
    fn the_anchor_is_at_zero() {
        let plan = plan(6);
        let count = counted(&plan, &[0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1]);
        let free = Summary::new(&plan, &count, None).unwrap();
        let anchored = Summary::new(&plan, &count, Some(&plan.agents[0])).unwrap();
        let rating = |summary: &Summary, agent: usize| summary.agents[agent].rating.unwrap();
        assert!((rating(&free, 0) + rating(&free, 1)).abs() < 1e-9, "the mean is 0");
        assert_eq!(rating(&anchored, 0), 0.0);
        let difference = rating(&free, 1) - rating(&free, 0);
        assert!((rating(&anchored, 1) - difference).abs() < 1e-9);
    }

    /// A tournament of two in which the winner of a block's games is what `winner` says of the block and the game.
    fn duel_of(blocks: u64, winner: impl Fn(u64, usize) -> usize) -> (Plan, Summary) {
        let plan = duels(&["random", "greedy"], 2 * blocks);
        let winners: Vec<usize> =
            (0..plan.games).map(|index| winner(index / 2, (index % 2) as usize)).collect();
        let summary = Summary::new(&plan, &counted(&plan, &winners), None).unwrap();
        (plan, summary)
    }

    #[test]
    fn shared_deals_that_decide_games_cancel_out() {
        // The deals alone decide: who wins one game at a seat wins the other at the other one's.
        let (_, lucky) = duel_of(100, |block, game| (block as usize + game) % 2);
        assert!(lucky.deals_ratio.unwrap() < 0.02, "{:?}", lucky.deals_ratio);
        // Each agent likes its own deals.
        let (_, liked) = duel_of(100, |block, _| block as usize % 2);
        assert!((liked.deals_ratio.unwrap() - 2.0).abs() < 0.02, "{:?}", liked.deals_ratio);
        // Games that have nothing to do with each other.
        let (_, free) = duel_of(400, |block, game| (block as usize >> game) % 2);
        let (low, high) = (free.deals_ratio_low.unwrap(), free.deals_ratio_high.unwrap());
        assert!(low < 1.0 && 1.0 < high && high - low < 0.3, "{free:?}");
        // Games that are all alike tell nothing of deals.
        let (_, alike) = duel_of(40, |_, _| 1);
        assert_eq!((alike.deals_ratio, alike.deals_ratio_low), (None, None));
        // The same number of free games, in few blocks: what is only imagined does not count.
        let (_, few) = duel_of(4, |block, game| (block as usize >> game) % 2);
        assert!((few.deals_ratio.unwrap() - 1.0).abs() < 1e-9, "{few:?}");
    }

    #[test]
    fn seats_are_rated_beside_the_agents() {
        // The first seat wins three of four games, whoever sits there: 400 log₁₀ 3 = 191 points.
        let (_, summary) = duel_of(400, |block, game| if block % 4 == 0 { 1 - game } else { game });
        let difference = summary.seats[0].elo.unwrap() - summary.seats[1].elo.unwrap();
        assert!((difference - 191.0).abs() < 2.0, "{summary:?}");
        assert!(summary.seats[0].elo_low.unwrap() > 60.0 && summary.seats[0].elo_high.unwrap() < 130.0);
        assert!((summary.seats[0].elo.unwrap() + summary.seats[1].elo.unwrap()).abs() < 1e-9);
        // And if one agent wins everything nothing is known of the seats.
        let (_, one) = duel_of(100, |_, _| 1);
        assert!(one.seats[0].elo.unwrap().abs() < 1e-6, "{one:?}");
    }

    #[test]
    fn cycles_are_found() {
        let plan = duels(&["mcts:sims=1", "mcts:sims=2", "mcts:sims=3"], 100);
        // Each wins against the next one, but for one block of four.
        let winners: Vec<usize> = (0..plan.games)
            .map(|index| {
                let job = plan.job(index);
                let (one, other) = (job.seats[0], job.seats[1]);
                let (better, worse) = if (one + 1) % 3 == other { (one, other) } else { (other, one) };
                if (job.block / 3).is_multiple_of(4) { worse } else { better }
            })
            .collect();
        let summary = Summary::new(&plan, &counted(&plan, &winners), None).unwrap();
        let cycles = summary.cycles.as_ref().unwrap();
        assert_eq!((cycles.triples, cycles.intransitive, cycles.certain), (1, 1, 1));
        assert_eq!((cycles.share, cycles.share_high), (1.0, Some(1.0)));
        for pair in &summary.pairs {
            let superiority = pair.superiority.unwrap();
            assert!(!(0.05..0.95).contains(&superiority), "{pair:?}");
            assert_eq!(superiority > 0.5, pair.a_win_share > Some(0.5));
        }
    }
}
