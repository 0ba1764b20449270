//! The sections of a run's report about scores, where they come from, and how games go.

use super::cells::{number, percent, value};
use super::chart::{Bar, Stack, bars, histograms, stacks};
use super::{Section, Table, brief};
use crate::measures::{GroupSummary, MeasuresSummary, NamedEstimate, is_share};
use crate::stats::{Bins, Estimate};
use crate::summary::Summary;

/// The sections about scores, their sources, and the course of games.
pub(super) fn measured(summary: &Summary, measures: &MeasuresSummary) -> Vec<Section> {
    let seats: Vec<(String, &GroupSummary)> =
        measures.seats.iter().enumerate().map(|(seat, group)| (format!("seat {seat}"), group)).collect();
    let specs = summary.agents.iter().map(|agent| brief(agent.label()).to_owned());
    let agents: Vec<(String, &GroupSummary)> = specs.zip(&measures.agents).collect();
    let mut sections = vec![advantages(&seats)];
    if agents.len() > 1 {
        sections.push(scores("Points by agent", &agents));
        sections.push(sources("Where the points come from, by agent", &agents));
    }
    sections.push(scores("Points by seat", &seats));
    sections.push(sources("Where the points come from, by seat", &seats));
    sections.push(winners(&measures.winners));
    sections.push(distribution("Rounds", "rounds", &measures.rounds));
    sections.push(distribution("Winning margins", "points ahead of the best loser", &measures.margins));
    sections.push(figures(measures));
    sections
}

/// The bars of what exists.
fn bars_of<'a>(estimates: impl Iterator<Item = (&'a str, Option<Estimate>)>) -> Vec<Bar> {
    estimates.filter_map(|(label, it)| Some(Bar { label: label.to_owned(), estimate: it? })).collect()
}

fn advantages(seats: &[(String, &GroupSummary)]) -> Section {
    let table = Table::of(seats).text("seat", |(label, _)| label.clone()).estimate(
        "points more than the others",
        number,
        |(_, group)| group.advantage,
    );
    let found = bars_of(seats.iter().map(|(label, group)| (label.as_str(), group.advantage)));
    Section {
        heading: "Seat advantage in points".to_owned(),
        text: "A seat's points less the mean of the others'.".to_owned(),
        chart: Some(bars("Seat advantage in points", "points", &found, Some(0.0))),
        table: table.build(),
    }
}

fn scores(heading: &str, groups: &[(String, &GroupSummary)]) -> Section {
    let table = Table::of(groups)
        .text("", |(label, _)| label.clone())
        .estimate("mean", number, |(_, group)| group.score)
        .number("median", |(_, group)| number(group.median))
        .number("standard deviation", |(_, group)| number(group.deviation));
    let series: Vec<(String, &Bins)> =
        groups.iter().map(|(label, group)| (label.clone(), &group.scores)).collect();
    Section {
        heading: heading.to_owned(),
        text: String::new(),
        chart: Some(histograms(heading, "points at the end", &series)),
        table: table.build(),
    }
}

fn sources(heading: &str, groups: &[(String, &GroupSummary)]) -> Section {
    let used = |place: &usize| groups.iter().any(|(_, group)| matters(&group.sources[*place]));
    let all = groups.first().map_or(0, |(_, group)| group.sources.len());
    let places: Vec<usize> = (0..all).filter(used).collect();
    let name = |place: &usize| groups[0].1.sources[*place].name.clone();
    let table = Table::of(&places).text("source", name);
    let table = groups.iter().fold(table, |table, (label, group)| {
        table.number(label, |&place| value(group.sources[place].mean, number))
    });
    let parts: Vec<String> = places.iter().map(name).collect();
    let row = |(label, group): &(String, &GroupSummary)| Stack {
        label: label.clone(),
        parts: places.iter().map(|&place| group.sources[place].mean.map_or(0.0, |it| it.value)).collect(),
    };
    let rows: Vec<Stack> = groups.iter().map(row).collect();
    Section {
        heading: heading.to_owned(),
        text: "Mean points of each source; what takes points extends to the left.".to_owned(),
        chart: Some(stacks(heading, "points", &parts, &rows)),
        table: table.build(),
    }
}

/// Whether a source brings or costs points that two decimals show.
fn matters(source: &NamedEstimate) -> bool {
    source.mean.is_some_and(|mean| mean.value.abs() >= 0.005)
}

fn winners(sources: &[NamedEstimate]) -> Section {
    let used: Vec<&NamedEstimate> = sources.iter().filter(|source| matters(source)).collect();
    let table = Table::of(&used).text("source", |source| source.name.clone()).estimate(
        "winner's points less the others'",
        number,
        |source| source.mean,
    );
    let found = bars_of(used.iter().map(|source| (source.name.as_str(), source.mean)));
    Section {
        heading: "What wins".to_owned(),
        text: "Where winners get more points than the others at their table.".to_owned(),
        chart: Some(bars("Winner's points less the others' by source", "points", &found, Some(0.0))),
        table: table.build(),
    }
}

fn distribution(heading: &str, unit: &str, bins: &Bins) -> Section {
    let all = bins.counts.iter().sum::<u64>().max(1) as f64;
    let rows: Vec<(i32, u64)> = (0..).zip(bins.counts.iter().copied()).collect();
    let label = |bin: i32| {
        let first = bins.from + bin * bins.width;
        let last = first + bins.width - 1;
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let table = Table::of(&rows)
        .text(unit, |&(bin, _)| label(bin))
        .number("games", |(_, count)| count.to_string())
        .number("share", |&(_, count)| percent(Some(count as f64 / all)));
    Section {
        heading: heading.to_owned(),
        text: String::new(),
        chart: Some(histograms(heading, unit, &[("games".to_owned(), bins)])),
        table: table.build(),
    }
}

fn figures(measures: &MeasuresSummary) -> Section {
    let table = Table::of(&measures.figures)
        .text("a game's mean", |figure| figure.name.clone())
        .shown_estimate("", |figure| (figure.mean, figure_cell(&figure.name)));
    Section {
        heading: "How games go".to_owned(),
        text: "Lead changes and deficits are counted at the ends of rounds. An end is close if the winner is at most 5 points \
               ahead."
            .to_owned(),
        chart: None,
        table: table.build(),
    }
}

/// How a figure is shown: as a share of the games, or as a number.
pub(crate) fn figure_cell(name: &str) -> fn(Option<f64>) -> String {
    if is_share(name) { percent } else { number }
}
