//! What an agent loses in a suite: [`SuiteScore`].

use std::sync::atomic::{AtomicUsize, Ordering};

use azulejo::seed::derive;
use azulejo::{GameSpec, Generator, SpecError, StateError, rules_of, with_game};
use azulejo_agents::{Agent, AgentError, AgentSpec, AgentSpecError, Limits, Playable};
use rayon::ThreadPool;
use serde::Serialize;
use thiserror::Error;

use super::position::{ExpectedMove, SolvedMove, SuitePosition, Values};
use super::{Suite, Tier};
use crate::stats::{Estimate, HalfBlocks, Stratum, Sums, bootstrap, estimate_keys};

/// What an agent loses against the best actions of a suite's positions. Intervals are of 95 %, by the bootstrap over the games
/// that the positions are from.
///
/// Where values are means over chances, the best action is that of one half of them and the loss that of the other half, both ways in
/// the mean: else what luck made the best would be measured by the same luck. Such a loss may be negative.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteScore {
    /// The agent.
    pub agent: String,
    /// The positions.
    pub positions: usize,
    /// The share of positions in which it chooses an action whose lead is the best.
    #[serde(flatten, with = "optimal_keys")]
    pub optimal: Option<Estimate>,
    /// The points of lead that it loses, in the mean over all positions.
    #[serde(flatten, with = "points_lost_keys")]
    pub points_lost: Option<Estimate>,
    /// The share of the win that it loses, in the mean over all positions.
    #[serde(flatten, with = "win_lost_keys")]
    pub win_lost: Option<Estimate>,
    /// The share of positions in which it throws a result away: a win, or a draw. `None` where no result is certain.
    #[serde(flatten, with = "thrown_away_keys")]
    pub thrown_away: Option<Estimate>,
}

estimate_keys!(optimal_keys: "optimal", "optimal_low", "optimal_high");
estimate_keys!(points_lost_keys: "points_lost", "points_lost_low", "points_lost_high");
estimate_keys!(win_lost_keys: "win_lost", "win_lost_low", "win_lost_high");
estimate_keys!(thrown_away_keys: "thrown_away", "thrown_away_low", "thrown_away_high");

/// Why an agent has no score.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The agent does not exist as it is described.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// A position is of no game.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// A position does not exist.
    #[error(transparent)]
    State(#[from] StateError),
    /// The agent did not choose, or not what is legal.
    #[error("{game}, position {number}: {problem}")]
    Choice {
        /// The game's id.
        game: &'static str,
        /// The position's number in the suite, from 0.
        number: usize,
        /// What it did.
        problem: AgentError,
    },
}

/// What is lost in the positions from one game: the sums that a block of the bootstrap has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SuiteLoss {
    pub positions: f64,
    pub optimal: f64,
    pub points: f64,
    pub win: f64,
    pub thrown_away: f64,
}

impl Sums for SuiteLoss {
    fn sums(&self) -> impl Iterator<Item = f64> {
        [self.positions, self.optimal, self.points, self.win, self.thrown_away].into_iter()
    }

    fn sums_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let SuiteLoss { positions, optimal, points, win, thrown_away } = self;
        [positions, optimal, points, win, thrown_away].into_iter()
    }
}

impl SuiteLoss {
    /// What an action of a position loses; `None` if it is not legal.
    pub(super) fn of(position: &SuitePosition, action: &str) -> Option<Self> {
        match &position.values {
            Values::Exact(moves) => SuiteLoss::of_solved(moves, moves.iter().find(|it| it.action == action)?),
            Values::Expected(moves) => {
                SuiteLoss::of_expected(moves, moves.iter().find(|it| it.action == action)?)
            }
        }
    }

    fn of_solved(moves: &[SolvedMove], chosen: &SolvedMove) -> Option<Self> {
        let lead = moves.iter().map(|it| it.lead).max()?;
        let win = moves.iter().map(|it| it.win).fold(0.0, f64::max);
        Some(SuiteLoss {
            positions: 1.0,
            optimal: f64::from(u8::from(chosen.lead == lead)),
            points: f64::from(lead - chosen.lead),
            win: win - chosen.win,
            thrown_away: f64::from(u8::from(chosen.win < win)),
        })
    }

    fn of_expected(moves: &[ExpectedMove], chosen: &ExpectedMove) -> Option<Self> {
        let mut loss = SuiteLoss { positions: 1.0, ..SuiteLoss::default() };
        for (found, measured) in [(0, 1), (1, 0)] {
            let by_lead = moves.iter().max_by(|a, b| a.leads[found].total_cmp(&b.leads[found]))?;
            let by_win = moves.iter().max_by(|a, b| a.wins[found].total_cmp(&b.wins[found]))?;
            loss.optimal += 0.5 * f64::from(u8::from(chosen.leads[found] == by_lead.leads[found]));
            loss.points += 0.5 * (by_lead.leads[measured] - chosen.leads[measured]);
            loss.win += 0.5 * (by_win.wins[measured] - chosen.wins[measured]);
        }
        Some(loss)
    }

    /// Both together.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.sums_mut().zip(other.sums()).for_each(|(sum, more)| *sum += more);
        self
    }
}

/// An agent's losses in a suite.
#[derive(Clone, Debug)]
pub struct SuiteLosses {
    /// By the game that positions are from.
    blocks: Stratum<SuiteLoss>,
    /// Whether the positions' results are certain.
    is_certain: bool,
}

