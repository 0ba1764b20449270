//! The tables of a run's summary, in the terminal and in reports.

use super::Table;
use super::cells::{self, number, percent, whole};
use crate::summary::{AgentSummary, PairSummary, SeatSummary, Summary};

/// The most agents for which the crosstable has a column each.
const MAX_COLUMNS: usize = 8;

/// The agents from the strongest to the weakest; with two players and few agents also their win shares
/// against each other, and where a time limits an agent the means of what its choices spent.
pub fn agents(summary: &Summary) -> Table {
    let ranked: Vec<(usize, &AgentSummary)> = (1..).zip(summary.ranked()).collect();
    let table = Table::of(&ranked)
        .text("", |(rank, _)| rank.to_string())
        .text("agent", |(_, agent)| agent.spec.clone())
        .number("games", |(_, agent)| agent.games.to_string())
        .estimate("win share", percent, |(_, agent)| agent.win_share)
        .number("score", |(_, agent)| number(agent.mean_score))
        .told_estimate("rating", |(_, agent)| rating(agent));
    let table = match ranked.iter().any(|(_, agent)| agent.forfeits > 0) {
        true => table.number("forfeits", |(_, agent)| agent.forfeits.to_string()),
        false => table,
    };
    let table = match ranked.iter().any(|(_, agent)| agent.mean_nodes.is_some()) {
        true => table
            .number("CPU ms", |(_, agent)| number(agent.mean_cpu_ms))
            .number("nodes", |(_, agent)| whole(agent.mean_nodes)),
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
        table.number(&rank.to_string(), |(_, agent)| percent(summary.share_between(agent, other)))
    });
    cross.build()
}

/// An agent's rating and its interval. Of one that won or lost everything only one end is known: the other one is
/// that of the blocks that are imagined.
fn rating(agent: &AgentSummary) -> [String; 2] {
    let bound = |sign: &str, end: Option<f64>| [format!("{sign} {}", whole(end)), "-".to_owned()];
    let interval = agent.rating.and_then(|rating| rating.interval);
    match (agent.win_share.map(|share| share.value), interval) {
        (Some(1.0), Some(interval)) => bound(">", Some(interval.low)),
        (Some(0.0), Some(interval)) => bound("<", Some(interval.high)),
        _ => [cells::value(agent.rating, whole), cells::interval(agent.rating, whole)],
    }
}

/// The pairs of agents that have met.
pub fn pairs(pairs: &[PairSummary]) -> Table {
    Table::of(pairs)
        .text("a", |pair| pair.a.clone())
        .text("b", |pair| pair.b.clone())
        .number("games", |pair| pair.games.to_string())
        .estimate("win share of a", percent, |pair| pair.a_win_share)
        .number("a is stronger", |pair| percent(pair.superiority))
        .number("score of a", |pair| number(pair.a_mean_score))
        .number("score of b", |pair| number(pair.b_mean_score))
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
