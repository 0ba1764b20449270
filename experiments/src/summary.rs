//! The summary of a run: what came out, with intervals.

use azulejo::Generator;
use azulejo_agents::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::measures::MeasuresSummary;
use crate::plan::{Plan, PlanError, position};
use crate::stats::{
    Contest, ELO, Interval, Member, Resamples, Sprt, SprtSettings, Stratum, Totals, Triads, Verdict,
    bootstrap, rate, rate_with_seats,
};
use crate::stream::Stream;
use crate::tally::{Count, Imagined, Share};

/// The summary of a run, as `summary.json` has it. Intervals are 95 %; a number that does not exist is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The game spec.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The number of games played.
    pub games: u64,
    /// The master seed.
    pub seed: u64,
    /// One entry for each agent, in the order of the plan.
    pub agents: Vec<AgentSummary>,
    /// One entry for each pair of agents.
    pub pairs: Vec<PairSummary>,
    /// One entry for each seat.
    pub seats: Vec<SeatSummary>,
    /// The mean number of moves a game, chance outcomes included.
    pub plies: Option<f64>,
    /// The mean number of rounds a game.
    pub rounds: Option<f64>,
    /// The number of games that reached the move limit.
    pub truncated: u64,
    /// The number of games that a seat forfeited.
    #[serde(default)]
    pub forfeits: u64,
    /// The sequential test that the run was played for, if it was.
    pub sprt: Option<SprtSummary>,
    /// The variance of a block's result as a share of that with deals of its own for each game.
    pub deals_ratio: Option<f64>,
    /// The low end of its interval.
    pub deals_ratio_low: Option<f64>,
    /// The high end of its interval.
    pub deals_ratio_high: Option<f64>,
    /// The cycles among the agents; `None` with fewer than three that have all met.
    pub cycles: Option<CycleSummary>,
    /// Scores, where points come from and how games go; `None` without games that were played to their end.
    pub measures: Option<MeasuresSummary>,
}

/// Triples of agents of which each beats one of the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CycleSummary {
    /// The triples of which all pairs have met.
    pub triples: u64,
    /// How many of them are intransitive by the win shares of their pairs.
    pub intransitive: u64,
    /// Those in which each superiority is at least 95 %.
    pub certain: u64,
    /// The share of intransitive triples.
    pub share: f64,
    /// The low end of its interval. Where agents are close to each other, chance makes cycles.
    pub share_low: Option<f64>,
    /// The high end of its interval.
    pub share_high: Option<f64>,
}

/// A sequential test of the first agent against the others at its table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The unit of the hypotheses: `elo` or `nelo`, normalized Elo.
    pub scale: String,
    /// The null hypothesis, in this unit.
    pub elo0: f64,
    /// The alternative, in this unit.
    pub elo1: f64,
    /// The probability of accepting the alternative where the null hypothesis is true.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis where the alternative is true.
    pub beta: f64,
    /// The log likelihood ratio of the alternative and the null hypothesis.
    pub log_ratio: f64,
    /// At this ratio the null hypothesis is accepted.
    pub lower: f64,
    /// At this ratio the alternative is accepted.
    pub upper: f64,
    /// What is accepted.
    pub verdict: Verdict,
}

impl SprtSummary {
    /// Where a test stands.
    pub fn new(settings: &SprtSettings, test: &Sprt) -> Self {
        let (lower, upper) = test.bounds();
        SprtSummary {
            scale: settings.scale.name().to_owned(),
            elo0: settings.null,
            elo1: settings.alternative,
            alpha: settings.alpha,
            beta: settings.beta,
            log_ratio: test.log_ratio(),
            lower,
            upper,
            verdict: test.verdict(),
        }
    }
}

