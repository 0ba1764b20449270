//! Ratings of agents and of seats.

use azulejo::Generator;

use crate::standings::{BlockSums, RotationSums, Standings};
use crate::stats::{Contest, ELO, Estimate, Interval, Stratum, Sums, bootstrap, rate, rate_with_seats};

/// The ratings of all agents in Elo points, which are 0 for the anchor or in the mean.
pub(super) fn estimate_ratings(
    standings: &Standings,
    agents: usize,
    anchor: Option<usize>,
    strata: &[Stratum<BlockSums>],
    generator: Generator,
) -> Vec<Option<Estimate>> {
    let mut ratings = Ratings::new(standings, agents, anchor);
    estimate_fits(strata, generator, |totals| ratings.of(totals))
}

/// What seats add to ratings in Elo points, 0 in the mean.
pub(super) fn estimate_seats(
    standings: &Standings,
    agents: usize,
    players: usize,
    generator: Generator,
) -> Vec<Option<Estimate>> {
    let strata = standings.rotations_with_imaginary_blocks();
    let mut last = vec![0.0; agents + players];
    estimate_fits(&strata, generator, |totals: &[Option<RotationSums>]| {
        let contests = standings.seat_contests(totals);
        if !contests.is_empty() {
            last = rate_with_seats(&contests, &last, agents);
        }
        last[agents..].iter().map(|strength| (!contests.is_empty()).then_some(ELO * strength)).collect()
    })
}

/// What a fit finds for the totals of all blocks, imaginary ones included, with intervals if there are
/// several blocks. The fit of the totals is made first, so that those of the resamples may start from there.
fn estimate_fits<S: Sums>(
    strata: &[Stratum<S>],
    generator: Generator,
    mut fit: impl FnMut(&[Option<S>]) -> Vec<Option<f64>>,
) -> Vec<Option<Estimate>> {
    let expected: Vec<Option<S>> = strata.iter().map(Stratum::expected_totals).collect();
    let values = fit(&expected);
    let intervals = bootstrap(strata, generator, fit);
    let varies = strata.iter().map(Stratum::blocks).sum::<u64>() > 1;
    let of = |(value, interval): (Option<f64>, Option<Interval>)| {
        Estimate::where_it_varies(value, interval, varies)
    };
    values.into_iter().zip(intervals).map(of).collect()
}

/// The ratings of the agents that have played against the anchor, or against opponents of its opponents, and
/// so on; without an anchor it is the first agent that counts. Each fit starts from the one before.
struct Ratings<'a> {
    standings: &'a Standings,
    anchor: Option<usize>,
    /// For each agent its place among those that are rated.
    places: Vec<Option<usize>>,
    last: Vec<f64>,
}

impl<'a> Ratings<'a> {
    fn new(standings: &'a Standings, agents: usize, anchor: Option<usize>) -> Self {
        let contests = standings.contests(&standings.totals());
        let first = contests.first().map(|contest| contest.members[0].agent);
        let mut rated = 0;
        let mut places = vec![None; agents];
        for agent in anchor.or(first).map_or(Vec::new(), |agent| opponents_from(agent, &contests)) {
            places[agent] = Some(rated);
            rated += 1;
        }
        Ratings {
            standings,
            anchor: anchor.and_then(|anchor| places[anchor]),
            places,
            last: vec![0.0; rated],
        }
    }

    fn of(&mut self, totals: &[Option<BlockSums>]) -> Vec<Option<f64>> {
        let mut contests = self.standings.contests(totals);
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
