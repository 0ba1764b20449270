//! The tables that the commands print.

use std::io::{self, Write};

use azulejo_experiments::Summary;
use azulejo_experiments::report::cells::{number, percent};
use azulejo_experiments::report::{ColumnKind, FittedTable, GAP, Report, Table, tables};
use azulejo_experiments::stats::Verdict;
use azulejo_experiments::summary::{AgentSummary, SprtSummary};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};

use super::width::Wrapping;

/// Writes a table in the program's one style, aligned columns without lines, at most so many columns wide, and
/// names what was left out for that. Where there are only texts they are broken into lines.
pub(super) fn print(out: &mut impl Write, table: &Table, width: usize) -> io::Result<()> {
    let FittedTable { parts, left_out } = table.fitted(width);
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        drawn(part, width).lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    }
    if left_out.is_empty() {
        return Ok(());
    }
    let said = format!("(no room for: {}; --wide shows everything)", left_out.join(", "));
    Wrapping { columns: width, indent: 1 }.write(out, "", &said)
}

fn drawn(table: &Table, width: usize) -> comfy_table::Table {
    let mut drawn = comfy_table::Table::new();
    drawn.load_preset(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if table.columns.iter().all(|column| column.kind == ColumnKind::Text) {
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        drawn.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    drawn.set_header(table.columns.iter().map(|column| &column.name)).add_rows(table.rows());
    for (drawn, column) in drawn.column_iter_mut().zip(&table.columns) {
        drawn.set_padding((0, GAP as u16));
        drawn.set_cell_alignment(match column.kind {
            ColumnKind::Text => CellAlignment::Left,
            ColumnKind::Number | ColumnKind::Interval => CellAlignment::Right,
        });
    }
    drawn
}

/// Prints a report without its charts: what came out, then a table for each section.
pub(super) fn print_report(out: &mut impl Write, report: &Report, width: usize) -> io::Result<()> {
    let wrapping = Wrapping { columns: width, indent: 0 };
    writeln!(out, "{}\n", report.title)?;
    report.lead.iter().try_for_each(|text| wrapping.write(out, "", text))?;
    for section in &report.sections {
        writeln!(out, "\n{}\n{}\n", section.heading, "-".repeat(section.heading.chars().count()))?;
        if !section.text.is_empty() {
            wrapping.write(out, "", &section.text)?;
            writeln!(out)?;
        }
        print(out, &section.table, width)?;
    }
    writeln!(out)?;
    report.notes.iter().try_for_each(|text| wrapping.write(out, "", text))
}

/// Prints a run's summary: agents with the crosstable, pairs, seats.
pub(super) fn print_summary(out: &mut impl Write, summary: &Summary, width: usize) -> io::Result<()> {
    let Summary { game, players, games, truncated, forfeits, .. } = summary;
    let mut say = |text: String| Wrapping { columns: width, indent: 2 }.write(out, "", &text);
    say(format!("{game}, {players} players, {games} games ({truncated} truncated, {forfeits} forfeited)"))?;
    let even = percent(Some(1.0 / *players as f64));
    let (plies, rounds) = (number(summary.plies), number(summary.rounds));
    say(format!("a game: {plies} moves, {rounds} rounds; an even share of the win: {even}"))?;
    for agent in summary.agents.iter().filter(|agent| agent.forfeits > 0) {
        say(format!("{} forfeited {} of {} games", agent.label(), agent.forfeits, agent.games))?;
    }
    writeln!(out)?;
    print(out, &tables::agents(summary), width)?;
    if summary.pairs.len() > 1 || summary.players > 2 && !summary.pairs.is_empty() {
        writeln!(out)?;
        print(out, &tables::pairs(summary), width)?;
    }
    writeln!(out)?;
    print(out, &tables::seats(&summary.seats), width)?;
    summary.sprt.as_ref().map_or(Ok(()), |test| print_test(out, summary, test, width))
}

/// Says what a sequential test has found.
fn print_test(out: &mut impl Write, summary: &Summary, test: &SprtSummary, width: usize) -> io::Result<()> {
    let SprtSummary { scale, elo0, elo1, log_ratio, lower, upper, .. } = test;
    let verdict = match test.verdict {
        Verdict::Null => format!("not {elo1} {scale} better: {scale}0={elo0} is accepted"),
        Verdict::Alternative => format!("better: {scale}1={elo1} is accepted"),
        Verdict::Open => format!("not decided between {elo0} and {elo1} {scale}"),
    };
    let agent = summary.agents.first().map_or("", AgentSummary::label);
    writeln!(out)?;
    let found = format!("test after {} games: {agent} is {verdict}", summary.games);
    Wrapping { columns: width, indent: 2 }.write(out, "", &found)?;
    writeln!(out, "log likelihood ratio {log_ratio:.2}, bounds {lower:.2} and {upper:.2}")
}