/// An agent's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentSummary {
    /// The agent's spec.
    pub spec: String,
    /// The number of games in which it took part.
    pub games: u64,
    /// Its wins for each seat that it held and each game, 0 to 1; 1 / players if all are equally strong.
    pub win_share: Option<f64>,
    /// The low end of the win share's interval.
    pub win_share_low: Option<f64>,
    /// The high end of the win share's interval.
    pub win_share_high: Option<f64>,
    /// The number of games that it forfeited.
    #[serde(default)]
    pub forfeits: u64,
    /// Its mean points.
    pub mean_score: Option<f64>,
    /// Its rating in Elo points; the mean of all agents, or the anchor, is 0.
    pub rating: Option<f64>,
    /// The low end of the rating's interval.
    pub rating_low: Option<f64>,
    /// The high end of the rating's interval.
    pub rating_high: Option<f64>,
}

/// Two agents' results in the games in which both took part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSummary {
    /// The first agent's spec.
    pub a: String,
    /// The second agent's spec.
    pub b: String,
    /// The number of games.
    pub games: u64,
    /// The first agent's wins for each seat that it held and each game.
    pub a_win_share: Option<f64>,
    /// The low end of its interval.
    pub low: Option<f64>,
    /// The high end of its interval.
    pub high: Option<f64>,
    /// How likely it is that the first agent is the stronger one of the two, from these games.
    pub superiority: Option<f64>,
    /// The first agent's mean points.
    pub a_mean_score: Option<f64>,
    /// The second agent's mean points.
    pub b_mean_score: Option<f64>,
}

/// A seat's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatSummary {
    /// The seat, from 0.
    pub seat: usize,
    /// Its wins a game.
    pub win_share: Option<f64>,
    /// The low end of its interval.
    pub low: Option<f64>,
    /// The high end of its interval.
    pub high: Option<f64>,
    /// The mean points at this seat.
    pub mean_score: Option<f64>,
    /// What the seat adds to the rating of who sits there, in Elo points; the mean over the seats is 0. `None` where
    /// agents keep their seats.
    pub elo: Option<f64>,
    /// The low end of its interval.
    pub elo_low: Option<f64>,
    /// The high end of its interval.
    pub elo_high: Option<f64>,
}

impl Summary {
    /// Summarizes the games of a plan. The anchor is the agent whose rating is 0; without one the mean is.
    ///
    /// # Errors
    /// If the anchor is not one of the agents.
    pub fn new(plan: &Plan, count: &Count, anchor: Option<&AgentSpec>) -> Result<Self, PlanError> {
        let anchor = anchor.map(|anchor| position("anchor", anchor, &plan.agents)).transpose()?;
        let pairs: Vec<[usize; 2]> = (0..plan.agents.len())
            .flat_map(|a| (a + 1..plan.agents.len()).map(move |b| [a, b]))
            .filter(|pair| count.games_of(pair).0 > 0)
            .collect();
        let estimates = Estimates::new(plan, count, &pairs, anchor);
        Ok(Summary {
            game: plan.game.clone(),
            players: plan.players,
            games: count.games(),
            seed: plan.seed,
            agents: (0..plan.agents.len()).map(|agent| estimates.agent(plan, count, agent)).collect(),
            pairs: pairs.iter().enumerate().map(|(k, pair)| estimates.pair(plan, count, k, *pair)).collect(),
            seats: (0..plan.players).map(|seat| estimates.seat(count, seat)).collect(),
            plies: count.mean_plies(),
            rounds: count.mean_rounds(),
            truncated: count.truncated(),
            forfeits: count.forfeits(),
            sprt: None,
            deals_ratio: estimates.deals.value,
            deals_ratio_low: estimates.deals.low,
            deals_ratio_high: estimates.deals.high,
            cycles: estimates.duels.cycles(plan.agents.len(), &pairs),
            measures: None,
        })
    }
}

