//! A study's report: what it finds in sentences, tables and charts.

use super::even::EvenFindings;
use super::play::play_sections;
use super::skill::{skill_curves, stillness};
use super::strategies::{best_strategy, strategy, strategy_sections};
use super::sweep::{sweep_sections, swept};
use super::{BalanceFindings, SeatFindings, UnchangedPlay, VariantDifference};
use crate::agent_knowledge::AgentKnowledge;
use crate::measures::NamedEstimate;
use crate::report::cells::{number, percent, value, with_interval};
use crate::report::chart::{Bar, Stack, bars, stacks};
use crate::report::{Report, Section, Table, brief, figure_cell, split_change, unrepeated};

/// The report of a study.
pub(super) fn report(findings: &BalanceFindings) -> Report {
    let mut sections = Vec::new();
    if !findings.differences.is_empty() {
        sections.push(what_if(findings));
    }
    sections.extend(sweep_sections(&findings.sweep, &warnings(findings).join(" ")));
    sections.extend(findings.even.iter().map(EvenFindings::section));
    if !findings.seats.is_empty() {
        sections.push(first_seat(findings));
        sections.extend(skill_curves(&findings.seats, &findings.steps));
        sections.push(courses(findings));
    }
    sections.extend(findings.seats.chunk_by(|one, other| id(&one.game) == id(&other.game)).map(points));
    sections.extend(play_sections(&findings.play));
    sections.extend(strategy_sections(&findings.strategies));
    let notes = "How even the seats are, how games go, and which strategy the rules favor. Seat 0 begins; intervals are \
                 95 %. What is told holds for the agents that played: others may use the rules differently.";
    let (lead, notes, commands) = (answer(findings), vec![notes.to_owned()], vec![findings.command.clone()]);
    let agents =
        findings.seats.iter().map(|seats| &seats.agent).chain(findings.even.iter().map(|it| &it.agent));
    let unrepeated = unrepeated(agents.map(String::as_str));
    Report { title: "Balance".to_owned(), lead, sections, notes, commands, unrepeated, ..Report::default() }
}

/// A short name of a table: `azul:gray 3`, and with changed rules `azul 3 column_bonus=10`.
pub(super) fn label(game: &str, players: usize) -> String {
    match split_change(game) {
        (variant, None) => format!("{variant} {players}"),
        (variant, Some(change)) => format!("{variant} {players} {change}"),
    }
}

/// What tells tables apart in charts, which have little room: variants of one game go without its name, and
/// agents are named where there are several.
pub(super) fn names(tables: &[SeatFindings]) -> Vec<String> {
    let alike = |of: fn(&SeatFindings) -> &str| tables.iter().all(|table| of(table) == of(&tables[0]));
    let (one_game, one_agent) = (alike(|table| id(&table.game)), alike(|table| &table.agent));
    let name = |table: &SeatFindings| {
        let label = label(&table.game, table.players);
        let short = label.split_once(':').filter(|_| one_game).map_or(&*label, |(_, options)| options);
        if one_agent { short.to_owned() } else { format!("{short} {}", brief(&table.agent)) }
    };
    tables.iter().map(name).collect()
}

/// The game's id in a spec.
pub(super) fn id(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

/// The answer: what a change changes, where going first matters most, which strategy is best.
fn answer(findings: &BalanceFindings) -> Vec<String> {
    let seats = going_first(findings).into_iter().chain(stillness(&findings.steps));
    let changes = what_changed(findings).into_iter().chain(swept(&findings.sweep));
    let even = findings.even.iter().map(EvenFindings::sentence);
    changes.chain(even).chain(seats).chain(best_strategy(&findings.strategies)).collect()
}

/// The differences that a change makes beyond doubt, the surest ones first.
fn what_changed(findings: &BalanceFindings) -> Option<String> {
    const NAMED: usize = 3;
    let first = findings.differences.first()?;
    let change = split_change(&first.game).1.unwrap_or_else(|| "the change".to_owned());
    let sureness = |it: &VariantDifference| {
        let difference = it.difference?;
        let half = difference.half_width().filter(|half| *half > 0.0)?;
        Some(difference.value.abs() / half).filter(|sureness| *sureness > 1.0)
    };
    let mut sure: Vec<(f64, &VariantDifference)> =
        findings.differences.iter().filter_map(|it| Some((sureness(it)?, it))).collect();
    sure.sort_by(|a, b| b.0.total_cmp(&a.0));
    if sure.is_empty() {
        return Some(format!("With {change} nothing differs beyond doubt."));
    }
    let told = sure.iter().take(NAMED).map(|(_, it)| {
        let sign = if it.difference.is_some_and(|difference| difference.value > 0.0) { "+" } else { "" };
        let (shown, table) = (with_interval(it.difference, it.cell()), label(&it.base, it.players));
        format!("{} ({}) {sign}{shown} at {table}", it.name, strategy(&it.agent))
    });
    let (all, told) = (sure.len(), told.collect::<Vec<_>>().join("; "));
    Some(format!(
        "With {change} {all} of {} figures differ beyond doubt: {told}.",
        findings.differences.len()
    ))
}

/// Where seat 0 wins most and where it wins least, as shares of an equal share.
fn going_first(findings: &BalanceFindings) -> Option<String> {
    let share = |it: &SeatFindings| it.win_shares[0].map(|share| share.value * it.players as f64);
    let known = || findings.seats.iter().filter(|it| share(it).is_some());
    let compare =
        |a: &&SeatFindings, b: &&SeatFindings| share(a).unwrap_or(0.0).total_cmp(&share(b).unwrap_or(0.0));
    let (most, least) = (known().max_by(compare)?, known().min_by(compare)?);
    let told = |it: &SeatFindings| {
        let even = percent(Some(1.0 / it.players as f64));
        let (shown, table) = (with_interval(it.win_shares[0], percent), label(&it.game, it.players));
        format!("{shown} at {table} ({}), where {even} is even", brief(&it.agent))
    };
    Some(match known().count() {
        1 => format!("Seat 0 wins {}.", told(most)),
        _ => format!("Seat 0 wins most, {}, and least, {}.", told(most), told(least)),
    })
}

fn first_seat(findings: &BalanceFindings) -> Section {
    let seats = &findings.seats;
    let others = |it: &SeatFindings| {
        it.leads[1..].iter().map(|lead| value(*lead, number)).collect::<Vec<_>>().join(", ")
    };
    let points = |it: &SeatFindings| {
        it.points.iter().flatten().map(|points| points.value).sum::<f64>() / it.players as f64
    };
    let table = Table::of(seats)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned())
        .number("games", |it| it.games.to_string())
        .spare(3)
        .number("even", |it| percent(Some(1.0 / it.players as f64)))
        .spare(2)
        .estimate("wins of seat 0", percent, |it| it.win_shares[0])
        .estimate("lead of seat 0", number, |it| it.leads[0])
        .number("leads of the others", others)
        .spare(1)
        .number("points", |it| number(Some(points(it))))
        .spare(4);
    let named = seats.iter().zip(names(seats));
    let bar = |(it, label): (&SeatFindings, String)| it.leads[0].map(|estimate| Bar { label, estimate });
    let found: Vec<Bar> = named.filter_map(bar).collect();
    Section {
        heading: "Going first".to_owned(),
        text: "Seat 0's wins, and its points less the mean of the others'. Even wins are 50, 33.3 and 25 % for 2, 3 and 4 \
               players."
            .to_owned(),
        chart: Some(bars("Lead of the first seat", "points", &found, Some(0.0))),
        table: table.build(),
    }
}

