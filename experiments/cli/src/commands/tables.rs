//! The tables that the commands print.

use std::io::{self, IsTerminal, Write, stdout};

use azulejo_experiments::Summary;
use azulejo_experiments::report::cells::number;
use azulejo_experiments::report::{Column, ColumnKind, Table, tables};
use azulejo_experiments::stats::Verdict;
use azulejo_experiments::summary::SprtSummary;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};
use ratatui::crossterm::terminal::size;

/// Writes a table in the program's one style, aligned columns without lines: as wide as the terminal is, and
/// as wide as it needs to be where there is none.
pub(super) fn print(out: &mut impl Write, table: &Table) -> io::Result<()> {
    // A terminal that knows no size says 0.
    let terminal = size().ok().filter(|(columns, _)| stdout().is_terminal() && *columns > 0);
    let width = terminal.map_or(usize::MAX, |(columns, _)| columns.into());
    for (number, part) in table.fitted(width).iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        drawn(part).lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    }
    Ok(())
}

fn drawn(table: &Table) -> comfy_table::Table {
    let mut drawn = comfy_table::Table::new();
    drawn.load_preset(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    drawn.set_header(table.columns.iter().map(|column| &column.name)).add_rows(table.rows());
    for (column, Column { kind, .. }) in drawn.column_iter_mut().zip(&table.columns) {
        column.set_cell_alignment(match kind {
            ColumnKind::Text => CellAlignment::Left,
            ColumnKind::Number | ColumnKind::Interval => CellAlignment::Right,
        });
    }
    drawn
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
    print(out, &tables::agents(summary))?;
    if summary.pairs.len() > 1 || summary.players > 2 && !summary.pairs.is_empty() {
        writeln!(out)?;
        print(out, &tables::pairs(&summary.pairs))?;
    }
    writeln!(out)?;
    print(out, &tables::seats(&summary.seats))?;
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
