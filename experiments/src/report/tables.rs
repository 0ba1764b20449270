//! The tables of a run's summary, in the terminal and in reports.

use super::Table;
use super::cells::{self, number, percent, whole};
use crate::summary::{AgentSummary, SeatSummary, Summary};

/// The most agents for which the crosstable has a column each.
const MAX_COLUMNS: usize = 8;

/// The agents from the strongest to the weakest; with two players and few agents also their win shares
/// against each other, and where a time limits an agent the means of what its choices spent. Where room is short the
/// win shares against each other are left out first, then nodes, processor time, games and points.
pub fn agents(summary: &Summary) -> Table {
    let ranked: Vec<(usize, &AgentSummary)> = (1..).zip(summary.ranked()).collect();
    let table = Table::of(&ranked)
        .text("", |(rank, _)| rank.to_string())
        .text("agent", |(_, agent)| agent.label().to_owned())
        .number("games", |(_, agent)| agent.games.to_string())
        .spare(4)
        .estimate("win share", percent, |(_, agent)| agent.win_share)
        .number("score", |(_, agent)| number(agent.mean_score))
        .spare(5)
        .told_estimate("rating", |(_, agent)| rating(agent));
    let table = match ranked.iter().any(|(_, agent)| agent.forfeits > 0) {
        true => table.number("forfeits", |(_, agent)| agent.forfeits.to_string()),
        false => table,
    };
    let table = match ranked.iter().any(|(_, agent)| agent.mean_nodes.is_some()) {
        true => table
            .number("CPU ms", |(_, agent)| number(agent.mean_cpu_ms))
            .spare(3)
            .number("nodes", |(_, agent)| whole(agent.mean_nodes))
            .spare(2),
        false => table,
    };
    let table = match ranked.iter().any(|(_, agent)| agent.mean_ms.is_some()) {
        true => table
            .number("ms", |(_, agent)| number(agent.mean_ms))
            .number("longest", |(_, agent)| number(agent.longest_ms))
            .number("over time", |(_, agent)| {
                agent.overruns.map_or("-".to_owned(), |overruns| overruns.to_string())
            }),
        false => table,
    };
    // With more players a game between two agents may go to a third: the pairs' table says more.
    let crossed = summary.players == 2 && (2..=MAX_COLUMNS).contains(&ranked.len());
    let others = ranked.iter().filter(|_| crossed);
    let cross = others.fold(table, |table, (rank, other)| {
        table.number(&rank.to_string(), |(_, agent)| percent(summary.share_between(agent, other))).spare(1)
    });
    cross.build()
}

/// An agent's rating and its interval. Of one that won or lost everything, but for one block at most, only one end is known: the
/// other one is that of the blocks that are imagined.
fn rating(agent: &AgentSummary) -> [String; 2] {
    let bound = |sign: &str, end: Option<f64>| [format!("{sign} {}", whole(end)), "-".to_owned()];
    let interval = agent.rating.and_then(|rating| rating.interval);
    let share = agent.win_share.and_then(|share| share.interval);
    match (share.map(|share| (share.low, share.high)), interval) {
        (Some((0.0, 1.0)), Some(_)) => [cells::value(agent.rating, whole), "-".to_owned()],
        (Some((_, 1.0)), Some(interval)) => bound(">", Some(interval.low)),
        (Some((0.0, _)), Some(interval)) => bound("<", Some(interval.high)),
        _ => [cells::value(agent.rating, whole), cells::interval(agent.rating, whole)],
    }
}

/// The pairs of agents that have met. Where room is short the points are left out first, then the games.
pub fn pairs(summary: &Summary) -> Table {
    Table::of(&summary.pairs)
        .text("a", |pair| summary.label(&pair.a).to_owned())
        .text("b", |pair| summary.label(&pair.b).to_owned())
        .number("games", |pair| pair.games.to_string())
        .spare(2)
        .estimate("share of a", percent, |pair| pair.a_win_share)
        .number("a is stronger", |pair| percent(pair.superiority))
        .number("score of a", |pair| number(pair.a_mean_score))
        .spare(1)
        .number("score of b", |pair| number(pair.b_mean_score))
        .spare(1)
        .build()
}

/// The seats. Where too few games tell seats from each other, their shares of the win are left out: rotation alone
/// makes them even.
pub fn seats(seats: &[SeatSummary]) -> Table {
    Table::of(seats)
        .number("seat", |seat| seat.seat.to_string())
        .estimate("win share", percent, |seat| seat.win_share.filter(|share| share.interval.is_some()))
        .number("score", |seat| number(seat.mean_score))
        .estimate("Elo", whole, |seat| seat.elo)
        .build()
}