fn courses(findings: &BalanceFindings) -> Section {
    let table = Table::of(&findings.seats)
        .text("table", |it| label(&it.game, it.players))
        .text("agent", |it| brief(&it.agent).to_owned());
    let figures = findings.seats.first().map_or(&[][..], |seats| &seats.figures);
    let table = figures.iter().enumerate().fold(table, |table, (place, NamedEstimate { name, .. })| {
        table.number(name, |it| value(it.figures[place].mean, figure_cell(name)))
    });
    Section {
        heading: "How games go".to_owned(),
        text: "Lead changes and deficits are counted at the ends of rounds; an end is close if the winner is at most 5 points \
               ahead. Intervals are in summary.json."
            .to_owned(),
        chart: None,
        table: table.build(),
    }
}

/// Where the points of a game's tables come from.
pub(super) fn points(tables: &[SeatFindings]) -> Section {
    let names = names(tables);
    let sources: Vec<String> = tables
        .first()
        .map_or(Vec::new(), |seats| seats.sources.iter().map(|source| source.name.clone()).collect());
    let places: Vec<usize> = (0..sources.len()).collect();
    let table = Table::of(&places).text("source", |&place| sources[place].clone());
    let table = tables.iter().zip(&names).fold(table, |table, (seats, name)| {
        table.number(name, |&place| value(seats.sources[place].mean, number))
    });
    let mean = |source: &NamedEstimate| source.mean.map_or(0.0, |mean| mean.value);
    let stack = |(seats, label): (&SeatFindings, String)| Stack {
        label,
        parts: seats.sources.iter().map(mean).collect(),
    };
    let rows: Vec<Stack> = tables.iter().zip(names.clone()).map(stack).collect();
    Section {
        heading: format!("{}: where the points come from", tables.first().map_or("", |it| id(&it.game))),
        text: "Mean points of each source; what takes points extends to the left.".to_owned(),
        chart: Some(stacks("Where the points come from", "points", &sources, &rows)),
        table: table.build(),
    }
}

fn what_if_text(findings: &BalanceFindings) -> String {
    let all = "The changed variant less the one it is made of, game by game on the same deals. The agents keep their weights.";
    std::iter::once(all.to_owned()).chain(warnings(findings)).collect::<Vec<_>>().join(" ")
}

/// What agents do not see of changed numbers.
fn warnings(findings: &BalanceFindings) -> Vec<String> {
    let blind = findings.knowledge.iter().filter_map(AgentKnowledge::warning);
    let warnings = blind.chain(findings.unchanged.iter().filter_map(UnchangedPlay::warning));
    warnings.map(|warning| format!("Warning: {warning}.")).collect()
}

fn what_if(findings: &BalanceFindings) -> Section {
    let table_name = |it: &VariantDifference| label(&it.base, it.players);
    let table = Table::of(&findings.differences)
        .text("changed", |it| it.name.clone())
        .text("table", table_name)
        .text("agent", |it| strategy(&it.agent).to_owned())
        .shown_estimate("difference", |it| (it.difference, it.cell()));
    let in_points = findings
        .differences
        .iter()
        .filter(|it| it.name.starts_with("points from") || it.name == "first seat's lead");
    let bar = |it: &VariantDifference| {
        let label = format!("{} {}", it.name.trim_start_matches("points from "), table_name(it));
        it.difference.map(|estimate| Bar { label, estimate })
    };
    let found: Vec<Bar> = in_points.filter_map(bar).collect();
    Section {
        heading: "What the changed numbers change".to_owned(),
        text: what_if_text(findings),
        chart: Some(bars("Differences in points", "points", &found, Some(0.0))),
        table: table.build(),
    }
}