/// An estimate and its interval.
#[derive(Clone, Copy, Debug, Default)]
struct Estimate {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Estimate {
    /// An estimate with its interval, which is widened to the estimate: shares count no imaginary blocks, and so one
    /// of 0 or 1 lies outside of what is resampled.
    fn new(value: Option<f64>, interval: Option<Interval>) -> Self {
        let interval = interval.map(|Interval { low, high }| {
            let (least, most) = (value.unwrap_or(low), value.unwrap_or(high));
            Interval { low: low.min(least), high: high.max(most) }
        });
        Estimate { value, low: interval.map(|it| it.low), high: interval.map(|it| it.high) }
    }
}

/// All numbers of a summary that have intervals.
struct Estimates {
    agents: Vec<Estimate>,
    duels: Duels,
    seats: Vec<Estimate>,
    ratings: Vec<Estimate>,
    seat_ratings: Vec<Estimate>,
    deals: Estimate,
}

impl Estimates {
    fn new(plan: &Plan, count: &Count, pairs: &[[usize; 2]], anchor: Option<usize>) -> Self {
        let of_agents: Vec<Share> = (0..plan.agents.len()).map(|agent| count.share_of(&[agent])).collect();
        let of_seats: Vec<Share> = (0..plan.players).map(|seat| count.share_of_seat(seat)).collect();
        let (each, spread) = (count.strata(Imagined::PerLineUp), count.strata(Imagined::PerAgent));
        let shares = |shares: &[Share], strata: &[Stratum], purpose| {
            let generator = Stream::Resampling.generator(plan.seed, &[purpose]);
            estimate_shares(shares, count, strata, generator)
        };
        let generator = Stream::Resampling.generator(plan.seed, &[3]);
        let (seat_ratings, deals) = (estimate_seats(plan, count), estimate_deals(plan, count));
        Estimates {
            seat_ratings,
            deals,
            agents: shares(&of_agents, &spread, 0),
            duels: Duels::new(count, pairs, &each, Stream::Resampling.generator(plan.seed, &[1])),
            seats: shares(&of_seats, &spread, 2),
            ratings: estimate_ratings(Ratings::new(count, plan.agents.len(), anchor), &spread, generator),
        }
    }

    fn agent(&self, plan: &Plan, count: &Count, agent: usize) -> AgentSummary {
        let (games, mean_score) = count.games_of(&[agent]);
        let (share, rating) = (self.agents[agent], self.ratings[agent]);
        AgentSummary {
            spec: plan.agents[agent].to_string(),
            games,
            win_share: share.value,
            win_share_low: share.low,
            win_share_high: share.high,
            forfeits: count.forfeits_of(agent),
            mean_score,
            rating: rating.value,
            rating_low: rating.low,
            rating_high: rating.high,
        }
    }

    fn pair(&self, plan: &Plan, count: &Count, number: usize, [a, b]: [usize; 2]) -> PairSummary {
        let (games, a_mean_score) = count.games_of(&[a, b]);
        let share = self.duels.shares[number];
        PairSummary {
            a: plan.agents[a].to_string(),
            b: plan.agents[b].to_string(),
            games,
            a_win_share: share.value,
            low: share.low,
            high: share.high,
            superiority: self.duels.superiorities[number],
            a_mean_score,
            b_mean_score: count.games_of(&[b, a]).1,
        }
    }