impl SuiteLosses {
    /// Lets an agent choose in every position, on all threads of a pool; `done` is called after each. What comes out is the
    /// same for any number of threads, unless the agent thinks for a time.
    ///
    /// # Errors
    /// If the agent does not exist, does not choose or chooses what is not legal.
    pub fn of(
        suite: &Suite,
        agent: &AgentSpec,
        pool: &ThreadPool,
        done: &(dyn Fn() + Sync),
    ) -> Result<Self, SuiteError> {
        let is_certain = suite.tier == Tier::Ends;
        let Some(first) = suite.positions.first() else {
            return Ok(SuiteLosses { blocks: Stratum::default(), is_certain });
        };
        let game: GameSpec = first.game.parse()?;
        let losses = with_game!(game, |_rules: &'static G::Rules| losses::<G>(suite, agent, pool, done))?;
        Ok(SuiteLosses { blocks: blocks(suite, &losses), is_certain })
    }

    /// The score in several suites together.
    pub fn score(agent: &AgentSpec, losses: &[SuiteLosses]) -> SuiteScore {
        let strata: Vec<Stratum<SuiteLoss>> = losses.iter().map(|losses| losses.blocks.clone()).collect();
        let found = estimates(&strata);
        let totals = strata.iter().filter_map(Stratum::totals);
        let positions = totals.map(|totals| totals.positions).sum::<f64>();
        let [optimal, points_lost, win_lost, thrown_away] = found;
        let thrown_away = thrown_away.filter(|_| losses.iter().all(|it| it.is_certain));
        SuiteScore {
            agent: agent.to_string(),
            positions: positions as usize,
            optimal,
            points_lost,
            win_lost,
            thrown_away,
        }
    }
}

/// What an agent loses in each position.
fn losses<G: Playable>(
    suite: &Suite,
    agent: &AgentSpec,
    pool: &ThreadPool,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<SuiteLoss>, SuiteError> {
    let next = AtomicUsize::new(0);
    let parts = pool.broadcast(|_| {
        let mut player = agent.build::<G>()?;
        let mut part = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(position) = suite.positions.get(number) else { return Ok(part) };
            match loss::<G>(suite.game, number, position, &mut *player) {
                Ok(loss) => part.push((number, loss)),
                Err(error) => {
                    next.store(suite.positions.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
            done();
        }
    });
    let mut losses = vec![SuiteLoss::default(); suite.positions.len()];
    for part in parts {
        part?.into_iter().for_each(|(number, loss)| losses[number] = loss);
    }
    Ok(losses)
}

/// What an agent loses in one position, which it sees for itself: it knows nothing of the game before.
fn loss<G: Playable>(
    game: &'static str,
    number: usize,
    position: &SuitePosition,
    player: &mut dyn Agent<G>,
) -> Result<SuiteLoss, SuiteError> {
    let state = G::from_json(rules_of::<G>(&position.game)?, &position.state)?;
    player.new_game(derive(number as u64, &[]));
    let choice = player.choose(&state, &Limits::default());
    let loss = choice.and_then(|decision| {
        let action = decision.action.to_string();
        let illegal = || AgentError::Failed(format!("{action} is not legal"));
        SuiteLoss::of(position, &action).ok_or_else(illegal)
    });
    loss.map_err(|problem| SuiteError::Choice { game, number, problem })
}

/// The losses game by game: positions from one game are not independent.
fn blocks(suite: &Suite, losses: &[SuiteLoss]) -> Stratum<SuiteLoss> {
    let mut blocks = Stratum::default();
    let mut open: Option<(&SuitePosition, SuiteLoss)> = None;
    for (position, loss) in suite.positions.iter().zip(losses) {
        open = Some(match open {
            Some((first, sums)) if is_one_game(first, position) => (first, sums.and(loss)),
            before => {
                before.into_iter().for_each(|(_, sums)| blocks.push(sums));
                (position, *loss)
            }
        });
    }
    open.into_iter().for_each(|(_, sums)| blocks.push(sums));
    blocks
}

fn is_one_game(one: &SuitePosition, other: &SuitePosition) -> bool {
    let game = |it: &SuitePosition| (it.source.seed, it.source.index);
    game(one) == game(other) && one.source.agent == other.source.agent
}

/// Optimal actions, points lost, win lost and results thrown away, each as a mean over positions.
///
/// The three that are shares have half a game imagined beside them in which all is lost, and half a game in which nothing is, as
/// win shares have: where an agent plays all positions alike, that is no certainty.
pub(super) fn estimates(strata: &[Stratum<SuiteLoss>]) -> [Option<Estimate>; 4] {
    let blocks: u64 = strata.iter().map(Stratum::blocks).sum();
    let add = |totals: &[Option<SuiteLoss>]| {
        totals.iter().flatten().fold(SuiteLoss::default(), |sums, totals| sums.and(totals))
    };
    let sums = add(&strata.iter().map(Stratum::totals).collect::<Vec<_>>());
    let shares = |sums: &SuiteLoss| [sums.optimal, sums.points, sums.win, sums.thrown_away];
    let a_block = sums.positions / blocks.max(1) as f64;
    let intervals = bootstrap(strata, Generator::new(1), |totals, rng| {
        let sums = add(totals);
        let HalfBlocks { played, won, lost } = HalfBlocks::draw(blocks.max(1), rng);
        let [optimal, points, win, thrown_away] = shares(&sums);
        let share = |sum: f64| {
            let imagined = (won + lost) * a_block;
            (sums.positions > 0.0)
                .then(|| (played * sum + won * a_block) / (played * sums.positions + imagined))
        };
        vec![
            share(optimal),
            (sums.positions > 0.0).then(|| points / sums.positions),
            share(win),
            share(thrown_away),
        ]
    });
    let mut intervals = intervals.into_iter();
    shares(&sums).map(|sum| {
        let value = (sums.positions > 0.0).then(|| sum / sums.positions);
        Estimate::where_it_varies(value, intervals.next().flatten(), blocks > 1)
    })
}
