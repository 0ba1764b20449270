//! Ratings of agents and of seats.

use std::array;

use azulejo::Generator;

use crate::standings::{ImaginaryDuel, Standings};
use crate::stats::{
    Contest, ELO, Estimate, Interval, Stratum, Sums, bootstrap, gamma, rate, rate_with_seats,
};

/// The ratings of all agents in Elo points, which are 0 for the anchor or in the mean.
///
/// Where an agent lost something in a single block, its interval ends where it would end if it had won that too, since one
/// block cannot tell what is rare from what is very rare; the same with a single block in which it won something.
pub(super) fn estimate_ratings(
    standings: &Standings,
    agents: usize,
    anchor: Option<usize>,
    generator: Generator,
) -> Vec<Option<Estimate>> {
    let mut ratings = Ratings::new(standings, agents, anchor);
    let (strata, totals, duels) = (standings.blocks(), standings.totals(), standings.duels_of_agents());
    let mut estimates = estimate_fits(&strata, &duels, generator.clone(), |totals, duels| {
        ratings.of(standings.contests(totals).into_iter().chain(duels))
    });
    for (agent, estimate) in estimates.iter_mut().enumerate() {
        let played = standings.share_of(&[agent]).played(&strata, &totals);
        let mut end_if = |won: bool| {
            let decided = estimate_fits(&strata, &duels, generator.clone(), |totals, duels| {
                let contests = standings.contests(totals).into_iter();
                ratings.of(contests.map(|contest| contest.decided(agent, won)).chain(duels))
            });
            decided[agent].and_then(|estimate| estimate.interval)
        };
        let Some(Interval { low, high }) = estimate.as_mut().and_then(|it| it.interval.as_mut()) else {
            continue;
        };
        if let Some(best) = (played.lost == 1).then(|| end_if(true)).flatten() {
            *high = high.max(best.high);
        }
        if let Some(worst) = (played.won == 1).then(|| end_if(false)).flatten() {
            *low = low.min(worst.low);
        }
    }
    estimates
}

/// What seats add to ratings in Elo points, 0 in the mean; `None` where too few blocks tell of them.
pub(super) fn estimate_seats(
    standings: &Standings,
    agents: usize,
    players: usize,
    generator: Generator,
) -> Vec<Option<Estimate>> {
    if !standings.tell_of_seats() {
        return vec![None; players];
    }
    let mut duels = standings.duels_of_agents();
    duels.extend(standings.duels_of_seats());
    let mut last = vec![0.0; agents + players];
    estimate_fits(&standings.rotations(), &duels, generator, |totals, duels| {
        let mut contests = standings.seat_contests(totals);
        if contests.is_empty() {
            return vec![None; players];
        }
        contests.extend(duels);
        last = rate_with_seats(&contests, &last, agents);
        last[agents..].iter().map(|strength| Some(ELO * strength)).collect()
    })
}

/// What a fit finds for the totals of all blocks and imaginary duels, with intervals if there are several
/// blocks. The fit of the totals is made first, so that those of the resamples may start from there.
fn estimate_fits<S: Sums>(
    strata: &[Stratum<S>],
    duels: &[ImaginaryDuel],
    generator: Generator,
    mut fit: impl FnMut(&[Option<S>], Vec<Contest>) -> Vec<Option<f64>>,
) -> Vec<Option<Estimate>> {
    let totals: Vec<Option<S>> = strata.iter().map(Stratum::totals).collect();
    let values = fit(&totals, duels.iter().map(|duel| duel.contest([duel.size; 2])).collect());
    let intervals = bootstrap(strata, generator, |totals, rng| {
        let drawn = |duel: &ImaginaryDuel| duel.contest(array::from_fn(|_| gamma(duel.size, rng)));
        fit(totals, duels.iter().map(drawn).collect())
    });
    let varies = strata.iter().map(Stratum::blocks).sum::<u64>() > 1;
    let of = |(value, interval): (Option<f64>, Option<Interval>)| {
        Estimate::where_it_varies(value, interval, varies)
    };
    values.into_iter().zip(intervals).map(of).collect()
}

/// The ratings of the agents that have played against the anchor, or against opponents of its opponents, and
/// so on; without an anchor it is the first agent that counts. Each fit starts from the one before.
struct Ratings {
    anchor: Option<usize>,
    /// For each agent its place among those that are rated.
    places: Vec<Option<usize>>,
    last: Vec<f64>,
}

impl Ratings {
    fn new(standings: &Standings, agents: usize, anchor: Option<usize>) -> Self {
        let contests = standings.contests(&standings.totals());
        let first = contests.first().map(|contest| contest.members[0].agent);
        let mut rated = 0;
        let mut places = vec![None; agents];
        for agent in anchor.or(first).map_or(Vec::new(), |agent| opponents_from(agent, &contests)) {
            places[agent] = Some(rated);
            rated += 1;
        }
        Ratings { anchor: anchor.and_then(|anchor| places[anchor]), places, last: vec![0.0; rated] }
    }

    fn of(&mut self, contests: impl Iterator<Item = Contest>) -> Vec<Option<f64>> {
        let mut contests: Vec<Contest> =
            contests.filter(|contest| self.places[contest.members[0].agent].is_some()).collect();
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
        for member in tables.flat_map(|contest| contest.members.iter().map(|member| member.agent)) {
            if !group.contains(&member) {
                group.push(member);
                open.push(member);
            }
        }
    }
    group.sort_unstable();
    group
}