    fn seat(&self, count: &Count, seat: usize) -> SeatSummary {
        let (share, rating) = (self.seats[seat], self.seat_ratings[seat]);
        SeatSummary {
            seat,
            win_share: share.value,
            low: share.low,
            high: share.high,
            mean_score: count.mean_seat_score(seat),
            elo: rating.value,
            elo_low: rating.low,
            elo_high: rating.high,
        }
    }
}

/// What seats add to ratings.
fn estimate_seats(plan: &Plan, count: &Count) -> Vec<Estimate> {
    let courses = count.courses_with_imaginary_blocks();
    let (agents, players) = (plan.agents.len(), plan.players);
    let mut last = vec![0.0; agents + players];
    let mut statistics = |totals: &[Option<Totals>]| {
        let contests = count.seat_contests(totals);
        if !contests.is_empty() {
            last = rate_with_seats(&contests, &last, agents);
        }
        let seats = last[agents..].iter().map(|strength| (!contests.is_empty()).then_some(ELO * strength));
        seats.collect::<Vec<_>>()
    };
    let expected: Vec<_> = courses.iter().map(Stratum::expected_totals).collect();
    let values = statistics(&expected);
    let intervals = bootstrap(&courses, Stream::Resampling.generator(plan.seed, &[4]), statistics);
    let vary = courses.iter().map(Stratum::blocks).sum::<u64>() > 1;
    let pairs = values.into_iter().zip(intervals);
    pairs.map(|(value, interval)| Estimate::new(value, interval.filter(|_| vary))).collect()
}

/// By how much the shared deals reduced the variance.
fn estimate_deals(plan: &Plan, count: &Count) -> Estimate {
    let courses = count.courses();
    let ratio = |totals: &[Option<Totals>]| count.deals_ratio(totals);
    let value = ratio(&courses.iter().map(Stratum::totals).collect::<Vec<_>>());
    let generator = Stream::Resampling.generator(plan.seed, &[5]);
    let intervals = bootstrap(&courses, generator, |totals| vec![ratio(totals)]);
    Estimate::new(value, intervals.into_iter().next().flatten())
}

/// Pairs of agents against each other.
struct Duels {
    /// The first one's win share in each pair.
    shares: Vec<Estimate>,
    /// How likely it is that the first one is the stronger.
    superiorities: Vec<Option<f64>>,
    /// Which of the two has the larger share; `None` if neither has.
    first_is_better: Vec<Option<bool>>,
    /// The share of intransitive triples.
    cycles: Option<Interval>,
}

impl Duels {
    fn new(count: &Count, pairs: &[[usize; 2]], strata: &[Stratum], generator: Generator) -> Self {
        let of_both: Vec<[Share; 2]> =
            pairs.iter().map(|&[a, b]| [count.share_of(&[a, b]), count.share_of(&[b, a])]).collect();
        let values = |totals: &[Option<Totals>]| -> Vec<Option<f64>> {
            of_both.iter().flatten().map(|share| share.value(totals)).collect()
        };
        let agents = pairs.iter().flatten().max().map_or(0, |last| last + 1);
        let resamples = Resamples::draw(strata, generator, |totals| {
            let mut drawn = values(totals);
            drawn.push(triads(agents, pairs, &better(&drawn)).share());
            drawn
        });
        let (found, intervals) = (values(&count.totals()), resamples.intervals());
        let varies = |pair: usize| of_both[pair][0].varies(strata);
        let numbers = 0..pairs.len();
        Duels {
            shares: numbers
                .clone()
                .map(|pair| Estimate::new(found[2 * pair], intervals[2 * pair].filter(|_| varies(pair))))
                .collect(),
            superiorities: numbers
                .map(|pair| resamples.superiority(2 * pair, 2 * pair + 1).filter(|_| varies(pair)))
                .collect(),
            first_is_better: better(&found),
            cycles: intervals.last().copied().flatten(),
        }
    }

