//! The summary of a run: what came out, with intervals.

pub(crate) mod check;
mod estimates;
mod pairs;
mod ratings;

use azulejo_agents::AgentSpec;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::estimates::Estimates;
pub use crate::measures::{GroupSummary, MeasuresSummary, NamedEstimate};
use crate::schedule::{Schedule, ScheduleError, position};
use crate::standings::Standings;
use crate::stats::{Estimate, Sprt, SprtSettings, Verdict, estimate_keys};

estimate_keys!(win_share: "win_share", "win_share_low", "win_share_high");
estimate_keys!(rating: "rating", "rating_low", "rating_high");
estimate_keys!(pair_share: "a_win_share", "low", "high");
estimate_keys!(seat_share: "win_share", "low", "high");
estimate_keys!(seat_elo: "elo", "elo_low", "elo_high");
estimate_keys!(deals_ratio: "deals_ratio", "deals_ratio_low", "deals_ratio_high");
estimate_keys!(cycle_share: "share", "share_low", "share_high");

/// The summary of a run, as `summary.json` has it. Intervals are 95 %; a number that does not exist is
/// `None`.
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
    /// One entry for each agent, in the order of the schedule.
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
    #[serde(flatten, with = "deals_ratio")]
    pub deals_ratio: Option<Estimate>,
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
    /// The share of intransitive triples. Where agents are close to each other, chance makes cycles.
    #[serde(flatten, with = "cycle_share")]
    pub share: Option<Estimate>,
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
    pub(crate) fn new(settings: &SprtSettings, test: &Sprt) -> Self {
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
    /// What it is called; `None` if that is its spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of games in which it took part.
    pub games: u64,
    /// Its wins for each seat that it held and each game, 0 to 1; 1 / players if all are equally strong.
    #[serde(flatten, with = "win_share")]
    pub win_share: Option<Estimate>,
    /// The number of games that it forfeited.
    #[serde(default)]
    pub forfeits: u64,
    /// Its mean points.
    pub mean_score: Option<f64>,
    /// The mean processor time of its choices in milliseconds, of all threads together; `None` unless a time limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_cpu_ms: Option<f64>,
    /// The mean number of simulations or nodes of its choices; `None` unless a time limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_nodes: Option<f64>,
    /// The mean time of its choices on the wall clock in milliseconds; `None` unless that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ms: Option<f64>,
    /// The longest of them in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_ms: Option<f64>,
    /// How many of its choices took longer than their limit on the wall clock, which is longer by what its earlier ones in the game have
    /// left where it carries that over; `None` unless that is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overruns: Option<u64>,
    /// Its rating in Elo points; the mean of all agents, or the anchor, is 0.
    #[serde(flatten, with = "rating")]
    pub rating: Option<Estimate>,
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
    #[serde(flatten, with = "pair_share")]
    pub a_win_share: Option<Estimate>,
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
    #[serde(flatten, with = "seat_share")]
    pub win_share: Option<Estimate>,
    /// The mean points at this seat.
    pub mean_score: Option<f64>,
    /// What the seat adds to the rating of who sits there, in Elo points; the mean over the seats is 0.
    /// `None` where agents keep their seats.
    #[serde(flatten, with = "seat_elo")]
    pub elo: Option<Estimate>,
}

/// An agent that forfeited every game that it took part in: a run that says nothing of it has not done what it was for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{agent} forfeited all of its {games} games")]
pub struct AllForfeited {
    /// The agent's spec.
    agent: String,
    /// Its games.
    games: u64,
}

impl AllForfeited {
    /// Refuses the summary of a run in which there is such an agent.
    ///
    /// # Errors
    /// The first such agent.
    pub fn check(summary: &Summary) -> Result<(), Self> {
        let forfeiter = summary.forfeiter();
        forfeiter.map_or(Ok(()), |agent| Err(AllForfeited { agent: agent.spec.clone(), games: agent.games }))
    }
}

impl AgentSummary {
    /// What the agent is called.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.spec)
    }
}

impl Summary {
    /// Summarizes the games of a schedule. The anchor is the agent whose rating is 0; without one the mean
    /// is.
    ///
    /// # Errors
    /// If the anchor is not one of the agents.
    pub fn new(
        schedule: &Schedule,
        standings: &Standings,
        anchor: Option<&AgentSpec>,
    ) -> Result<Self, ScheduleError> {
        let anchor = anchor.map(|anchor| position("anchor", anchor, &schedule.agents)).transpose()?;
        let estimates = Estimates::new(schedule, standings, anchor);
        Ok(Summary {
            game: schedule.game.clone(),
            players: schedule.players,
            games: standings.games(),
            seed: schedule.seed,
            agents: estimates.agents(schedule, standings),
            pairs: estimates.pairs(schedule, standings),
            seats: estimates.seats(standings),
            plies: standings.mean_plies(),
            rounds: standings.mean_rounds(),
            truncated: standings.truncated(),
            forfeits: standings.forfeits(),
            sprt: None,
            deals_ratio: estimates.deals_ratio,
            cycles: estimates.pairs.cycles(schedule.agents.len()),
            measures: None,
        })
    }

    /// The first agent that forfeited every game in which it took part: of it, nothing was found out.
    pub fn forfeiter(&self) -> Option<&AgentSummary> {
        self.agents.iter().find(|agent| agent.games > 0 && agent.forfeits == agent.games)
    }

    /// What the agent with this spec is called.
    pub(crate) fn label<'a>(&'a self, spec: &'a str) -> &'a str {
        self.agents.iter().find(|agent| agent.spec == spec).map_or(spec, AgentSummary::label)
    }

    /// The agents from the strongest to the weakest.
    pub(crate) fn ranked(&self) -> Vec<&AgentSummary> {
        let strength = |agent: &AgentSummary| {
            agent.rating.or(agent.win_share).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
        };
        let mut ranked: Vec<&AgentSummary> = self.agents.iter().collect();
        ranked.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        ranked
    }

    /// The win share of one agent in its games with another one; `None` if nothing is known of it.
    pub(crate) fn share_between(&self, agent: &AgentSummary, other: &AgentSummary) -> Option<f64> {
        let of = |a: &AgentSummary, b: &AgentSummary| {
            let pair = self.pairs.iter().find(|pair| pair.a == a.spec && pair.b == b.spec);
            pair.and_then(|pair| pair.a_win_share).map(|share| share.value)
        };
        // With more players a game of two agents may go to a third: then nothing is known of the other one.
        of(agent, other).or_else(|| of(other, agent).filter(|_| self.players == 2).map(|share| 1.0 - share))
    }
}
