//! The tables that the commands print.

use std::io::{self, Write};

use azulejo_experiments::Summary;
use azulejo_experiments::stats::Verdict;
use azulejo_experiments::summary::{AgentSummary, SprtSummary};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

/// The most agents for which the crosstable has a column each.
const MAX_COLUMNS: usize = 8;

/// A table in the program's one style: aligned columns without lines, the first `texts` columns to the left and
/// all numbers to the right.
pub(super) fn table(header: &[&str], texts: usize) -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    for (number, column) in table.column_iter_mut().enumerate() {
        let right = if number < texts { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(right);
    }
    table
}

/// Writes a table and the end of the line.
pub(super) fn print(out: &mut impl Write, table: &Table) -> io::Result<()> {
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

/// Prints a run's summary: agents with the crosstable, pairs, seats.
pub(super) fn print_summary(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let Summary { game, players, games, truncated, forfeits, .. } = summary;
    writeln!(out, "{game}, {players} players, {games} games ({truncated} truncated, {forfeits} forfeited)")?;
    writeln!(out, "a game: {} moves, {} rounds", number(summary.plies), number(summary.rounds))?;
    for agent in summary.agents.iter().filter(|agent| agent.forfeits > 0) {
        writeln!(out, "{} forfeited {} of {} games", agent.spec, agent.forfeits, agent.games)?;
    }
    writeln!(out)?;
    print(out, &crosstable(summary))?;
    if summary.pairs.len() > 1 || summary.players > 2 && !summary.pairs.is_empty() {
        writeln!(out)?;
        print(out, &pair_table(summary))?;
    }
    writeln!(out)?;
    print(out, &seat_table(summary))?;
    summary.sprt.as_ref().map_or(Ok(()), |test| print_test(out, summary, test))
}

/// Says what a sequential test has found.
fn print_test(out: &mut impl Write, summary: &Summary, test: &SprtSummary) -> io::Result<()> {
    let SprtSummary { scale, elo0, elo1, log_ratio, lower, upper, .. } = test;
    let verdict = match test.verdict {
        Verdict::Null => format!("not {elo1} {scale} better: {scale}0={elo0} is accepted"),
        Verdict::Alternative => format!("better: {scale}1={elo1} is accepted"),
        Verdict::Open => format!("not decided between {elo0} and {elo1} {scale}"),
    };
    let agent = summary.agents.first().map_or("", |agent| agent.spec.as_str());
    writeln!(out, "\ntest after {} games: {agent} is {verdict}", summary.games)?;
    writeln!(out, "log likelihood ratio {log_ratio:.2}, bounds {lower:.2} and {upper:.2}")
}

/// The agents from the best to the worst, with their win shares against each other.
fn crosstable(summary: &Summary) -> Table {
    let mut agents: Vec<&AgentSummary> = summary.agents.iter().collect();
    agents.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let numbers: Vec<String> = (1..=agents.len()).map(|number| number.to_string()).collect();
    // With more players a game between two agents may go to a third: the pairs' table says more.
    let cross = summary.players == 2 && (2..=MAX_COLUMNS).contains(&agents.len());
    let columns = if cross { agents.len() } else { 0 };
    let mut header = vec!["", "agent", "games", "win share", "95 %", "score", "rating", "95 %"];
    header.extend(numbers.iter().take(columns).map(String::as_str));
    let mut table = table(&header, 2);
    for (agent, number_text) in agents.iter().zip(&numbers) {
        let mut row = vec![
            number_text.clone(),
            agent.spec.clone(),
            agent.games.to_string(),
            percent(agent.win_share),
            interval(agent.win_share_low, agent.win_share_high, percent),
            number(agent.mean_score),
            points(agent.rating),
            interval(agent.rating_low, agent.rating_high, points),
        ];
        row.extend(agents.iter().take(columns).map(|other| percent(share_against(summary, agent, other))));
        table.add_row(row);
    }
    table
}

fn strength(agent: &AgentSummary) -> f64 {
    agent.rating.or(agent.win_share).unwrap_or(f64::NEG_INFINITY)
}

/// The win share of one agent against another in games of two players.
fn share_against(summary: &Summary, agent: &AgentSummary, other: &AgentSummary) -> Option<f64> {
    let of = |a: &AgentSummary, b: &AgentSummary| {
        let pair = summary.pairs.iter().find(|pair| pair.a == a.spec && pair.b == b.spec);
        pair.and_then(|pair| pair.a_win_share)
    };
    of(agent, other).or_else(|| of(other, agent).map(|share| 1.0 - share))
}

fn pair_table(summary: &Summary) -> Table {
    let mut table = table(&["a", "b", "games", "win share of a", "95 %", "score of a", "score of b"], 2);
    for pair in &summary.pairs {
        table.add_row([
            pair.a.clone(),
            pair.b.clone(),
            pair.games.to_string(),
            percent(pair.a_win_share),
            interval(pair.low, pair.high, percent),
            number(pair.a_mean_score),
            number(pair.b_mean_score),
        ]);
    }
    table
}

fn seat_table(summary: &Summary) -> Table {
    let mut table = table(&["seat", "win share", "95 %", "score"], 0);
    for seat in &summary.seats {
        table.add_row([
            seat.seat.to_string(),
            percent(seat.win_share),
            interval(seat.low, seat.high, percent),
            number(seat.mean_score),
        ]);
    }
    table
}

/// A share as a percentage.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.1}"))
}

/// A rating; what rounds to zero has no sign.
fn points(rating: Option<f64>) -> String {
    rating.map_or("-".to_owned(), |rating| format!("{}", rating.round() as i64))
}

fn interval(low: Option<f64>, high: Option<f64>, show: fn(Option<f64>) -> String) -> String {
    if low.is_none() || high.is_none() {
        return "-".to_owned();
    }
    format!("[{}, {}]", show(low), show(high))
}