    fn cycles(&self, agents: usize, pairs: &[[usize; 2]]) -> Option<CycleSummary> {
        let found = triads(agents, pairs, &self.first_is_better);
        let sure = |(better, superiority): (&Option<bool>, &Option<f64>)| {
            better.filter(|_| superiority.is_some_and(|it| !(0.05..0.95).contains(&it)))
        };
        let certain: Vec<Option<bool>> =
            self.first_is_better.iter().zip(&self.superiorities).map(sure).collect();
        let share = Estimate::new(found.share(), self.cycles);
        Some(CycleSummary {
            triples: found.all,
            intransitive: found.circular,
            certain: triads(agents, pairs, &certain).circular,
            share: share.value?,
            share_low: share.low,
            share_high: share.high,
        })
    }
}

/// For each pair of shares whether the first one is larger.
fn better(shares: &[Option<f64>]) -> Vec<Option<bool>> {
    let pairs = shares.chunks_exact(2).map(|pair| Some((pair[0]?, pair[1]?)));
    pairs.map(|pair| pair.filter(|(a, b)| a != b).map(|(a, b)| a > b)).collect()
}

/// The triples of agents whose pairs are listed, in order; `better` says whether the first of a pair is.
fn triads(agents: usize, pairs: &[[usize; 2]], better: &[Option<bool>]) -> Triads {
    let number = |a: usize, b: usize| pairs.binary_search(&[a.min(b), a.max(b)]).ok();
    Triads::count(
        agents,
        |a, b| number(a, b).is_some(),
        |a, b| number(a, b).and_then(|pair| better[pair]) == Some(a < b),
    )
}

fn estimate_shares(
    shares: &[Share],
    count: &Count,
    strata: &[Stratum],
    generator: Generator,
) -> Vec<Estimate> {
    let values = |totals: &[Option<Totals>]| shares.iter().map(|share| share.value(totals)).collect();
    let intervals = bootstrap(strata, generator, values);
    let estimate = |(share, interval): (&Share, Option<Interval>)| {
        Estimate::new(share.value(&count.totals()), interval.filter(|_| share.varies(strata)))
    };
    shares.iter().zip(intervals).map(estimate).collect()
}

fn estimate_ratings(mut ratings: Ratings<'_>, strata: &[Stratum], generator: Generator) -> Vec<Estimate> {
    let expected: Vec<_> = strata.iter().map(Stratum::expected_totals).collect();
    let values = ratings.of(&expected);
    let intervals = bootstrap(strata, generator, |totals| ratings.of(totals));
    let vary = strata.iter().map(Stratum::blocks).sum::<u64>() > 1;
    let pairs = values.into_iter().zip(intervals);
    pairs.map(|(value, interval)| Estimate::new(value, interval.filter(|_| vary))).collect()
}

/// The ratings of the agents that have played against the anchor, or against opponents of its opponents, and so on;
/// without an anchor it is the first agent that counts. Each fit starts from the one before.
struct Ratings<'a> {
    count: &'a Count,
    anchor: Option<usize>,
    /// For each agent its place among those that are rated.
    places: Vec<Option<usize>>,
    last: Vec<f64>,
}

impl<'a> Ratings<'a> {
    fn new(count: &'a Count, agents: usize, anchor: Option<usize>) -> Self {
        let contests = count.contests(&count.totals());
        let first = contests.first().map(|contest| contest.members[0].agent);
        let mut rated = 0;
        let mut places = vec![None; agents];
        for agent in anchor.or(first).map_or(Vec::new(), |agent| opponents_from(agent, &contests)) {
            places[agent] = Some(rated);
            rated += 1;
        }
        Ratings { count, anchor: anchor.and_then(|anchor| places[anchor]), places, last: vec![0.0; rated] }
    }

    fn of(&mut self, totals: &[Option<Totals>]) -> Vec<Option<f64>> {
        let mut contests = self.count.contests(totals);
        contests.retain(|contest| self.places[contest.members[0].agent].is_some());
        for member in contests.iter_mut().flat_map(|contest| contest.members.iter_mut()) {
            member.agent = self.places[member.agent].expect("who has played against a rated agent is rated");
        }
        self.last = rate(&contests, &self.last);
        let zero = self.anchor.map_or(0.0, |anchor| self.last[anchor]);
        self.places.iter().map(|place| place.map(|place| ELO * (self.last[place] - zero))).collect()
    }
}

/// An agent, its opponents, their opponents and so on, in ascending order; none if it has met nobody.
fn opponents_from(agent: usize, contests: &[Contest]) -> Vec<usize> {
    let mut group = Vec::new();
    let mut open = vec![agent];
    while let Some(agent) = open.pop() {
        let tables = contests.iter().filter(|it| it.members.iter().any(|member| member.agent == agent));
        for Member { agent: member, .. } in tables.flat_map(|contest| contest.members.iter().copied()) {
            if !group.contains(&member) {
                group.push(member);
                open.push(member);
            }
        }
    }
    group.sort_unstable();
    group
}
