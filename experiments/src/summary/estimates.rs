//! All numbers of a summary that have intervals.

use azulejo::Generator;

use super::pairs::PairEstimates;
use super::ratings::{estimate_ratings, estimate_seats};
use super::{AgentSummary, PairSummary, SeatSummary};
use crate::schedule::Schedule;
use crate::standings::{BlockSums, PlayedBlocks, RotationSums, Standings, WinShare};
use crate::stats::{Estimate, HalfBlocks, Interval, Stratum, bootstrap, gamma};
use crate::stream::Stream;

/// The numbers of agents, pairs and seats that have intervals.
pub(super) struct Estimates {
    win_shares: Vec<Option<Estimate>>,
    ratings: Vec<Option<Estimate>>,
    pub pairs: PairEstimates,
    seat_shares: Vec<Option<Estimate>>,
    seat_ratings: Vec<Option<Estimate>>,
    /// By how much the shared deals reduced the variance.
    pub deals_ratio: Option<Estimate>,
}

impl Estimates {
    pub(super) fn new(schedule: &Schedule, standings: &Standings, anchor: Option<usize>) -> Self {
        let strata = standings.blocks();
        let generator = |purpose| Stream::Resampling.generator(schedule.seed, &[purpose]);
        Estimates {
            win_shares: estimate_agent_shares(schedule.agents.len(), standings, &strata, generator(0)),
            pairs: PairEstimates::new(schedule.agents.len(), standings, &strata, generator(1)),
            seat_shares: estimate_seat_shares(schedule.players, standings, &strata, generator(2)),
            ratings: estimate_ratings(standings, schedule.agents.len(), anchor, generator(3)),
            seat_ratings: estimate_seats(standings, schedule.agents.len(), schedule.players, generator(4)),
            deals_ratio: estimate_deals_ratio(standings, generator(5)),
        }
    }

    pub(super) fn agents(&self, schedule: &Schedule, standings: &Standings) -> Vec<AgentSummary> {
        let summary = |(agent, spec): (usize, &azulejo_agents::AgentSpec)| {
            let (games, mean_score) = standings.games_of(&[agent]);
            let effort = standings.effort_of(agent);
            AgentSummary {
                spec: spec.to_string(),
                name: spec.name().map(str::to_owned),
                games,
                win_share: self.win_shares[agent],
                forfeits: standings.forfeits_of(agent),
                mean_score,
                mean_cpu_ms: effort.mean_cpu_ms(),
                mean_nodes: effort.mean_nodes(),
                mean_ms: effort.mean_ms(),
                longest_ms: (effort.timed > 0).then_some(effort.longest_ms),
                overruns: (effort.timed > 0).then_some(effort.overruns),
                rating: self.ratings[agent],
            }
        };
        schedule.agents.iter().enumerate().map(summary).collect()
    }

    pub(super) fn pairs(&self, schedule: &Schedule, standings: &Standings) -> Vec<PairSummary> {
        let summary = |(number, &[a, b]): (usize, &[usize; 2])| {
            let (games, a_mean_score) = standings.games_of(&[a, b]);
            PairSummary {
                a: schedule.agents[a].to_string(),
                b: schedule.agents[b].to_string(),
                games,
                a_win_share: self.pairs.shares[number],
                superiority: self.pairs.superiorities[number],
                a_mean_score,
                b_mean_score: standings.games_of(&[b, a]).1,
            }
        };
        self.pairs.pairs.iter().enumerate().map(summary).collect()
    }

    pub(super) fn seats(&self, standings: &Standings) -> Vec<SeatSummary> {
        let both = self.seat_shares.iter().zip(&self.seat_ratings).enumerate();
        let summary = |(seat, (&win_share, &elo))| SeatSummary {
            seat,
            win_share,
            mean_score: standings.mean_seat_score(seat),
            elo,
        };
        both.map(summary).collect()
    }
}

/// The win share of each agent.
fn estimate_agent_shares(
    agents: usize,
    standings: &Standings,
    strata: &[Stratum<BlockSums>],
    generator: Generator,
) -> Vec<Option<Estimate>> {
    let totals = standings.totals();
    let shares: Vec<WinShare> = (0..agents).map(|agent| standings.share_of(&[agent])).collect();
    let played: Vec<PlayedBlocks> = shares.iter().map(|share| share.played(strata, &totals)).collect();
    let intervals = bootstrap(strata, generator, |totals, rng| {
        let of = |(share, played): (&WinShare, &PlayedBlocks)| {
            (played.blocks > 0)
                .then(|| share.with_half_blocks(totals, played, HalfBlocks::draw(played.blocks, rng)))?
        };
        shares.iter().zip(&played).map(of).collect()
    });
    let each = shares.iter().zip(&played).zip(intervals);
    each.map(|((share, played), interval)| {
        let interval = interval.map(|interval| played.open(interval));
        Estimate::where_it_varies(share.value(&totals), interval, played.vary())
    })
    .collect()
}

/// The win share of each seat, without an interval where too few blocks tell of seats.
///
/// Half a block is imagined for each seat, in which it wins all games.
fn estimate_seat_shares(
    players: usize,
    standings: &Standings,
    strata: &[Stratum<BlockSums>],
    generator: Generator,
) -> Vec<Option<Estimate>> {
    let totals = standings.totals();
    let shares: Vec<WinShare> = (0..players).map(|seat| standings.share_of_seat(seat)).collect();
    let played = shares[0].played(strata, &totals);
    if played.blocks == 0 {
        return vec![None; players];
    }
    let intervals = bootstrap(strata, generator, |totals, rng| {
        let halves = HalfBlocks::draw(played.blocks, rng);
        let won: Vec<f64> = (0..players).map(|_| gamma(HalfBlocks::SIZE, rng)).collect();
        let all: f64 = won.iter().sum();
        let of = |(share, won): (&WinShare, f64)| {
            share.with_half_blocks(totals, &played, HalfBlocks { won, lost: all - won, ..halves })
        };
        shares.iter().zip(won).map(of).collect()
    });
    let tells = standings.tell_of_seats();
    let of = |(share, interval): (&WinShare, Option<Interval>)| {
        Estimate::where_it_varies(share.value(&totals), interval, tells)
    };
    shares.iter().zip(intervals).map(of).collect()
}

/// By how much the shared deals reduced the variance.
fn estimate_deals_ratio(standings: &Standings, generator: Generator) -> Option<Estimate> {
    let rotations = standings.rotations();
    let ratio = |totals: &[Option<RotationSums>]| standings.deals_ratio(totals);
    let value = ratio(&rotations.iter().map(Stratum::totals).collect::<Vec<_>>());
    let intervals = bootstrap(&rotations, generator, |totals, _| vec![ratio(totals)]);
    Estimate::where_it_varies(value, intervals.into_iter().next().flatten(), true)
}
